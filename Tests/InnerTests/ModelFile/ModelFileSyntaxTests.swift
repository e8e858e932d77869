import GraftTestSupport
import Testing

@testable import Graft

@Suite("Syntax of model files") struct ModelFileSyntaxTests {
  private func parse(_ text: String) throws -> ModelFileTree {
    try ModelFile.tree(of: SourceText(name: "m.json", bytes: Array(text.utf8)))
  }

  @Test("M1: comments and trailing commas are accepted")
  func comments() throws {
    let tree = try parse("// a\n{\"b\": [1, 2,], /* c */ \"d\": {},}\n// e")
    #expect(tree.root.json == ["b": [1, 2], "d": [:]])
    #expect(tree.comments.map(\.offset) == [0, 20, 38])
    #expect(tree.comments.map(\.length) == [4, 7, 4])
  }

  @Test("M1: parsed values have their locations in the file")
  func places() throws {
    let tree = try parse(#" {"a": "é", "b": [true]}"#)
    let members = try #require(tree.root.members)
    #expect(tree.root.range == SourceRange(offset: 1, length: 24))
    #expect(members[0].keyRange == SourceRange(offset: 2, length: 3))
    #expect(members[0].value.range == SourceRange(offset: 7, length: 4))
    #expect(members[1].value.elements?[0].range == SourceRange(offset: 19, length: 4))
  }

  @Test("D8: escapes are decoded, and a byte order mark is skipped")
  func escapes() throws {
    let tree = try parse("\u{FEFF}" + #"["\"\\\/\b\f\n\r\t\u0041\u0000\uD83D\uDE00"]"#)
    #expect(tree.root.elements?[0].text == "\"\\/\u{8}\u{C}\n\r\tA\0\u{1F600}")
  }

  @Test("M9: the syntax tree contains both occurrences of a repeated key")
  func repeats() throws {
    let members = try #require(try parse(#"{"a": 1, "b": 2, "a": 3}"#).root.members)
    #expect(members.map(\.key) == ["a", "b", "a"])
    #expect(members.repeats.map(\.second) == [2])
    #expect(members.withoutRepeats.count == 2)
  }

  @Test(
    "D8: only UTF-8 is read; other encodings are rejected by name",
    arguments: [
      ([0xFF, 0xFE, 0x7B, 0], "expected UTF-8, found UTF-16: save the file as UTF-8"),
      ([0xFE, 0xFF, 0, 0x7B], "expected UTF-8, found UTF-16: save the file as UTF-8"),
      ([0x7B, 0, 0x7D, 0], "expected UTF-8, found UTF-16: save the file as UTF-8"),
      ([0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], "expected UTF-8, found UTF-32: save the file as UTF-8"),
      ([0, 0, 0, 0x7B], "expected UTF-8, found UTF-32: save the file as UTF-8"),
      (
        [0x5B, 0x22, 0xE9, 0x22, 0x5D],
        "expected UTF-8, found the byte 0xE9, which is not part of a character: save the file as UTF-8"
      ),
      (
        [0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D],
        "expected UTF-8, found the byte 0xED, which is not part of a character: save the file as UTF-8"
      ),
      (
        [0x5B, 0x22, 0xC0, 0x80, 0x22, 0x5D],
        "expected UTF-8, found the byte 0xC0, which is not part of a character: save the file as UTF-8"
      ),
      (
        [0x5B, 0x22, 0xF4, 0x90, 0x80, 0x80, 0x22, 0x5D],
        "expected UTF-8, found the byte 0xF4, which is not part of a character: save the file as UTF-8"
      ),
      (
        [0x5B, 0x22, 0xE2, 0x82],
        "expected UTF-8, found the byte 0xE2, which is not part of a character: save the file as UTF-8"
      ),
    ] as [([UInt8], String)])
  func encodings(bytes: [UInt8], message: String) {
    let result = ModelFile.read(SourceText(name: "m.json", bytes: bytes), transformers: .standard)
    #expect(result.model == nil)
    #expect(result.diagnostics.map(\.message) == [message])
  }

  @Test("M1: 64 levels are read, and one more level causes an error")
  func depth() throws {
    let brackets = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    #expect(throws: Never.self) { try parse(brackets(64)) }
    #expect(findings(brackets(65)) == ["1:65: error: objects and arrays are nested deeper than 64 levels"])
    #expect(
      findings(String(repeating: "{\"a\":", count: 100_000)) == [
        "1:321: error: objects and arrays are nested deeper than 64 levels"
      ])
  }
}
