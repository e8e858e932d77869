import Foundation
import Testing

@Suite("Files") struct FileTests {
  private static let words = [
    "import", "--model", "Models/Comics.json", "Hero=Examples/Payloads/comics.json", "--quiet",
  ]

  @Test(
    "A file that cannot be read ends with status 3, its name and the reason",
    arguments: [
      ("Models/None.json", "Examples/Payloads/comics.json", "'Models/None.json': No such file or directory"),
      ("Models", "Examples/Payloads/comics.json", "'Models': it is a directory"),
      ("Models/Comics.json", "none.json", "'none.json': No such file or directory"),
      ("Models/Comics.json", "Examples/", "'Examples/': it is a directory"),
      ("Models/Comics.json", "README.md/x", "'README.md/x': Not a directory"),
    ])
  func unreadable(model: String, payload: String, reason: String) throws {
    let graft = try Invocation("import --model \(model) Hero=\(payload)")
    #expect(graft.output == "" && graft.messages == "graft import: cannot read \(reason)\n" && graft.status == 3)
  }

  @Test("A file that cannot be written ends with status 3, and the others are not written either")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    for path in ["Models", "none/heroes.json"] {
      let graft = try Invocation(
        FileTests.words + ["--export", "Hero=\(folder.path("heroes.json"))", "--dump", path])
      let reason = path == "Models" ? "it is a directory" : "No such file or directory"
      #expect(graft.messages == "graft import: cannot write '\(path)': \(reason)\n")
      #expect(graft.output == "" && graft.status == 3)
      #expect(try folder.names == [])
    }
  }

  @Test("Exports and the dump are written to files, and each ends with a line end")
  func written() throws {
    let folder = try TemporaryFolder()
    let graft = try Invocation(
      FileTests.words + [
        "--export", "Hero=\(folder.path("heroes.json"))", "--export", "Power=\(folder.path("powers.json"))", "--dump",
        folder.path("graph.json"),
      ])
    #expect(graft.output == "" && graft.messages == "" && graft.status == 0)
    #expect(try folder.names == ["graph.json", "heroes.json", "powers.json"])
    #expect(try folder.text("heroes.json").hasSuffix("]\n"))
    #expect(try folder.text("graph.json").hasSuffix("\n}\n"))
  }

  @Test("Files are read and written whose names begin with a combining mark")
  func markedNames() throws {
    let folder = try TemporaryFolder()
    let payload = try folder.file("\u{301}heroes.json", #"[{"id": "1", "name": "A"}]"#)
    let working = try Invocation([
      "import", "--model", "Models/Comics.json", "Hero=\(payload)", "--quiet",
      "--dump=\(folder.path("\u{301}graph.json"))",
    ])
    #expect(working.messages == "" && working.status == 0)
    #expect(try folder.names.count == 2)
    #expect(try folder.text("\u{301}graph.json").contains("Hero(1)"))
    // With nothing between the sign and the mark.
    let missing = try Invocation(["import", "--model", "Models/Comics.json", "Hero=\u{301}none.json"])
    #expect(missing.messages.contains("\u{301}none.json") && missing.status == 3)
  }

  @Test("I10: when the last of several payloads fails, nothing of any is kept and no file is touched")
  func atomic() throws {
    let folder = try TemporaryFolder()
    let dump = try folder.file("graph.json", "as it was\n")
    let graft = try Invocation(
      FileTests.words + [
        "Hero=Examples/Payloads/Faulty/wrong-type.json", "--dump", dump, "--export",
        "Hero=\(folder.path("heroes.json"))",
      ])
    #expect(graft.messages.hasSuffix("1 error; nothing was imported\n") && graft.status == 1)
    #expect(try folder.names == ["graph.json"])
    #expect(try folder.text("graph.json") == "as it was\n")
  }

  @Test("A file that is replaced keeps its permissions, and a link keeps leading to it")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let dump = try folder.file("graph.json", "as it was\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: dump)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.json"), withDestinationPath: "graph.json")
    #expect(try Invocation(FileTests.words + ["--dump", folder.path("link.json")]).status == 0)
    #expect(try folder.names == ["graph.json", "link.json"])
    #expect(try folder.text("graph.json").hasPrefix("{\n"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.json")) == "graph.json")
    let permissions = try FileManager.default.attributesOfItem(atPath: dump)[.posixPermissions] as? Int
    #expect(permissions == 0o640)
  }

  @Test("A device stays a device, and takes any number of documents")
  func device() throws {
    let graft = try Invocation(FileTests.words + ["--dump", "/dev/null", "--export", "Hero=/dev/null"])
    #expect(graft.messages == "" && graft.status == 0)
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
    #expect(type == .typeCharacterSpecial)
  }

  #if os(Linux)
    @Test("A full disk is a failure, also for the standard output")
    func full() throws {
      let output = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let document = try Invocation(FileTests.words + ["--dump", "-"], output: output)
      #expect(document.messages == "graft import: cannot write the standard output: No space left on device\n")
      #expect(document.status == 3)
      let device = try Invocation(FileTests.words + ["--dump", "/dev/full"])
      #expect(device.messages == "graft import: cannot write '/dev/full': No space left on device\n")
      #expect(device.status == 3)
    }
  #endif

  @Test("A reader that has seen enough ends the program without a word")
  func closedPipe() throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let graft = try Invocation(FileTests.words + ["--dump", "-"], output: pipe.fileHandleForWriting)
    #expect(graft.messages == "" && graft.status == -SIGPIPE)
  }

  @Test("The standard input serves as a payload, and as a model")
  func standardInput() throws {
    let heroes = try Invocation("import --model Models/Comics.json Hero=-", input: #"{"id": "1", "name": "A"}"#)
    #expect(heroes.output == "Imported 1 payload\n  Hero  1 inserted\n")
    let model = try String(contentsOf: Invocation.root.appendingPathComponent("Models/Comics.json"), encoding: .utf8)
    let comics = try Invocation("import --model - Hero=Examples/Payloads/comics.json --quiet --dump -", input: model)
    let expected = try Invocation(FileTests.words + ["--dump", "-"])
    #expect(comics.status == 0 && comics.output == expected.output)
  }

  @Test("An empty payload is no JSON")
  func empty() throws {
    let graft = try Invocation("import --model Models/Comics.json Hero=-")
    #expect(graft.messages.hasPrefix("<stdin>:1:1: error: ") && graft.status == 1)
  }

  @Test("A document that holds several payloads is imported by naming it for each")
  func oneDocument() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file(
      "both.json", #"{"powers": [{"id": "1", "name": "P"}], "heroes": [{"id": "1", "name": "H", "powers": ["1"]}]}"#)
    let graft = try Invocation([
      "import", "--model", "Models/Comics.json", "Hero=\(path)", "--at", "heroes", "Power=\(path)", "--at", "powers",
    ])
    #expect(graft.output == "Imported 2 payloads\n  Hero   1 inserted\n  Power  1 inserted\n")
  }
}
