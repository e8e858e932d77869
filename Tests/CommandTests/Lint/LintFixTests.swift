import Foundation
import Testing

@Suite("graft lint --fix") struct LintFixTests {
  private static let faulty = """
    {
      // Heroes and their teams.
      entities: {
        "Hero": {
          "identityAttributes": "identifer", // from the server
          "attributes": { "identifier": { "type": "integer64" "JSONKeyPath": "identifier" } },
          "relationships": { "team": { "destination": "Nobody", "JSONKeyPath": "team" } },
        },
        "Team": { "doc": 'A team.' },
      },
    }

    """

  private static let corrected =
    faulty.replacing("entities:", with: "\"entities\":").replacing("identifer", with: "identifier")
    .replacing("\"integer64\" ", with: "\"integer64\", ").replacing("'A team.'", with: "\"A team.\"")

  @Test("A file is fixed in place; the fixes and the remaining findings are listed; a second run changes nothing")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("Heroes.json", LintFixTests.faulty)
    let graft = try Invocation(["lint", "--fix", path])
    #expect(try folder.text("Heroes.json") == LintFixTests.corrected)
    #expect(
      graft.output == """
        \(path):7:51: error: the destination 'Nobody' of relationship 'Hero.team' is not an entity; expected one of 'Hero', 'Team'
        7 |       "relationships": { "team": { "destination": "Nobody", "JSONKeyPath": "team" } },
          |                                                   ^~~~~~~~

        """)
    #expect(
      graft.messages == """
        \(path):3:3: fixed: replaced 'entities' with "entities"
        \(path):5:30: fixed: replaced 'identifer' with 'identifier'
        \(path):6:58: fixed: inserted ','
        \(path):9:22: fixed: replaced 'A team.' with "A team."
        4 fixed, 1 error in 1 model file

        """)
    #expect(graft.status == 1)
    let again = try Invocation(["lint", "--fix", path])
    #expect(again.output == graft.output && again.messages == "0 fixed, 1 error in 1 model file\n")
    #expect(try folder.text("Heroes.json") == LintFixTests.corrected && folder.names == ["Heroes.json"])
  }

  @Test("A file without findings is not written")
  func clean() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("m.json", #"{"entities": {"A": {}}}"#)
    func written() throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    let graft = try Invocation(["lint", "--fix", path])
    #expect(graft.output == "" && graft.messages == "0 fixed, no findings in 1 model file\n" && graft.status == 0)
    #expect(try written() == Date(timeIntervalSince1970: 1))
  }

  @Test("With standard input, the fixed model is the output, and findings are messages")
  func filter() throws {
    let graft = try Invocation("lint --fix --quiet -", input: LintFixTests.faulty)
    #expect(graft.output == LintFixTests.corrected)
    #expect(graft.messages.hasPrefix("<stdin>:7:51: error: ") && graft.status == 1)
    let json = try Invocation("lint --fix --format json -", input: LintFixTests.faulty)
    #expect(json.output == "" && json.status == 2)
  }

  @Test("With --format json, the output is the remaining findings")
  func json() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("Heroes.json", LintFixTests.faulty)
    let graft = try Invocation(["lint", "--fix", "--format", "json", "--quiet", path])
    let findings = try #require(try JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [[String: Any]])
    #expect(findings.map { $0["code"] as? String } == ["unknown-entity"] && graft.messages == "")
  }

  @Test("A file that cannot be written is reported together with all of the file's findings")
  func unwritableFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("m.json", LintFixTests.faulty)
    // Runs a process that cannot create large files.
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" lint --fix \"$1\"", Invocation.program.path, path,
    ]
    let (output, messages) = (Pipe(), Pipe())
    (shell.standardOutput, shell.standardError) = (output, messages)
    try shell.run()
    let findings = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let text = String(decoding: try messages.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 3 && text.contains("graft lint: cannot write "), "\(text)")
    #expect(findings.contains("m.json:3:3: error: ") && findings.contains(":7:51: error: "), "\(findings)")
    #expect(try folder.text("m.json") == LintFixTests.faulty)
  }

  @Test("A file that cannot be read is reported, and the other files are fixed")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("m.json", LintFixTests.faulty)
    let graft = try Invocation(["lint", "--fix", "Models/None.json", path])
    #expect(graft.messages.hasPrefix("graft lint: cannot read 'Models/None.json': No such file or directory\n"))
    #expect(try folder.text("m.json") == LintFixTests.corrected && graft.status == 3)
  }
}
