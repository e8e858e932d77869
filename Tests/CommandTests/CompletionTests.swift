import Foundation
import Testing

@Suite("graft completions") struct CompletionTests {
  /// The possible completions of the last word, without their descriptions.
  private static func answer(_ words: [String]) throws -> [String] {
    let graft = try Invocation(["completions", "--complete", "--"] + words)
    #expect(graft.messages == "" && graft.status == 0)
    return graft.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  private static func commands() throws -> [String] {
    try answer([""]).filter { !$0.hasPrefix("--") && $0 != "help" }
  }

  @Test("Every command is completed with a description, and has its own help")
  func commands() throws {
    let overview = try Invocation("--help").output
    let lines = try Invocation(["completions", "--complete", "--", ""]).output.split(separator: "\n")
    #expect(try Self.commands().contains("import"))
    for line in lines {
      let parts = line.split(separator: "\t")
      #expect(parts.count == 2)
      if !line.hasPrefix("--"), parts[0] != "help" {
        #expect(overview.contains("\n  \(parts[0]) "))
        #expect(overview.contains("   \(parts[1])\n"))
        #expect(try Invocation(["help", String(parts[0])]).output.hasPrefix("graft \(parts[0]): "))
      }
    }
    #expect(try Self.answer(["help", ""]) == Self.commands())
  }

  @Test("The completed options are exactly those that the help explains, each with a description")
  func options() throws {
    for command in try Self.commands() {
      let help = try Invocation([command, "--help"]).output
      let explained = Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
      let completed = try Invocation(["completions", "--complete", "--", command, "--"]).output.split(separator: "\n")
      #expect(completed.allSatisfy { $0.split(separator: "\t").count == 2 })
      let names = Set(completed.map { String($0.prefix { $0 != "\t" }) })
      // Examples can show options of other commands, and help is not listed for each command.
      #expect(names.subtracting(["--help"]).isSubset(of: explained))
      let others = try Self.commands().filter { $0 != command }.flatMap { try Self.answer([$0, "--"]) }
      #expect(explained.subtracting(names).isSubset(of: others))
    }
  }

  @Test("The usage line in a command's help names the operands that are completed")
  func usage() throws {
    let usages = [
      "infer": "[ENTITY=]PAYLOAD...", "import": "ENTITY=PAYLOAD...", "lint": "MODEL...", "format": "MODEL...",
      "explain": "MODEL [ENTITY]",
      "diagram": "MODEL", "convert": "CORE-DATA-MODEL", "completions": "bash|zsh|fish",
    ]
    for (command, usage) in usages {
      #expect(try Invocation([command, "--help"]).output.contains(usage))
      #expect(try !Self.answer([command, ""]).isEmpty || command == "import")
    }
  }

  @Test("Entities and properties are completed from the model in a store")
  func store() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("comics.graft")
    let created = try Invocation(
      ["import", "--model", "Models/Comics.json", "--store", store, "Hero=Examples/Payloads/comics.json"])
    #expect(created.status == 0, "\(created.messages)")
    #expect(try Self.answer(["export", "--store", store, ""]) == ["Hero", "Power", "Publisher"])
    #expect(try Self.answer(["export", "--store=\(store)", ""]) == ["Hero", "Power", "Publisher"])
    #expect(try Self.answer(["export", "--store", store, "--model", "none.json", ""]) == [])
    let properties = try Self.answer(["export", "--store", store, "Power", "--where", ""])
    #expect(properties == ["identifier", "name", "heroes"])
    let more = try Self.answer(["export", "--store", store, "Power", "--where", "name = 'x' and "])
    #expect(more == properties.map { "name = 'x' and " + $0 })
    #expect(try Self.answer(["export", "--store", store, "Power", "--sort", "-n"]) == ["-identifier", "-name"])
    #expect(try Self.answer(["export", "--store", store, "Power", "--where", "heroes.n"]) == [])
    #expect(try Self.answer(["export", "--store", folder.path("none"), ""]) == [])
    #expect(try folder.names.contains("none") == false)
  }

  /// Returns the words after `graft`, and the possible completions of the last word.
  static let cases: [(words: [String], answer: [String])] = [
    (["lint", "x"], [":files json"]),
    (["lint", "a.json", ""], [":files json"]),
    (["explain", ""], [":files json"]),
    (["diagram", "a.json", ""], []),
    (["schema", ""], [":files json"]),
    (["schema", "--payload", "Models/Comics.json", ""], ["Hero", "Power", "Publisher"]),
    (["language-server", "--"], ["--stdio", "--help"]),
    (["convert", ""], [":files xcdatamodeld"]),
    (["generate", ""], [":files json"]),
    (["generate", "a.json", "--output", ""], [":files"]),
    (["generate", "a.json", "--access="], ["--access=internal", "--access=package", "--access=public"]),
    (["generate", "a.json", "--integers", ""], ["int", "declared"]),
    (["generate", "a.json", "--namespace", ""], []),
    (["completions", ""], ["bash", "zsh", "fish"]),
    (["diagram", "--format", ""], ["mermaid", "dot", "svg"]),
    (["diagram", "--format=s"], ["--format=mermaid", "--format=dot", "--format=svg"]),
    // bash treats '=' as a separate word.
    (["diagram", "--format", "=", "s"], ["--format=mermaid", "--format=dot", "--format=svg"]),
    (["lint", "--", "--"], [":files json"]),
    (["import", "--model", ""], [":files json"]),
    (["import", "--model", "Models/Comics.json", "--dump", ""], [":files"]),
    (["import", "--depth", ""], []),
    (["import", "--incomplete", ""], ["omit", "error"]),
    (["import", "H"], []),
    (["import", "--model", "Models/Comics.json", "H"], ["Hero=", "Power=", "Publisher="]),
    (["import", "--model=Models/Comics.json", "Hero=x", "P"], ["Hero=", "Power=", "Publisher="]),
    (["import", "--model", "Models/Comics.json", "--export", ""], ["Hero=", "Power=", "Publisher="]),
    (["import", "--model", "Models/Comics.json", "--export", "Hero=x"], [":files"]),
    (["import", "--model", "Models/Comics.json", "Hero=x"], [":files json"]),
    (["import", "--model", "Models/Comics.json", "Hero", "="], [":files json"]),
    (["import", "--model", "README.md", "H"], []),
    (["import", "--model", "-", "H"], []),
    (["explain", "Models/Comics.json", ""], ["Hero", "Power", "Publisher"]),
    (["unknown", ""], []),
    (["import", "--nothing", ""], []),
  ]

