import GraftTestSupport
import Testing

@testable import Graft

// The expected output for single syntax errors is in Tests/Fixtures/bad-models/syntax.
@Suite("Model files with syntax errors") struct ModelFileRecoveryTests {
  /// A change to one token; nil if the change cannot be made to the token.
  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (_ token: Substring, _ next: Substring) -> String?
  }

  static let certain: [Damage] = [
    Damage(testDescription: "a comma is forgotten") { token, next in token == "," && !isClosing(next) ? "" : nil },
    Damage(testDescription: "a comma is doubled") { token, _ in token == "," ? ",," : nil },
    Damage(testDescription: "a comma is a semicolon") { token, _ in token == "," ? ";" : nil },
    Damage(testDescription: "a colon is forgotten") { token, _ in token == ":" ? " " : nil },
    Damage(testDescription: "a colon is doubled") { token, _ in token == ":" ? "::" : nil },
    Damage(testDescription: "a colon is an equals sign") { token, _ in token == ":" ? " =" : nil },
    Damage(testDescription: "a colon is an arrow") { token, _ in token == ":" ? " =>" : nil },
    Damage(testDescription: "quotes are single") { token, _ in word(token).map { "'\($0)'" } },
    Damage(testDescription: "quotes are curly") { token, _ in word(token).map { "“\($0)”" } },
    Damage(testDescription: "quotes are forgotten") { token, _ in word(token) },
    Damage(testDescription: "an opening quote is forgotten") { token, next in
      next == ":" ? word(token).map { "\($0)\"" } : nil
    },
    Damage(testDescription: "a word is Python's") { token, _ in
      ["true": "True", "false": "False", "null": "None"][token]
    },
    Damage(testDescription: "a comment is a shell's") { token, next in isClosing(next) ? "\(token) # no\n" : nil },
    Damage(testDescription: "a space is none") { token, _ in "\(token)\u{A0}" },
  ]

  static let doubtful: [Damage] = [
    Damage(testDescription: "a token is missing") { _, _ in "" },
    Damage(testDescription: "a token stands twice") { token, _ in "\(token) \(token)" },
    Damage(testDescription: "a bracket is of the other kind") { token, _ in
      ["{": "[", "}": "]", "[": "{", "]": "}"][token]
    },
    Damage(testDescription: "a string is not closed") { token, _ in
      token.hasPrefix("\"") ? String(token.dropLast()) : nil
    },
    Damage(testDescription: "a string is not opened") { token, _ in
      token.hasPrefix("\"") ? String(token.dropFirst()) : nil
    },
    Damage(testDescription: "a quote stands in a string") { token, _ in
      token.count > 5 && token.hasPrefix("\"") ? "\"a \"b\(token.dropFirst(2))" : nil
    },
    Damage(testDescription: "something stands there") { token, _ in "\(token) @" },
  ]

  private static func isClosing(_ token: Substring) -> Bool { token == "}" || token == "]" }

  /// The content of a string that consists of one word.
  private static func word(_ token: Substring) -> String? {
    guard token.count > 2, let match = token.wholeMatch(of: /"([A-Za-z]\w*)"/) else { return nil }
    return String(match.1)
  }

  /// Reads texts in which one token is damaged: a dozen texts for each model of the repository.
  private func check(
    _ damage: Damage, _ body: (_ text: String, _ findings: [Diagnostic], _ isCertain: Bool) -> Void
  ) throws {
    for (name, text) in try RepositoryModels.texts() {
      let tokens = ModelFileTokens(text).tokens
      let changes = zip(tokens, tokens.dropFirst()).compactMap { token, next in
        damage.change(token, next).map { (token: token, text: $0) }
      }
      for index in stride(from: 0, to: changes.count, by: max(1, changes.count / 12)) {
        let change = changes[index]
        let damaged = text[..<change.token.startIndex] + change.text + text[change.token.endIndex...]
        let source = SourceText(name: name, bytes: Array(damaged.utf8))
        let findings = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning).diagnostics
        body(String(damaged), findings, ModelFileParser.parse(source).isCertain)
      }
    }
  }

  @Test(
    "M1: an unambiguous syntax error causes one error, and the rest of the file is read as intended",
    arguments: certain)
  func noDoubt(damage: Damage) throws {
    var count = 0
    try check(damage) { text, findings, isCertain in
      count += 1
      #expect(isCertain && findings.map(\.code) == [.syntaxError], "\(ModelError(findings))\n\(text)")
    }
    #expect(count > 0)
  }

  @Test(
    "M1: an ambiguous syntax error causes one error, rarely a second syntax error, and no other errors",
    arguments: doubtful)
  func doubt(damage: Damage) throws {
    var (count, seconds) = (0, 0)
    try check(damage) { text, findings, isCertain in
      let errors = findings.count { $0.code == .syntaxError }
      count += 1
      if errors > 1 { seconds += 1 }
      #expect(errors == findings.count || isCertain, "\(ModelError(findings))\n\(text)")
      #expect(errors <= 2, "\(ModelError(findings))\n\(text)")
    }
    #expect(count > 0 && seconds * 5 <= count, "\(seconds) of \(count)")
  }

  @Test("M1: after an unambiguous syntax error, the rest of the file is also validated")
  func both() {
    #expect(
      findings(#"{"entities": {"Hero": {}, "Villain": {"parent": 1️⃣"Heros" 2️⃣"abstract": 3️⃣True, 4️⃣clas: "Hero"}}}"#) == [
        "1️⃣ error: the parent 'Heros' of entity 'Villain' is not an entity; did you mean 'Hero'?",
        "1:56: error: expected ',' after the value of 'parent', found the next key",
        "3️⃣ error: expected a value, found 'True': write true",
        "4️⃣ error: expected a key in double quotes: write \"clas\"",
        "4️⃣ error: unknown key 'clas' in entity 'Villain'; did you mean 'class'?",
      ])
  }

  @Test("M1: after an ambiguous syntax error, only syntax errors are reported, one per line")
  func syntaxOnly() {
    #expect(
      findings(
        """
        {"entities": {
          "Hero": {"parent": 1️⃣"Nobody, clas: nothing},
          "Team": {"parent" 2️⃣"Nobody"}
        }}
        """.replacing("2️⃣", with: "")) == [
          "1️⃣ error: the string is not closed: expected '\"' at its end, on the same line",
          "3:20: error: expected ':' after the key 'parent', found a string",
        ])
  }

  @Test("M1: reading stops after a hundred errors")
  func many() {
    let found = findings("{\(String(repeating: ",", count: 100_000))}")
    #expect(found.count == 101)
    #expect(found.last == "1:101: error: reading stopped after the first 100 errors: is this a model file?")
  }

  @Test(
    "M1: the time to read faulty text is proportional to its length",
    arguments: [
      #""a "b"#, #"[a,"#, #""a" b "#, #"x, "#, "'", "“", "{", "[", #"{"a":"#, "\u{A0}", "@", "\\", "\"\\\n", "#", "/",
      "/*",
      #"["a":"#, #""a",,,,"#, #"{"a" "#, "]", "}", "-", #""a":"#, " [\n", "{\n", "[]}",
    ])
  func linear(piece: String) {
    let prefixes = ["{", "{\"a\": [\"x\" y, "]
    for prefix in prefixes {
      let bytes = Array((prefix + String(repeating: piece, count: 10_000 / piece.utf8.count)).utf8)
      let time = ProcessorClock().measure {
        let outcome = ModelFileParser.parse(SourceText(name: "m.json", bytes: bytes))
        #expect(!outcome.errors.isEmpty && outcome.errors.count <= 101)
      }
      #expect(time < .seconds(30))
    }
  }
}
