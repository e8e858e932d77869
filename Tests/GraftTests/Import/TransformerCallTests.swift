import Foundation
import Graft
import GraftTestSupport
import Testing

/// Counts the calls of closures, by their arguments.
private final class Calls: Sendable {
  private let counts = Locked<[String: Int]>([:])
  func note(_ what: String) { counts.withLock { $0[what, default: 0] += 1 } }
  /// The calls since the last time this method was called, as `a b*2 c`.
  func take() -> String {
    counts.withLock { counts in
      defer { counts = [:] }
      return counts.sorted { $0.key < $1.key }.map { $0.value == 1 ? $0.key : "\($0.key)*\($0.value)" }
        .joined(separator: " ")
    }
  }
}

@Suite("Calls of closures") struct TransformerCallTests {
  private static let entities = """
    "Base": {
      "identityAttributes": "id", "JSONDictionaryTransformerName": "Whole", "entityMapperName": "Kind",
      "attributes": {
        "id": {"type": "string", "JSONTransformerName": "Value"},
        "name": {"type": "string", "optional": true, "JSONKeyPath": "name", "JSONKeyPathAliases": ["title", "label"],
          "JSONTransformerName": "Value"},
        "deep": {"type": "string", "optional": true, "JSONKeyPath": "a.b", "JSONTransformerName": "Value"}
      },
      "relationships": {"next": {"destination": "Base"}, "all": {"destination": "Base", "toMany": true}}
    },
    "Sub": {"parent": "Base"},
    "Own": {"parent": "Base", "JSONDictionaryTransformerName": "OwnWhole"}
    """

