import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Alternate identities") struct AlternateIdentityTests {
  private func heroes(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(ofEntity: "Hero").map { hero in
      let (id, slug, name) = (hero["id"] as Int?, hero["slug"] as String?, hero["name"] as String?)
      return "\(id.map(String.init) ?? "-") \(slug ?? "-") \(name ?? "-")"
    }
  }

  @Test("M27: an object is found by its identity or an alternate identity; the import sets an identity that is nil")
  func finding() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    try context.importJSON(#"[{"id": 7, "slug": "a"}, {"slug": "a", "name": "A"}, {"slug": "b"}]"#, ofEntity: "Hero")
    #expect(try heroes(context) == ["7 a A", "- b -"])
    let report = try context.importJSON(#"{"id": 8, "slug": "b", "name": "B"}"#, ofEntity: "Hero")
    #expect(report.updated["Hero"] == 1 && report.inserted["Hero"] == nil)
    #expect(try heroes(context) == ["7 a A", "8 b B"])
    #expect(try context.find(ofEntity: "Hero", id: 8)?["slug"] == "b")
    try context.importJSON(#"{"id": null, "slug": "a", "name": "A"}"#, ofEntity: "Hero")
    #expect(try heroes(context) == ["7 a A", "8 b B"])
    try context.importJSON(#"{"id": 8, "slug": "c"}"#, ofEntity: "Hero")
    try context.importJSON(#"[{"slug": "c", "name": "C"}, {"slug": "b", "name": "new"}]"#, ofEntity: "Hero")
    #expect(try heroes(context) == ["7 a A", "8 c C", "- b new"])
    #expect(context.checkInvariants().isEmpty)
  }

  @Test(
    "M27: many objects can share a value during an import; after a rollback, each is found by its old value",
    arguments: [false, true])
  func crowdedValue(isRolledBack: Bool) throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    let count = 20_000
    let before = (0..<count).map { #"{"id": \#($0), "slug": "s\#($0)"}"# }
    try context.importJSON("[\(before.joined(separator: ","))]", ofEntity: "Hero")
    let same = (0..<count).map { #"{"id": \#($0), "slug": "top"}"# }
    let after = (0..<count).map { #"{"id": \#($0), "slug": "t\#($0)"}"# }
    // With quadratic time, this import would take minutes.
    if isRolledBack {
      #expect(throws: ImportError.self) {
        try context.importJSON("[\(same.joined(separator: ","))]", ofEntity: "Hero")
      }
    } else {
      try context.importJSON("[\((same + after).joined(separator: ","))]", ofEntity: "Hero")
    }
    #expect(context.checkInvariants().isEmpty)
    let found = isRolledBack ? "s" : "t"
    try context.importJSON(#"[{"slug": "\#(found)7", "name": "A"}, {"slug": "top", "name": "new"}]"#, ofEntity: "Hero")
    #expect(try context.find(ofEntity: "Hero", id: 7)?["name"] == "A")
    #expect(try context.fetch(ofEntity: "Hero").count == count + 1)
  }

  @Test(
    "M27: objects with an identity can share a value during an import, in any order of their properties"
  )
  func order() throws {
    let (id, slug) = (#""id": {"type": "integer64"}"#, #""slug": {"type": "string", "optional": true}"#)
    let hero = #""identityAttributes": "id", "alternateIdentities": ["slug"]"#
    let page = #""Page": {"parent": "Hero", "identityAttributes": ["id", "lang"], "attributes": {"lang": "string"}}"#
    let models = [
      #""Hero": {\#(hero), "attributes": {\#(id), \#(slug)}}"#,
      #""Hero": {\#(hero), "attributes": {\#(slug), \#(id)}}"#,
      #""Hero": {\#(hero), "attributes": {\#(id), \#(slug)}}, \#(page)"#,
    ]
    for model in models {
      let context = try Fixture.context(model)
      let entity = model.contains("Page") ? "Page" : "Hero"
      func payload(_ slug: (Int) -> String) -> String {
        (0..<150).map { #"{"id": \#($0), "lang": "en", "slug": "\#(slug($0))"}"# }.joined(separator: ",")
      }
      try context.importJSON("[\(payload { _ in "top" }), \(payload { "s\($0)" })]", ofEntity: entity)
      #expect(try context.count(ofEntity: entity) == 150)
      #expect(context.checkInvariants().isEmpty)
    }
  }

  @Test("M27: an object without identity is rejected if too many objects have its alternate identity")
  func crowd() throws {
    let model = #"""
      "Hero": {
        "identityAttributes": "id", "alternateIdentities": ["slug"],
        "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
        "attributes": {"id": {"type": "integer64", "optional": true}, "slug": {"type": "string", "optional": true}}
      }
      """#
    for last in [#"{"slug": "top"}"#, #"{"slug": "top", "gone": true}"#] {
      func payload(_ count: Int) -> String {
        let all = (0..<count).map { #"{"id": \#($0), "slug": "top"}"# } + [last]
        return "[\((all + (1..<count).map { #"{"id": \#($0), "slug": "s\#($0)"}"# }).joined(separator: ","))]"
      }
      let context = try Fixture.context(model)
      try context.importJSON(payload(100), ofEntity: "Hero")
      #expect(try context.fetch(ofEntity: "Hero").count == (last.contains("gone") ? 99 : 100))
      let error = try #require(throws: ImportError.self) { try context.importJSON(payload(101), ofEntity: "Hero") }
      #expect(
        error.diagnostics.map(\.message) == ["expected one object with the 'slug' of this one, found more than 100"])
      #expect(error.diagnostics.first?.path == "$[101]")
      #expect(context.checkInvariants().isEmpty)
    }
  }

  @Test(
    "M27: an incomplete identity can be completed, but not with the identity of another object",
    arguments: [false, true])
  func restOfIdentity(isPlaceholder: Bool) throws {
    let context = try Fixture.context(
      #"""
      "Issue": {"identityAttributes": ["repository", "number"], "alternateIdentities": [["slug"]],
        "attributes": {
          "repository": {"type": "string", "optional": true}, "number": {"type": "integer64", "optional": true},
          "slug": {"type": "string", "optional": true}
        },
        "relationships": {"next": {"destination": "Issue"}}}
      """#)
    try context.importJSON(#"{"repository": "a", "slug": "x"}"#, ofEntity: "Issue")
    try context.importJSON(
      isPlaceholder ? #"{"next": ["a", 1]}"# : #"{"repository": "a", "number": 1}"#, ofEntity: "Issue")
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(#"[{"number": 2, "slug": "y"}, {"number": 1, "slug": "x"}]"#, ofEntity: "Issue")
    }
    #expect(error?.diagnostics.map(\.path) == ["$[1]"] && error?.diagnostics.first?.code == .duplicateIdentity)
    #expect(context.checkInvariants().isEmpty)
    try context.importJSON(#"{"number": 2, "slug": "x"}"#, ofEntity: "Issue")
    #expect(try context.find(ofEntity: "Issue", identity: "a", 2)?["slug"] == "x")
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("M27: if two objects have the same alternate identity, the error is at the object that a dictionary describes")
  func toldOnce() throws {
    let context = try Fixture.context(
      #"""
      "Node": {"identityAttributes": "id", "alternateIdentities": ["slug"],
        "attributes": {"id": "integer64", "slug": {"type": "string", "optional": true}},
        "relationships": {
          "next": {"destination": "Node", "inverse": "previous"}, "previous": {"destination": "Node", "inverse": "next"}
        }}
      """#)
    try context.importJSON(#"[{"id": 1, "slug": "a"}, {"id": 2}]"#, ofEntity: "Node")
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(#"[{"id": 2, "next": 1}, {"id": 3, "slug": "a"}]"#, ofEntity: "Node")
    }
    #expect(error?.diagnostics.map(\.path) == ["$[1].slug"])
    let other = #expect(throws: ImportError.self) {
      try context.importJSON(#"[{"id": 4, "slug": "a", "next": 1}]"#, ofEntity: "Node")
    }
    #expect(other?.diagnostics.map(\.path) == ["$[0].slug"])
  }

  @Test("M27: several values, including related objects, form one identity; if one of them is nil, no object is found")
  func composite() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    try context.importJSON(
      #"[{"team": "x", "number": 1, "name": "A"}, {"team": "x", "number": 2}, {"team": "y", "number": 1}]"#,
      ofEntity: "Hero")
    try context.importJSON(
      #"[{"number": 1, "team": {"name": "x"}, "name": "B"}, {"number": 1, "team": null}, {"number": 1}]"#,
      ofEntity: "Hero")
    #expect(try heroes(context) == ["- - B", "- - -", "- - -", "- - -", "- - -"])
    let team = try #require(try context.find(ofEntity: "Team", id: "x"))
    let members: [ManagedObject] = team["heroes"]
    #expect(members.count == 2)
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("M27: changing the inverse of a to-one changes the alternate identities to which the to-one belongs")
  func inverse() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    try context.importJSON(#"[{"id": 1, "number": 5}, {"id": 2, "number": 6}]"#, ofEntity: "Hero")
    try context.importJSON(#"{"name": "x", "heroes": [1, 2]}"#, ofEntity: "Team")
    try context.importJSON(#"{"team": "x", "number": 6, "name": "B"}"#, ofEntity: "Hero")
    #expect(try heroes(context) == ["1 - -", "2 - B"])
    try context.importJSON(#"{"name": "x", "heroes": []}"#, ofEntity: "Team")
    try context.importJSON(#"{"team": "x", "number": 6, "name": "C"}"#, ofEntity: "Hero")
    #expect(try heroes(context).count == 3)
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("M27, I10: two objects with one alternate identity are refused, at the location in the payload")
  func duplicates() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    try context.importJSON(#"[{"id": 7, "slug": "a"}, {"id": 9, "team": "x", "number": 1}]"#, ofEntity: "Hero")
    let before = context.dump()
    for (payload, words) in [
      (
        #"[{"id": 8, "slug": "a"}]"#,
        #"expected a value of 'Hero.slug' that no other object has, found the string "a", as in 'Hero(7)'"#
      ),
      (#"[{"id": 8, "slug": "b"}, {"id": 10, "slug": "b"}]"#, "as in 'Hero(10)'"),
      (
        #"[{"id": 8, "team": "x", "number": 1}]"#,
        "expected values of 'Hero.team' and 'Hero.number' that no other object has"
      ),
      (#"[{"slug": "a", "team": "x", "number": 1}]"#, "as in 'Hero(9)'"),
    ] {
      let error = #expect(throws: ImportError.self, "\(payload)") { try context.importJSON(payload, ofEntity: "Hero") }
      #expect("\(try #require(error))".contains(words), "\(payload): \(error as Any)")
      #expect(context.dump() == before)
    }
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("M27: objects can exchange values in a payload, because the values are validated at its end")
  func exchange() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    try context.importJSON(#"[{"id": 1, "slug": "a"}, {"id": 2, "slug": "b"}]"#, ofEntity: "Hero")
    try context.importJSON(#"[{"id": 1, "slug": "b"}, {"id": 2, "slug": "a"}]"#, ofEntity: "Hero")
    #expect(try heroes(context) == ["1 b -", "2 a -"])
    try context.importJSON(#"[{"slug": "a", "name": "A"}]"#, ofEntity: "Hero")
    #expect(try heroes(context) == ["1 b -", "2 a A"])
  }

  @Test("M27: after a rollback, objects are found by their old values")
  func rollBack() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    try context.importJSON(#"[{"id": 1, "slug": "a"}]"#, ofEntity: "Hero")
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try context.atomically {
        try context.importJSON(#"[{"id": 1, "slug": "b"}, {"slug": "c"}]"#, ofEntity: "Hero")
        throw Stop()
      }
    }
    try context.importJSON(#"[{"slug": "a", "name": "A"}]"#, ofEntity: "Hero")
    #expect(try heroes(context) == ["1 a A"])
    try context.importJSON(#"[{"slug": "b"}]"#, ofEntity: "Hero")
    #expect(try heroes(context) == ["1 a A", "- b -"])
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("M27: setters can create equal values, but a commit refuses them")
  func commits() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    try context.importJSON(#"[{"id": 1, "slug": "a"}, {"id": 2, "slug": "b"}]"#, ofEntity: "Hero")
    let first = try #require(try context.find(ofEntity: "Hero", id: 1))
    first["slug"] = "b"
    let error = #expect(throws: ValidationError.self) { try context.commit() }
    #expect("\(try #require(error))".contains("'Hero(2)' (Hero(1))"), "\(error as Any)")
    first["slug"] = "c"
    try context.commit()
  }

  @Test("M27, D4: an object of a sub-entity is found by the parent entity's alternate identity")
  func subentities() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    try context.importJSON(#"[{"slug": "v", "plan": "p"}]"#, ofEntity: "Villain")
    try context.importJSON(#"[{"slug": "v", "id": 4}]"#, ofEntity: "Hero")
    #expect(try context.fetch(ofEntity: "Villain").map { $0["id"] as Int? } == [4])
    #expect(throws: ImportError.self) {
      try context.importJSON(#"[{"slug": "h"}]"#, ofEntity: "Hero")
      try context.importJSON(#"[{"slug": "h"}]"#, ofEntity: "Villain")
    }
  }

  @Test("M27: modification times and deletion marks also apply to an object that an alternate identity finds")
  func synchronization() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {
        "identityAttributes": "id", "alternateIdentities": ["slug"], "modificationAttribute": "at",
        "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
        "attributes": {"id": {"type": "integer64", "optional": true}, "slug": "string", "at": "integer64"}
      }
      """#)
    try context.importJSON(#"[{"id": 1, "slug": "a", "at": 5}, {"id": 2, "slug": "b", "at": 5}]"#, ofEntity: "Hero")
    try context.importJSON(#"[{"slug": "a", "at": 4}, {"slug": "b", "at": 6}]"#, ofEntity: "Hero")
    #expect(try context.fetch(ofEntity: "Hero").map { $0["at"] as Int? } == [5, 6])
    try context.importJSON(#"[{"slug": "a", "gone": true}]"#, ofEntity: "Hero")
    #expect(try context.fetch(ofEntity: "Hero").map { $0["slug"] as String? } == ["b"])
  }

  @Test("M27: objects nested in an owner that is part of their alternate identity are found, in each form of payload")
  func nested() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    let payload = #"{"name": "x", "heroes": [{"id": 1, "number": 5, "name": "A"}, {"number": 6, "name": "B"}]}"#
    try context.importJSON(payload, ofEntity: "Team")
    let before = context.dump()
    let report = try context.importJSON(payload, ofEntity: "Team")
    #expect(report.inserted.isEmpty && report.updated.isEmpty && context.dump() == before)
    try context.importJSON(
      #"{"heroes": [{"number": 6, "name": "C"}, {"number": 5, "id": 1}, {"number": 7}], "name": "x"}"#, ofEntity: "Team"
    )
    #expect(try heroes(context) == ["1 - A", "- - C", "- - -"])
    let team = try #require(try context.find(ofEntity: "Team", id: "x"))
    #expect((team["heroes"] as [ManagedObject]).count == 3)
    // Members of a known list (I24), and members under keys.
    try context.importJSON(#"[{"number": 7, "name": "D"}, {"number": 5}]"#, into: "heroes", of: team)
    #expect(try heroes(context) == ["1 - A", "- - C", "- - D"])
    // The list determines the team, even if a member names another team.
    let other =
      #"{"name": "y", "heroes": [{"number": 5, "name": "E", "team": null}, {"number": 7, "team": "x", "name": "F"}]}"#
    try context.importJSON(other, ofEntity: "Team")
    #expect(try heroes(context) == ["1 - A", "- - C", "- - D", "- - E", "- - F"])
    let again = try context.importJSON(other, ofEntity: "Team")
    #expect(again.inserted.isEmpty && again.updated.isEmpty)
    #expect(context.checkInvariants().isEmpty)
  }

  private static let synchronized = #"""
    "Hero": {
      "identityAttributes": "id", "alternateIdentities": ["slug"],
      "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
      "attributes": {
        "id": {"type": "integer64", "optional": true}, "slug": {"type": "string", "optional": true},
        "name": {"type": "string", "optional": true}
      }
    }
    """#

  @Test(
    "M27, M17: a value that moves from a deleted or renamed object to another object finds the other object"
  )
  func handedOver() throws {
    let gone = #"{"id": 1, "gone": true}"#
    let (new, other) = (#"{"id": 2, "slug": "x"}"#, #"{"id": 1, "slug": "y"}"#)
    for payload in [[gone, new], [new, gone], [new, other], [other, new]] {
      for position in 1...2 where position == 2 || payload[0] == new {
        let context = try Fixture.context(Self.synchronized)
        try context.importJSON(#"{"id": 1, "slug": "x", "name": "old"}"#, ofEntity: "Hero")
        var objects = payload
        objects.insert(#"{"slug": "x", "name": "new"}"#, at: position)
        try context.importJSON("[\(objects.joined(separator: ", "))]", ofEntity: "Hero")
        #expect(try heroes(context).filter { $0.hasPrefix("2") } == ["2 x new"], "\(objects)")
        #expect(context.checkInvariants().isEmpty)
      }
    }
  }

  @Test(
    "M27, M17: a deletion mark deletes the object that has the mark's alternate identity at the end, in each order")
  func deletions() throws {
    let stored = #"[{"id": 1, "slug": "x"}, {"id": 2, "slug": "y"}]"#
    for (payload, expected) in [
      ([#"{"id": 2, "slug": "x"}"#, #"{"slug": "x", "gone": true}"#], ["2 x -"]),
      ([#"{"id": 3, "slug": "x"}"#, #"{"slug": "x", "gone": true}"#], ["2 y -", "3 x -"]),
      ([#"{"id": 1, "gone": true}"#, #"{"id": 2, "slug": "x"}"#, #"{"slug": "x", "gone": true}"#], ["2 x -"]),
    ] {
      for shift in payload.indices {
        for kind in [nil] + ContextSource.Kind.allCases.filter({ $0 != .postgresql }) {
          let model = try ManagedObjectModel(
            text: "{\"keyStrategy\": \"sameName\", \"entities\": {\(Self.synchronized)}}")
          let source = try kind.map { try ContextSource($0, model) }
          var context = try source?.context() ?? ManagedObjectContext(model: model)
          try context.importJSON(stored, ofEntity: "Hero")
          if let source { context = try source.context() }
          let objects = payload[shift...] + payload[..<shift]
          try context.importJSON("[\(objects.joined(separator: ", "))]", ofEntity: "Hero")
          #expect(try heroes(context).sorted() == expected, "\(objects) \(kind as Any)")
        }
      }
    }
  }

  @Test("M27, M17: a dictionary is refused if its values might be lost with a deleted object")
  func ambiguous() throws {
    let context = try Fixture.context(Self.synchronized)
    try context.importJSON(#"{"id": 1, "slug": "x"}"#, ofEntity: "Hero")
    let before = context.dump()
    let payload = #"[{"slug": "x", "name": "new"}, {"id": 1, "gone": true}, {"id": 2, "slug": "x"}]"#
    let error = #expect(throws: ImportError.self) { try context.importJSON(payload, ofEntity: "Hero") }
    let text = "\(try #require(error))"
    #expect(
      text.contains(
        "1:2: error: expected one object with the 'slug' of this one, found 'Hero(1)', which the payload deletes, and 'Hero(2)'"
      ),
      "\(text)")
    #expect(context.dump() == before)
    for payload in [
      #"[{"slug": "x", "name": "new"}, {"id": 1, "slug": "z"}, {"id": 1, "gone": true}, {"id": 2, "slug": "x"}]"#,
      #"[{"slug": "x", "name": "new"}, {"id": 1, "slug": "z"}, {"id": 2, "slug": "x"}]"#,
    ] {
      let error = #expect(throws: ImportError.self) { try context.importJSON(payload, ofEntity: "Hero") }
      #expect("\(try #require(error))".contains("the 'slug' of this one, found 'Hero(1)', which the payload "))
      #expect(context.dump() == before)
    }
    try context.importJSON(#"[{"slug": "x", "name": "new"}, {"id": 1, "gone": true}]"#, ofEntity: "Hero")
    #expect(try heroes(context).isEmpty)
  }

  @Test("M27: the size of the index stays proportional to the number of objects, even if their values change often")
  func changes() throws {
    let context = try Fixture.context(Fixture.uniqueKeys)
    for round in 0..<3000 { try context.importJSON(#"[{"id": 1, "slug": "s\#(round)"}]"#, ofEntity: "Hero") }
    #expect(context.storageSizes.identities < 5000)
    try context.importJSON(#"[{"slug": "s2999", "name": "last"}]"#, ofEntity: "Hero")
    #expect(try heroes(context) == ["1 s2999 last"])
    #expect(context.checkInvariants().isEmpty)
  }
}
