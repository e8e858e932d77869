import GraftTestSupport
import Testing

@testable import Graft

@Suite("Patterns") struct TextPatternTests {
  @Test("M4: a string matches a pattern if any part of the string matches", arguments: table)
  func matches(pattern: String, matching: [String], others: [String]) throws {
    for pattern in [try TextPattern(pattern), try TextPattern(pattern).prepared()] {
      for text in matching { #expect(pattern.matches(text), "\(pattern.text) \(text.debugDescription)") }
      for text in others { #expect(!pattern.matches(text), "\(pattern.text) \(text.debugDescription)") }
    }
  }

  static let table: [(String, [String], [String])] = [
    ("", ["", "a"], []), ("b", ["b", "abc"], ["", "B"]), ("^b", ["b", "bc"], ["ab", "", "a\nb"]),
    ("b$", ["b", "ab"], ["ba", "b\n", ""]), ("^$", [""], ["a", "\n"]), ("^", ["", "a"], []), ("$", ["", "a"], []),
    ("$^", [""], ["a"]), ("a^b", [], ["ab", "a", ""]), ("^^a$$", ["a"], ["aa"]),
    ("^a|b$", ["ax", "xb"], ["xa", "bx"]), ("^(a|b)$", ["a", "b"], ["ab", ""]), ("^(|a)$", ["", "a"], ["aa"]),
    ("^(?:ab)+$", ["ab", "abab"], ["", "aba"]), ("^(?<two>ab){2}$", ["abab"], ["ab", "ababab"]),
    ("^a*$", ["", "aaa"], ["b"]), ("^a+?$", ["a", "aa"], [""]), ("^a??$", ["", "a"], ["aa"]),
    ("^a{2}$", ["aa"], ["a", "aaa"]), ("^a{2,}$", ["aa", "aaaa"], ["a"]), ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]),
    ("^a{0,2}$", ["", "a", "aa"], ["aaa"]), ("^a{0}b{1}$", ["b"], ["ab"]), ("^(a{2}){2}$", ["aaaa"], ["aaa", "aaaaa"]),
    ("^(?:^)*a$", ["a"], ["aa"]), ("^(a*)*b$", ["b", "aab"], ["a"]), ("(|a)+b", ["b", "aab"], ["a"]),
    ("^.$", ["a", "é", "😀", "\t", "\u{85}"], ["", "\n", "\r", "\u{2028}", "\u{2029}", "ab"]),
    ("^[a-cx]$", ["a", "c", "x"], ["d", "-", "A"]), ("^[^a-c]$", ["d", "é", "\n", "😀"], ["a", ""]),
    ("^[-a]$", ["-", "a"], ["b"]), ("^[a-]$", ["-", "a"], ["b"]), ("^[\\-a]$", ["-", "a"], ["\\"]),
    ("^[.*+?(){}|$^[]$", [".", "*", "(", "{", "$", "^", "["], ["a", "]"]), ("^[\\]\\\\]$", ["]", "\\"], ["["]),
    ("^[é-ü]$", ["é", "ö", "ü"], ["e", "ý"]), ("^[α-ω]+$", ["λόγος".filter { $0 != "ό" }], ["Λ"]),
    ("^[😀-😂]$", ["😀", "😁", "😂"], ["😃", "\u{1F5FF}"]), ("^[^😀]$", ["a", "😁"], ["😀"]),
    ("^\\d+$", ["0123456789"], ["٣", "１", "a"]), ("^\\D$", ["a", "٣"], ["1"]), ("^\\w+$", ["aZ_09"], ["é", "-"]),
    ("^\\W$", ["-", "é"], ["_"]), ("^\\s$", [" ", "\t", "\n", "\u{A0}", "\u{3000}", "\u{FEFF}"], ["a", "\u{85}"]),
    ("^\\S$", ["a", "\u{85}"], [" "]), ("^[\\s\\S]$", ["a", "\n"], [""]), ("^[\\D\\d]$", ["a", "1"], [""]),
    ("^[^\\D]$", ["5"], ["a", "٣"]), ("^[\\w.]+$", ["a.b"], ["a-b"]), ("^[^\\W_]+$", ["aZ9"], ["_"]),
    ("\\bcat\\b", ["cat", "a cat.", "cat-s"], ["cats", "_cat"]), ("\\Bcat", ["tomcat"], ["cat", " cat"]),
    ("^\\b$", [], ["", "a"]), ("\\B", ["", "ab", "-"], ["a"]), ("a\\b.\\b", ["a-b"], ["ab", "a-"]),
    ("^\\u00e9\\xe9\\u{e9}$", ["ééé"], ["ee"]), ("^\\ud83d\\ude00\\u{1F600}$", ["😀😀"], ["😀"]),
    ("^\\t\\n\\r\\v\\f\\0\\cJ$", ["\t\n\r\u{B}\u{C}\0\n"], [""]), ("^[\\b]$", ["\u{8}"], ["b"]),
    ("^\\.\\*\\/\\@\\-\\_$", [".*/@-_"], ["a"]), ("^\\p{L}+$", ["aÉλ字"], ["1", "_"]),
    ("^\\p{Lu}\\p{Ll}+$", ["Émile", "Λόγος"], ["émile"]), ("^\\P{L}$", ["1", "😀"], ["a", "字"]),
    ("^[\\p{Nd}_]+$", ["1٣_"], ["a"]), ("^[^\\p{L}\\d]$", ["-", "٣"], ["a", "1"]), ("^[\\P{L}a]$", ["a", "1"], ["b"]),
    ("^\\p{gc=Uppercase_Letter}\\p{General_Category=Nd}\\p{LC}$", ["A1b"], ["a1b"]),
    ("^\\p{ASCII}\\p{Any}\\p{Assigned}$", ["aéa"], ["éaa", "aa\u{378}"]),
    ("^[^\\P{Any}]$", ["a", "\u{10FFFF}"], [""]),
  ]

