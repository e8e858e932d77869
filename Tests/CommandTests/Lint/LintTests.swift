import Foundation
import Testing

@Suite("graft lint") struct LintTests {
  private static let faulty = """
    {
      "entities": {
        "Hero": {
          "identityAttributes": "identifer",
          "entityMapperName": "HeroKind",
          "attributes": { "identifier": { "type": "integer64", "JSONKeyPath": "id" } },
          "relationships": { "team": { "destination": "Teem" } }
        },
        "Team": {}
      }
    }
    """

  @Test("The repository's models have no findings")
  func clean() throws {
    let models = try FileManager.default.contentsOfDirectory(
      atPath: Invocation.root.appendingPathComponent("Models").path
    )
    .filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }.sorted()
    let graft = try Invocation(["lint"] + models.map { "Models/\($0)" })
    #expect(graft.output == "")
    #expect(graft.messages == "no findings in \(models.count) model files\n")
    #expect(graft.status == 0)
  }

  @Test("M9: all findings are reported together, each with its location, an excerpt and a suggested name")
  func text() throws {
    let graft = try Invocation("lint -", input: LintTests.faulty)
    #expect(
      graft.output == """
        <stdin>:4:30: error: the identity attribute 'identifer' is not an attribute of entity 'Hero'; did you mean 'identifier'?
        4 |       "identityAttributes": "identifer",
          |                              ^~~~~~~~~
        <stdin>:5:27: warning: the entity mapper 'HeroKind' of entity 'Hero' is not registered
        5 |       "entityMapperName": "HeroKind",
          |                           ^~~~~~~~~~
        <stdin>:7:51: error: the destination 'Teem' of relationship 'Hero.team' is not an entity; did you mean 'Team'?
        7 |       "relationships": { "team": { "destination": "Teem" } }
          |                                                   ^~~~~~

        """)
    #expect(graft.messages == "2 errors and 1 warning in 1 model file\n")
    #expect(graft.status == 1)
  }

  @Test("With --quiet, a model without findings produces no output")
  func quiet() throws {
    let clean = try Invocation("lint --quiet Models/Comics.json")
    #expect(clean.output == "" && clean.messages == "" && clean.status == 0)
    let faulty = try Invocation("lint --quiet -", input: LintTests.faulty)
    #expect(try faulty.output == Invocation("lint -", input: LintTests.faulty).output)
    #expect(faulty.messages == "" && faulty.status == 1)
  }

  @Test("JSON output contains the same findings as text output")
  func json() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("Heroes.json", LintTests.faulty)
    let graft = try Invocation(["lint", "--format=json", path])
    let findings = try #require(try JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [[String: Any]])
    #expect(findings.map { $0["file"] as? String } == [path, path, path])
    #expect(findings.map { $0["line"] as? Int } == [4, 5, 7])
    #expect(findings.map { $0["column"] as? Int } == [30, 27, 51])
    #expect(findings.map { $0["severity"] as? String } == ["error", "warning", "error"])
    #expect(
      findings.map { $0["code"] as? String } == ["unknown-identity-attribute", "unknown-mapper", "unknown-entity"])
    #expect(findings.map { $0["suggestion"] as? String } == ["identifier", nil, "Team"])
    #expect(findings.allSatisfy { $0["message"] is String && $0["notes"] is [Any] })
    #expect(graft.messages == "")
    #expect(graft.status == 1)
  }

  @Test(
    "JSON findings have a suggestion if the message proposes one word, and the message does not repeat the suggestion",
    arguments: [
      (
        #"{"entities": {"A": {"identityAttribute": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "id"}}}}}"#,
        "identityAttributes"
      ),
      (#"{"entities": {"A": {"parent": "Nobody"}, "Bee": {}}}"#, "Bee"), (#"{entities: {}}"#, "\"entities\""),
      (#"{"entities": {"A": {"abstract": True}}}"#, "true"),
      (#"{"entities": {"A": {"attributes": {"n": "string?"}}}}"#, "string"),
      (#"{"entities": {"A": {"attributes": {"n": "int[]"}}}}"#, "integer64"),
      (#"{"entities": {"A": {"attributes": {"n": {"type": "string", "nullable": true}}}}}"#, "optional"),
      (#"{"entities": {"A": {"relationships": {"n": {"type": "A"}}}}}"#, "destination"),
      (#"{"entities": {"A": {"attributes": {"n": {"type": "string", "JSONKeyPath": "$.n"}}}}}"#, "n"),
    ])
  func suggestions(model: String, suggestion: String) throws {
    let graft = try Invocation("lint --format json -", input: model)
    let findings = try #require(try JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [[String: Any]])
    #expect(findings.first?["suggestion"] as? String == suggestion, "\(graft.output)")
    let text = try Invocation("lint -", input: model).output.split(separator: "\n").first ?? ""
    #expect(text.components(separatedBy: suggestion).count >= 2 && !text.contains("expected 'Bee'; did"), "\(text)")
    // No message proposes anything twice.
    let message = findings.first?["message"] as? String ?? ""
    #expect(!(message.contains(suggestion) && text.hasSuffix("; did you mean '\(suggestion)'?")), "\(text)")
  }

  @Test("A note in a JSON finding has its own location")
  func notes() throws {
    let graft = try Invocation(
      "lint --format json -",
      input: """
        {"entities": {
          "A": {"relationships": {"b": {"destination": "B", "inverse": "c"}}},
          "B": {"relationships": {"c": {"destination": "B"}}}
        }}
        """)
    let findings = try #require(try JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [[String: Any]])
    let notes = findings.flatMap { $0["notes"] as? [[String: Any]] ?? [] }
    #expect(!notes.isEmpty)
    for note in notes { #expect(Set(note.keys) == ["file", "line", "column", "length", "message"]) }
  }

  @Test("If there are no findings, the JSON output is an empty array")
  func noFindings() throws {
    let graft = try Invocation("lint --format json Models/Comics.json")
    #expect(graft.output == "[]\n" && graft.messages == "" && graft.status == 0)
  }

  @Test("M9: a mapper that is not built in causes a warning, not a failure")
  func warning() throws {
    let graft = try Invocation("lint -", input: #"{"entities": {"A": {"entityMapperName": "Kind"}}}"#)
    #expect(graft.output.hasPrefix("<stdin>:1:41: warning: the entity mapper 'Kind' of entity 'A' is not registered\n"))
    #expect(graft.messages == "1 warning in 1 model file\n")
    #expect(graft.status == 0)
  }

  @Test("A file that cannot be read does not prevent other files from being checked")
  func unreadable() throws {
    let graft = try Invocation("lint Models Models/None.json -", input: "{")
    #expect(graft.output.hasPrefix("<stdin>:1:2: error: "))
    #expect(
      graft.messages == """
        graft lint: cannot read 'Models': it is a directory
        graft lint: cannot read 'Models/None.json': No such file or directory
        1 error in 1 model file

        """)
    #expect(graft.status == 3)
  }

  @Test("If no file can be read, there is no summary")
  func nothingRead() throws {
    let graft = try Invocation("lint nothere.json")
    #expect(graft.messages == "graft lint: cannot read 'nothere.json': No such file or directory\n")
    #expect(graft.output == "" && graft.status == 3)
  }

  @Test("The content of a file cannot control the terminal")
  func escapes() throws {
    let graft = try Invocation("lint -", input: "{\"entities\": {\"\u{1B}[31m\": {}}}")
    #expect(!graft.output.unicodeScalars.contains("\u{1B}") && !graft.output.isEmpty)
    let word = try Invocation(["lint\u{1B}[31m"])
    #expect(word.messages == "graft: unknown command 'lint\\u{1B}[31m'\nTry 'graft --help'.\n")
  }
}