  @Test("Completions depend on the preceding words", arguments: cases)
  func answers(words: [String], answer: [String]) throws {
    #expect(try Self.answer(words) == answer)
  }

  @Test("Without preceding words, there are no completions")
  func nothing() throws { #expect(try Self.answer([]) == []) }

  // MARK: The shells themselves

  /// Runs a script in a shell, in a folder with a few files and with the program in its path. Returns nil if the shell is not installed.
  private static func run(_ shell: String, _ words: [String], _ script: String) throws -> [String]? {
    let folders = ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    guard let path = folders.map({ "\($0)/\(shell)" }).first(where: FileManager.default.isExecutableFile) else {
      print("passed over: there is no \(shell)")
      return nil
    }
    let folder = try TemporaryFolder()
    for name in ["two words.json", "heroes.json", "other.txt"] { _ = try folder.file(name, "{}") }
    _ = try folder.file("Comics.json", #"{"entities": {"Hero": {}, "Power": {}}}"#)
    let file = try folder.file("script", script)
    let completions = try folder.file("completions", try Invocation(["completions", shell]).output)
    let output = try folder.file("output", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = words + [file, completions]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path(""))
    process.environment = [
      "PATH": "\(Invocation.program.deletingLastPathComponent().path):\(folders.joined(separator: ":"))",
      "HOME": folder.path(""), "TERM": "dumb",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    return try folder.text("output").split(separator: "\n").map(String.init)
  }

  @Test("bash completes commands, options, option values, files and entities")
  func bash() throws {
    let lines = try Self.run(
      "bash", ["--noprofile", "--norc"],
      #"""
      source "$1"
      complete -p graft
      try() {
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
        _graft
        printf '[%s]' "${COMPREPLY[@]}"
        echo
      }
      try graft imp
      try graft import --mo
      try graft diagram --format ""
      try graft diagram --format = s
      try graft lint ""
      try graft lint tw
      try graft import --model Comics.json H
      try graft import --model Comics.json Hero = he
      try graft import --model Comics.json Hero =
      try graft import --model Comics.json --dump o
      """#)
    guard let lines else { return }
    #expect(
      lines == [
        "complete -F _graft graft", "[import]", "[--model]", "[mermaid][dot][svg]", "[svg]",
        "[Comics.json][heroes.json][two words.json]", "[two words.json]", "[Hero=]", "[heroes.json]",
        "[Comics.json][heroes.json][two words.json]", "[other.txt][output]",
      ])
  }

  @Test("fish completes commands, options, option values, files and entities, with descriptions")
  func fish() throws {
    let lines = try Self.run(
      "fish", ["--no-config"],
      #"""
      source $argv[1]
      for words in "imp" "import --mo" "diagram --format " "diagram --format=s" "lint tw" "import --model Comics.json H" \
          "import --model Comics.json Hero=he" "import --model Comics.json --dump ot"
        complete -C "graft $words"
      end
      """#)
    guard let lines else { return }
    #expect(
      lines == [
        "import\tmerge JSON payloads into one graph; report, export or dump it", "--model\tthe model file", "dot",
        "mermaid", "svg", "--format=svg", "two words.json", "Hero=", "Hero=heroes.json", "other.txt",
      ])
  }

  /// zsh completes only on a terminal. Here, zsh's own functions print their arguments.
  @Test("zsh completes commands, options, option values, files and entities, with descriptions")
  func zsh() throws {
    let lines = try Self.run(
      "zsh", ["-f"],
      #"""
      compdef() { print "compdef $*" }
      compset() { print "compset $*" }
      _files() { print "_files $*" }
      _describe() { local name=$2; print -r -- "$3$4" ${(P)name} }
      source $1
      try() { words=("$@") CURRENT=$# PREFIX=${@[-1]}; _graft }
      try graft help dia
      try graft diagram --format ""
      try graft import --model Comics.json H
      try graft import --model Comics.json Hero=he
      try graft lint ""
      """#)
    guard let lines else { return }
    #expect(lines.first == "compdef _graft graft")
    #expect(lines[1].contains(" diagram:draw a model\\: entities, attributes, relationships, inheritance "))
    #expect(
      lines.dropFirst(2) == [
        " mermaid dot svg", "-S Hero= Power=", "compset -P *=", "_files -g *.json", "_files -g *.json",
      ])
  }
}
