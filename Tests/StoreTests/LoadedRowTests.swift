import Foundation
import Graft
import GraftSQLite
import Testing

/// The number of objects that a call loads (S3, S6), which is at most the number of objects that it returns or changes.
@Suite("Loaded rows") struct LoadedRowTests {
  final class Hero: ManagedObject {
    override class var entityName: String { "Hero" }
    override class var queryableProperties: [QueryableProperty] {
      [
        .init(\Hero.id, "id"), .init(\Hero.name, "name"), .init(\Hero.age, "age"),
        .init(\Hero.publisher, "publisher"),
      ]
    }
    var id: Int {
      get { self["id"] ?? 0 }
      set { self["id"] = newValue }
    }
    var name: String? {
      get { self["name"] }
      set { self["name"] = newValue }
    }
    var age: Int? {
      get { self["age"] }
      set { self["age"] = newValue }
    }
    var publisher: Publisher? {
      get { self["publisher"] }
      set { self["publisher"] = newValue }
    }
  }

  final class Publisher: ManagedObject {
    override class var entityName: String { "Publisher" }
  }

  enum Kind: CaseIterable { case snapshot, sqlite }

  private let model: ManagedObjectModel
  private let store: CountingStore
  private let context: ManagedObjectContext

  /// 500 heroes with ages from 0 to 49, one in ten of which is a placeholder, and ten publishers, which are all placeholders.
  private init(_ kind: Kind) throws {
    model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Hero": {
            "identityAttributes": "id",
            "attributes": {
              "id": "integer64", "name": {"type": "string", "optional": true}, "age": {"type": "integer64", "optional": true}
            },
            "relationships": {
              "publisher": {"destination": "Publisher", "inverse": "heroes", "optional": true},
              "friends": {"destination": "Hero", "toMany": true, "optional": true}
            }
          },
          "Publisher": {
            "identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher", "optional": true}}
          }
        }}
        """, classes: [Hero.self, Publisher.self])
    store = CountingStore(
      kind == .sqlite ? try SQLiteStore.inMemory(model: model) : SnapshotStore.inMemory(model: model))
    let heroes = (0..<500).filter { $0 % 10 > 0 }.map { id in
      #"{"id": \#(id), "name": "Hero \#(id)", "age": \#(id % 50), "publisher": \#(id % 10), "friends": [\#(id / 10 * 10)]}"#
    }
    try ManagedObjectContext(model: model, store: store)
      .importJSON("[\(heroes.joined(separator: ","))]", ofEntity: "Hero")
    context = try ManagedObjectContext(model: model, store: store)
  }

  init() throws { try self.init(.snapshot) }

  /// Changes two heroes, deletes two and inserts two.
  private func change() throws {
    for (id, age) in [(11, 100), (31, 7)] { try context.find(Hero.self, identity: id)?.age = age }
    for id in [12, 13] { try context.delete(#require(try context.find(Hero.self, identity: id))) }
    for (id, age) in [(900, 7), (901, 100)] {
      let hero = context.insert(Hero.self)
      (hero.id, hero.name, hero.age) = (id, "Hero \(id)", age)
    }
  }

  @Test("S3: the store selects placeholders", arguments: Kind.allCases)
  func placeholders(kind: Kind) throws {
    let test = try LoadedRowTests(kind)
    let read = try test.store.rowsRead { () throws in
      #expect(try test.context.placeholders.count == 59)
      #expect(try Set(test.context.placeholders.map(\.isPlaceholder)) == [true])
    }
    #expect(read == 118)
    let child = test.context.makeChild()
    #expect(try child.placeholders.map(\.description) == test.context.placeholders.map(\.description))
  }

  @Test("S3: pending changes to placeholders are taken into account", arguments: Kind.allCases)
  func changedPlaceholders(kind: Kind) throws {
    let test = try LoadedRowTests(kind)
    let read = try test.store.rowsRead { () throws in
      try test.context.atomically {
        try test.context.importJSON(#"[{"id": 0, "name": "Known", "friends": [1000]}]"#, ofEntity: "Hero")
        #expect(try test.context.placeholders.filter { $0 is Hero }.map { $0["id"] as Int? }.count == 50)
        #expect(try test.context.placeholders.last { $0 is Hero }?["id"] == 1000)
      }
      try test.context.delete(#require(try test.context.find(Hero.self, identity: 10)))
      #expect(try test.context.placeholders.filter { $0 is Hero }.count == 49)
      test.context.rollBack()
      #expect(try test.context.placeholders.filter { $0 is Hero }.count == 50)
    }
    #expect(read < 300)
    let other = try ManagedObjectContext(model: test.model, store: test.store)
    #expect(try other.placeholders.map(\.description) == test.context.placeholders.map(\.description))
  }

  @Test("S6: counting does not load objects", arguments: Kind.allCases)
  func counts(kind: Kind) throws {
    let test = try LoadedRowTests(kind)
    let age = 7
    let read = try test.store.rowsRead { () throws in
      #expect(try test.context.count(Hero.self) == 500 && test.context.count(ofEntity: "Publisher") == 9)
      #expect(try test.context.count(Hero.self, where: #Predicate { $0.age == age }) == 10)
      #expect(try test.context.sum(\Hero.age) == 11_250 && test.context.maximum(\Hero.age) == 49)
    }
    #expect(read == 0)
  }

  @Test("S6: with pending changes, counting loads only changed objects", arguments: Kind.allCases)
  func countsOfChanged(kind: Kind) throws {
    let test = try LoadedRowTests(kind)
    let age = 7
    try test.change()
    let read = try test.store.rowsRead { () throws in
      #expect(try test.context.count(Hero.self) == 500)
      #expect(try test.context.count(Hero.self, where: #Predicate { $0.age == age }) == 12)
      #expect(try test.context.count(Hero.self, where: #Predicate { $0.name == nil }) == 50)
    }
    #expect(read < 10)
    #expect(try test.context.fetch(Hero.self, where: #Predicate { $0.age == age }).count == 12)
    #expect(try test.context.fetch(Hero.self).count == 500)
  }

  @Test("S5: an object that another context has also inserted is counted once", arguments: Kind.allCases)
  func countedOnce(kind: Kind) throws {
    let test = try LoadedRowTests(kind)
    let hero = test.context.insert(Hero.self)
    (hero.id, hero.age) = (2_000, 7)
    let other = try ManagedObjectContext(model: test.model, store: test.store)
    try other.importJSON(#"{"id": 2000, "age": 7}"#, ofEntity: "Hero")
    let age = 7
    #expect(try test.context.count(Hero.self) == 501)
    #expect(try test.context.count(Hero.self, where: #Predicate { $0.age == age }) == 11)
    #expect(try test.context.fetch(Hero.self).count == 501)
  }

  @Test("S6: fetching a page loads only the page's objects", arguments: Kind.allCases)
  func pages(kind: Kind) throws {
    let test = try LoadedRowTests(kind)
    let (age, next, most) = (40, 41, 140)
    let read = try test.store.rowsRead { () throws in
      let old = try test.context.fetch(
        Hero.self, where: #Predicate { $0.age ?? 0 >= age }, sortedBy: [.ascending(\.name)], limit: 10)
      #expect(old.count == 10 && old.first?.name == "Hero 141")
      #expect(try test.context.exists(Hero.self, where: #Predicate { $0.age == next }))
      #expect(try !test.context.exists(Hero.self, where: #Predicate { $0.age == most }))
      #expect(try test.context.fetch(ofEntity: "Hero", limit: 3, offset: 2).count == 3)
    }
    #expect(read == 14)
  }

  @Test("S6: with pending changes, fetching a page loads only the page's objects", arguments: Kind.allCases)
  func pagesOfChanged(kind: Kind) throws {
    let test = try LoadedRowTests(kind)
    try test.change()
    let age = 7
    let read = try test.store.rowsRead { () throws in
      let old = try test.context.fetch(
        Hero.self, where: #Predicate { $0.age ?? 0 >= age }, sortedBy: [.descending(\.age), .ascending(\.name)],
        limit: 4)
      #expect(old.map(\.id) == [11, 901, 149, 199])
      #expect(
        try test.context.fetch(ofEntity: "Hero", sortedBy: [.descending("age"), .descending("id")], limit: 3).map {
          $0["id"] as Int?
        } == [901, 11, 499])
      #expect(try test.context.exists(Hero.self, where: #Predicate { $0.age == age }))
    }
    #expect(read <= 9)
    let other = try test.context.fetch(Hero.self, where: #Predicate { $0.age == age }, limit: 1)
    #expect(other.map(\.id) == [7])
  }
}