  private static func registry(_ calls: Calls) -> TransformerRegistry {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Value") { (text: String) -> String? in
      calls.note("v:\(text)")
      return text
    } reverse: { (text: String) -> String? in
      calls.note("r:\(text)")
      return text
    }
    registry.registerDictionaryTransformer(named: "Whole") { dictionary in
      calls.note("d:\(dictionary["id"] ?? "-")")
      return dictionary["same"] == nil ? dictionary : nil
    }
    registry.registerDictionaryTransformer(named: "OwnWhole") { dictionary in
      calls.note("o:\(dictionary["id"] ?? "-")")
      return dictionary
    }
    registry.registerEntityMapper(named: "Kind") { dictionary in
      calls.note("m:\(dictionary["id"] ?? "-")")
      return dictionary["kind"] as? String
    }
    return registry
  }

  static let payloads: [(String, String)] = [
    (#"[{"id": "1"}]"#, "d:1 m:1 v:1"), (#"["1", "1", "2"]"#, "v:1*2 v:2"),
    // Each dictionary and each value causes one call, even if several dictionaries describe the same object.
    (#"[{"id": "1", "name": "a"}, {"id": "1", "name": "a"}]"#, "d:1*2 m:1*2 v:1*2 v:a*2"),
    // An alias is read only if the key path is absent.
    (#"[{"id": "1", "title": "b", "name": "a", "label": "c"}]"#, "d:1 m:1 v:1 v:a"),
    (#"[{"id": "1", "label": "c", "title": "b"}]"#, "d:1 m:1 v:1 v:b"),
    (#"[{"id": "1", "name": null, "title": "b", "a": {"b": null}}, {"id": "1", "a": null}]"#, "d:1*2 m:1*2 v:1*2"),
    (#"[{"id": "1", "a": {"b": "x"}}]"#, "d:1 m:1 v:1 v:x"),
    (
      #"[{"id": "1", "next": {"id": "2", "all": ["1", {"id": "3"}]}, "all": [{"id": "2"}, "2", null]}]"#,
      "d:1 d:2*2 d:3 m:1 m:2*2 m:3 v:1*2 v:2*3 v:3"
    ),
    (#"[{"id": "1", "kind": "Sub", "name": "a"}]"#, "d:1 m:1 v:1 v:a"),
    (#"[{"id": "1", "kind": "Own", "name": "a"}]"#, "d:1 m:1 o:1 v:1 v:a"),
    (#"[{"id": "1", "same": true, "name": "a"}]"#, "d:1 m:1 v:1 v:a"),
  ]

  @Test(
    "T3, I7: each closure runs once per value or dictionary in every form of input, and runs again for another import")
  func once() throws {
    let calls = Calls()
    for (payload, expected) in Self.payloads {
      let array = try #require(JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [Any])
      let ways: [(ManagedObjectContext) throws -> Void] = [
        { try objects(ofEntity: "Base", fromJSON: payload, in: $0) },
        { try objects(ofEntity: "Base", fromJSON: Data(payload.utf8), in: $0) },
        { try objects(ofEntity: "Base", fromJSON: Array(payload.utf8), in: $0) },
        { try objects(ofEntity: "Base", fromJSON: try JSON(foundation: array), in: $0) },
        { try objects(ofEntity: "Base", fromJSON: array, in: $0) },
        { try $0.importJSON(payload, ofEntity: "Base") },
      ]
      for (number, way) in ways.enumerated() {
        let context = try Fixture.context(Self.entities, transformers: Self.registry(calls))
        for round in 1...2 {
          try way(context)
          #expect(calls.take() == expected, "\(payload), way \(number), round \(round)")
        }
      }
    }
  }

  @Test("I7: if the mapper chooses no entity, the identity is transformed once for the look-up and then used")
  func known() throws {
    let calls = Calls()
    let context = try Fixture.context(Self.entities, transformers: Self.registry(calls))
    try objects(ofEntity: "Sub", fromJSON: #"[{"id": "2"}]"#, in: context)
    #expect(calls.take() == "d:2 m:2 v:2")
    try objects(ofEntity: "Base", fromJSON: #"[{"name": "a", "id": "2"}]"#, in: context)
    #expect(calls.take() == "d:2 m:2 v:2 v:a")
    try objects(ofEntity: "Own", fromJSON: #"[{"id": "1"}]"#, in: context)
    #expect(calls.take() == "m:1 o:1 v:1")
    // The identity finds an object of 'Own', whose transformer returns another dictionary with its own identity value.
    try objects(ofEntity: "Base", fromJSON: #"[{"name": "a", "id": "1"}]"#, in: context)
    #expect(calls.take() == "d:1 m:1 o:1 v:1*2 v:a")
  }

  @Test("T4: a reverse closure is called once for each written value, never for nil")
  func reversed() throws {
    let calls = Calls()
    let context = try Fixture.context(Self.entities, transformers: Self.registry(calls))
    let all = try objects(
      ofEntity: "Base", fromJSON: #"[{"id": "1", "name": "a", "next": "2"}, {"id": "3", "next": {"id": "1"}}]"#,
      in: context)
    _ = calls.take()
    _ = try jsonData(from: all)
    #expect(calls.take() == "r:1*2 r:2*2 r:3 r:a*2")
  }

  @Test("M8, T1: dictionary transformers and mappers are inherited unless a sub-entity declares its own")
  func inheritance() throws {
    let calls = Calls()
    let context = try Fixture.context(Self.entities, transformers: Self.registry(calls))
    for (entity, expected) in [("Sub", "d:1 m:1 v:1"), ("Own", "m:2 o:2 v:2")] {
      try objects(ofEntity: entity, fromJSON: #"[{"id": "\#(entity == "Sub" ? 1 : 2)"}]"#, in: context)
      #expect(calls.take() == expected, "\(entity)")
    }
  }

  @Test("T2: StringToInteger reads the smallest integer, but not '-0'")
  func smallestInteger() throws {
    let context = try Fixture.context(
      #""Power": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONTransformerName": "StringToInteger"}}}"#
    )
    for text in [Int64.min, .min + 1, -1, 0, .max].map(String.init) {
      #expect(refusals("[\"\(text)\"]", of: "Power", in: context).isEmpty, "\(text)")
    }
    for text in ["-0", "-9223372036854775809", "9223372036854775808", "-", "01"] {
      #expect(refusals("[\"\(text)\"]", of: "Power", in: context).count == 1, "\(text)")
    }
  }

  private func counting(_ calls: Locked<[String]>) -> TransformerRegistry {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Slug") { (text: String) -> String? in
      calls.withLock { $0.append(text) }
      return text
    } reverse: { (text: String) -> String? in
      text
    }
    return registry
  }

  @Test(
    "T3, M27: the value of an alternate identity is transformed once, even though the object is looked up in advance",
    arguments: [
      #"[{"id": 1, "slug": "A", "at": 5}]"#, #"[{"slug": "A", "at": 5}]"#, #"[{"slug": "A", "at": 5, "gone": true}]"#,
    ])
  func alternateOnce(payload: String) throws {
    let calls = Locked<[String]>([])
    let context = try Fixture.context(
      #"""
      "Hero": {
        "identityAttributes": "id", "alternateIdentities": ["slug"], "modificationAttribute": "at",
        "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
        "attributes": {"id": {"type": "integer64", "optional": true}, "at": "integer64",
          "slug": {"type": "string", "JSONTransformerName": "Slug"}}
      }
      """#, transformers: counting(calls))
    try context.load(payload, "Hero")
    #expect(calls.withLock { $0 } == ["A"])
  }

  @Test("T3, M21: the identity in a dictionary that is a reference is transformed once, also in a hierarchy")
  func referenceOnce() throws {
    let calls = Locked<[String]>([])
    let context = try Fixture.context(
      #"""
      "Post": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"author": {"destination": "Person", "JSONReferences": true}}},
      "Person": {"identityAttributes": "id",
        "attributes": {"id": {"type": "string", "JSONTransformerName": "Slug"}, "name": {"type": "string", "optional": true}}},
      "Admin": {"parent": "Person"}
      """#, transformers: counting(calls))
    try context.load(#"[{"id": "x"}]"#, "Admin")
    calls.withLock { $0 = [] }
    try context.load(#"[{"id": 1, "author": {"id": "y"}}]"#, "Post")
    #expect(calls.withLock { $0 } == ["y"])
  }

  @Test(
    "T3, M12: the identity of an owner is transformed once, even though the object is looked up in advance",
    arguments: [#""A""#, #"{"id": "A"}"#])
  func ownerOnce(owner: String) throws {
    let calls = Locked<[String]>([])
    let context = try Fixture.context(
      #"""
      "Order": {"identityAttributes": "id",
        "attributes": {"id": {"type": "string", "JSONTransformerName": "Slug"}},
        "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order", "JSONKeyPath": null}}},
      "Line": {"identityAttributes": ["order", "position"], "modificationAttribute": "at",
        "attributes": {"position": "integer64", "at": "integer64"},
        "relationships": {"order": {"destination": "Order", "inverse": "lines"}}}
      """#, transformers: counting(calls))
    try context.load(#"[{"id": "A"}]"#, "Order")
    calls.withLock { $0 = [] }
    try context.load(#"[{"order": \#(owner), "position": 1, "at": 5}]"#, "Line")
    #expect(calls.withLock { $0 } == ["A"])
  }

  @Test("T3, M27: the identity of a related object in an alternate identity is transformed once")
  func alternateOwnerOnce() throws {
    let calls = Locked<[String]>([])
    let context = try Fixture.context(
      #"""
      "Team": {"identityAttributes": "name",
        "attributes": {"name": {"type": "string", "JSONTransformerName": "Slug"}},
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "team", "JSONKeyPath": null}}},
      "Hero": {"identityAttributes": "id", "alternateIdentities": [["team", "number"]], "modificationAttribute": "at",
        "attributes": {"id": {"type": "integer64", "optional": true}, "number": "integer64", "at": "integer64"},
        "relationships": {"team": {"destination": "Team", "inverse": "heroes"}}}
      """#, transformers: counting(calls))
    try context.load(#"[{"name": "T"}]"#, "Team")
    calls.withLock { $0 = [] }
    try context.load(#"[{"team": "T", "number": 1, "at": 5}]"#, "Hero")
    #expect(calls.withLock { $0 } == ["T"])
  }
}
