import Foundation
import Graft
import GraftTestSupport
import Testing

/// Scalars that form one character with the preceding scalar, and similar scalars that form a character of their own.
private let joining = [
  "\u{301}", "\u{20DD}", "\u{345}", "\u{93E}", "\u{200D}", "\u{FE0F}", "\u{E0101}", "\u{1F3FD}", "\r\n", "\n",
  "\u{1F1E9}\u{1F1EA}",
  "\u{1F1E9}", "\u{1100}\u{1161}", "\u{0}", "\u{600}", "'", "\"", "\\", ".", "@", "[", "e\u{301}", "é", "",
]

/// Strings of up to three of these scalars and plain letters.
private let texts: [String] = {
  let parts = joining + ["k", "1", " "]
  return parts + parts.flatMap { first in parts.map { first + $0 } } + parts.map { "k" + $0 + "k" }
}()

@Suite("Text with combining marks") struct JoiningTextTests {
  @Test("Objects with different identities have different names, even if an identity begins with a joining scalar")
  func names() throws {
    let context = try Fixture.context(
      #"""
      "T": {"identityAttributes": "id", "attributes": {"id": "string"}},
      "Card": {"identityAttributes": ["set", "number"], "attributes": {"set": "string", "number": "string"}}
      """#)
    let unique = Set(texts.map(UTF8Key.init)).map(\.text)
    for text in unique {
      try context.importJSON(["id": .string(text)] as JSON, ofEntity: "T")
      try context.importJSON(["set": .string(text), "number": "k"] as JSON, ofEntity: "Card")
      try context.importJSON(["set": "k", "number": .string(text)] as JSON, ofEntity: "Card")
    }
    for name in ["T", "Card"] {
      let objects = try context.fetch(ofEntity: name)
      #expect(objects.count >= unique.count)
      #expect(Set(objects.map { UTF8Key($0.description) }).count == objects.count)
      #expect(Set(objects.map { UTF8Key($0.objectID.description) }).count == objects.count)
    }
    let marked = try #require(try context.find(ofEntity: "T", identity: "\u{301}k"))
    #expect(Array(marked.description.utf8) == Array("T(\u{301}k)".utf8))
  }

  @Test("D7: parsing a printed JSON path restores the keys, even if they begin with a joining scalar")
  func paths() {
    for text in texts {
      let path = JSONPathText.member(text) + JSONPathText.element(3) + JSONPathText.member("b")
      #expect(PathReader.steps(path) == [text, 3, "b"].map { PathReader.Step($0) }, "\(path.debugDescription)")
    }
    #expect(Array(JSONPathText.member("\u{301}k").utf8) == Array("['\u{301}k']".utf8))
    #expect(Array(JSONPathText.member("k'\u{301}").utf8) == Array("['k\\'\u{301}']".utf8))
  }

  @Test("M7: a key path preserves the scalars of its keys, and parsing its description restores the keys")
  func keyPaths() throws {
    for text in texts where !text.isEmpty {
      let path = JSONKeyPath(keys: [text, "k"])
      let written = path.description
      let array = try? JSONDecoder().decode([String].self, from: Data(written.utf8))
      let keys = array ?? JSONKeyPath(written)?.keys
      #expect(keys?.map { Array($0.utf8) } == path.keys.map { Array($0.utf8) }, "\(written.debugDescription)")
    }
  }

  @Test("M7: key paths are equal if their keys have the same bytes")
  func equalKeyPaths() {
    let (composed, decomposed) = (JSONKeyPath(keys: ["\u{E9}"]), JSONKeyPath(keys: ["e\u{301}"]))
    #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
    #expect(composed == JSONKeyPath(keys: ["\u{E9}"]) && Set([composed, JSONKeyPath(keys: ["\u{E9}"])]).count == 1)
    #expect(JSONKeyPath(keys: ["a", "b"]) != JSONKeyPath(keys: ["a"]) && "@key" != JSONKeyPath(keys: ["@key"]))
  }

  @Test("I11: an error quotes keys and object names that begin with a combining mark")
  func errors() throws {
    let context = try Fixture.context(
      #"""
      "T": {"identityAttributes": "id", "attributes": {
        "id": "string", "n": {"type": "integer16", "optional": true, "JSONKeyPath": ["\u0301k", "'\u200D"]}}}
      """#)
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(#"[{"id": "\u0301a", "\u0301k": {"'\u200d": true}}]"#, ofEntity: "T")
    }
    #expect(error?.diagnostics.map { Array(($0.path ?? "").utf8) } == [Array("$[0]['\u{301}k']['\\'\\u200d']".utf8)])
  }

  @Test("T2: a date pattern preserves combining marks next to its quotes, letters and brackets")
  func datePatterns() throws {
    for (pattern, text) in [
      ("'\u{301}'yyyy-MM-dd", "\u{301}2024-02-29"), ("\u{301}yyyy-MM-dd", "\u{301}2024-02-29"),
      ("yyyy\u{301}-MM-dd", "2024\u{301}-02-29"), ("yyyy-MM-dd'\r\n'", "2024-02-29\r\n"),
      ("yyyy-MM-dd\u{200D}", "2024-02-29\u{200D}"),
    ] {
      let model: JSON = [
        "keyStrategy": "sameName",
        "entities": [
          "T": ["attributes": ["day": ["type": "date", "JSONTransformerName": .string("DateFormat(\(pattern))")]]]
        ],
      ]
      let context = ManagedObjectContext(model: try ManagedObjectModel(text: model.description))
      let object = try object(ofEntity: "T", fromJSON: ["day": .string(text)] as JSON, in: context)
      let day: Date? = object["day"]
      #expect(day == Date(timeIntervalSince1970: 1_709_164_800), "\(pattern.debugDescription)")
      #expect(try JSON(foundation: json(from: object))["day"] == .string(text))
    }
  }

  @Test("C2: a sort key can contain a property whose name begins with a combining mark")
  func sortKeys() throws {
    let context = try Fixture.context(
      #"""
      "T": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"u": {"destination": "U"}}},
      "U": {"identityAttributes": "\#u{301}id", "attributes": {"\#u{301}id": {"type": "integer64", "JSONKeyPath": "id"}}}
      """#)
    try context.load(#"[{"id": 1, "u": {"id": 9}}, {"id": 2, "u": {"id": 3}}]"#, "T")
    let sorted = try context.fetch(ofEntity: "T", sortedBy: [.ascending("u.\u{301}id")])
    #expect(sorted.map(\.description) == ["T(2)", "T(1)"])
  }
}

/// Parses JSON paths as they are written in messages, scalar by scalar.
private enum PathReader {
  enum Step: Equatable, CustomStringConvertible {
    case key(UTF8Key)
    case index(Int)

    init(_ value: Any) {
      if let index = value as? Int { self = .index(index) } else { self = .key(UTF8Key(value as? String ?? "")) }
    }

    var description: String {
      switch self {
      case .key(let key): key.text.debugDescription
      case .index(let index): "\(index)"
      }
    }
  }

  static func steps(_ path: String) -> [Step] {
    var steps: [Step] = []
    var rest = Array(path.unicodeScalars)[...]
    while let first = rest.popFirst() {
      if first == "." {
        steps.append(Step(text(rest.prefix { $0 != "." && $0 != "[" })))
        rest = rest.drop { $0 != "." && $0 != "[" }
      } else if rest.first == "'" {
        rest.removeFirst()
        steps.append(Step(quoted(&rest)))
        rest.removeFirst()
      } else {
        steps.append(Step(Int(text(rest.prefix { $0 != "]" })) ?? -1))
        rest = rest.drop { $0 != "]" }.dropFirst()
      }
    }
    return steps
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    var units: [UInt16] = []
    while let scalar = rest.popFirst(), scalar != "'" {
      guard scalar == "\\", let escaped = rest.popFirst() else {
        units += scalar.utf16
        continue
      }
      switch escaped {
      case "n": units.append(0x0A)
      case "r": units.append(0x0D)
      case "t": units.append(0x09)
      case "u":
        units.append(UInt16(text(rest.prefix(4)), radix: 16) ?? 0)
        rest = rest.dropFirst(4)
      default: units += escaped.utf16
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
