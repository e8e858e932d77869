import Testing

@testable import Graft

@Suite("Scanner: structure") struct ScannerStructureTests {
  static let faults: [(String, String)] = [
    ("", "expected a JSON value, found nothing at 0"), ("  \n\t\r", "expected a JSON value, found nothing at 5"),
    ("[1,]", "expected more after the comma: JSON does not allow trailing commas at 2"),
    (#"{"a":1,}"#, "expected more after the comma: JSON does not allow trailing commas at 6"),
    ("[1 2]", "expected ',' or ']' at 3"), ("[1", "the text ends where ',' or ']' was expected at 2"),
    ("[", "the text ends where a JSON value was expected at 1"),
    ("{", "the text ends where a key in double quotes was expected at 1"),
    ("[}", "expected a JSON value: an object, an array, a string, a number, true, false or null at 1"),
    ("[1}", "expected ',' or ']' at 2"), (#"{"a":1]"#, "expected ',' or '}' at 6"),
    ("{]", "expected a key in double quotes at 1"),
    ("{a:1}", "expected a key in double quotes at 1"), ("{1:1}", "expected a key in double quotes at 1"),
    (#"{"a"}"#, "expected ':' after a key at 4"), (#"{"a" 1}"#, "expected ':' after a key at 5"),
    (#"{"a":}"#, "expected a JSON value: an object, an array, a string, a number, true, false or null at 5"),
    (#"{"a":"#, "the text ends where a JSON value was expected at 5"),
    (#"{"a":1,"#, "the text ends where a key in double quotes was expected at 7"),
    ("[,1]", "expected a JSON value: an object, an array, a string, a number, true, false or null at 1"),
    ("[1,,2]", "expected a JSON value: an object, an array, a string, a number, true, false or null at 3"),
    ("1 2", "expected nothing after the end of the JSON value at 2"),
    ("[]]", "expected nothing after the end of the JSON value at 2"),
    ("tru", "expected a JSON value: an object, an array, a string, a number, true, false or null at 0"),
    ("truE", "expected a JSON value, found truE: JSON has true instead at 0"),
    ("fals", "expected a JSON value: an object, an array, a string, a number, true, false or null at 0"),
    ("falsy", "expected a JSON value: an object, an array, a string, a number, true, false or null at 0"),
    ("nul", "expected a JSON value: an object, an array, a string, a number, true, false or null at 0"),
    ("True", "expected a JSON value, found True: JSON has true instead, which Python's json.dumps() writes at 0"),
    ("truetrue", "expected nothing after the end of the JSON value at 4"),
    ("/**/1", "JSON does not allow comments at 0"),
    ("[1]//", "expected nothing after the end of the JSON value at 3"),
    ("[\u{A0}1]", "expected a JSON value: an object, an array, a string, a number, true, false or null at 1"),
    ("[\u{C}1]", "expected a JSON value: an object, an array, a string, a number, true, false or null at 1"),
    ("[1\0]", "expected ',' or ']' at 2"),
    ("'a'", "expected a JSON value, found a single quote: JSON strings use double quotes at 0"),
  ]

  @Test("RFC 8259: all readers report a fault with the same message and location", arguments: faults)
  func fault(text: String, message: String) {
    let verdicts = Readers.read(Array(text.utf8))
    #expect(
      verdicts.agree, "skip \(verdicts.skip as Any), build \(verdicts.build as Any), compact \(verdicts.compact as Any)"
    )
    #expect(verdicts.skip.map { "\($0.message) at \($0.offset)" } == message)
  }

  @Test("Whitespace of any length is allowed between tokens, and is never required")
  func whiteSpace() {
    for length in 0...24 {
      for space in [" ", "\n", "\r", "\t", " \n", "\r\n\t "] {
        let gap = String(repeating: space, count: length)
        let tokens = [
          "[", "{", #""a""#, ":", "1", ",", #""b""#, ":", "[", "]", "}", ",", "true", ",", "null", ",", "{", "}", "]",
        ]
        let verdicts = Readers.read(Array((gap + tokens.joined(separator: gap) + gap).utf8))
        #expect(verdicts.skip == nil && verdicts.agree)
        #expect(String(decoding: verdicts.text, as: UTF8.self) == tokens.joined())
        #expect(verdicts.tree == [["a": 1, "b": []], true, nil, [:]])
      }
    }
  }

  /// Returns nested arrays and objects; a closure determines the kind of each level.
  private func nested(_ depth: Int, _ isObject: (Int) -> Bool, inner: String = "") -> (text: String, close: [Character])
  {
    var text = ""
    var close: [Character] = []
    for level in 0..<depth {
      text += isObject(level) ? #"{"k":"# : "["
      close.append(isObject(level) ? "}" : "]")
    }
    // The innermost object is empty, so its key is removed.
    if inner.isEmpty, depth > 0, isObject(depth - 1) { text.removeLast(4) }
    return (text + inner, close.reversed())
  }

  static let patterns: [@Sendable (Int) -> Bool] = [
    { _ in true }, { _ in false }, { $0 % 2 == 0 }, { $0 % 2 == 1 }, { $0 % 3 == 0 }, { $0 % 64 == 0 },
    { $0 % 64 == 63 },
    { $0 % 64 < 32 }, { ($0 &* 2_654_435_761) >> 7 & 1 == 0 }, { $0 < 64 }, { $0 >= 64 }, { $0 == 63 }, { $0 == 64 },
  ]

  @Test("I15: nested arrays and objects close in the right order at any depth")
  func levels() {
    for depth in [1, 2, 3, 31, 32, 33, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130, 191, 192, 193, 256, 257, 511, 512] {
      for (number, pattern) in Self.patterns.enumerated() {
        for inner in ["", "1"] {
          let (open, close) = nested(depth, pattern, inner: inner)
          let verdicts = Readers.read(Array((open + String(close)).utf8))
          #expect(verdicts.skip == nil && verdicts.agree, "depth \(depth), pattern \(number)")
          #expect(verdicts.text == Array((open + String(close)).utf8))
        }
      }
    }
  }

  @Test("I15: a single wrong closing bracket among arrays and objects is located at any depth")
  func wrongLevels() {
    for depth in [1, 2, 63, 64, 65, 66, 127, 128, 129, 130, 200] {
      for (number, pattern) in Self.patterns.enumerated() {
        let (open, close) = nested(depth, pattern, inner: "1")
        for wrong in Set([0, 1, depth / 2, depth - 2, depth - 1, max(0, depth - 64), max(0, depth - 65)])
        where wrong >= 0 {
          guard close.indices.contains(wrong) else { continue }
          var close = close
          close[wrong] = close[wrong] == "}" ? "]" : "}"
          let verdicts = Readers.read(Array((open + String(close)).utf8))
          #expect(verdicts.agree, "depth \(depth), pattern \(number), bracket \(wrong)")
          #expect(
            verdicts.skip?.offset == open.utf8.count + wrong, "depth \(depth), pattern \(number), bracket \(wrong)")
        }
        // After a deep value, a sibling is still read as a member of the right container.
        let half = depth / 2
        let text = open + String(close[..<half])
        let sibling = half < depth ? (close[half] == "}" ? #","s":[{}]"# : ",[{}]") : ""
        let verdicts = Readers.read(Array((text + sibling + String(close[half...])).utf8))
        #expect(verdicts.skip == nil && verdicts.agree, "depth \(depth), pattern \(number)")
      }
    }
  }

  @Test("I15: the depth limit includes arrays and objects, and rejects the bracket that exceeds the limit")
  func limit() {
    for limit in [1, 2, 63, 64, 65, 128, 512, 4096] {
      for pattern in Self.patterns {
        let (open, close) = nested(limit, pattern, inner: "1")
        #expect(Readers.read(Array((open + String(close)).utf8), maxDepth: limit).skip == nil)
        let (deeper, ends) = nested(limit + 1, pattern, inner: "1")
        let verdicts = Readers.read(Array((deeper + String(ends)).utf8), maxDepth: limit)
        #expect(verdicts.agree && verdicts.skip?.problem == .tooDeep(limit))
        #expect(verdicts.skip?.offset == deeper.utf8.count - (pattern(limit) ? 6 : 2))
        #expect(verdicts.skip?.code == .limitDepth)
      }
    }
  }

  @Test("D8: a duplicate key in a kept value is rejected, even if it is escaped, nested, or among thousands of keys")
  func duplicates() {
    let texts = [
      #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"x":[{"é":1,"é":2}]}"#, #"{"":1,"":2}"#, #"{"/":1,"\/":2}"#,
      "{" + (0..<5000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + #","k17":1}"#,
    ]
    for text in texts {
      let verdicts = Readers.read(Array(text.utf8))
      #expect(verdicts.skip == nil)
      #expect(verdicts.build?.isDuplicateKey == true && verdicts.compact?.isDuplicateKey == true, "\(text.prefix(40))")
      #expect(verdicts.build?.offset == verdicts.compact?.offset, "\(text.prefix(40))")
    }
    // Canonically equivalent keys are different keys (I2).
    #expect(Readers.read(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)).build == nil)
  }
}
