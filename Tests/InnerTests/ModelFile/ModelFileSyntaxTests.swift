import GraftTestSupport
import Testing

@testable import Graft

@Suite("The syntax of model files") struct ModelFileSyntaxTests {
  private func parse(_ text: String) throws -> ModelFileTree {
    try ModelFileParser.parse(SourceText(name: "m.json", bytes: Array(text.utf8)))
  }

  @Test("M1: JSON with comments and trailing commas")
  func comments() throws {
    let tree = try parse("// a\n{\"b\": [1, 2,], /* c */ \"d\": {},}\n// e")
    #expect(tree.root.json == ["b": [1, 2], "d": [:]])
    #expect(tree.comments.map(\.offset) == [0, 20, 38])
    #expect(tree.comments.map(\.length) == [4, 7, 4])
  }

  @Test("M1: values keep their places")
  func places() throws {
    let tree = try parse(#" {"a": "é", "b": [true]}"#)
    let members = try #require(tree.root.members)
    #expect(tree.root.range == SourceRange(offset: 1, length: 24))
    #expect(members[0].keyRange == SourceRange(offset: 2, length: 3))
    #expect(members[0].value.range == SourceRange(offset: 7, length: 4))
    #expect(members[1].value.elements?[0].range == SourceRange(offset: 19, length: 4))
  }

  @Test("D8: escapes are resolved, a byte order mark is skipped")
  func escapes() throws {
    let tree = try parse("\u{FEFF}" + #"["\"\\\/\b\f\n\r\t\u0041\u0000\uD83D\uDE00"]"#)
    #expect(tree.root.elements?[0].text == "\"\\/\u{8}\u{C}\n\r\tA\0\u{1F600}")
  }

  @Test("M9: a key that is given twice stands twice in the tree")
  func repeats() throws {
    let members = try #require(try parse(#"{"a": 1, "b": 2, "a": 3}"#).root.members)
    #expect(members.map(\.key) == ["a", "b", "a"])
    #expect(members.repeats.map(\.second) == [2])
    #expect(members.withoutRepeats.count == 2)
  }

  @Test(
    "M1: a fault of syntax is located, with what was expected",
    arguments: [
      ("1️⃣", "1️⃣ error: expected an object, found an empty file"),
      ("// only a comment\n", "1:1: error: expected an object, found an empty file"),
      (#"{"a" 1️⃣1}"#, "1️⃣ error: expected ':' after the key 'a', found '1'"),
      (#"{"a": 1 1️⃣"b": 2}"#, "1️⃣ error: expected ',' or '}' after the value of 'a', found a string"),
      (#"{"a": 11️⃣]}"#, "1️⃣ error: expected ',' or '}' after the value of 'a', found ']'"),
      (#"{1️⃣,}"#, "1️⃣ error: expected a key in double quotes or '}', found ','"),
      (#"{1️⃣a: 1}"#, "1️⃣ error: expected a key in double quotes or '}', found 'a'"),
      (
        #"{1️⃣'a': 1}"#,
        "1️⃣ error: expected a key in double quotes or '}', found a single quote: strings stand in double quotes"
      ),
      (#"[1 1️⃣2]"#, "1️⃣ error: expected ',' or ']' after an element, found '2'"),
      (#"[1,1️⃣,2]"#, "1️⃣ error: expected a value or ']', found ','"),
      (#"{} 1️⃣{}"#, "1️⃣ error: expected the end of the file, found '{'"),
      (#"[1️⃣True]"#, "1️⃣ error: expected a value, found 'True': strings stand in double quotes"),
      (#"[1️⃣01]"#, "1️⃣ error: '01' is no JSON number"),
      (#"[1️⃣+1]"#, "1️⃣ error: '+1' is no JSON number"),
      (#"[1️⃣.5]"#, "1️⃣ error: '.5' is no JSON number"),
      (#"[1️⃣0x1F]"#, "1️⃣ error: '0x1F' is no JSON number"),
      (#"[1, 1️⃣# no"#, "1️⃣ error: expected a value, found '#': comments begin with '//'"),
      ("[1️⃣\u{A0}1]", "1️⃣ error: expected a value, found the character U+00A0"),
      (#"[1️⃣/ 1]"#, "1️⃣ error: expected a value or a comment, found '/'"),
      ("[1️⃣/* 1]", "1️⃣ error: the comment is not closed: expected '*/' before the end of the file"),
      ("[1️⃣\"a\n\"]", "1️⃣ error: the string is not closed on its line"),
      ("[\"a1️⃣\t\"]", "1️⃣ error: a control character in a string is written as an escape: \\u0009"),
      (
        #"["a1️⃣\x"]"#,
        #"1️⃣ error: unknown escape: expected one of \" \\ \/ \b \f \n \r \t, or \u and four hexadecimal digits"#
      ),
      (#"["1️⃣\u12G4"]"#, #"1️⃣ error: expected four hexadecimal digits after '\u'"#),
      (#"["1️⃣\uD800"]"#, "1️⃣ error: a lone surrogate is no character: surrogates are escaped in pairs"),
      (#"["1️⃣\uDC00\uD800"]"#, "1️⃣ error: a lone surrogate is no character: surrogates are escaped in pairs"),
      (#"["1️⃣\uD800\u0041"]"#, "1️⃣ error: a lone surrogate is no character: surrogates are escaped in pairs"),
    ])
  func faults(source: String, message: String) {
    #expect(findings(source) == [message])
  }

  @Test("M1: what is not closed is shown where the file ends and where it began")
  func notClosed() {
    #expect(
      findings("1️⃣{\n  \"a\": 12️⃣") == [
        "2️⃣ error: the object is not closed before the end of the file", "  1️⃣ note: the object begins here",
      ])
    #expect(
      findings("[1️⃣\"a2️⃣") == [
        "2️⃣ error: the string is not closed before the end of the file", "  1️⃣ note: the string begins here",
      ])
  }

  @Test(
    "D8: only UTF-8 is read, other encodings are refused by name",
    arguments: [
      ([0xFF, 0xFE, 0x7B, 0], "the file is UTF-16: model files are UTF-8"),
      ([0xFE, 0xFF, 0, 0x7B], "the file is UTF-16: model files are UTF-8"),
      ([0x7B, 0, 0x7D, 0], "the file is UTF-16: model files are UTF-8"),
      ([0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], "the file is UTF-32: model files are UTF-8"),
      ([0, 0, 0, 0x7B], "the file is UTF-32: model files are UTF-8"),
      ([0x5B, 0x22, 0xE9, 0x22, 0x5D], "the byte 0xE9 is not UTF-8 here"),
      ([0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D], "the byte 0xED is not UTF-8 here"),
      ([0x5B, 0x22, 0xC0, 0x80, 0x22, 0x5D], "the byte 0xC0 is not UTF-8 here"),
      ([0x5B, 0x22, 0xF4, 0x90, 0x80, 0x80, 0x22, 0x5D], "the byte 0xF4 is not UTF-8 here"),
      ([0x5B, 0x22, 0xE2, 0x82], "the byte 0xE2 is not UTF-8 here"),
    ] as [([UInt8], String)])
  func encodings(bytes: [UInt8], message: String) {
    let result = ModelFile.read(SourceText(name: "m.json", bytes: bytes), transformers: .standard)
    #expect(result.model == nil)
    #expect(result.diagnostics.map(\.message) == [message])
  }

  @Test("M1: 64 levels are read, one more is an error")
  func depth() throws {
    let brackets = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    #expect(throws: Never.self) { try parse(brackets(64)) }
    #expect(findings(brackets(65)) == ["1:65: error: nested deeper than 64 levels"])
    #expect(findings(String(repeating: "{\"a\":", count: 100_000)) == ["1:321: error: nested deeper than 64 levels"])
  }
}
