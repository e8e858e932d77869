import Foundation
import Graft
import GraftPostgreSQL
import GraftSQLite
import GraftTestSupport
import Testing

/// `migratedFrom` in a model file: what a store of an earlier version has under other names and in other forms.
@Suite("Migrations that the model declares") struct DeclaredMigrationTests {
  enum Kind: CaseIterable {
    case sqlite, snapshot, postgresql

    static let available = allCases.filter { $0 != .postgresql || Cluster.isAvailable }
  }

  /// A place for a store.
  private final class Place {
    let kind: Kind
    private let folder: URL
    private let schema: PrivateSchema?

    init(_ kind: Kind) throws {
      self.kind = kind
      schema = kind == .postgresql ? try PrivateSchema() : nil
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func open(_ text: String, _ migrations: [StoreMigration] = []) throws -> ManagedObjectContext {
      let model = try ManagedObjectModel(text: text, name: "m.json")
      let url = folder.appendingPathComponent("store.graft")
      switch kind {
      case .postgresql:
        var options = PostgreSQLStore.Options()
        options.migrations = migrations
        return ManagedObjectContext(store: try PostgreSQLStore(schema?.url ?? "", model: model, options: options))
      case .sqlite:
        var options = SQLiteStore.Options()
        options.migrations = migrations
        return ManagedObjectContext(store: try SQLiteStore(at: url, model: model, options: options))
      case .snapshot:
        var options = SnapshotStore.Options()
        options.migrations = migrations
        return ManagedObjectContext(store: try SnapshotStore(at: url, model: model, options: options))
      }
    }

    /// Creates a store.
    func fill(_ text: String, _ entity: String, _ payload: String) throws {
      _ = try objects(ofEntity: entity, fromJSON: payload, in: try open(text))
    }
  }

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

  @Test("S21: a text is divided, and the last part is its rest", arguments: Kind.available)
  func split(kind: Kind) throws {
    let place = try Place(kind)
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
    // Once: what is changed later stays.
    let context = try place.open(next)
    try context.find(ofEntity: "Hero", id: 1)?.setValue("Augusta", of: "first")
    try context.commit()
    #expect(try Self.exported(place.open(next), "Hero") == expected.replacing(#""Ada""#, with: #""Augusta""#))
  }

  @Test("S21: texts are joined, without those that are nil", arguments: Kind.available)
  func join(kind: Kind) throws {
    let place = try Place(kind)
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
    "S21: a type is converted under the same name, by a transformer or by every form that loses nothing",
    arguments: Kind.available)
  func convert(kind: Kind) throws {
    let place = try Place(kind)
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

  @Test("S21: a value that cannot be converted is named, and the store stays as it was", arguments: Kind.available)
  func unfit(kind: Kind) throws {
    let place = try Place(kind)
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

  @Test("S21: attributes become objects of an entity, one for each identity", arguments: Kind.available)
  func extract(kind: Kind) throws {
    let place = try Place(kind)
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

  @Test("S21: an attribute that the model still has keeps its values", arguments: Kind.available)
  func kept(kind: Kind) throws {
    let place = try Place(kind)
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

  @Test("S21: objects of sub-entities get what their parent declares", arguments: Kind.available)
  func inherited(kind: Kind) throws {
    let place = try Place(kind)
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
    "S21: a store that skipped versions makes up for all of them, and later ones for none", arguments: Kind.available)
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
      let place = try Place(kind)
      try place.fill(versions[path[0]], "Item", #"[{"id": 1, "name": "x", "age": "5"}]"#)
      for version in path.dropFirst() { _ = try place.open(versions[version]).fetch(ofEntity: "Item") }
      #expect(try Self.exported(place.open(versions[2]), "Item") == #"[{"age":5,"id":1,"label":"x/5","name":"x"}]"#)
    }
    let place = try Place(kind)
    try place.fill(versions[2], "Item", #"[{"id": 1, "name": "x", "age": 5}]"#)
    #expect(try Self.exported(place.open(versions[2]), "Item") == #"[{"age":5,"id":1,"label":null,"name":"x"}]"#)
  }

  @Test(
    "S21: a tool migrates what the model declares, and leaves the steps of the program to it", arguments: Kind.available
  )
  func beside(kind: Kind) throws {
    let place = try Place(kind)
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
    let never = StoreMigration(to: "2") { _ in throw LawFailure("it runs again") }
    #expect(try Self.exported(place.open(next, [never]), "Item") == #"[{"age":5,"id":1,"note":"noted"}]"#)
  }

  @Test("S21: a misspelled source loses nothing: the store is not opened", arguments: Kind.available)
  func misspelled(kind: Kind) throws {
    let place = try Place(kind)
    try place.fill(Self.model("1", "Hero", #", "name": "string""#), "Hero", #"[{"id": 1, "name": "Ada King"}]"#)
    let next = Self.model(
      "2", "Hero",
      #", "first": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "nam"}}"#)
    let error = #expect(throws: StoreError.self) { try place.open(next) }
    #expect(error?.diagnostics.first?.code == .incompatibleModel)
    #expect(error?.description.contains("Hero.name") == true)
  }

  @Test("S21: the plan says what moves")
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
}
