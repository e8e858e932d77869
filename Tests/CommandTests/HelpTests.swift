import Testing

@Suite("Help") struct HelpTests {
  @Test(
    "Help begins with the command's purpose and examples",
    arguments: [
      "--help", "import --help", "lint -h", "format -h", "schema -h", "explain -h", "diagram -h", "convert -h",
      "completions -h", "generate -h", "export -h", "store -h",
      "diff -h", "infer -h", "language-server -h",
    ])
  func examplesFirst(words: String) throws {
    let graft = try Invocation(words)
    let lines = graft.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("graft") && lines[1].isEmpty && lines[2] == "Examples:")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(graft.messages == "" && graft.status == 0)
  }

  @Test("Every help page fits in 80 columns")
  func width() throws {
    let overview = try Invocation("help").output
    let commands = overview.split(separator: "\n").drop { $0 != "Commands:" }.dropFirst().prefix { $0.hasPrefix("  ") }
      .map { $0.split(separator: " ")[0] }
    #expect(commands.count >= 11)
    for page in [overview] + (try commands.map { try Invocation("help \($0)").output }) {
      for line in page.split(separator: "\n") where line.count > 80 { Issue.record("\(line.count): \(line)") }
    }
  }

  @Test("The same help can be requested in several ways")
  func ways() throws {
    let overview = try Invocation("--help").output
    for words in ["-h", "help", "help help"] { #expect(try Invocation(words).output == overview) }
    let help = try Invocation("help import").output
    for words in ["import --help", "import -h", "import --modle x --help"] {
      #expect(try Invocation(words).output == help)
    }
  }

  @Test("Help describes every option, and no option that does not exist")
  func options() throws {
    let words = try Invocation("import --help").output.split { " \n'|=,;:.".contains($0) }.filter { $0.hasPrefix("--") }
    #expect(
      Set(words) == [
        "--model", "--store", "--assume", "--at", "--lines", "--batch-size", "--dry-run", "--progress",
        "--unknown-keys",
        "--skip-faulty", "--warnings", "--report", "--quiet", "--export", "--once", "--depth", "--incomplete", "--dump",
        "--trace", "--missing", "--indent", "--omit-nil", "--representation", "--roots",
      ])
    for option in Set(words) {
      let graft = try Invocation("import \(option)")
      #expect(!graft.messages.contains("unknown option"))
    }
  }

  @Test("The version is printed on one line")
  func version() throws {
    let graft = try Invocation("--version")
    #expect(try #/graft [0-9]+\.[0-9]+\.[0-9]+(-[a-z]+)?\n/#.wholeMatch(in: graft.output) != nil)
    #expect(graft.messages == "" && graft.status == 0)
  }
}
