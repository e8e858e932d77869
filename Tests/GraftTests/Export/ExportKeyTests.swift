import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Export: keyed collections") struct ExportKeyTests {
  /// Heroes with powers under keys; the argument declares whether the key is the identity, a part of it, or neither.
  private func powers(_ power: String, more: String = "") throws -> ManagedObjectContext {
    try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "powers": {"destination": "Power", "toMany": true, "ordered": true}, "best": {"destination": "Power"}}},
      "Power": {\#(power)}\#(more)
      """#)
  }

  private static let whole =
    #""identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "@key"}, "name": {"type": "string", "optional": true}}"#
  /// The key is not the identity; the identity is inside the object.
  private static let beside =
    #""identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true, "JSONKeyPath": "@key"}}"#
  private static let part =
    #""identityAttributes": ["set", "name"], "attributes": {"set": "integer64", "name": {"type": "string", "JSONKeyPath": "@key"}}"#

  /// The message and location of the error that an export throws.
  private func refusal(_ body: () throws -> String) -> String {
    do {
      return "written: \(try body())"
    } catch {
      return "\(error)"
    }
  }

  @Test("M11: two objects with the same key cause an error that names both objects, the attribute and the path")
  func duplicateKeys() throws {
    let advice = "give the attribute its own key path, with '@key' as an alias, or make it the identity"
    for power in [Self.beside, Self.part] {
      let context = try powers(power)
      let id = power == Self.beside ? "id" : "set"
      let first = try context.load(#"{"id": 1, "powers": {"a": {"\#(id)": 1}, "b": {"\#(id)": 2}}}"#, "Hero")[0]
      let second = try context.load(#"{"id": 2, "powers": {"a": {"\#(id)": 3}}}"#, "Hero")[0]
      #expect(try context.text(first) == #"{"id":1,"powers":{"a":{"\#(id)":1},"b":{"\#(id)":2}},"best":null}"#)
      let names = power == Self.beside ? ["Power(1)", "Power(3)"] : ["Power(1,a)", "Power(3,a)"]
      let words =
        "'\(names[0])' and '\(names[1])' have the same value of 'Power.name', the key under which they would be written: \(advice)"
      #expect(refusal { try context.exported("Power") } == "<export>: error: \(words) (at $.a)")
      let all: [ManagedObject] = (first["powers"] as [ManagedObject]) + (second["powers"] as [ManagedObject])
      #expect(
        refusal { String(decoding: try jsonData(from: all), as: UTF8.self) }
          == "<export>: error: \(words) (at $.a)")
      first["powers"] = all
      #expect(
        refusal { try context.exported("Hero") } == "<export>: error: \(words) (at $[0].powers.a)")
      let error = #expect(throws: ExportError.self) { try jsonData(from: first) }
      #expect(error?.diagnostics.map(\.code) == [.duplicateObjectKey])
      #expect(error?.diagnostics.map(\.path) == ["$.powers.a"])
      // The objects can be written as identifiers, and the context can be used again.
      #expect(try context.text(first, ExportOptions(identifiersOnly: true)).contains("best"))
      #expect(context.checkInvariants() == [])
    }
  }

  @Test("M11: two keys for which a transformer returns the same string cause an error")
  func alikeKeys() throws {
    let context = try powers(
      #""identityAttributes": "day", "attributes": {"day": {"type": "date", "JSONKeyPath": "@key", "JSONTransformerName": "DateFormat(yyyy-MM-dd)"}}"#
    )
    for hour in [1, 2] {
      try context.insert(ofEntity: "Power").setValue(
        .date(Date(timeIntervalSince1970: Double(hour) * 3600)), of: "day")
    }
    let message = refusal { try context.exported("Power") }
    #expect(message.contains("'Power(1970-01-01T01:00:00Z)' and 'Power(1970-01-01T02:00:00Z)' have the same value"))
    #expect(message.hasSuffix("give the attribute its own key path, with '@key' as an alias (at $['1970-01-01'])"))
  }

  @Test("M11: an object without a key causes an error that names the object, the attribute and the location")
  func missingKeys() throws {
    let context = try powers(Self.beside)
    let hero = try context.load(#"{"id": 1, "powers": {"a": {"id": 1}}}"#, "Hero")[0]
    let power = context.insert(ofEntity: "Power")
    try power.setValue(.integer(2), of: "id")
    hero["powers"] = (hero["powers"] as [ManagedObject]) + [power]
    let words =
      "'Power(2)' has no value for 'Power.name', the key under which it would be written: give the attribute its own key path, with '@key' as an alias, or make it the identity"
    #expect(refusal { try context.text(hero) } == "<export>: error: \(words) (at $.powers)")
    #expect(refusal { try context.exported("Power") } == "<export>: error: \(words) (at $)")
    #expect(refusal { try context.text(power) } == "<export>: error: \(words) (at $)")
    let error = #expect(throws: ExportError.self) { try jsonData(from: hero) }
    #expect(error?.diagnostics.map(\.code) == [.missingObjectKey])
    #expect(context.checkInvariants() == [])
  }

  @Test("T4: a transformer that returns anything but a string for a key causes an error")
  func keysThatAreNoText() throws {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Odd") { (text: String) in
      text
    } reverse: { (text: String) in
      text == "x" ? nil : text
    }
    let context = try Fixture.context(
      #""Power": {"identityAttributes": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "@key", "JSONTransformerName": "Odd"}}}"#,
      transformers: registry)
    try context.load(#"{"a": {}}"#, "Power")
    #expect(try context.exported("Power") == #"{"a":{}}"#)
    try context.load(#"{"x": {}}"#, "Power")
    #expect(
      refusal { try context.exported("Power") }
        == "<export>: error: 'Power(x)' has a value whose transformer returns no text for 'Power.id', the key under which it would be written: give the attribute its own key path, with '@key' as an alias (at $)"
    )
  }

  @Test(
    "E2: a collection of placeholders is written as an array of identifiers, which imports as placeholders")
  func placeholders() throws {
    let cases = [
      (Self.whole, "[9,4]", "[9,4]", "[4,9]"), (Self.beside, "[9,4]", "[9,4]", "[4,9]"),
      (Self.part, #"[[9,"b"],[4,"a"]]"#, #"[[9,"b"],[4,"a"]]"#, #"[[4,"a"],[9,"b"]]"#),
    ]
    for (power, imported, exported, all) in cases {
      let context = try powers(power)
      try context.load(#"{"id": 1, "powers": \#(imported)}"#, "Hero")
      #expect(try context.exported("Hero") == #"[{"id":1,"powers":\#(exported),"best":null}]"#)
      #expect(try context.exported("Power") == all)
      let copy = ManagedObjectContext(model: context.model)
      for entity in ["Hero", "Power"] {
        let before = context.dumpText
        try context.load(context.exported(entity), entity)
        #expect(context.dumpText == before)
        try copy.load(context.exported(entity), entity)
        #expect(copy.dumpText == before)
      }
    }
  }

  @Test("E4, M11: an object without a key is written in full in a to-one, which needs no key")
  func toOneWithoutKey() throws {
    let context = try Fixture.context(
      #"""
      "Book": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "tag": {"destination": "Tag", "inverse": "books"}, "tags": {"destination": "Tag", "toMany": true}}},
      "Tag": {"identityAttributes": "number", "attributes": {"number": "integer64",
        "key": {"type": "string", "optional": true, "JSONKeyPath": "@key"}, "name": {"type": "string", "optional": true}},
        "relationships": {"books": {"destination": "Book", "toMany": true, "inverse": "tag", "JSONKeyPath": null}}}
      """#)
    let payload = #"[{"id":1,"tag":{"number":1,"name":"x"},"tags":{}}]"#
    try context.load(payload, "Book")
    #expect(try context.exported("Book") == payload)
    // An object that has a key is written with its key.
    let other = #"[{"id":1,"tag":2,"tags":{"a":{"number":2,"name":"y"}}}]"#
    try context.load(other, "Book")
    #expect(try context.exported("Book") == other)
  }

  @Test("E5: a keyed collection with a placeholder is omitted, because it cannot contain an identifier")
  func mixedPlaceholders() throws {
    let context = try powers(Self.whole)
    try context.load(#"[{"id": 1, "powers": [9, 4]}]"#, "Hero")
    try context.load(#"{"9": {"name": "x"}}"#, "Power")
    #expect(try context.exported("Hero") == #"[{"id":1,"best":null}]"#)
    #expect(try context.exported("Power") == #"{"9":{"name":"x"}}"#)
    #expect(try context.text(context.placeholders[0]) == "4")
    #expect(try JSONEncoder().encode(context.placeholders[0]) == Data("4".utf8))
  }

  @Test("M11: an object that is passed twice to an export is written under its key once")
  func repeats() throws {
    let context = try powers(Self.whole)
    let objects = try context.load(#"{"9": {"name": "x"}, "4": {}}"#, "Power")
    #expect(
      String(decoding: try jsonData(from: objects + objects), as: UTF8.self) == #"{"9":{"name":"x"},"4":{"name":null}}"#
    )
  }

  @Test("E4: an object that is already being written at an outer level is written under its key with its identity only")
  func cycles() throws {
    let context = try Fixture.context(
      #"""
      "Folder": {
        "identityAttributes": ["disk", "name"],
        "attributes": {"disk": {"type": "integer64", "JSONKeyPath": "at.disk"}, "name": {"type": "string", "JSONKeyPath": "@key"}, "size": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"smart": "Smart"}},
        "relationships": {"links": {"destination": "Folder", "toMany": true}}
      },
      "Smart": {"parent": "Folder"}
      """#)
    let text =
      #"{"a":{"kind":"smart","at":{"disk":1},"size":7,"links":{"a":{"kind":"smart","at":{"disk":1}},"b":{"at":{"disk":1},"size":8,"links":{}}}}}"#
    let folder = try context.load(text, "Folder")[0]
    #expect(try context.text(folder) == text)
    let copy = ManagedObjectContext(model: context.model)
    try copy.load(text, "Folder")
    #expect(copy.dumpText == context.dumpText)
    let before = context.dumpText
    try context.load(text, "Folder")
    #expect(context.dumpText == before)
  }

  @Test(
    "E4, M12: an object that is already being written appears under a key, together with its owner",
    arguments: ["object", "identifier"])
  func owners(form: String) throws {
    let context = try Fixture.context(
      """
      "Box": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}},
        "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "box", "JSONKeyPath": null},
          "tags": {"destination": "Tag", "toMany": true}}},
      "Item": {"identityAttributes": ["box", "code"], "attributes": {"code": {"type": "string", "JSONKeyPath": "@key"}, "n": {"type": "integer64", "optional": true}},
        "relationships": {"box": {"destination": "Box", "inverse": "items", "JSONRepresentation": "\(form)"},
          "tag": {"destination": "Tag", "inverse": "items", "JSONKeyPath": null}}},
      "Tag": {"identityAttributes": "name", "attributes": {"name": "string"},
        "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "tag"}}}
      """)
    try context.load(
      #"[{"name": "t", "items": {"q": {"box": {"id": 1, "tags": ["t"]}}, "z": {"box": {"id": 2}}}}]"#, "Tag")
    let before = context.dump()
    for entity in ["Item", "Box", "Tag"] {
      for depth in 1...9 {
        for strict in [false, true] {
          let options = ExportOptions(maxDepth: depth, incompleteRelationships: strict ? .error : .omit)
          guard let data = try? context.exportAll(of: entity, options: options) else { continue }
          try context.importJSON(Data(data), ofEntity: entity)
          #expect(context.dump() == before, "\(entity), depth \(depth): \(String(decoding: Data(data), as: UTF8.self))")
        }
      }
    }
    let item = try #require(try context.find(ofEntity: "Item", identity: 1, "q"))
    let text = try jsonString(from: [item], options: ExportOptions(incompleteRelationships: .error))
    #expect(form == "identifier" || text.contains(#""q":{"box":1}"#), "\(text)")
  }

  @Test("M11: an object with a key cannot be written in an array, nor in a to-one if it has no identifier")
  func misplaced() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "best": {"destination": "Score"}, "notes": {"destination": "Note", "toMany": true}}},
      "Score": {"attributes": {"name": {"type": "string", "optional": true, "JSONKeyPath": "@key"}, "points": "integer64"}},
      "Note": {"attributes": {"text": {"type": "string", "optional": true}},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"keyed": "Keyed"}}},
      "Keyed": {"parent": "Note", "attributes": {"key": {"type": "string", "optional": true, "JSONKeyPath": "@key"}}}
      """#)
    let text = #"{"id":1,"best":{"points":3},"notes":[{"kind":"keyed","text":"x"}]}"#
    let hero = try context.load(text, "Hero")[0]
    #expect(try context.text(hero) == text)
    let score: ManagedObject? = hero["best"]
    score?["name"] = "a"
    let advice = "give the attribute its own key path, with '@key' as an alias"
    #expect(
      refusal { try context.text(hero) }
        == "<export>: error: 'Score#1' is not written under a key here, so its 'Score.name' would be lost: \(advice) (at $.best)"
    )
    let error = #expect(throws: ExportError.self) { try jsonData(from: hero) }
    #expect(error?.diagnostics.map(\.code) == [.misplacedKey])
    #expect(try context.exported("Score") == #"{"a":{"points":3}}"#)
    score?["name"] = nil as String?
    (hero["notes"] as [ManagedObject])[0]["key"] = "k"
    #expect(
      refusal { try context.text(hero) }
        == "<export>: error: 'Keyed#1' is not written under a key here, so its 'Keyed.key' would be lost: \(advice) (at $.notes[0])"
    )
    #expect(refusal { try context.exported("Note") }.hasSuffix("(at $[0])"))
    #expect(try context.exported("Keyed") == #"{"k":{"kind":"keyed","text":"x"}}"#)
  }

  @Test("M11, E4: strings with different code points are different keys in an exported collection")
  func equivalentKeys() throws {
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true, "JSONKeyPath": "@key"}}}"#
    )
    let text = "{\"\u{E9}\":{\"id\":1},\"e\u{301}\":{\"id\":2}}"
    try context.load(text, "T")
    #expect(try context.count(ofEntity: "T") == 2)
    #expect(try Array(context.exported("T").utf8) == Array(text.utf8))
  }
}
