import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Export: written JSON") struct ExportShapeTests {
  private func options(_ change: (inout ExportOptions) -> Void) -> ExportOptions {
    var options = ExportOptions()
    change(&options)
    return options
  }

  @Test("E1: nested key paths become nested objects, in model order, at the position of their first property")
  func nestedKeyPaths() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"attributes": {
        "city": {"type": "string", "JSONKeyPath": "home.address.city"},
        "name": {"type": "string", "JSONKeyPath": "name"},
        "zip": {"type": "string", "optional": true, "JSONKeyPath": "home.address.zip"},
        "dotted": {"type": "integer64", "JSONKeyPath": ["home", "a.b"]},
        "secret": {"type": "string", "optional": true, "JSONKeyPath": null}
      }}
      """#)
    let hero = try context.load(
      #"{"name": "Batman", "home": {"a.b": 1, "address": {"city": "Gotham"}}}"#, "Hero")[0]
    #expect(
      try context.text(hero)
        == #"{"home":{"address":{"city":"Gotham","zip":null},"a.b":1},"name":"Batman"}"#)
  }

  @Test("E1: nil is null, or is omitted on request, together with objects that would be empty")
  func omitsNil() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {
        "attributes": {
          "name": {"type": "string", "optional": true},
          "city": {"type": "string", "optional": true, "JSONKeyPath": "home.address.city"},
          "zip": {"type": "string", "optional": true, "JSONKeyPath": "home.address.zip"},
          "age": {"type": "integer16", "optional": true}
        },
        "relationships": {"friend": {"destination": "Hero"}, "friends": {"destination": "Hero", "toMany": true}}
      }
      """#)
    let hero = try context.load(#"{"age": 7}"#, "Hero")[0]
    #expect(
      try context.text(hero)
        == #"{"name":null,"home":null,"age":7,"friend":null,"friends":[]}"#)
    #expect(try context.text(hero, options { $0.omitsNil = true }) == #"{"age":7,"friends":[]}"#)
  }

  @Test(
    "E2: objects below the depth limit are written as roots only if no other such object contains them",
    arguments: [false, true])
  func deepRoots(isOnce: Bool) throws {
    let context = try Fixture.context(
      #"""
      "Node": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "parent": {"destination": "Node", "inverse": "nodes", "JSONKeyPath": null},
          "nodes": {"destination": "Node", "toMany": true, "inverse": "parent"}
        }
      }
      """#)
    let count = 1_000
    try context.load("[\((0..<count).map { "{\"id\":\($0),\"nodes\":[\($0 + 1)]}" }.joined(separator: ","))]", "Node")
    try context.load("{\"id\":\(count),\"nodes\":[]}", "Node")
    var options = ExportOptions(sharedObjects: isOnce ? .once : .full, rootsOnly: true, maxDepth: 101)
    let text = try jsonString(from: context.fetch(ofEntity: "Node", sortedBy: .ascending("id")), options: options)
    let roots = try #require(JSON(text: text).arrayValue)
    // One root contains 50 nested objects, because each of them takes two levels.
    #expect(roots.compactMap { $0["id"] } == stride(from: 0, through: count, by: 50).map { JSON(integerLiteral: $0) })
    #expect(text.split(separator: "\"id\"").count - 1 == count + 1)
    let copy = ManagedObjectContext(model: context.model)
    try copy.load(text, "Node")
    #expect(copy.dump() == context.dump())
    // If the objects form a cycle, one of the objects is a root.
    try context.load("{\"id\":\(count),\"nodes\":[0]}", "Node")
    options.maxDepth = 301
    let circle = try jsonString(from: context.fetch(ofEntity: "Node", sortedBy: .ascending("id")), options: options)
    #expect(circle.split(separator: "\"id\"").count - 1 <= count + 160)
  }

  @Test("E2: on request, an array contains only objects that no other object contains")
  func rootsOnly() throws {
    let context = try Fixture.context(
      #"""
      "Node": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "parent": {"destination": "Node", "inverse": "nodes"},
          "nodes": {"destination": "Node", "toMany": true, "ordered": true, "inverse": "parent"}
        }
      },
      "Friend": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"friends": {"destination": "Friend", "toMany": true, "ordered": true}}
      }
      """#)
    func roots(_ entity: String, _ options: ExportOptions = ExportOptions(rootsOnly: true)) throws -> [JSON] {
      let objects = try context.fetch(ofEntity: entity).sorted { $0["id"] as Int? ?? 0 < $1["id"] as Int? ?? 0 }
      let exported = try JSON(text: String(decoding: try jsonData(from: objects, options: options), as: UTF8.self))
      return exported.arrayValue?.compactMap { $0["id"] } ?? []
    }
    // Each child also refers to its parent, but the parent still contains the child.
    try context.load(
      #"[{"id": 1, "parent": 2}, {"id": 2, "parent": 3}, {"id": 3}, {"id": 4}, {"id": 5, "parent": 4}]"#, "Node")
    #expect(try roots("Node") == [3, 4])
    #expect(try roots("Node", ExportOptions(identifiersOnly: true, rootsOnly: true)) == [1, 2, 3, 4, 5])
    // Inside a child, the parent is written without its nodes.
    for (representation, expected) in [
      (RelationshipDescription.JSONRepresentation.identifier, [1, 2, 3, 4, 5] as [JSON]), (.none, [1, 5]),
    ] {
      let representations = ["Node": ["nodes": representation]]
      #expect(try roots("Node", ExportOptions(rootsOnly: true, representations: representations)) == expected)
    }
    // If objects contain each other, one of them is written as a root.
    try context.load(
      #"[{"id": 1, "friends": [2]}, {"id": 2, "friends": [3]}, {"id": 3, "friends": [1]}, {"id": 4, "friends": [4]}]"#,
      "Friend")
    #expect(try roots("Friend") == [1, 4])
    try context.load(#"[{"id": 5, "friends": [3, 4, 6]}]"#, "Friend")
    #expect(try roots("Friend") == [5])
  }

  @Test(
    "E2: objects contained only under keys, in a relationship of the parent entity, are not roots, in any order")
  func rootsWithSubentities() throws {
    let model = #"""
      "Schema": {
        "attributes": {"title": {"type": "string", "optional": true}},
        "relationships": {"properties": {"destination": "Member", "toMany": true, "inverse": "container"}}
      },
      "Member": {
        "parent": "Schema", "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"}},
        "relationships": {"container": {"destination": "Schema", "inverse": "properties"}}
      }
      """#
    let payload =
      #"[{"title":"root","properties":{"a":{"title":"x","properties":{"b":{"title":"y","properties":{}}}}}},{"title":"2","properties":{}}]"#
    let context = try Fixture.context(model)
    try context.load(payload, "Schema")
    let objects = try context.fetch(ofEntity: "Schema")
    #expect(objects.count == 4)
    for objects in [objects, objects.reversed()] {
      let roots = try jsonData(from: Array(objects), options: ExportOptions(rootsOnly: true))
      let expected = try JSON(text: payload).arrayValue ?? []
      #expect(Set(try JSON(text: String(decoding: roots, as: UTF8.self)).arrayValue ?? []) == Set(expected))
    }
  }

  @Test("E3: on request, keys are sorted by their bytes at every level")
  func sortsKeys() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {
        "identityAttributes": "id",
        "attributes": {
          "z": {"type": "integer64", "optional": true}, "id": "integer64", "é": {"type": "integer64", "optional": true},
          "B": {"type": "integer64", "optional": true},
          "y": {"type": "integer64", "optional": true, "JSONKeyPath": "m.y"},
          "x": {"type": "integer64", "optional": true, "JSONKeyPath": "m.x"}
        },
        "relationships": {"friend": {"destination": "Hero"}}
      }
      """#)
    let hero = try context.load(#"{"id": 1, "friend": {"id": 2, "B": 3}}"#, "Hero")[0]
    #expect(
      try context.text(
        hero,
        options {
          $0.sortsKeys = true; $0.omitsNil = true
        })
        == #"{"friend":{"B":3,"id":2},"id":1}"#)
    #expect(
      try context.text(hero["friend"] as ManagedObject?, options { $0.sortsKeys = true })
        == #"{"B":3,"friend":null,"id":2,"m":null,"z":null,"é":null}"#)
  }

  @Test("E2: only the chosen properties and the identity are written")
  func chosenProperties() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(
      #"{"id": 1, "name": "Batman", "powers": [{"id": 4, "name": "Agility"}], "publisher": {"id": 10}}"#, "Hero")[0]
    #expect(
      try context.text(hero, options { $0.properties = ["Hero": ["powers"]] })
        == #"{"id":1,"powers":[{"id":4,"name":"Agility"}]}"#)
    #expect(
      try context.text(hero, options { $0.properties = ["Hero": ["name", "powers"], "Power": []] })
        == #"{"id":1,"name":"Batman","powers":[{"id":4}]}"#)
  }

  @Test("E2: if properties are chosen for several parent entities, those of the nearest parent entity are written")
  func chosenPropertiesOfParents() throws {
    let context = try Fixture.context(
      #"""
      "Message": {"identityAttributes": "id", "attributes": {"id": "integer64", "date": {"type": "string", "optional": true}},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "Text"}}},
      "Text": {"parent": "Message", "attributes": {"text": {"type": "string", "optional": true}}}
      """#)
    let message = try context.load(#"{"type": "text", "id": 1, "date": "d", "text": "t"}"#, "Message")[0]
    #expect(
      try context.text(message, options { $0.properties = ["Message": ["date"]] })
        == #"{"type":"text","id":1,"date":"d"}"#)
    #expect(
      try context.text(message, options { $0.properties = ["Message": ["date"], "Text": ["text"]] })
        == #"{"type":"text","id":1,"text":"t"}"#)
  }

  @Test("E2: JSONRepresentation determines how a relationship is written")
  func representations() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "a": {"destination": "Hero", "JSONRepresentation": "identifier"},
          "b": {"destination": "Hero", "toMany": true, "JSONRepresentation": "identifier"},
          "c": {"destination": "Hero", "toMany": true, "JSONRepresentation": "none"},
          "d": {"destination": "Card", "toMany": true, "JSONRepresentation": "identifier"}
        }
      },
      "Card": {"identityAttributes": "set,number", "attributes": {"set": "string", "number": "integer64"}}
      """#)
    let hero = try context.load(
      #"""
      {"id": 1, "a": 2, "b": [4, 3], "c": [5], "d": [["DAW", 12]]}
      """#, "Hero")[0]
    #expect(try context.text(hero) == #"{"id":1,"a":2,"b":[3,4],"d":[["DAW",12]]}"#)
  }

  @Test("E2: on request, only identifiers are written")
  func identifiersOnly() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(
      #"{"id": 1, "name": "B", "powers": [{"id": 9}, {"id": 4}], "publisher": {"id": 10, "name": "DC"}}"#, "Hero")[0]
    #expect(
      try context.text(hero, options { $0.identifiersOnly = true })
        == #"{"id":1,"name":"B","powers":[4,9],"publisher":10}"#)
  }

  @Test("E2: an object omits the inverse of the relationship through which it was reached, but no other relationship")
  func inverseThatLedHere() throws {
    let context = try Fixture.context(
      #"""
      "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"members": {"destination": "Hero", "toMany": true, "ordered": true, "inverse": "team"}}},
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"team": {"destination": "Team", "inverse": "members"}, "rival": {"destination": "Hero"}}}
      """#)
    let team = try context.load(#"{"id": 1, "members": [3, {"id": 2, "rival": {"id": 3}}]}"#, "Team")[0]
    #expect(
      try context.text(team)
        == #"{"id":1,"members":[{"id":3,"rival":null},{"id":2,"rival":{"id":3,"team":1,"rival":null}}]}"#)
  }

  @Test("E2: a placeholder is always written as its identifier")
  func placeholders() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(
      #"{"id": 1, "name": "B", "powers": [{"id": 4, "name": "A"}, 9], "publisher": 10}"#, "Hero")[0]
    #expect(try context.text(hero) == #"{"id":1,"name":"B","powers":[{"id":4,"name":"A"},9],"publisher":10}"#)
    #expect(try context.exported("Publisher") == "[10]")
    let placeholder = try #require(context.placeholders.first)
    #expect(try context.text(placeholder) == "9")
    try context.importJSON(context.text(placeholder), ofEntity: "Power")
    #expect(placeholder.isPlaceholder)
    #expect { try json(from: placeholder) } throws: { error in
      "\(error)".contains("the export of 'Power(9)' is not a dictionary")
        && (error as? ExportError)?.diagnostics[0].code == .otherForm
    }
  }

  @Test("E1: an export to dictionaries and arrays loses nothing, or throws an error")
  func otherForms() throws {
    let context = try Fixture.context(
      #"""
      "Word": {"identityAttributes": "text", "attributes": {"text": {"type": "string", "JSONKeyPath": "@value"}}},
      "Entry": {"attributes": {"key": {"type": "string", "optional": true, "JSONKeyPath": "@key"},
        "name": {"type": "string", "optional": true}}}
      """#)
    let word = try context.load(#"["a"]"#, "Word")[0]
    #expect(try jsonString(from: word) == #""a""#)
    #expect(throws: ExportError.self) { try json(from: word) }
    #expect(try json(from: [word]) as? [String] == ["a"])
    let entries = try context.load(#"{"k": {"name": "x"}, "l": {"name": "y"}}"#, "Entry")
    #expect { try json(from: entries) } throws: {
      "\($0)".contains("a collection by keys is a dictionary, not an array")
    }
    #expect(try json(from: [ManagedObject]()).isEmpty)
  }

  @Test("E2: the byte limit applies to the whole export")
  func bytes() throws {
    let context = try Fixture.context(Fixture.comics)
    let powers = try context.load(#"[{"id": 4, "name": "A"}, {"id": 5, "name": "B"}]"#, "Power")
    let text = try jsonString(from: powers)
    #expect(try jsonString(from: powers, options: ExportOptions(maxBytes: text.utf8.count)) == text)
    #expect(throws: ExportError.self) {
      try jsonString(from: powers, options: ExportOptions(maxBytes: text.utf8.count - 1))
    }
    var written = Data()
    #expect(throws: ExportError.self) {
      try writeJSON(from: powers, options: ExportOptions(maxBytes: text.utf8.count - 1)) { written += $0 }
    }
  }

  @Test(
    "D4: an entity's first discriminator is written; numbers stay numbers; the base entity has no discriminator")
  func discriminators() throws {
    let context = try Fixture.context(
      #"""
      "Message": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "meta.type", "entities": {"text": "Text", "txt": "Text", "2": "Photo", "true": "Call"}}},
      "Text": {"parent": "Message"}, "Photo": {"parent": "Message"}, "Call": {"parent": "Message"}
      """#)
    try context.load(
      #"""
      [{"id": 1, "meta": {"type": "txt"}}, {"id": 2, "meta": {"type": 2}}, {"id": 3, "meta": {"type": "2"}},
       {"id": 4, "meta": {"type": true}}, {"id": 5}, {"id": 6, "meta": {"type": "unknown"}}, {"id": 7, "meta": null}]
      """#, "Message")
    #expect(
      try context.exported("Message")
        == #"[{"meta":{"type":"text"},"id":1},{"meta":{"type":2},"id":2},{"meta":{"type":"2"},"id":3},{"meta":{"type":true},"id":4},{"id":5},{"id":6},{"id":7}]"#
    )
    #expect(try context.count(ofEntity: "Photo") == 2)
  }

  @Test(
    "D4: an attribute with the mapper's key path is written with its value; if it is nil, the discriminator is written")
  func discriminatorAttribute() throws {
    let context = try Fixture.context(
      #"""
      "Message": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "type": {"type": "string", "optional": true}},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "Text", "txt": "Text"}}},
      "Text": {"parent": "Message"}
      """#)
    let message = try context.load(#"[{"id": 1, "type": "txt"}]"#, "Message")[0]
    #expect(try context.text(message) == #"{"type":"txt","id":1}"#)
    try message.setValue(nil, of: "type")
    #expect(try context.text(message) == #"{"type":"text","id":1}"#)
  }

  @Test("E4: a discriminator that changes from a number to a string is written as a string")
  func discriminatorChanges() throws {
    let context = try Fixture.context(
      #"""
      "Message": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"2": "Photo"}}},
      "Photo": {"parent": "Message"}
      """#)
    try context.load(#"[{"id": 1, "type": 2}]"#, "Message")
    try context.load(#"[{"id": 1, "type": "2"}]"#, "Message")
    #expect(try context.exported("Message") == #"[{"type":"2","id":1}]"#)
  }

  @Test("E4: a discriminator that was a number stays a number if a later dictionary omits the key")
  func discriminatorAbsent() throws {
    let context = try Fixture.context(
      #"""
      "Message": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "text": {"type": "string", "optional": true}},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"2": "Photo"}}},
      "Photo": {"parent": "Message"}
      """#)
    try context.load(#"[{"id": 1, "type": 2}]"#, "Message")
    try context.load(#"[{"id": 1, "text": "a"}]"#, "Message")
    #expect(try context.exported("Message") == #"[{"type":2,"id":1,"text":"a"}]"#)
  }

  @Test(
    "M11: with the key path @key, a collection is an object; with @value, an element is a value instead of an object")
  func keyedCollections() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"powers": {"destination": "Power", "toMany": true}, "best": {"destination": "Power"},
          "scores": {"destination": "Score", "toMany": true}}},
      "Power": {"identityAttributes": "id",
        "attributes": {"id": {"type": "integer64", "JSONKeyPath": "@key"}, "name": {"type": "string", "optional": true}}},
      "Score": {"attributes": {"name": {"type": "string", "JSONKeyPath": "@key"},
        "points": {"type": "integer64", "JSONKeyPath": "@value"}}}
      """#)
    let hero = try context.load(
      #"""
      {"id": 1, "powers": {"9": {"name": "Flight"}, "4": {"name": "Agility"}}, "best": 4, "scores": {"b": 2, "a\"": 1}}
      """#, "Hero")[0]
    #expect(
      try context.text(hero)
        == #"{"id":1,"powers":{"4":{"name":"Agility"},"9":{"name":"Flight"}},"best":4,"scores":{"b":2,"a\"":1}}"#)
    #expect(try context.exported("Power") == #"{"4":{"name":"Agility"},"9":{"name":"Flight"}}"#)
    #expect(try context.text(hero["best"] as ManagedObject?) == #"{"4":{"name":"Agility"}}"#)
    let before = context.dumpText
    let text = try context.exported("Hero")
    try context.load(try context.exported("Power"), "Power")
    #expect(context.dumpText == before)
    let other = try Fixture.context(#""X": {}"#)
    #expect(other.dumpText == "{}\n")
    let copy = ManagedObjectContext(model: context.model)
    try copy.load(text, "Hero")
    #expect(copy.dumpText == before)
  }

  @Test("M11: if @key is only an alias, the collection is written as an array")
  func keyAlias() throws {
    let context = try Fixture.context(
      #"""
      "Power": {"identityAttributes": "id", "attributes": {
        "id": {"type": "integer64", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key"]}, "name": "string"}}
      """#)
    try context.load(#"{"9": {"name": "Flight"}, "4": {"name": "Agility"}}"#, "Power")
    #expect(try context.exported("Power") == #"[{"id":4,"name":"Agility"},{"id":9,"name":"Flight"}]"#)
  }

  @Test(
    "E3: ordered relationships keep their order; unordered ones are sorted by identity, objects without identity last"
  )
  func order() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"attributes": {}, "relationships": {
        "ordered": {"destination": "Number", "toMany": true, "ordered": true},
        "numbers": {"destination": "Number", "toMany": true}, "texts": {"destination": "Text", "toMany": true},
        "pairs": {"destination": "Pair", "toMany": true}, "decimals": {"destination": "Decimal", "toMany": true}}},
      "Number": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Text": {"identityAttributes": "id", "attributes": {"id": {"type": "string", "optional": true}}},
      "Decimal": {"identityAttributes": "id", "attributes": {"id": "decimal"}},
      "Pair": {"identityAttributes": "a,b", "attributes": {"a": "string", "b": "integer64"}}
      """#)
    let hero = try context.load(
      #"""
      {"ordered": [10, 9, -1], "numbers": [10, 9, -1], "texts": [{"id": null}, "b", "é", "a", "e\u0301", "B"],
       "pairs": [["b", 1], ["a", 10], ["a", 9]], "decimals": [10, 9.5, -0.5]}
      """#, "Hero")[0]
    #expect(
      try context.text(hero)
        == #"{"ordered":[10,9,-1],"numbers":[-1,9,10],"texts":["B","a","b","e\#u{301}","é",{"id":null}],"pairs":[["a",9],["a",10],["b",1]],"decimals":[-0.5,9.5,10]}"#
    )
  }

  @Test("E3: repeated exports produce the same bytes")
  func deterministic() throws {
    let context = try Fixture.context(Fixture.comics)
    for index in 0..<200 {
      try context.load(#"{"id": \#(index * 7919 % 200), "powers": [\#(index), \#(index / 2), \#(index / 3)]}"#, "Hero")
    }
    let first = try context.exported("Hero")
    #expect(try context.exported("Hero") == first)
    let other = ManagedObjectContext(model: context.model)
    try other.load(first, "Hero")
    #expect(try other.exported("Hero") == first)
  }

  @Test("E1: json(from:) returns what JSONSerialization reads from jsonData(from:)")
  func foundation() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true},
        "isBat": {"type": "boolean", "optional": true}, "weight": {"type": "double", "optional": true}},
        "relationships": {"friends": {"destination": "Hero", "toMany": true}}}
      """#)
    let hero = try context.load(
      #"{"id": 1, "isBat": true, "weight": 0.5, "friends": [{"id": 2, "name": "Robin"}, 3]}"#, "Hero")[0]
    let parsed = try JSONSerialization.jsonObject(with: jsonData(from: hero)) as? NSDictionary
    #expect(parsed == (try json(from: hero) as NSDictionary))
    let array = try JSONSerialization.jsonObject(with: jsonData(from: [hero, hero])) as? NSArray
    #expect(array == (try json(from: [hero, hero]) as NSArray))
    #expect(try jsonData(from: [ManagedObject]()) == Data("[]".utf8))
    let dictionary: [String: Any] = try json(from: hero)
    #expect(dictionary["name"] is NSNull)
    #expect(dictionary["isBat"] as? Bool == true)
  }

  @Test("E1: exporting a deleted object causes an error")
  func deletedObject() throws {
    let context = try Fixture.context(Fixture.comics)
    let hero = try context.load(#"{"id": 1}"#, "Hero")[0]
    try context.delete(hero)
    #expect(throws: ExportError.self) { try jsonData(from: hero) }
    #expect(throws: ExportError.self) { try json(from: [hero]) }
    #expect(try context.exported("Hero") == "[]")
  }
}
