import Foundation
import Graft
import GraftTestSupport
import Testing

/// The known defects of Groot. Each numbered test checks that Graft does not have the defect.
@Suite("Groot's defects") struct GrootDefectTests {
  private func model(
    _ entities: String, transformers: TransformerRegistry = .standard
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      text: #"{"keyStrategy": "sameName", "entities": {\#(entities)}}"#, transformers: transformers)
  }

  private func context(
    _ entities: String, transformers: TransformerRegistry = .standard
  ) throws -> ManagedObjectContext {
    ManagedObjectContext(model: try model(entities, transformers: transformers))
  }

  private func messages(_ body: () throws -> Void) -> [String] {
    let error = #expect(throws: ImportError.self) { try body() }
    return error?.diagnostics.map { "\($0.path ?? ""): \($0.message)" } ?? []
  }

  private static let item = #"""
    "Item": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {"parts": {"destination": "Item", "toMany": true, "inverse": "whole"}, "whole": {"destination": "Item", "inverse": "parts", "JSONKeyPath": null}}
    }
    """#

  @Test("G1: a payload with a single mistake neither changes nor deletes anything")
  func atomic() throws {
    let context = try context(Self.item)
    let all = (0..<100).map { #"{"id": \#($0), "name": "old", "parts": [\#(($0 + 1) % 100)]}"# }
    try objects(ofEntity: "Item", fromJSON: "[\(all.joined(separator: ","))]", in: context)
    let held = try context.fetch(ofEntity: "Item")
    let before = context.dump()
    for bad in 0..<100 {
      var updates = (0..<100).map {
        #"{"id": \#($0), "name": "new", "parts": [{"id": \#($0 + 1000), "name": "part"}]}"#
      }
      updates[bad] = #"{"id": \#(bad), "name": 5}"#
      let found = messages {
        try objects(ofEntity: "Item", fromJSON: "[\(updates.joined(separator: ","))]", in: context)
      }
      #expect(found == ["$[\(bad)].name: expected a string for 'Item.name', found the number 5"])
      #expect(context.dump() == before && context.checkInvariants() == [] && !context.hasChanges)
    }
    #expect(try held.allSatisfy { !$0.isDeleted } && context.count(ofEntity: "Item") == 100)
  }

  @Test(
    "G2: several mentions of a new identity in a payload create one object, and the last mention wins",
    arguments: [2, 3, 100])
  func duplicates(count: Int) throws {
    let context = try context(Self.item)
    let mentions = (0..<count).map { #"{"id": 9, "name": "\#($0)"}"# }
    let found = try objects(ofEntity: "Item", fromJSON: "[\(mentions.joined(separator: ","))]", in: context)
    #expect(try context.count(ofEntity: "Item") == 1)
    #expect(found.count == count && Set(found).count == 1)
    #expect(found[0]["name"] as String? == "\(count - 1)")
    // The new identity occurs in a nested object, as an identifier, and in a sibling of the containing object.
    try objects(
      ofEntity: "Item", fromJSON: #"[{"id": 1, "parts": [{"id": 7}, 8, 7]}, {"id": 7, "name": "seven"}, 8]"#,
      in: context)
    #expect(try context.count(ofEntity: "Item") == 4)
    #expect(context.checkInvariants() == [])
  }

  @Test("G3: all identity values are compared together, and null or absent values never match")
  func composite() throws {
    let entity = #"""
      "Card": {"identityAttributes": "set, number", "attributes": {
        "set": {"type": "string", "optional": true}, "number": {"type": "integer64", "optional": true}, "title": {"type": "string", "optional": true}
      }}
      """#
    let context = try context(entity)
    let incomplete =
      #"[{"set": "A"}, {"set": "A"}, {"set": "A", "number": null}, {"number": 1}, {}, {}, {"set": null, "number": null}]"#
    try objects(ofEntity: "Card", fromJSON: incomplete, in: context)
    try objects(ofEntity: "Card", fromJSON: incomplete, in: context)
    #expect(try context.count(ofEntity: "Card") == 14)
    func cards(_ count: Int, _ title: String) -> String {
      "["
        + (0..<count).map { #"{"set": "S\#($0 % 7)", "number": \#($0), "title": "\#(title)"}"# }.joined(separator: ",")
        + "]"
    }
    let time = try ProcessorClock().measure {
      try objects(ofEntity: "Card", fromJSON: cards(10_000, "a"), in: context)
      try objects(ofEntity: "Card", fromJSON: cards(10_000, "b"), in: context)
    }
    #expect(try context.count(ofEntity: "Card") == 10_014)
    #expect(try context.find(ofEntity: "Card", identity: "S2", 9991)?["title"] as String? == "b")
    #expect(time < .seconds(10))
  }

  @Test("G4: an export of a cycle of any length ends, has linear size, and always has the same bytes")
  func cycles() throws {
    let entities = ["A", "B", "C"].enumerated().map { index, name in
      let next = ["B", "C", "A"][index]
      return
        #""\#(name)": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"next": {"destination": "\#(next)"}}}"#
    }
    let three = try context(entities.joined(separator: ","))
    let a = try object(
      ofEntity: "A", fromJSON: #"{"id": 1, "next": {"id": 2, "next": {"id": 3, "next": 1}}}"#, in: three)
    let text = String(decoding: try jsonData(from: a), as: UTF8.self)
    #expect(text == #"{"id":1,"next":{"id":2,"next":{"id":3,"next":1}}}"#)
    // A ring of 100,000 objects without an inverse, and an object that refers to itself.
    let ring = try context(entities[0].replacing("\"B\"", with: "\"A\""))
    let links = (0..<100_000).map { #"{"id": \#($0), "next": \#(($0 + 1) % 100_000)}"# }
    try objects(ofEntity: "A", fromJSON: "[\(links.joined(separator: ",")), {\"id\": -1, \"next\": -1}]", in: ring)
    let first = try #require(try ring.find(ofEntity: "A", identity: 0))
    let size = try jsonData(from: first).count
    #expect(size > 5000 && size < 40_000)
    #expect(try jsonData(from: first) == jsonData(from: first))
    let own = try #require(try ring.find(ofEntity: "A", identity: -1))
    #expect(try String(decoding: jsonData(from: own), as: UTF8.self) == #"{"id":-1,"next":-1}"#)
    // An object omits only the inverse through which it was reached, regardless of what was written before.
    let tree = try context(Self.item.replacing(#""parts", "JSONKeyPath": null"#, with: #""parts""#))
    let root = try object(
      ofEntity: "Item", fromJSON: #"{"id": 1, "name": "r", "parts": [{"id": 2, "name": "a"}, {"id": 3, "name": "b"}]}"#,
      in: tree)
    #expect(
      try String(decoding: jsonData(from: root), as: UTF8.self)
        == #"{"id":1,"name":"r","parts":[{"id":2,"name":"a","parts":[]},{"id":3,"name":"b","parts":[]}],"whole":null}"#)
  }

  static let onTheWay: [(String, String)] = [
    (#"{"a": {"b": "x"}}"#, "x"), (#"{"a": {"b": null}}"#, "nil"), (#"{"a": {}}"#, "nil"), (#"{"a": null}"#, "nil"),
    ("{}", "nil"),
    (#"{"a": "DC"}"#, #"$.a: expected an object on the key path 'a.b' of 'Thing.x', found the string "DC""#),
    (#"{"a": 1}"#, "$.a: expected an object on the key path 'a.b' of 'Thing.x', found the number 1"),
    (#"{"a": true}"#, "$.a: expected an object on the key path 'a.b' of 'Thing.x', found true"),
    (#"{"a": [{"b": "x"}]}"#, "$.a: expected an object on the key path 'a.b' of 'Thing.x', found an array"),
    (#"{"a": {"b": {}}}"#, "$.a.b: expected a string for 'Thing.x', found an object"),
    (#"{"a": {"b": ["x"]}}"#, "$.a.b: expected a string for 'Thing.x', found an array"), (#"{"a.b": "x"}"#, "nil"),
    (#"{"a": {"@count": 1}, "@count": 2}"#, "nil"),
  ]

  @Test(
    "G5: any JSON on a key path is read as a value or nil, or causes an error, but never a crash", arguments: onTheWay)
  func keyPaths(text: String, expected: String) throws {
    let context = try context(
      #""Thing": {"attributes": {"x": {"type": "string", "optional": true, "JSONKeyPath": "a.b"}}}"#)
    let dictionary = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    for way in 0..<2 {
      var outcome: String
      do {
        let thing =
          way == 0
          ? try object(ofEntity: "Thing", fromJSON: text, in: context)
          : try object(ofEntity: "Thing", fromJSON: dictionary, in: context)
        outcome = thing["x"] as String? ?? "nil"
      } catch {
        outcome = error.diagnostics.map { "\($0.path ?? ""): \($0.message)" }.joined(separator: "; ")
      }
      #expect(outcome == expected)
    }
  }

  @Test("G6: identities are compared after transformation, as values of the identity attribute's type")
  func identityValues() throws {
    let plain = try context(Self.item)
    try objects(ofEntity: "Item", fromJSON: #"[{"id": 1}, {"id": 1.0}, {"id": 1e0}, {"id": 10e-1}, 1]"#, in: plain)
    #expect(try plain.count(ofEntity: "Item") == 1)
    #expect(messages { try objects(ofEntity: "Item", fromJSON: #"[{"id": true}, "1", true]"#, in: plain) }.count == 3)
    let read = try context(
      Self.item.replacing(
        #""id": "integer64""#, with: #""id": {"type": "integer64", "JSONTransformerName": "StringToInteger"}"#))
    try objects(ofEntity: "Item", fromJSON: #"[{"id": "1"}, "1", {"id": "2", "parts": ["1"]}]"#, in: read)
    #expect(try read.count(ofEntity: "Item") == 2)
    #expect(messages { try objects(ofEntity: "Item", fromJSON: "[1]", in: read) }.count == 1)
    let texts = try context(Self.item.replacing(#""integer64""#, with: #""string""#))
    try objects(ofEntity: "Item", fromJSON: #"[{"id": "1"}, {"id": "1.0"}, {"id": "01"}]"#, in: texts)
    #expect(try texts.count(ofEntity: "Item") == 3)
    let zero = try context(Self.item.replacing(#""integer64""#, with: #""double""#))
    try objects(ofEntity: "Item", fromJSON: #"[{"id": 0}, {"id": -0.0}, 0, {"id": -0}]"#, in: zero)
    #expect(try zero.count(ofEntity: "Item") == 1)
  }

  @Test(
    "G7: a payload that is not an object causes an error, and so does a mistake in the model",
    arguments: ["42", "\"x\"", "true", "[[]]", "[1.5]", "", "nonsense"])
  func topLevel(text: String) throws {
    let context = try context(Self.item)
    if text == "42" {
      // A number can represent an object, but only if the entity has an identity.
      let plain = try self.context(#""Thing": {"attributes": {"x": "string"}}"#)
      #expect(
        messages { try objects(ofEntity: "Thing", fromJSON: "42", in: plain) } == [
          "$: expected an object, found the number 42"
        ])
    } else {
      #expect(messages { try objects(ofEntity: "Item", fromJSON: text, in: context) }.count == 1)
    }
    #expect(try context.count(ofEntity: "Item") == 0)
    let error = #expect(throws: ModelError.self) {
      try self.model(Self.item.replacing(#""identityAttributes": "id""#, with: #""identityAttributes": "ident""#))
    }
    #expect(
      error?.diagnostics.first?.message
        == "the identity attribute 'ident' is not an attribute of entity 'Item'; expected one of 'id', 'name', 'whole'")
    #expect(
      messages { try objects(ofEntity: "Itme", fromJSON: "[]", in: context) } == [": the model has no entity 'Itme'"])
  }

  private static let messagesModel = #"""
    "Message": {"identityAttributes": "id", "entityMapperName": "Kind", "attributes": {"id": "integer64"}},
    "Text": {"parent": "Message", "attributes": {"text": {"type": "string", "optional": true}}},
    "Photo": {"parent": "Message", "attributes": {"url": {"type": "uri", "optional": true}}},
    "Stranger": {"attributes": {"x": "string"}}
    """#

  private func mapped() throws -> ManagedObjectContext {
    var transformers = TransformerRegistry.standard
    transformers.registerEntityMapper(named: "Kind") { $0["kind"] as? String }
    return try context(Self.messagesModel, transformers: transformers)
  }

  @Test("G8: a mapper that returns an entity outside the hierarchy causes an error that lists the allowed entities")
  func unknownEntity() throws {
    let context = try mapped()
    for answer in ["Video", "Stranger", ""] {
      #expect(
        messages { try objects(ofEntity: "Message", fromJSON: #"[{"id": 1, "kind": "\#(answer)"}]"#, in: context) } == [
          "$[0]: the entity mapper 'Kind' chose \"\(answer)\", which is not 'Message' or a sub-entity of it: expected one of 'Message', 'Text', 'Photo'"
        ])
    }
    try objects(
      ofEntity: "Message", fromJSON: #"[{"id": 1, "kind": "Text"}, {"id": 2, "kind": "Message"}, {"id": 3}]"#,
      in: context)
    #expect(try context.fetch(ofEntity: "Message").map(\.entity.name) == ["Text", "Message", "Message"])
  }

  @Test("G9: an object keeps its entity: a dictionary that names another entity causes an error")
  func changedEntity() throws {
    let context = try mapped()
    try objects(ofEntity: "Message", fromJSON: #"[{"id": 1, "kind": "Text", "text": "a"}]"#, in: context)
    let before = context.dump()
    for text in [
      #"[{"id": 1, "kind": "Photo", "url": "https://example.com"}]"#,
      #"[{"id": 2, "kind": "Text"}, {"id": 2, "kind": "Photo"}]"#,
    ] {
      let found = messages { try objects(ofEntity: "Message", fromJSON: text, in: context) }
      #expect(
        found.count == 1
          && found[0].hasSuffix("expected an object of 'Photo', but the object with this identity belongs to 'Text'"))
      #expect(context.dump() == before)
    }
  }

  @Test(
    "G10: JSON text is read in payload order, dictionaries are read in model order, and errors have the same order"
  )
  func order() throws {
    let calls = Locked<[String]>([])
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Note") { (text: String) -> String? in
      calls.withLock { $0.append(text) }
      return text
    }
    let names = (0..<12).map { "p\($0)" }
    let attributes = names.map { #""\#($0)": {"type": "string", "optional": true, "JSONTransformerName": "Note"}"# }
    let context = try context(
      #""Thing": {"attributes": {\#(attributes.joined(separator: ","))}}"#, transformers: transformers)
    let shuffled = ["p7", "p2", "p11", "p0", "p5", "p1", "p10", "p3", "p9", "p4", "p8", "p6"]
    let text = "{" + shuffled.map { #""\#($0)": "\#($0)""# }.joined(separator: ",") + "}"
    try objects(ofEntity: "Thing", fromJSON: text, in: context)
    #expect(calls.withLock { $0 } == shuffled)
    calls.withLock { $0 = [] }
    try objects(
      ofEntity: "Thing", fromJSON: Dictionary(uniqueKeysWithValues: names.map { ($0, $0 as Any) }), in: context)
    #expect(calls.withLock { $0 } == names)
    let wrong = text.replacing(/: "p\d+"/, with: ": 5")
    for _ in 0..<3 {
      let found = messages { try objects(ofEntity: "Thing", fromJSON: wrong, in: context) }
      #expect(found == shuffled.map { "$.\($0): expected a string for 'Thing.\($0)', found the number 5" })
    }
    let inModel = messages {
      try objects(
        ofEntity: "Thing", fromJSON: Dictionary(uniqueKeysWithValues: names.map { ($0, 5 as Any) }), in: context)
    }
    #expect(inModel == names.map { "$.\($0): expected a string for 'Thing.\($0)', found the number 5" })
  }

  @Test("G11: endlessly nested objects cause an error at the depth limit, with a 512 KB stack")
  func depth() throws {
    let outcome = try onSmallStack {
      let context = ManagedObjectContext(
        model: try ManagedObjectModel(text: #"{"keyStrategy": "sameName", "entities": {\#(Self.item)}}"#))
      func nested(_ count: Int) -> String {
        (0..<count).map { #"{"id": \#($0), "parts": ["# }.joined() + String(repeating: "]}", count: count)
      }
      try objects(ofEntity: "Item", fromJSON: nested(256), in: context)
      let error = #expect(throws: ImportError.self) {
        try objects(ofEntity: "Item", fromJSON: nested(300_000), in: context)
      }
      return try "\(context.count(ofEntity: "Item")): \(error?.diagnostics.first?.message ?? "")"
    }
    #expect(outcome == "256: nested deeper than the limit of 512 levels ('depth')")
  }

  @Test(
    "G12: the declared entity's transformer, the mapper and the sub-entity's transformer run once, in this order"
  )
  func preparation() throws {
    let calls = Locked<[String]>([])
    @Sendable func note(_ name: String, _ dictionary: [String: Any]) {
      calls.withLock { $0.append("\(name)(\(dictionary["trace"] as? String ?? ""))") }
    }
    var transformers = TransformerRegistry.standard
    for name in ["Base", "Sub"] {
      transformers.registerDictionaryTransformer(named: name) { dictionary in
        note(name, dictionary)
        return dictionary.merging(["trace": (dictionary["trace"] as? String ?? "") + name.prefix(1)]) { $1 }
      }
    }
    transformers.registerEntityMapper(named: "Kind") { dictionary in
      note("Kind", dictionary)
      return "Child"
    }
    let context = try context(
      #"""
      "Parent": {"identityAttributes": "id", "JSONDictionaryTransformerName": "Base", "entityMapperName": "Kind", "attributes": {"id": "integer64"}},
      "Child": {"parent": "Parent", "JSONDictionaryTransformerName": "Sub", "attributes": {"trace": "string"}},
      "Holder": {"relationships": {"child": {"destination": "Parent"}}}
      """#, transformers: transformers)
    for (entity, text) in [("Parent", #"{"id": 1, "trace": "-"}"#), ("Holder", #"{"child": {"id": 1, "trace": "-"}}"#)]
    {
      calls.withLock { $0 = [] }
      try objects(ofEntity: entity, fromJSON: text, in: context)
      #expect(calls.withLock { $0 } == ["Base(-)", "Kind(-B)", "Sub(-B)"])
      #expect(try context.find(ofEntity: "Child", identity: 1)?["trace"] as String? == "-BS")
    }
  }
}