  @Test("D9: a character in a pattern is one Unicode scalar, as in minLength")
  func scalars() throws {
    #expect(try TextPattern("^.$").matches("e\u{301}") == false)
    #expect(try TextPattern("^..$").matches("e\u{301}"))
    #expect(try TextPattern("^.....$").matches("👩‍👩‍👧"))
    // Canonically equivalent characters are different characters, as in JSON Schema.
    #expect(try TextPattern("^é$").matches("e\u{301}") == false)
    #expect(try TextPattern("^\r\n$").matches("\r\n"))
  }

  @Test("M4: a pattern has the same meaning as a Swift Regex that matches Unicode scalars", arguments: 0..<20)
  func differential(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var matched = 0
    for _ in 0..<150 {
      let text = random.pattern()
      let pattern = try random.chance(percent: 50) ? TextPattern(text) : TextPattern(text).prepared()
      let regex = try Regex(text).asciiOnlyWordCharacters().asciiOnlyDigits().matchingSemantics(.unicodeScalar)
      for _ in 0..<5 {
        let subject = random.subject()
        let expected = try regex.firstMatch(in: subject) != nil
        matched += expected ? 1 : 0
        guard pattern.matches(subject) != expected else { continue }
        Issue.record("seed \(seed): \(text) should \(expected ? "" : "not ")match \(subject.debugDescription)")
        return
      }
    }
    #expect((100..<650).contains(matched))
  }

  @Test(
    "M4: the transition table of a small pattern matches the same strings as the underlying state machine",
    arguments: 0..<10)
  func twoWays(seed: UInt64) throws {
    var random = SeededRandom(seed: 1_000 + seed)
    var compared = 0
    for _ in 0..<200 {
      let root = try PatternParser.parse(random.pattern())
      let program = try PatternProgram(root)
      guard let table = PatternTable(program) else { continue }
      for _ in 0..<5 {
        LentBytes.with(random.subject()) { subject in
          guard let found = table.matches(subject) else { return }
          compared += 1
          #expect(found == program.matches(subject), "seed \(seed)")
        }
      }
    }
    #expect(compared > 200)
  }

