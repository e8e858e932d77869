import Foundation
import Testing

@Suite("Files") struct FileTests {
  private static let words = [
    "import", "--model", "Models/Comics.json", "Hero=Examples/Payloads/comics.json", "--quiet",
  ]

  @Test(
    "If a file cannot be read, the program prints the file's name and the reason, and ends with status 3",
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

  @Test("If a file cannot be written, the program ends with status 3 and writes no other file")
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

  @Test("Exports and the dump are written to files, and each ends with a newline")
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

  @Test("Files whose names begin with a combining mark can be read and written")
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
    // The mark directly follows the equals sign.
    let missing = try Invocation(["import", "--model", "Models/Comics.json", "Hero=\u{301}none.json"])
    #expect(missing.messages.contains("\u{301}none.json") && missing.status == 3)
  }

  @Test("I10: if the last of several payloads fails, no payload is imported and no file is changed")
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

  @Test("An overwritten file keeps its permissions, and a symbolic link stays a link")
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

  @Test("A dangling link stays a link, and its target is created")
  func danglingLink() throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("data"), withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: folder.path("link.json"), withDestinationPath: "next.json")
    try files.createSymbolicLink(atPath: folder.path("next.json"), withDestinationPath: "data/heroes.json")
    let graft = try Invocation(FileTests.words + ["--export", "Hero=\(folder.path("link.json"))"])
    #expect(graft.messages == "" && graft.status == 0)
    #expect(try folder.names == ["data", "link.json", "next.json"])
    #expect(try folder.text("data/heroes.json").hasSuffix("]\n"))
    #expect(try files.destinationOfSymbolicLink(atPath: folder.path("link.json")) == "next.json")
    #expect(try files.destinationOfSymbolicLink(atPath: folder.path("next.json")) == "data/heroes.json")

    try files.createSymbolicLink(atPath: folder.path("lost.json"), withDestinationPath: "none/heroes.json")
    let lost = try Invocation(FileTests.words + ["--dump", folder.path("lost.json")])
    #expect(
      lost.messages == "graft import: cannot write '\(folder.path("lost.json"))': No such file or directory\n")
    #expect(lost.status == 3)
    try files.createSymbolicLink(atPath: folder.path("loop.json"), withDestinationPath: "loop.json")
    #expect(try Invocation(FileTests.words + ["--dump", folder.path("loop.json")]).status == 3)
    #expect(try folder.names == ["data", "link.json", "loop.json", "lost.json", "next.json"])
  }

  @Test("Two outputs that lead to the same file cause a usage error, whether or not the file exists")
  func oneFileTwice() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.json"), withDestinationPath: "graph.json")
    let words = FileTests.words + ["--dump", folder.path("link.json"), "--export", "Hero=\(folder.path("graph.json"))"]
    let graft = try Invocation(words)
    #expect(graft.messages.hasPrefix("graft import: two outputs go to '") && graft.status == 2)
    #expect(try folder.names == ["link.json"])
  }

  @Test("No output overwrites the model, a payload, the store or a file of the store", arguments: ["", "-wal", "-shm"])
  func inputsStay(suffix: String) throws {
    let folder = try TemporaryFolder()
    let (model, store) = (folder.path("model.json"), folder.path("shop.graft"))
    try FileManager.default.copyItem(atPath: Invocation.root.path + "/" + FileTests.words[2], toPath: model)
    let imported = ["import", "--model", model, "--store", store] + FileTests.words.dropFirst(3)
    #expect(try Invocation(imported).status == 0)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "shop.graft" + suffix)
    let before = try folder.names
    for (words, target) in [
      (imported + ["--dump", folder.path("link")], "link"),
      (["export", "--store", store, "Hero", "--output", store + suffix], "shop.graft" + suffix),
    ] {
      let graft = try Invocation(words)
      #expect(graft.messages.hasPrefix("graft \(words[0]): '\(folder.path(target))' belongs to the store '\(store)'"))
      #expect(graft.status == 2)
    }
    let exported = ["export", "--store", store, "--model", model, "Hero", "--output", model]
    for words in [imported + ["--export", "Hero=\(model)"], exported] {
      let graft = try Invocation(words)
      #expect(graft.messages.hasPrefix("graft \(words[0]): '\(model)' is the model") && graft.status == 2)
    }
    let payload = try folder.file("heroes.json", "[]")
    for words in [["--dump", payload], ["--export", "Hero=\(payload)"]] {
      let graft = try Invocation(["import", "--model", model, "Hero=\(payload)"] + words)
      #expect(graft.messages.hasPrefix("graft import: '\(payload)' is a payload") && graft.status == 2)
    }
    #expect(try folder.names == (before + ["heroes.json"]).sorted())
    #expect(try Invocation(["store", "verify", store]).status == 0)
  }

  @Test("A dry run does not create a store")
  func dryRunWithoutStore() throws {
    let folder = try TemporaryFolder()
    let graft = try Invocation(
      FileTests.words + ["--store", folder.path("shop.graft"), "--dry-run", "--export", "Hero=-"])
    #expect(graft.status == 0 && graft.output.contains(#""name":"#))
    #expect(try folder.names == [])
  }

  @Test("A first import that fails leaves no store, unless the store already contains a batch")
  func failedFirstImport() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("shop.graft")
    let words = ["import", "--model", FileTests.words[2], "--store", store]
    let faulty = #"[{"id": "1", "name": "Batman"}, {"id": 2}]"#
    for more in [
      ["Hero=-"], ["--batch-size", "9", "Hero=-"], ["Hero=\(folder.path("none.json"))"],
      ["--trace", "Hero(1)", "Hero=-"],
    ] {
      let graft = try Invocation(words + more, input: faulty)
      #expect(graft.status != 0)
      #expect(try folder.names == [], "\(more): \(graft.messages)")
    }
    #expect(try Invocation(words + ["--batch-size", "1", "Hero=-"], input: faulty).status == 1)
    #expect(try Invocation(["export", "--store", store, "Hero"]).output.contains("Batman"))
    let before = try folder.names
    // A store that existed before the import is kept.
    #expect(try Invocation(words + ["Hero=-"], input: faulty).status == 1)
    #expect(try folder.names == before)
  }

  @Test(
    "If a store is passed in place of JSON, the error says that the file is a store",
    arguments: [[], ["--batch-size", "2"]])
  func storeAsText(words: [String]) throws {
    let folder = try TemporaryFolder()
    let store = folder.path("shop.graft")
    #expect(try Invocation(FileTests.words + ["--store", store]).status == 0)
    let payload = try Invocation(["import", "--model", FileTests.words[2], "Hero=\(store)"] + words)
    let message =
      "cannot read '\(store)': it is an SQLite database, not JSON; 'graft export --store' writes the objects of a store as JSON\n"
    #expect(payload.messages.hasPrefix("graft import: \(message)") && payload.status == 3, "\(payload.messages)")
    #expect(try Invocation(["explain", store]).messages == "graft explain: \(message)")
    let snapshot = try folder.file("graph.snapshot", "Graft 1\n\u{1}\u{2}")
    let model = try Invocation(["lint", snapshot])
    #expect(
      model.messages
        == "graft lint: cannot read '\(snapshot)': it is a snapshot of a graph, not JSON; export its objects with the program that wrote it\n"
    )
  }

  @Test("An output that cannot be written is reported before anything is imported")
  func foundBeforeImporting() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("shop.graft")
    let words = FileTests.words + ["--store", store, "--dump", folder.path("none/graph.json")]
    let graft = try Invocation(words)
    #expect(graft.messages.contains("cannot write '\(folder.path("none/graph.json"))': No such file or directory"))
    #expect(graft.status == 3)
    #expect(try folder.names == [])
  }

  @Test("An overwritten file keeps its owner and permissions, but no bits that run it as another user")
  func access() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("graph.json")
    try Data().write(to: URL(fileURLWithPath: path))
    // Only the superuser can change a file's owner.
    let owner: uid_t = geteuid() == 0 ? 1 : geteuid()
    #expect(chown(path, owner, getegid()) == 0)
    #expect(chmod(path, 0o4750) == 0)
    #expect(try Invocation(FileTests.words + ["--dump", path]).status == 0)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_uid == owner && status.st_mode & 0o7777 == 0o750 && status.st_size > 0)
  }

  @Test("'/dev/stdout' is written as standard output, even if standard output is a file")
  func standardOutput() throws {
    let folder = try TemporaryFolder()
    let direct = try Invocation(FileTests.words + ["--dump", "-"])
    let named = try Invocation(FileTests.words + ["--dump", "/dev/stdout"])
    #expect(named.output == direct.output && named.status == 0 && !direct.output.isEmpty)
    #expect(try Invocation(FileTests.words + ["--dump", "-", "--export", "Hero=/dev/stdout"]).status == 2)
    #expect(try folder.names == [])
  }

  /// Signals that this process and its children do not ignore.
  static let signals = [SIGHUP, SIGINT, SIGTERM].filter { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    return withUnsafeBytes(of: &action) { $0.load(as: Int.self) } != unsafeBitCast(SIG_IGN, to: Int.self)
  }

  @Test("A signal during writing ends the program and leaves no files behind", arguments: signals)
  func signal(number: Int32) async throws {
    let folder = try TemporaryFolder()
    let heroes = try folder.file("heroes.json", "as it was\n")
    // No process reads the pipe, so the program waits for a reader. All files are complete, but do not have their final names yet.
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let process = Process()
    process.executableURL = Invocation.program
    process.arguments =
      FileTests.words + ["--export", "Hero=\(heroes)", "--export", "Power=\(folder.path("powers.json"))"]
      + ["--dump", folder.path("pipe")]
    process.currentDirectoryURL = Invocation.root
    process.standardInput = FileHandle.nullDevice
    try withSignalsUnblocked { try process.run() }
    func unfinished() throws -> Int { try folder.names.count { $0.hasPrefix(".graft-") } }
    for _ in 0..<3000 where try unfinished() < 2 && process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try unfinished() == 2)
    kill(process.processIdentifier, number)
    process.waitForEnd()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
    #expect(try folder.names == ["heroes.json", "pipe"])
    #expect(try folder.text("heroes.json") == "as it was\n")
  }

  #if os(Linux)
    // Other systems do not allow such names.
    @Test("A file whose name is not UTF-8 can be read and written; messages show the legible part of the name")
    func otherEncodings() throws {
      let folder = try TemporaryFolder()
      let script = try folder.file(
        "script.sh",
        #"""
        graft=$1 folder=$2
        # 'h', E9, 'ros', and a character that the program itself uses for such bytes.
        name=$(printf '%s/h\351ros-\364\217\272\251' "$folder")
        cp Models/Comics.json "$name.model.json"
        cp Examples/Payloads/comics.json "$name.json"
        "$graft" import --model "$name.model.json" "Hero=$name.json" --export "Hero=$name-out.json" --quiet || exit 1
        head -c 1 "$name-out.json"
        "$graft" import --model "$name.model.json" "Hero=$name.json" --lines --batch-size 1 --dry-run
        "$graft" lint "$name.none.json"
        "$graft" generate "$name.model.json" --output "$name/Classes" && ls "$name/Classes" | grep -c generated
        "$graft" generate "$name.model.json" --output "$name/Classes" --check
        sed -i 's/name/nom/' "$name.model.json"
        "$graft" format --check "$name.model.json"
        ls "$folder" | grep -c 'ros.*json'
        """#)
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = [script, Invocation.program.path, folder.path("")]
      shell.currentDirectoryURL = Invocation.root
      let output = Pipe()
      shell.standardOutput = output
      shell.standardError = output
      try shell.run()
      let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      shell.waitUntilExit()
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines.first?.hasPrefix("[") == true, "\(text)")
      #expect(text.contains("h\u{FFFD}ros-\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}.none.json': No such file or directory"))
      #expect(text.contains("nothing to change in "))
      #expect(lines.last == "3", "\(text)")
    }
  #endif

  @Test("A device stays a device, and any number of documents can be written to it")
  func device() throws {
    let graft = try Invocation(FileTests.words + ["--dump", "/dev/null", "--export", "Hero=/dev/null"])
    #expect(graft.messages == "" && graft.status == 0)
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
    #expect(type == .typeCharacterSpecial)
  }

  #if os(Linux)
    @Test("A full disk causes an error, even on standard output")
    func full() throws {
      let output = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let document = try Invocation(FileTests.words + ["--dump", "-"], output: output)
      #expect(document.messages == "graft import: cannot write standard output: No space left on device\n")
      #expect(document.status == 3)
      let device = try Invocation(FileTests.words + ["--dump", "/dev/full"])
      #expect(device.messages == "graft import: cannot write '/dev/full': No space left on device\n")
      #expect(device.status == 3)
    }

    @Test("If an output cannot be written, the message says that the import is in the store")
    func fullAfterImport() throws {
      let folder = try TemporaryFolder()
      let store = folder.path("shop.graft")
      for output in ["--dump", "--export"] {
        let words = FileTests.words + ["--store", store, output, output == "--dump" ? "/dev/full" : "Hero=/dev/full"]
        let graft = try Invocation(words)
        #expect(
          graft.messages.hasSuffix(
            "graft import: cannot write '/dev/full': No space left on device; what was imported is in the store '\(store)'\n"
          ))
        #expect(graft.status == 3)
        #expect(try Invocation(["export", "--store", store, "Hero"]).output.contains(#""name":"#))
        // The store contains nothing from a dry run.
        #expect(try !Invocation(words + ["--dry-run"]).messages.contains("imported"))
      }
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let report = try Invocation(FileTests.words.dropLast() + ["--store", store], output: full)
      #expect(
        report.messages.hasSuffix(
          "cannot write standard output: No space left on device; what was imported is in the store '\(store)'\n"))
    }
  #endif

  @Test("If the reader closes the pipe, the program ends silently")
  func closedPipe() throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let graft = try Invocation(FileTests.words + ["--dump", "-"], output: pipe.fileHandleForWriting)
    #expect(graft.messages == "" && graft.status == -SIGPIPE)
  }

  @Test("Standard input can be a payload or a model")
  func standardInput() throws {
    let heroes = try Invocation("import --model Models/Comics.json Hero=-", input: #"{"id": "1", "name": "A"}"#)
    #expect(heroes.output == "Imported 1 payload\n  Hero  1 inserted\n")
    let model = try String(contentsOf: Invocation.root.appendingPathComponent("Models/Comics.json"), encoding: .utf8)
    let comics = try Invocation("import --model - Hero=Examples/Payloads/comics.json --quiet --dump -", input: model)
    let expected = try Invocation(FileTests.words + ["--dump", "-"])
    #expect(comics.status == 0 && comics.output == expected.output)
  }

  @Test("An empty payload is rejected because it is not JSON")
  func empty() throws {
    let graft = try Invocation("import --model Models/Comics.json Hero=-")
    #expect(graft.messages.hasPrefix("<stdin>:1:1: error: ") && graft.status == 1)
  }

  @Test("A document with several payloads is named once for each payload")
  func oneDocument() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file(
      "both.json", #"{"powers": [{"id": "1", "name": "P"}], "heroes": [{"id": "1", "name": "H", "powers": ["1"]}]}"#)
    let graft = try Invocation([
      "import", "--model", "Models/Comics.json", "Hero=\(path)", "--at", "heroes", "Power=\(path)", "--at", "powers",
    ])
    #expect(graft.output == "Imported 2 payloads\n  Hero   1 inserted\n  Power  1 inserted\n")
  }

  @Test("A store path that is not UTF-8 is refused, because a file with a different name would be created")
  func storePath() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      #""$0" import --model Models/Comics.json Hero=Examples/Payloads/comics.json --store "$1/$(printf '\376').graft" 2>"$1/messages""#,
      Invocation.program.path, folder.path(""),
    ]
    process.currentDirectoryURL = Invocation.root
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(try folder.text("messages").contains("the path of a store must be UTF-8"))
    #expect(try folder.names == ["messages"])
  }

  @Test("A JSON report contains an error for a file that cannot be read")
  func reportedFile() throws {
    let folder = try TemporaryFolder()
    let words = FileTests.words.filter { $0 != "--quiet" } + ["Hero=\(folder.path("none.json"))", "--report", "json"]
    for more in [[], ["--batch-size", "1"]] {
      let graft = try Invocation(words + more)
      #expect(graft.status == 3)
      #expect(graft.output.contains(#""code": "unreadable-file""#), "\(graft.output)")
      #expect(graft.output.contains("none.json': No such file or directory"))
    }
  }

  @Test("File names are escaped in reports, and a payload for a relationship can have any file name")
  func oddNames() throws {
    let folder = try TemporaryFolder()
    let heroes = try folder.file("a\u{1B}[31m.json", #"[{"id": "1", "name": "A"}, {"id": true}]"#)
    let graft = try Invocation(["import", "--model", "Models/Comics.json", "Hero=\(heroes)", "--skip-faulty"])
    #expect(!graft.output.contains("\u{1B}") && graft.output.contains("u{1B}"), "\(graft.output)")
    let powers = try folder.file("h (2).x=y.json", #"[{"id": "9", "name": "P"}]"#)
    let plain = try folder.file("heroes.json", #"[{"id": "1", "name": "A"}]"#)
    let second = try Invocation([
      "import", "--model", "Models/Comics.json", "Hero=\(plain)", "Hero(1).powers=\(powers)",
    ])
    #expect(second.status == 0, "\(second.messages)")
  }

  @Test("An identity in parentheses can contain parentheses and periods")
  func identityWithParentheses() throws {
    let folder = try TemporaryFolder()
    let powers = try folder.file("powers.json", #"[{"id": "9", "name": "P"}]"#)
    let graft = try Invocation([
      "import", "--model", "Models/Comics.json", "Hero(1 (of 2). B).powers=\(powers)", "--export", "Hero=-",
    ])
    #expect(graft.status == 1 && graft.messages.contains(#"found the string "1 (of 2). B""#), "\(graft.messages)")
  }

  @Test(
    "If an export fails, the JSON report lists what the store contains, and the error has its own code")
  func reportedExport() throws {
    let folder = try TemporaryFolder()
    let heroes = try folder.file("heroes.json", #"[{"id": "1", "name": "A"}]"#)
    let words = ["import", "--model", "Models/Comics.json", "Hero=\(heroes)", "--report", "json"]
    let full = try Invocation(words + ["--store", folder.path("s.db"), "--export", "Hero=/dev/full"])
    #expect(full.status == 3)
    #expect(full.output.contains("\"Hero\": 1"), "\(full.output)")
    #expect(full.output.contains(#""code": "unwritable-file""#), "\(full.output)")
    let text = try folder.file("text.db", "no store")
    let other = try Invocation(words + ["--store", text])
    #expect(other.output.contains(#""code": "not-a-store""#), "\(other.output)")
  }

  @Test("Export options are checked before anything is imported, and a dry run opens the store read-only")
  func checkedExports() throws {
    let folder = try TemporaryFolder()
    let heroes = try folder.file("heroes.json", #"[{"id": "1", "name": "A"}]"#)
    let store = folder.path("s.db")
    let words = ["import", "--model", "Models/Comics.json", "Hero=\(heroes)", "--store", store, "--export", "Hero=-"]
    let wrong = try Invocation(words + ["--representation", "Hero.power=identifier"])
    #expect(wrong.status != 0 && wrong.messages.contains("'Hero.power'"), "\(wrong.messages)")
    #expect(!FileManager.default.fileExists(atPath: store))
    #expect(try Invocation(words).status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let date = try FileManager.default.attributesOfItem(atPath: store)[.modificationDate] as? Date
    let trial = try Invocation(words + ["--dry-run"], input: "")
    #expect(trial.status == 0 && trial.output.contains("\"name\""), "\(trial.messages)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    #expect(try FileManager.default.attributesOfItem(atPath: store)[.modificationDate] as? Date == date)
  }

  @Test("Two payloads whose file names are canonically equivalent are different files")
  func equivalentNames() throws {
    let folder = try TemporaryFolder()
    let heroes = try folder.file("\u{E9}.json", #"[{"id": "1", "name": "A hero"}]"#)
    let powers = try folder.file("e\u{301}.json", #"[{"id": "2", "name": "A power"}]"#)
    // On a file system that treats both names as one file, there is nothing to test.
    guard try folder.names.count == 2 else { return }
    let graft = try Invocation([
      "import", "--model", "Models/Comics.json", "Hero=\(heroes)", "Power=\(powers)", "--export", "Power=-", "--quiet",
    ])
    #expect(graft.status == 0)
    #expect(graft.output.contains("A power") && !graft.output.contains("A hero"), "\(graft.output)")
  }

  @Test("Two outputs whose file names are canonically equivalent are different files")
  func equivalentOutputs() throws {
    let folder = try TemporaryFolder()
    let payload = try folder.file("h.json", #"[{"id": "1", "name": "A"}]"#)
    let graft = try Invocation([
      "import", "--model", "Models/Comics.json", "Hero=\(payload)", "--quiet", "--export",
      "Hero=\(folder.path("\u{E9}.json"))", "--dump", folder.path("e\u{301}.json"),
    ])
    #expect(graft.status == 0, "\(graft.messages)")
  }
}
