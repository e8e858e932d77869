import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Rendering of diagnostics") struct DiagnosticRendererTests {
  private let payloadError = Diagnostic(
    code: .wrongType, #"expected an integer for 'Power.identifier', found the string "4""#,
    at: Graft.SourceLocation(
      file: "heroes.json", line: 7, column: 15, length: 3, excerpt: #"      { "id": "4", "name": "Agility" }"#),
    path: "$.powers[0].id",
    notes: [
      .init(
        "'identifier' is declared integer64 here",
        at: Graft.SourceLocation(file: "Models/Comics.json", line: 31, column: 23, excerpt: "..."))
    ])

  @Test("I11: a diagnostic without notes fits on one line")
  func description() {
    #expect(
      payloadError.description
        == #"heroes.json:7:15: error: expected an integer for 'Power.identifier', found the string "4""#)
  }

  @Test("I11: without an excerpt, a diagnostic consists of its message, path and notes")
  func line() {
    #expect(
      DiagnosticRenderer(style: .line).render(payloadError) == #"""
        heroes.json:7:15: error: expected an integer for 'Power.identifier', found the string "4"
          at $.powers[0].id
        Models/Comics.json:31:23: note: 'identifier' is declared integer64 here
        """#)
  }

  @Test("I11: an excerpt contains the line of the fault, and a caret below the location")
  func excerpt() {
    #expect(
      DiagnosticRenderer(style: .excerpt).render(payloadError) == #"""
        heroes.json:7:15: error: expected an integer for 'Power.identifier', found the string "4"
          at $.powers[0].id
        7 |       { "id": "4", "name": "Agility" }
          |               ^~~
        Models/Comics.json:31:23: note: 'identifier' is declared integer64 here
        """#)
  }

  @Test("I11: a JSON diagnostic is complete and always has the same members")
  func json() {
    #expect(
      DiagnosticRenderer(style: .json).render([
        payloadError, Diagnostic(.warning, code: DiagnosticCode(rawValue: "x"), "odd", suggestion: "even"),
      ])
        == #"""
        [
          {
            "file": "heroes.json",
            "line": 7,
            "column": 15,
            "length": 3,
            "path": "$.powers[0].id",
            "severity": "error",
            "code": "wrong-type",
            "message": "expected an integer for 'Power.identifier', found the string \"4\"",
            "suggestion": null,
            "notes": [
              {
                "file": "Models/Comics.json",
                "line": 31,
                "column": 23,
                "length": 1,
                "message": "'identifier' is declared integer64 here"
              }
            ]
          },
          {
            "file": null,
            "line": null,
            "column": null,
            "length": null,
            "path": null,
            "severity": "warning",
            "code": "x",
            "message": "odd",
            "suggestion": "even",
            "notes": []
          }
        ]
        """#)
    #expect(DiagnosticRenderer(style: .json).render([]) == "[]")
  }

  @Test(
    "I11: JSON diagnostics round-trip exactly, and contain no terminal control characters",
    arguments: [
      "\u{1B}[2J \u{202E}\u{E0041} \u{0}\n", #""\/' "#, "日本 e\u{301} 👨\u{200D}👩",
    ])
  func jsonEscapes(message: String) throws {
    let text = DiagnosticRenderer(style: .json).render(Diagnostic(code: DiagnosticCode(rawValue: "x"), message))
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(value?["message"] as? String == message)
    #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{202E}", "\u{E0041}", "\u{0}"].contains($0) })
  }

  @Test("I11: faults in a payload of dictionaries have paths but no lines")
  func withoutLocation() {
    let diagnostic = Diagnostic(
      code: DiagnosticCode(rawValue: "x"), "expected an array, found null", path: "$.powers", suggestion: "power")
    #expect(
      diagnostic.description
        == "<payload>: error: expected an array, found null; did you mean 'power'? (at $.powers)")
    #expect(DiagnosticRenderer().render(diagnostic) == diagnostic.description)
    #expect(Diagnostic(.warning, code: DiagnosticCode(rawValue: "x"), "odd").description == "warning: odd")
  }

  @Test(
    "D7: the caret is below the location, regardless of the characters before it",
    arguments: [
      ("\t\"a\": x", 7, 1, "1 |     \"a\": x", "  |          ^"),
      ("日本: x", 5, 1, "1 | 日本: x", "  |       ^"),
      ("e\u{301}: x", 5, 1, "1 | e\u{301}: x", "  |    ^"),
      ("👨\u{200D}👩: x", 6, 1, "1 | 👨\u{200D}👩: x", "  |     ^"),
      ("a\u{1B}[2J: x", 8, 1, "1 | a\\u{1B}[2J: x", "  |             ^"),
      ("ab", 3, 1, "1 | ab", "  |   ^"),
      ("日本語", 1, 3, "1 | 日本語", "  | ^~~~~~"),
    ])
  func alignment(text: String, column: Int, length: Int, first: String, second: String) {
    let location = Graft.SourceLocation(file: "f", line: 1, column: column, length: length, excerpt: text)
    let lines = DiagnosticRenderer().render(Diagnostic(code: DiagnosticCode(rawValue: "x"), "m", at: location)).split(
      separator: "\n")
    #expect(lines.dropFirst().map(String.init) == [first, second])
  }

  @Test("I11: an ellipsis marks each end at which a long line is cut")
  func longLines() throws {
    func drawn(_ text: String, _ column: Int) -> [String] {
      let found = Diagnostic(
        code: DiagnosticCode(rawValue: "x"), "m",
        at: Graft.SourceLocation(
          file: "f", line: 1, column: column, excerpt: String(text.prefix(10)), isExcerptCut: text.count > 10))
      return DiagnosticRenderer().render(found).split(separator: "\n").dropFirst().map(String.init)
    }
    #expect(drawn("0123456789", 3) == ["1 | 0123456789", "  |   ^"])
    #expect(drawn("0123456789x", 3) == ["1 | 0123456789…", "  |   ^"])
    #expect(drawn("0123456789x", 11) == ["1 | 0123456789…", "  |           ^"])
    let digits = String(repeating: "0123456789", count: 40)
    func excerpt(_ text: String) throws -> String {
      let context = try Fixture.context(Fixture.comics)
      let error = #expect(throws: ImportError.self) { try context.load(text, "Hero") }
      return DiagnosticRenderer().render(error?.diagnostics ?? []).split(separator: "\n").dropFirst(2).prefix(2)
        .joined(separator: "\n")
    }
    #expect(try excerpt("[tru").hasPrefix("1 | [tru\n"))
    #expect(
      try excerpt("[{\"x\": \"\(digits)\"}, x, \"\(digits)\"]\n") == """
        1 | …\(digits.suffix(76))"}, x, "\(digits.prefix(76))…
          | \(String(repeating: " ", count: 81))^
        """)
    #expect(try excerpt("[x, \"\(digits)\"\n]").hasSuffix("…\n  |  ^"))
    #expect(
      try excerpt("[{\"x\": \"\(digits)\"}, x\n]").hasSuffix(
        "\"}, x\n  | \(String(repeating: " ", count: 160))^"))
  }

  @Test(
    "I11: an excerpt is not wider than the terminal, and the caret is below the location",
    arguments: [24, 40, 60, 80, 120], ["0123456789", "日本語", "e\u{301}a\u{308}", "\t.", "\u{1B}x", "👩‍💻 "])
  func width(columns: Int, pattern: String) {
    let line = String(repeating: pattern, count: 40)
    let count = line.unicodeScalars.count
    for column in stride(from: 1, through: count + 1, by: 3) {
      for length in [1, 8, 500] {
        let location = Graft.SourceLocation(
          file: "f", line: 12, column: column, length: min(length, max(1, count - column)), excerpt: line)
        let found = Diagnostic(code: DiagnosticCode(rawValue: "x"), "m", at: location)
        let whole = DiagnosticRenderer().render(found).split(separator: "\n")
        let drawn = DiagnosticRenderer(width: columns).render(found).split(separator: "\n")
        #expect(drawn.count == 3 && drawn.dropFirst().allSatisfy { RenderedWidth.of($0) <= columns })
        // The text above the caret is the same as in the uncut line.
        #expect(RenderedWidth.text(above: drawn[2], in: drawn[1]) == RenderedWidth.text(above: whole[2], in: whole[1]))
        #expect(drawn[1].hasPrefix("12 | ") && drawn[2].hasPrefix("   | ") && drawn[2].contains("^"))
      }
    }
  }

  @Test("I11: a line that is cut to the terminal's width shows the text before and after the location")
  func cutExcerpt() {
    let digits = String(repeating: "0123456789", count: 8)
    func drawn(_ column: Int, _ length: Int = 1) -> [String] {
      let location = Graft.SourceLocation(file: "f", line: 1, column: column, length: length, excerpt: digits)
      return DiagnosticRenderer(width: 30).render(Diagnostic(code: DiagnosticCode(rawValue: "x"), "m", at: location))
        .split(separator: "\n")
        .dropFirst().map(String.init)
    }
    #expect(drawn(1) == ["1 | 012345678901234567890123…", "  | ^"])
    #expect(drawn(41, 3) == ["1 | …567890123456789012345678…", "  |                 ^~~"])
    #expect(drawn(80) == ["1 | …678901234567890123456789", "  |                         ^"])
    #expect(drawn(81) == ["1 | …78901234567890123456789", "  |                         ^"])
    let narrow = Diagnostic(
      code: DiagnosticCode(rawValue: "x"), "m", at: Graft.SourceLocation(file: "f", line: 1, column: 2, excerpt: digits)
    )
    #expect(DiagnosticRenderer(width: 84).render(narrow).contains("1 | \(digits)\n"))
  }

  @Test("I11: a path that is too long to read is shortened in the middle; JSON diagnostics contain the whole path")
  func longPath() throws {
    let context = try Fixture.context(Fixture.comics)
    let deep = String(repeating: #"{"next":"#, count: 600)
    let error = #expect(throws: ImportError.self) { try context.load(deep, "Hero") }
    let diagnostic = try #require(error?.diagnostics.first)
    #expect(diagnostic.code == .limitDepth && diagnostic.path?.count ?? 0 > 1_500)
    let path = try #require(
      DiagnosticRenderer().render(diagnostic).split(separator: "\n").first { $0.hasPrefix("  at ") })
    #expect(path.count < 130)
    #expect(path.hasPrefix("  at $.next.next.") && path.contains(".next….next") && path.hasSuffix(".next.next"))
    var other = diagnostic
    other.location = nil
    #expect(other.description.count < 250)
    other.path = "$.a" + String(repeating: "[1]", count: 30)
    #expect(other.description.hasSuffix("(at \(other.path ?? ""))"))
  }

  @Test(
    "I11: a terminal shows locations, severities and carets in color, and a file's content cannot control the terminal")
  func colors() {
    var diagnostic = payloadError
    diagnostic.location?.excerpt = "      { \"id\": \"4\", \"name\": \"\u{1B}[31m\" }"
    diagnostic.message += "\u{1B}[2J"
    let renderer = DiagnosticRenderer(isColored: true)
    #expect(
      renderer.render(diagnostic).replacing("\u{1B}", with: "␛") == #"""
        ␛[1mheroes.json:7:15␛[0m: ␛[1;31merror␛[0m: expected an integer for 'Power.identifier', found the string "4"\u{1B}[2J
          at $.powers[0].id
        7 |       { "id": "4", "name": "\u{1B}[31m" }
          |               ␛[1;32m^~~␛[0m
        ␛[1mModels/Comics.json:31:23␛[0m: ␛[1;36mnote␛[0m: 'identifier' is declared integer64 here
        """#)
    #expect(
      renderer.render(Diagnostic(.warning, code: DiagnosticCode(rawValue: "x"), "odd", path: "$.a")).replacing(
        "\u{1B}", with: "␛")
        == "␛[1m<payload>␛[0m: ␛[1;33mwarning␛[0m: odd (at $.a)")
    let json = DiagnosticRenderer(style: .json, isColored: true).render(diagnostic)
    #expect(json == DiagnosticRenderer(style: .json).render(diagnostic))
    #expect(!DiagnosticRenderer().render(diagnostic).contains("\u{1B}"))
  }

  @Test("I11: control characters in a file's content are escaped in messages and excerpts")
  func escapes() {
    let location = Graft.SourceLocation(file: "a\u{1B}b", line: 1, column: 1)
    let diagnostic = Diagnostic(
      code: DiagnosticCode(rawValue: "x"), "no '\u{202E}\n'", at: location, path: "$['\u{7}']", notes: [.init("\u{9B}")]
    )
    #expect(
      DiagnosticRenderer().render(diagnostic)
        == #"a\u{1B}b:1:1: error: no '\u{202E}\n'"# + "\n" + #"  at $['\u{7}']"# + "\n" + #"note: \u{9B}"#)
  }

  @Test("M9: the description of an error consists of its diagnostics")
  func error() {
    struct TestError: DiagnosticError { let diagnostics: [Diagnostic] }
    let code = DiagnosticCode(rawValue: "x")
    let two = TestError(diagnostics: [
      Diagnostic(.warning, code: code, "one"), Diagnostic(code: code, "two"), Diagnostic(code: code, "three"),
    ])
    #expect(two.description == "warning: one\nerror: two\nerror: three")
    #expect(two.localizedDescription == "error: two (and 1 more)")
  }
}

/// A line as a terminal shows it.
private enum RenderedWidth {
  /// The number of columns that a terminal needs: none for combining characters and joiners, two for wide characters.
  private static func width(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Int {
    if last == "\u{200D}" || scalar == "\u{200D}" { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return scalar.properties.isEmojiPresentation || (0x2E80...0x9FFF).contains(scalar.value) ? 2 : 1
    }
  }

  private static func columns(_ line: Substring) -> [(scalar: Unicode.Scalar, start: Int, width: Int)] {
    var start = 0
    var last: Unicode.Scalar?
    return line.unicodeScalars.map { scalar in
      let width = width(scalar, after: last)
      defer { (start, last) = (start + width, scalar) }
      return (scalar, start, width)
    }
  }

  static func of(_ line: Substring) -> Int { columns(line).last.map { $0.start + $0.width } ?? 0 }

  /// The character above the caret, or nil if the line ends before it.
  static func text(above mark: Substring, in line: Substring) -> Unicode.Scalar? {
    let caret = of(mark.prefix { $0 != "^" })
    return columns(line).first { $0.start == caret && $0.width > 0 }?.scalar
  }
}
