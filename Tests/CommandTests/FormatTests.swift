import Foundation
import Testing

@Suite("graft format") struct FormatTests {
  private static let untidy = #"{"entities": {"A": {}}, /* short */ "name": "N"}"#
  private static let tidy = """
    {
      /* short */
      "name": "N",

      "entities": {
        "A": {},
      },
    }

    """

  @Test("The repository's models are formatted")
  func repository() throws {
    let models = try FileManager.default.contentsOfDirectory(
      atPath: Invocation.root.appendingPathComponent("Models").path
    )
    .filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }.sorted()
    let graft = try Invocation(["format", "--check"] + models.map { "Models/\($0)" })
    #expect(graft.output == "")
    #expect(graft.messages == "nothing to change in \(models.count) model files\n")
    #expect(graft.status == 0)
  }

  @Test("Standard input is written to standard output in the canonical format, without messages")
  func filter() throws {
    let graft = try Invocation("format -", input: FormatTests.untidy)
    #expect(graft.output == FormatTests.tidy && graft.messages == "" && graft.status == 0)
    let again = try Invocation("format -", input: FormatTests.tidy)
    #expect(again.output == FormatTests.tidy && again.messages == "" && again.status == 0)
  }

  @Test("Files are rewritten in place, and only if their format changes")
  func files() throws {
    let folder = try TemporaryFolder()
    let untidy = try folder.file("untidy.json", FormatTests.untidy)
    let tidy = try folder.file("tidy.json", FormatTests.tidy)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: untidy)
    func number(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }
    let before = try number(tidy)
    let graft = try Invocation(["format", untidy, tidy])
    #expect(graft.output == "" && graft.messages == "1 of 2 model files formatted\n" && graft.status == 0)
    #expect(try folder.text("untidy.json") == FormatTests.tidy)
    #expect(try folder.text("tidy.json") == FormatTests.tidy && number(tidy) == before)
    #expect(try folder.names == ["tidy.json", "untidy.json"])
    #expect(try FileManager.default.attributesOfItem(atPath: untidy)[.posixPermissions] as? Int == 0o640)
    #expect(try Invocation(["format", untidy, tidy]).messages == "nothing to change in 2 model files\n")
  }

  @Test("--check lists the files whose format would change, and changes no file")
  func check() throws {
    let folder = try TemporaryFolder()
    let untidy = try folder.file("untidy.json", FormatTests.untidy)
    let tidy = try folder.file("tidy.json", FormatTests.tidy)
    let graft = try Invocation(["format", "--check", tidy, untidy, "-"], input: FormatTests.untidy)
    #expect(graft.output == "\(untidy)\n<stdin>\n" && graft.messages == "2 of 3 model files to format\n")
    #expect(graft.status == 1)
    #expect(try folder.text("untidy.json") == FormatTests.untidy)
    #expect(try Invocation(["format", "--check", tidy]).status == 0)
  }

  @Test("A file with a syntax error is left unchanged, and other files are formatted")
  func syntax() throws {
    let folder = try TemporaryFolder()
    let broken = try folder.file("broken.json", "{\"name\" \"N\"}")
    let untidy = try folder.file("untidy.json", FormatTests.untidy)
    let graft = try Invocation(["format", broken, untidy])
    #expect(
      graft.messages == """
        \(broken):1:8: error: expected ':' after the key 'name', found a string
        1 | {"name" "N"}
          |        ^
        1 error in '\(broken)'; it is left unchanged
        1 of 1 model file formatted

        """)
    #expect(graft.output == "" && graft.status == 1)
    #expect(try folder.text("broken.json") == "{\"name\" \"N\"}")
    #expect(try folder.text("untidy.json") == FormatTests.tidy)
    let filter = try Invocation("format -", input: "{")
    #expect(filter.output == "" && filter.messages.hasPrefix("<stdin>:1:2: error: ") && filter.status == 1)
  }

  @Test("A file that cannot be read or written does not prevent other files from being formatted")
  func unusable() throws {
    let folder = try TemporaryFolder()
    let untidy = try folder.file("untidy.json", FormatTests.untidy)
    let graft = try Invocation(["format", "Models", "Models/None.json", untidy])
    #expect(
      graft.messages == """
        graft format: cannot read 'Models': it is a directory
        graft format: cannot read 'Models/None.json': No such file or directory
        1 of 1 model file formatted

        """)
    #expect(graft.output == "" && graft.status == 3)
    #expect(try folder.text("untidy.json") == FormatTests.tidy)
  }

  @Test("A model with findings is formatted if its syntax is correct")
  func findings() throws {
    let graft = try Invocation("format -", input: #"{"entities": {"A": {"parent": "B"}}}"#)
    #expect(graft.output.contains("\n      \"parent\": \"B\",\n") && graft.messages == "" && graft.status == 0)
  }
}
