import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// `migratedFrom` in a model file: values that a store of an earlier version has under different names or in different forms.
@Suite("Migrations that the model declares") struct DeclaredMigrationTests {
  typealias Kind = MigratedPlace.Kind

  /// A model of one version with an entity that is identified by `id`.
  private static func model(_ version: String, _ name: String, _ properties: String, _ others: String = "") -> String {
    """
    {"version": "\(version)", "keyStrategy": "sameName", "entities": {"\(name)": {"identityAttributes": "id",
      "attributes": {"id": "integer64"\(properties)}}\(others)}}
    """
  }

  private static func exported(_ context: ManagedObjectContext, _ entity: String) throws -> String {
    var options = ExportOptions()
    options.sortsKeys = true
    let objects = try context.fetch(ofEntity: entity, sortedBy: .ascending("id"))
    return String(decoding: try jsonData(from: objects, options: options), as: UTF8.self)
  }

  private static let optional = #""optional": true"#

  @Test("S21: a string is split, and the last part is the rest of the string", arguments: Kind.available)
  func split(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    try place.fill(
      Self.model("1", "Hero", #", "name": {"type": "string", "optional": true}"#), "Hero",
      #"[{"id": 1, "name": "Ada King Lovelace"}, {"id": 2, "name": "Otter"}, {"id": 3}]"#)
    let part = { (number: Int) in
      #"{"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "name", "separator": " ", "part": \#(number)}}"#
    }
    let next = Self.model("2", "Hero", #", "first": \#(part(0)), "last": \#(part(1))"#)
    let expected =
      #"[{"first":"Ada","id":1,"last":"King Lovelace"},{"first":"Otter","id":2,"last":null},{"first":null,"id":3,"last":null}]"#
    #expect(try Self.exported(place.open(next), "Hero") == expected)
    // The migration runs once, so later changes are kept.
    let context = try place.open(next)
    try context.find(ofEntity: "Hero", id: 1)?.setValue("Augusta", of: "first")
    try context.commit()
    #expect(try Self.exported(place.open(next), "Hero") == expected.replacing(#""Ada""#, with: #""Augusta""#))
  }

  @Test("S21: the string to split can have had several names, one of which a store has", arguments: Kind.available)
  func splitOfNames(kind: Kind) throws {
    for name in ["name", "label"] {
      let place = try MigratedPlace(kind)
      try place.fill(
        Self.model("1", "Hero", #", "\#(name)": {"type": "string", "optional": true}"#), "Hero",
        #"[{"id": 1, "\#(name)": "Ada King"}, {"id": 2}]"#)
      let part = { (number: Int) in
        #"{"type": "string", "optional": true, "migratedFrom": {"version": "3", "attributes": ["label", "name"], "separator": " ", "part": \#(number)}}"#
      }
      let next = Self.model("3", "Hero", #", "first": \#(part(0)), "last": \#(part(1))"#)
      #expect(
        try Self.exported(place.open(next), "Hero")
          == #"[{"first":"Ada","id":1,"last":"King"},{"first":null,"id":2,"last":null}]"#)
    }
  }

  @Test(
    "S21: two names of a string to split cause an error if their values contradict each other",
    arguments: Kind.available)
  func splitOfContradictingNames(kind: Kind) throws {
    for (label, isSame) in [("Ada King", true), ("Bob Jones", false)] {
      let place = try MigratedPlace(kind)
      try place.fill(
        Self.model("1", "Hero", #", "name": {"type": "string"}, "label": {"type": "string"}"#), "Hero",
        #"[{"id": 1, "name": "Ada King", "label": "\#(label)"}]"#)
      let part = { (number: Int) in
        #"{"type": "string", "optional": true, "migratedFrom": {"version": "3", "attributes": ["label", "name"], "separator": " ", "part": \#(number)}}"#
      }
      let next = Self.model("3", "Hero", #", "first": \#(part(0)), "last": \#(part(1))"#)
      if isSame {
        #expect(try Self.exported(place.open(next), "Hero") == #"[{"first":"Ada","id":1,"last":"King"}]"#)
      } else {
        let error = try #require(throws: StoreError.self) { try place.open(next) }
        #expect(error.description.contains("different text under several of the names"), "\(error)")
      }
    }
  }

  @Test("S21: strings are joined, and strings that are nil are left out", arguments: Kind.available)
  func join(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    try place.fill(
      Self.model(
        "1", "Place",
        #", "street": {"type": "string", "optional": true}, "number": {"type": "integer64", "optional": true}"#),
      "Place", #"[{"id": 1, "street": "Elm", "number": 7}, {"id": 2, "street": "Oak"}, {"id": 3}]"#)
    let next = Self.model(
      "2", "Place",
      #", "address": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": ["street", "number"], "separator": " "}}"#
    )
    #expect(
      try Self.exported(place.open(next), "Place")
        == #"[{"address":"Elm 7","id":1},{"address":"Oak","id":2},{"address":null,"id":3}]"#)
  }

  @Test(
    "S21: a type is converted under the same name, by a transformer or by a built-in conversion that loses nothing",
    arguments: Kind.available)
  func convert(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    try place.fill(
      Self.model("1", "Item", #", "age": "string", "day": "string", "tags": "string""#), "Item",
      #"[{"id": 1, "age": "41", "day": "22.09.2024", "tags": "a, b"}, {"id": 2, "age": "7", "day": "01.01.2000", "tags": ""}]"#
    )
    let next = Self.model(
      "2", "Item",
      #"""
      , "age": {"type": "integer64", "migratedFrom": {"version": "2", "attributes": "age"}},
      "day": {"type": "date", "migratedFrom": {"version": "2", "attributes": "day", "JSONTransformerName": "DateFormat(dd.MM.yyyy)"}},
      "tags": {"type": "string", "list": true, "migratedFrom": {"version": "2", "attributes": "tags", "separator": ", "}}
      """#)
    #expect(
      try Self.exported(place.open(next), "Item")
        == #"[{"age":41,"day":"2024-09-22T00:00:00Z","id":1,"tags":["a","b"]},{"age":7,"day":"2000-01-01T00:00:00Z","id":2,"tags":[]}]"#
    )
  }

  @Test("S21: the error names a value that cannot be converted, and the store is unchanged", arguments: Kind.available)
  func unfit(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    let first = Self.model("1", "Item", #", "age": "string""#)
    try place.fill(first, "Item", #"[{"id": 1, "age": "41"}, {"id": 2, "age": "old"}]"#)
    let next = Self.model(
      "2", "Item", #", "age": {"type": "integer64", "migratedFrom": {"version": "2", "attributes": "age"}}"#)
    let error = #expect(throws: StoreError.self) { try place.open(next) }
    let words = "'Item.age' cannot have the value that 'Item(2)' gives it: expected"
    #expect(error?.diagnostics.map(\.code) == [.failedMigration, .failedMigration])
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    #expect(try Self.exported(place.open(first), "Item") == #"[{"age":"41","id":1},{"age":"old","id":2}]"#)
  }

  private static let teams = """
    , "Team": {"identityAttributes": "name", "attributes": {"name": "string", "city": {"type": "string", "optional": true}},
      "relationships": {"members": {"destination": "Member", "toMany": true, "inverse": "team", "JSONKeyPath": null}}}
    """

  @Test("S21: attributes become objects of an entity, one object for each identity", arguments: Kind.available)
  func extract(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    let column = #"{"type": "string", "optional": true}"#
    try place.fill(
      Self.model("1", "Member", #", "team": \#(column), "city": \#(column)"#), "Member",
      #"[{"id": 1, "team": "Otters", "city": "Bonn"}, {"id": 2, "team": "Owls"}, {"id": 3, "team": "Otters", "city": "Bonn"}, {"id": 4}]"#
    )
    let next = """
      {"version": "2", "keyStrategy": "sameName", "entities": {"Member": {"identityAttributes": "id",
        "attributes": {"id": "integer64"}, "relationships": {"team": {"destination": "Team", "inverse": "members",
          "migratedFrom": {"version": "2", "attributes": {"name": "team", "city": "city"}}}}}\(Self.teams)}}
      """
    let context = try place.open(next)
    #expect(
      try Self.exported(context, "Member")
        == #"[{"id":1,"team":{"city":"Bonn","name":"Otters"}},{"id":2,"team":{"city":null,"name":"Owls"}},{"id":3,"team":{"city":"Bonn","name":"Otters"}},{"id":4,"team":null}]"#
    )
    #expect(try context.count(ofEntity: "Team") == 2)
    #expect(context.checkInvariants() == [])
  }

  @Test("S21: a source attribute that is still in the model keeps its values", arguments: Kind.available)
  func kept(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    try place.fill(Self.model("1", "Hero", #", "name": "string""#), "Hero", #"[{"id": 1, "name": "Ada King"}]"#)
    let next = Self.model(
      "2", "Hero",
      #"""
      , "title": {"type": "string", "renamedFrom": "name"},
      "first": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "name", "separator": " ", "part": 0}},
      "rest": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "name", "separator": " ", "part": 1}}
      """#)
    #expect(
      try Self.exported(place.open(next), "Hero") == #"[{"first":"Ada","id":1,"rest":"King","title":"Ada King"}]"#)
  }

  @Test("S21: objects of sub-entities get the values that their parent entity declares", arguments: Kind.available)
  func inherited(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    let sub = #", "Villain": {"parent": "Hero", "attributes": {"plan": {"type": "string", "optional": true}}}"#
    try place.fill(
      Self.model("1", "Hero", #", "age": {"type": "string", "optional": true}"#, sub), "Villain",
      #"[{"id": 1, "age": "30", "plan": "x"}]"#)
    let next = Self.model(
      "2", "Hero",
      #", "age": {"type": "integer64", "optional": true, "migratedFrom": {"version": "2", "attributes": "age"}}"#, sub)
    #expect(try Self.exported(place.open(next), "Villain") == #"[{"age":30,"id":1,"plan":"x"}]"#)
  }

  @Test(
    "S21: a store that skipped versions runs the migrations of all of them; a store of the latest version runs none",
    arguments: Kind.available)
  func skipped(kind: Kind) throws {
    let two = #"{"type": "integer64", "migratedFrom": {"version": "2", "attributes": "age"}}"#
    let label =
      #""label": {"type": "string", "optional": true, "migratedFrom": {"version": "3", "attributes": ["name", "age"], "separator": "/"}}"#
    let versions = [
      Self.model("1", "Item", #", "name": "string", "age": "string""#),
      Self.model("2", "Item", #", "name": "string", "age": \#(two)"#),
      Self.model("3", "Item", #", "name": "string", "age": \#(two), \#(label)"#),
    ]
    for path in [[0, 2], [0, 1, 2]] {
      let place = try MigratedPlace(kind)
      try place.fill(versions[path[0]], "Item", #"[{"id": 1, "name": "x", "age": "5"}]"#)
      for version in path.dropFirst() { _ = try place.open(versions[version]).fetch(ofEntity: "Item") }
      #expect(try Self.exported(place.open(versions[2]), "Item") == #"[{"age":5,"id":1,"label":"x/5","name":"x"}]"#)
    }
    let place = try MigratedPlace(kind)
    try place.fill(versions[2], "Item", #"[{"id": 1, "name": "x", "age": 5}]"#)
    #expect(try Self.exported(place.open(versions[2]), "Item") == #"[{"age":5,"id":1,"label":null,"name":"x"}]"#)
  }

  @Test(
    "S21: a tool runs the migrations that the model declares, and leaves the program's steps to the program",
    arguments: Kind.available
  )
  func beside(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    try place.fill(Self.model("1", "Item", #", "age": "string""#), "Item", #"[{"id": 1, "age": "5"}]"#)
    let next = Self.model(
      "2", "Item",
      #", "age": {"type": "integer64", "migratedFrom": {"version": "2", "attributes": "age"}}, "note": {"type": "string", "optional": true}"#
    )
    #expect(try Self.exported(place.open(next), "Item") == #"[{"age":5,"id":1,"note":null}]"#)
    let step = StoreMigration(to: "2") { step in
      try step.forEach("Item") { _, new in try new?.setValue("noted", of: "note") }
    }
    #expect(try Self.exported(place.open(next, [step]), "Item") == #"[{"age":5,"id":1,"note":"noted"}]"#)
    let never = StoreMigration(to: "2") { _ in throw CancellationError() }
    #expect(try Self.exported(place.open(next, [never]), "Item") == #"[{"age":5,"id":1,"note":"noted"}]"#)
  }

  @Test("S21: a misspelled source does not lose values: the store is not opened", arguments: Kind.available)
  func misspelled(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    try place.fill(Self.model("1", "Hero", #", "name": "string""#), "Hero", #"[{"id": 1, "name": "Ada King"}]"#)
    let next = Self.model(
      "2", "Hero",
      #", "first": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "nam"}}"#)
    let error = #expect(throws: StoreError.self) { try place.open(next) }
    #expect(error?.diagnostics.first?.code == .incompatibleModel)
    #expect(error?.description.contains("Hero.name") == true)
  }

  private static let members = model(
    "1", "Member", #", "team": {"type": "string", "optional": true}, "city": {"type": "string", "optional": true}"#)
  private static let membersOfTeams = """
    {"version": "2", "keyStrategy": "sameName", "entities": {"Member": {"identityAttributes": "id",
      "attributes": {"id": "integer64"}, "relationships": {"team": {"destination": "Team", "inverse": "members",
        "migratedFrom": {"version": "2", "attributes": {"name": "team", "city": "city"}}}}}\(teams)}}
    """

  @Test(
    "S21: if several objects provide one object's values, known values win over nil, and contradictions are refused",
    arguments: Kind.available)
  func contradictions(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    try place.fill(
      Self.members, "Member", #"[{"id": 1, "team": "Otters", "city": "Bonn"}, {"id": 2, "team": "Otters"}]"#)
    let context = try place.open(Self.membersOfTeams)
    #expect(try context.find(ofEntity: "Team", id: "Otters")?["city"] as String? == "Bonn")

    let other = try MigratedPlace(kind)
    try other.fill(
      Self.members, "Member",
      #"[{"id": 1, "team": "Otters", "city": "Bonn"}, {"id": 2, "team": "Otters", "city": "Ulm"}]"#)
    let error = #expect(throws: StoreError.self) { try other.open(Self.membersOfTeams) }
    let words =
      "'Team.city' cannot have the value that 'Member(2)' gives it: 'Team(Otters)' already has a different value"
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    #expect(try other.open(Self.members).count(ofEntity: "Member") == 2)
  }

  /// A hierarchy: `Being` with the sub-entities `Hero` and `Villain`, and the attributes of each entity.
  private static func beings(
    _ version: String, being: String = "", hero: String = "", villain: String = "", isAbstract: Bool = false
  ) -> String {
    func attribute(_ text: String) -> String {
      guard !text.isEmpty else { return "" }
      let parts = text.split(separator: "<").map(String.init)
      let migration =
        parts.count > 1 ? #", "migratedFrom": {"version": "\#(version)", "attributes": "\#(parts[1])"}"# : ""
      return #""\#(parts[0])": {"type": "string", "optional": true\#(migration)}"#
    }
    let own = attribute(being)
    return """
      {"version": "\(version)", "keyStrategy": "sameName", "entities": {
        "Being": {"abstract": \(isAbstract), "identityAttributes": "id", "attributes": {"id": "integer64"\(own.isEmpty ? "" : ", \(own)")}},
        "Hero": {"parent": "Being", "attributes": {\(attribute(hero))}},
        "Villain": {"parent": "Being", "attributes": {\(attribute(villain))}}}}
      """
  }

  @Test("S21: whether a store has an attribute does not depend on whether it has objects", arguments: Kind.available)
  func attributeOfOthers(kind: Kind) throws {
    for (entity, payload, expected) in [
      ("Villain", #"[{"id": 1}]"#, #"[{"id":1,"y":null}]"#),
      ("Hero", #"[{"id": 1, "x": "a"}]"#, #"[{"id":1,"y":"a"}]"#),
      ("Being", "[]", "[]"),
    ] {
      let place = try MigratedPlace(kind)
      try place.fill(Self.beings("1", hero: "x"), entity, payload)
      #expect(try Self.exported(place.open(Self.beings("2", being: "y<x")), "Being") == expected, "\(entity)")
    }
  }

  @Test(
    "S21: attributes move within their hierarchy without consent if every object that can have a value keeps it",
    arguments: Kind.available)
  func withinHierarchy(kind: Kind) throws {
    for name in ["x", "y"] {
      // From both sub-entities to their parent.
      let up = try MigratedPlace(kind)
      let both = Self.beings("1", hero: "x", villain: "x")
      try up.fill(both, "Hero", #"[{"id": 1, "x": "a"}]"#)
      try up.fill(both, "Villain", #"[{"id": 2, "x": "b"}]"#)
      let raised = try up.open(Self.beings("2", being: "\(name)<x"))
      #expect(try Self.exported(raised, "Being") == #"[{"id":1,"\#(name)":"a"},{"id":2,"\#(name)":"b"}]"#)
      // From a parent that has no objects of its own to all sub-entities, or to one of them.
      for isAbstract in [true, false] {
        for villain in ["\(name)<x", ""] {
          let down = try MigratedPlace(kind)
          let parent = Self.beings("1", being: "x", isAbstract: isAbstract)
          try down.fill(parent, "Hero", #"[{"id": 1, "x": "a"}]"#)
          try down.fill(parent, "Villain", #"[{"id": 2, "x": "b"}]"#)
          let next = Self.beings("2", hero: "\(name)<x", villain: villain, isAbstract: isAbstract)
          if isAbstract, !villain.isEmpty {
            let lowered = try down.open(next)
            #expect(try Self.exported(lowered, "Hero") == #"[{"id":1,"\#(name)":"a"}]"#)
            #expect(try Self.exported(lowered, "Villain") == #"[{"id":2,"\#(name)":"b"}]"#)
          } else {
            let error = #expect(throws: StoreError.self) { try down.open(next) }
            #expect(error?.description.contains("'Being.x'") == true, "\(String(describing: error))")
          }
        }
      }
    }
  }

  @Test(
    "S21: if an attribute has another source, the values under its former name are not removed without consent",
    arguments: Kind.available)
  func formerNames(kind: Kind) throws {
    let text = #"{"type": "string", "optional": true"#
    func migrated(_ source: String) -> String {
      #""migratedFrom": {"version": "2", "attributes": "\#(source)", "JSONTransformerName": "Lenient"}"#
    }
    let cases: [(old: [String], new: String)] = [
      (["x", "w"], #""x": \#(text), "renamedFrom": ["w"], \#(migrated("x"))}"#),
      (
        ["x", "q", "z"], #""x": \#(text), "renamedFrom": ["q"], \#(migrated("z"))}, "y": \#(text), \#(migrated("q"))}"#
      ),
    ]
    for (old, new) in cases {
      let place = try MigratedPlace(kind)
      let attributes = old.map { #", "\#($0)": \#(text)}"# }.joined()
      let values = old.map { #", "\#($0)": "\#($0)""# }.joined()
      try place.fill(Self.model("1", "Hero", attributes), "Hero", #"[{"id": 1\#(values)}]"#)
      let error = #expect(throws: StoreError.self, "\(new)") { try place.open(Self.model("2", "Hero", ", \(new)")) }
      #expect(error?.diagnostics.first?.code == .incompatibleModel, "\(error as Any)")
    }
  }

  @Test("S21: a placeholder that gets an attribute's values becomes a full object", arguments: Kind.available)
  func placeholder(kind: Kind) throws {
    func text(_ version: String, _ attribute: String, _ relationship: String) -> String {
      """
      {"version": "\(version)", "keyStrategy": "sameName", "entities": {
        "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"\(attribute)},
          "relationships": {"home": {"destination": "Team"}\(relationship)}},
        "Team": {"identityAttributes": "id", "attributes": {"id": "integer64", "rank": {"type": "integer64", "default": 3}}}}}
      """
    }
    let place = try MigratedPlace(kind)
    try place.fill(
      text("1", #", "tid": {"type": "integer64", "optional": true}"#, ""), "Hero",
      #"[{"id": 1, "tid": 7, "home": 7}, {"id": 2, "tid": 8}]"#)
    let context = try place.open(
      text(
        "2", "",
        #", "team": {"destination": "Team", "migratedFrom": {"version": "2", "attributes": {"id": "tid"}}}"#))
    let teams = try context.fetch(ofEntity: "Team")
    #expect(teams.count == 2 && teams.allSatisfy { !$0.isPlaceholder && $0["rank"] == 3 })
  }

  @Test(
    "S21: values are not removed without consent if no new property covers the objects that have them",
    arguments: Kind.available)
  func uncovered(kind: Kind) throws {
    let alias = #""alias": {"type": "string", "optional": true"#
    let first = Self.model("1", "Hero", ", \(alias)}", #", "Villain": {"parent": "Hero"}"#)
    let next = { (head: String) in
      """
      {\(head)"version": "2", "keyStrategy": "sameName", "entities": {"Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
        "Villain": {"parent": "Hero", "attributes": {"tag": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "alias"}}}}}}
      """
    }
    let place = try MigratedPlace(kind)
    try place.fill(first, "Hero", #"[{"id": 1, "alias": "A"}]"#)
    let error = #expect(throws: StoreError.self) { try place.open(next("")) }
    #expect(error?.description.contains("'Hero.alias'") == true)
    let villains = try MigratedPlace(kind)
    try villains.fill(first, "Villain", #"[{"id": 1, "alias": "A"}]"#)
    let context = try villains.open(next(#""removed": ["Hero.alias"], "#))
    #expect(try Self.exported(context, "Villain") == #"[{"id":1,"tag":"A"}]"#)
    // In the other direction, the parent covers all of its objects.
    let sub = try MigratedPlace(kind)
    try sub.fill(
      Self.model("1", "Hero", "", ", \"Villain\": {\"parent\": \"Hero\", \"attributes\": {\(alias)}}}"), "Villain",
      #"[{"id": 1, "alias": "A"}]"#)
    let parent = Self.model(
      "2", "Hero",
      #", "tag": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "alias"}}"#,
      #", "Villain": {"parent": "Hero"}"#)
    #expect(try Self.exported(sub.open(parent), "Villain") == #"[{"id":1,"tag":"A"}]"#)
  }

  @Test(
    "S21: an attribute's existing values are not overwritten, but two attributes can exchange their values",
    arguments: Kind.available)
  func ownValues(kind: Kind) throws {
    let first = Self.model("1", "Item", #", "a": "string", "b": "string""#)
    let from = { (source: String) in
      #"{"type": "string", "migratedFrom": {"version": "2", "attributes": "\#(source)"}}"#
    }
    let place = try MigratedPlace(kind)
    try place.fill(first, "Item", #"[{"id": 1, "a": "x", "b": "y"}]"#)
    let error = #expect(throws: StoreError.self) { try place.open(Self.model("2", "Item", #", "a": \#(from("b"))"#)) }
    #expect(
      error?.description.contains("'Item(1)' already has a different value") == true, "\(String(describing: error))")
    let exchanged = Self.model("2", "Item", #", "a": \#(from("b")), "b": \#(from("a"))"#)
    #expect(try Self.exported(place.open(exchanged), "Item") == #"[{"a":"y","b":"x","id":1}]"#)
  }

  @Test("S21: a tool that does not have the program's transformer changes nothing", arguments: Kind.available)
  func unknownTransformer(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    let first = Self.model("1", "Item", #", "size": "string""#)
    try place.fill(first, "Item", #"[{"id": 1, "size": "XL"}]"#)
    let next = Self.model(
      "2", "Item",
      #", "size": {"type": "integer64", "optional": true, "migratedFrom": {"version": "2", "attributes": "size", "JSONTransformerName": "Size"}}"#
    )
    let tool = try ManagedObjectModel(
      source: SourceText(name: "m.json", bytes: Array(next.utf8)), unregisteredNames: .warning)
    let error = #expect(throws: StoreError.self) { try place.open(tool) }
    #expect(
      error?.description.contains("'Item.size' needs the transformer 'Size', which is not registered") == true,
      "\(String(describing: error))")
    #expect(try Self.exported(place.open(first), "Item") == #"[{"id":1,"size":"XL"}]"#)
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Size") { (text: String) -> Int? in text == "XL" ? 4 : nil }
    #expect(
      try Self.exported(place.open(ManagedObjectModel(text: next, transformers: registry)), "Item")
        == #"[{"id":1,"size":4}]"#)
  }

  @Test("M29: errors do not show the values of sensitive attributes", arguments: Kind.available)
  func sensitive(kind: Kind) throws {
    let place = try MigratedPlace(kind)
    try place.fill(Self.model("1", "Item", #", "pin": "string""#), "Item", #"[{"id": 1, "pin": "abc123"}]"#)
    let error = #expect(throws: StoreError.self) {
      try place.open(
        Self.model(
          "2", "Item",
          #", "pin": {"type": "integer64", "sensitive": true, "migratedFrom": {"version": "2", "attributes": "pin"}}"#))
    }
    #expect(error?.description.contains("found <hidden>") == true && error?.description.contains("abc123") == false)
  }

  @Test("S21: a model that would lose a part of a string is rejected, unless it keeps the whole string")
  func lostParts() throws {
    let last =
      #", "last": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "name", "separator": " ", "part": 1}}"#
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(text: Self.model("2", "Hero", last)) }
    #expect(error?.description.contains("no attribute takes part 0, which would be lost") == true)
    let kept = Self.model("2", "Hero", #", "name": "string""# + last)
    _ = try ManagedObjectModel(text: kept)
    let place = try MigratedPlace(.sqlite)
    try place.fill(Self.model("1", "Hero", #", "name": "string""#), "Hero", #"[{"id": 1, "name": "Ada King"}]"#)
    let far = kept.replacing("\"part\": 1", with: "\"part\": \(Int.max)")
    #expect(try Self.exported(place.open(far), "Hero") == #"[{"id":1,"last":null,"name":"Ada King"}]"#)
  }

  @Test("S21: the plan lists the values that move")
  func plan() throws {
    let old = try ManagedObjectModel(text: Self.model("1", "Item", #", "street": "string", "city": "string""#))
    let new = try ManagedObjectModel(
      text: Self.model(
        "2", "Item",
        #", "address": {"type": "string", "migratedFrom": {"version": "2", "attributes": ["street", "city"], "separator": ", "}}"#
      ))
    let plan = SQLiteStore.migrationPlan(from: old, to: new)
    #expect(plan.isPossible, "\(plan)")
    #expect(plan.changes.contains("give 'Item.address' the values of 'street' and 'city'"), "\(plan)")
  }

  /// A member with a team that is made from its attributes.
  private static func teams(_ names: String) -> String {
    #"""
    {"version": "2", "keyStrategy": "sameName", "entities": {
      "M": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "team": {"destination": "T", "migratedFrom": {"version": "2", "attributes": \#(names)}}}},
      \#(team)}}
    """#
  }

  private static let team = #"""
    "T": {"identityAttributes": "name",
      "attributes": {"name": "string", "city": {"type": "string", "optional": true, "default": "Bonn"}}}
    """#

  private static func members(_ others: String = "") -> String {
    #"""
    {"version": "1", "keyStrategy": "sameName", "entities": {
      "M": {"identityAttributes": "id", "attributes": {"id": "integer64",
        "tname": {"type": "string", "optional": true}, "tcity": {"type": "string", "optional": true}}}\#(others)}}
    """#
  }

  private static let names = [#"{"name": "tname", "city": "tcity"}"#, #"{"city": "tcity", "name": "tname"}"#]

  @Test(
    "S21: two different values contradict each other, even if one is the default, in any order of the attributes",
    arguments: MigratedPlace.Kind.available, names)
  func contradictedDefault(kind: MigratedPlace.Kind, names: String) throws {
    for cities in [["Bonn", "Ulm"], ["Ulm", "Bonn"]] {
      let place = try MigratedPlace(kind)
      let members = cities.enumerated().map { #"{"id": \#($0), "tname": "O", "tcity": "\#($1)"}"# }
      try place.fill(Self.members(), "M", "[\(members.joined(separator: ","))]")
      let error = #expect(throws: StoreError.self, "\(cities)") { try place.open(Self.teams(names)) }
      #expect(error?.description.contains("'T(O)' already has a different value") == true, "\(cities)")
    }
  }

  @Test(
    "S21: a new object of an existing entity gets its values in place of defaults, in any order of the attributes",
    arguments: MigratedPlace.Kind.available, names)
  func replacedDefault(kind: MigratedPlace.Kind, names: String) throws {
    let place = try MigratedPlace(kind)
    try place.fill(
      Self.members(", \(Self.team)"), "M", #"[{"id": 1, "tname": "N", "tcity": "Ulm"}, {"id": 2, "tname": "N"}]"#)
    let context = try place.open(Self.teams(names))
    #expect(try context.find(ofEntity: "T", id: "N")?["city"] as String? == "Ulm")
  }
}