  static let hostile: [(String, String, String)] = [
    ("(a+)+$", "a", "b"), ("^(a|aa)*b$", "a", ""), ("(.*)*(.*)*(.*)*x", "y", ""), ("(x+x+)+y", "x", ""),
    ("^(([a-z])+.)+[A-Z]([a-z])+$", "a", ""), ("(é+)+$", "é", "b"), ("\\b(a?){50}a{50}\\b.", "a", ""),
    ("^(?:a?){200}$", "a", ""), (".{0,200}!", "é", ""),
  ]

  @Test("M4: matching ends quickly even for hostile text that would cause endless backtracking", arguments: hostile)
  func hostileTexts(pattern: String, part: String, end: String) throws {
    let pattern = try TextPattern(pattern).prepared()
    let text = String(repeating: part, count: 4_000) + end
    let time = ProcessorClock().measure { #expect(pattern.matches(text) == false) }
    // With optimization, matching takes some milliseconds; backtracking would never end.
    #expect(time < .seconds(60))
  }

  @Test("M4: each state is entered at most once per character, so the time is proportional to the text")
  func bounded() throws {
    // A pattern can have at most 10,000 states, and a part without states is not repeated.
    #expect(throws: TextPattern.Fault.self) { try TextPattern("(a{100}){101}") }
    #expect(try TextPattern("^(a{90}){100}$").matches(String(repeating: "a", count: 9_000)))
    #expect(try TextPattern("^(((){9999}){9999}){9999}$").matches(""))
    #expect(try TextPattern(String(repeating: "()", count: 5_000)).matches("a"))
  }

  @Test("M4: malformed UTF-8 is matched without a crash")
  func illFormed() throws {
    for pattern in ["^.*$", "[^a]é", "\\p{L}", "\\b."] {
      let pattern = try TextPattern(pattern)
      for bytes in [[0xC3], [0xF0, 0x9F], [0x80, 0x80], [0x61, 0xE2, 0x82], [0xFF]] as [[UInt8]] {
        _ = LentBytes.with(bytes) { pattern.matches($0) }
      }
    }
    let replacement = try TextPattern("^\u{FFFD}$")
    #expect(LentBytes.with([0xC3] as [UInt8]) { replacement.matches($0) })
  }
}

extension SeededRandom {
  /// A random pattern in the syntax that Regex and JSON Schema share. In Regex, `\w` does not match some characters, and `\b` is different,
  /// so the table of the first test covers these cases.
  fileprivate mutating func pattern(_ depth: Int = 0) -> String {
    switch below(depth > 3 ? 6 : 12) {
    case 0...2: pick(["a", "b", "é", "1", "_", "-", " ", "\\.", "\\d", "\\w", "\\W", "\\D", "\\s", "\\S"])
    case 3:
      pick(["[ab]", "[^a]", "[a-c1]", "[^\\d]", "[\\w-]", "[é-ü]", "[^\\W1]", "\\p{L}", "\\P{Lu}", "[\\p{Nd}_]"])
    case 4: pick(["^", "$", "."])
    case 5: pick(["ab", "a1", "b_"])
    case 6, 7: pattern(depth + 1) + pattern(depth + 1)
    case 8: "(" + pattern(depth + 1) + "|" + pattern(depth + 1) + ")"
    case 9:
      "(?:" + pattern(depth + 1) + ")"
        + pick(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?", "{1,2}?"])
    case 10: pick(["a", "b", "[ab]", "\\w", ".", "é"]) + pick(["*", "+", "?", "{2}", "{1,3}"])
    default: "(" + pattern(depth + 1) + ")"
    }
  }

  fileprivate mutating func subject() -> String {
    (0..<below(9)).map { _ in pick(["a", "b", "c", "1", "2", "_", "-", " ", "é", "ü", "A", ".", "\t"]) }.joined()
  }
}
