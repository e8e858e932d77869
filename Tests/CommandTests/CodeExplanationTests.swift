import Foundation
import Testing

// After an intended change, GRAFT_RECORD=1 swift test --filter CodeExplanationTests rewrites the page.
@Suite("graft explain CODE") struct CodeExplanationTests {
  private static let page = Invocation.root.appendingPathComponent("Sources/Graft/Graft.docc/DiagnosticCodes.md")

  @Test("The documentation's page of codes contains the program's explanations")
  func page() throws {
    let text = try Invocation("explain --codes").output
    if ProcessInfo.processInfo.environment["GRAFT_RECORD"] != nil {
      try text.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.page, encoding: .utf8) == text)
  }

  @Test("The explanation of a code has its meaning, an example and the fix")
  func explanation() throws {
    let graft = try Invocation("explain unresolved-identifier")
    #expect(
      graft.output == """
        unresolved-identifier

          No object has this identifier, and the relationship has "unresolvedRule":
          "deny". A placeholder does not count as an object.

          Example:
            {"id": 1, "team": 99}

          Fix: Import the object first, or in the same payload. With 'placeholder' or
          'skip', the rule accepts unknown identifiers.

        """)
    #expect(graft.messages == "" && graft.status == 0)
  }

  @Test("Every explanation fits in 80 columns, except for long lines of code")
  func width() throws {
    let page = try Invocation("explain --codes").output
    let codes = page.matches(of: /(?m)^### (\S+)$/).map { String($0.1) }
    #expect(codes.count > 100)
    for code in codes {
      let lines = try Invocation(["explain", code]).output.split(separator: "\n").map(String.init)
      #expect(lines[0] == code && lines.contains { $0.hasPrefix("  Fix: ") })
      for line in lines where line.count > 80 && !line.hasPrefix("    ") { Issue.record("\(line)") }
    }
  }

  private static let rules = Invocation.root.appendingPathComponent("Sources/Graft/Graft.docc/Rules.md")

  @Test("The explanation of a rule is the same as on the page of rules")
  func rule() throws {
    #expect(
      try Invocation("explain M4").output == """
        M4

          Keys of an attribute. 'type', 'optional' (default: false), 'default',
          'JSONKeyPath', 'JSONKeyPathAliases', 'JSONTransformerName', 'JSONDirection',
          'JSONNulls' (M20), 'list', 'lenient' (M22), 'sensitive' (M29), 'renamedFrom',
          'migratedFrom' (S21), 'userInfo', and the validation keywords of JSON Schema:
          'minimum', 'maximum', 'minLength', 'maxLength', 'pattern' and 'enum', with
          'minCount' and 'maxCount' for lists, and 'extensible' for enums.

          Example: "name": "string" is short for "name": {"type": "string"}.

        """)
    let page = try String(contentsOf: Self.rules, encoding: .utf8)
    let names = page.matches(of: /(?m)^### (\S+)$/).map { String($0.1) }
    #expect(names.count > 60)
    for name in names {
      let graft = try Invocation(["explain", name.lowercased()])
      #expect(graft.status == 0 && graft.output.hasPrefix(name + "\n\n  ") && !graft.output.contains("**"), "\(name)")
      #expect(!graft.output.contains("](") && !graft.output.contains("``"), "\(name)")
      for line in graft.output.split(separator: "\n") where line.count > 80 && line.contains(" ") {
        #expect(line.split(separator: " ").count < 2, "\(line)")
      }
    }
    let unknown = try Invocation("explain M99")
    #expect(unknown.status == 2 && unknown.messages.contains("there is no rule 'M99'"))
  }

  @Test("The program contains all rules in the documentation")
  func rulePage() throws {
    let source = Invocation.root.appendingPathComponent("Sources/GraftCommand/Explain/RulePage.swift")
    let page = try String(contentsOf: Self.rules, encoding: .utf8)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let text = lines.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
    let file =
      "/// The page of rules in the documentation, `Rules.md`. A test keeps the two equal.\nenum RulePage {\n"
      + "  static let text = #\"\"\"\n" + text + "    \"\"\"#\n}\n"
    if ProcessInfo.processInfo.environment["GRAFT_RECORD"] != nil {
      try file.write(to: source, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: source, encoding: .utf8) == file)
  }

  @Test("Codes are completed only after their first letter has been typed")
  func completion() throws {
    let words = try Invocation(["completions", "--complete", "--", "explain", "wr"]).output
    #expect(words.contains("wrong-type\n") && words.hasSuffix(":files json\n"))
  }
}
