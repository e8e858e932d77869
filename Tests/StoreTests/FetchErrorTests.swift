import Foundation
import Graft
import GraftTestSupport
import Testing

/// Fetches that fail because the store cannot be read, or because the model does not allow them.
@Suite("Fetches that fail") struct FetchErrorTests {
  final class Hero: ManagedObject {
    override class var queryableProperties: [QueryableProperty] {
      [.init(\Hero.id, "id"), .init(\Hero.name, "name"), .init(\Hero.publisher, "publisher")]
    }
    var id: Int { self["id"] ?? 0 }
    var name: String? { self["name"] }
    var publisher: ManagedObject? { self["publisher"] }
  }

  /// A class whose entity is not in the model.
  final class Villain: ManagedObject {
    var name: String? { self["name"] }
  }

  struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: @Sendable (ManagedObjectContext) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) {
      (testDescription, self.body) = (name, body)
    }
  }

  /// Calls that read the store.
  static let calls = [
    Call("fetch a class") { _ = try $0.fetch(Hero.self) },
    Call("fetch a page") { _ = try $0.fetch(Hero.self, sortedBy: \.name, limit: 1) },
    Call("fetch with a closure") { _ = try $0.fetch(Hero.self) { $0.id > 1 } },
    Call("fetch with a predicate") { _ = try $0.fetch(Hero.self, where: #Predicate { $0.id > 1 }) },
    Call("fetch with a condition") { _ = try $0.fetch(Hero.self, where: "id > 1") },
    Call("fetch an entity") { _ = try $0.fetch(ofEntity: "Hero") },
    Call("fetch an entity with a closure") { _ = try $0.fetch(ofEntity: "Hero") { $0["id"] != 1 } },
    Call("fetchOne") { _ = try $0.fetchOne(Hero.self, where: "id > 1") },
    Call("find by identity") { _ = try $0.find(Hero.self, identity: 1) },
    Call("find by id") { _ = try $0.find(Hero.self, id: 1) },
    Call("find by several values") { _ = try $0.find(Hero.self, identity: 1 as any AttributeConvertible) },
    Call("find in an entity") { _ = try $0.find(ofEntity: "Hero", identity: 1) },
    Call("find in an entity by id") { _ = try $0.find(ofEntity: "Hero", id: 1) },
    Call("count a class") { _ = try $0.count(Hero.self) },
    Call("count with a closure") { _ = try $0.count(Hero.self) { $0.id > 1 } },
    Call("exists with a closure") { _ = try $0.exists(Hero.self) { $0.id > 1 } },
    Call("fetchOne with a closure") { _ = try $0.fetchOne(Hero.self) { $0.id > 1 } },
    Call("count with a condition") { _ = try $0.count(Hero.self, where: "id > 1") },
    Call("count an entity") { _ = try $0.count(ofEntity: "Hero") },
    Call("exists") { _ = try $0.exists(Hero.self, where: "id > 1") },
    Call("placeholders") { _ = try $0.placeholders },
    Call("sum") { _ = try $0.sum(\Hero.id) },
  ]

  private let model: ManagedObjectModel
  private let store: CountingStore
  private let context: ManagedObjectContext

  init() throws {
    model = try ManagedObjectModel(
      text: "{\"keyStrategy\": \"sameName\", \"entities\": {\n\(Fixture.comics)\n}}", name: "m.json",
      classes: [Hero.self])
    store = CountingStore(model)
    try ManagedObjectContext(store: store).load(StoredComics.heroes, "Hero")
    context = ManagedObjectContext(store: store)
  }

  private func message(_ body: () throws -> Void) -> String? {
    let error = #expect(throws: StoreError.self) { try body() }
    return error.map { "\($0)" }
  }

  // MARK: The store

  @Test("S8: a call that cannot read the store throws, and the context can still be used", arguments: calls)
  func unreadable(_ call: Call) throws {
    store.fail(at: 1)
    #expect(message { try call.body(context) } == "error: the store fails")
    store.fail(at: 0)
    try call.body(context)
    #expect(context.checkInvariants() == [] && !context.hasChanges)
    #expect(try context.fetch(Hero.self, sortedBy: \.id).map(\.name) == ["Heron", "Otter", "Newt"])
    try context.find(Hero.self, id: 1)?["name"] = "Bittern"
    try context.commit()
  }

  @Test("S8: a call that cannot take over other contexts' commits throws", arguments: calls)
  func unmergeable(_ call: Call) throws {
    _ = try context.count(Hero.self)
    context.mergesChanges = true
    try ManagedObjectContext(store: store).load(#"[{"id": 4}]"#, "Hero")
    store.failSnapshots()
    #expect(message { try call.body(context) } == "error: the store fails")
    store.failSnapshots(false)
    try call.body(context)
    #expect(try context.count(Hero.self) == 4)
  }

  @Test("S8: a fetch fails if its closure reads an object that cannot be loaded")
  func closure() throws {
    _ = try context.fetch(Hero.self)
    func fetch() throws -> [Hero] { try context.fetch(Hero.self) { ($0.publisher?["name"] as String?) == "Marsh" } }
    store.fail(at: 1)
    #expect(message { _ = try fetch() } == "error: the store fails")
    store.fail(at: 0)
    #expect(try fetch().map(\.id) == [1, 2])
    struct Stop: Error {}
    #expect(throws: Stop.self) { try context.fetch(Hero.self) { _ in throw Stop() } }
    #expect(throws: Stop.self) { try context.count(Hero.self) { _ in throw Stop() } }
  }

  @Test("S8: a fetch fails if it sorts by a property that cannot be loaded")
  func sorting() throws {
    _ = try context.fetch(Hero.self)
    func fetch() throws -> [Hero] {
      try context.fetch(Hero.self, sortedBy: .descending { $0.publisher?["name"] as String? }, .descending(\.id))
    }
    store.fail(at: 1)
    #expect(message { _ = try fetch() } == "error: the store fails")
    store.fail(at: 0)
    #expect(try fetch().map(\.id) == [2, 1, 3])
  }

  @Test("S8: a list that cannot be loaded is read as empty, and only the next call throws", arguments: calls)
  func faults(_ call: Call) throws {
    let hero = try #require(try context.find(Hero.self, id: 1))
    store.fail(at: 1)
    #expect((hero["powers"] as [ManagedObject]).isEmpty)
    store.fail(at: 0)
    #expect(message { try call.body(context) } == "error: the store fails")
    try call.body(context)
    #expect((hero["powers"] as [ManagedObject]).count == 2)
  }

  @Test("S8: looking up an ID in a store that cannot be read throws instead of finding nothing")
  func ids() throws {
    let id = try #require(try ManagedObjectContext(store: store).find(Hero.self, id: 2)).objectID
    store.fail(at: 1)
    #expect(message { _ = try context.find(id) } == "error: the store fails")
    store.fail(at: 1)
    #expect(message { _ = try context.find(Hero.self, id) } == "error: the store fails")
    store.fail(at: 0)
    #expect(try context.find(Hero.self, id)?.name == "Otter")
  }

  @Test("S8: an import fails if a hook's fetch fails, even if the hook ignores the error")
  func hooks() throws {
    final class Reader: ManagedObject, ImportObserving {
      override class var entityName: String { "Hero" }
      nonisolated(unsafe) static var store: CountingStore?
      func didImport(_ payload: JSON) {
        Reader.store?.fail(at: 1)
        _ = try? context.find(ofEntity: "Publisher", identity: 8)
        Reader.store?.fail(at: 0)
      }
    }
    let model = try ManagedObjectModel(
      text: "{\"keyStrategy\": \"sameName\", \"entities\": {\n\(Fixture.comics)\n}}", name: "m.json",
      classes: [Reader.self])
    let store = CountingStore(model)
    try ManagedObjectContext(store: store).load(#"[{"id": 8}]"#, "Publisher")
    let context = ManagedObjectContext(store: store)
    Reader.store = store
    let error = #expect(throws: ImportError.self) { try context.load(#"[{"id": 7}]"#, "Hero") }
    #expect(error?.diagnostics.first?.message == "the store fails")
    Reader.store = nil
    #expect(try context.count(ofEntity: "Hero") == 0)
    try context.load(#"[{"id": 7}]"#, "Hero")
  }

  // MARK: The model

  @Test("C2: an unknown entity causes an error that suggests a name")
  func unknownEntity() throws {
    let calls: [(ManagedObjectContext) throws -> Void] = [
      { _ = try $0.fetch(ofEntity: "Heroo") }, { _ = try $0.fetch(ofEntity: "Heroo") { _ in true } },
      { _ = try $0.fetch(ofEntity: "Heroo", where: "id = 1") },
      { _ = try $0.fetchOne(ofEntity: "Heroo", where: "id = 1") },
      { _ = try $0.find(ofEntity: "Heroo", identity: 1) }, { _ = try $0.find(ofEntity: "Heroo", id: 1) },
      { _ = try $0.count(ofEntity: "Heroo") }, { _ = try $0.count(ofEntity: "Heroo", where: "id = 1") },
      { _ = try $0.exists(ofEntity: "Heroo", where: "id = 1") }, { try $0.delete(ofEntity: "Heroo", where: "id = 1") },
    ]
    for context in [context, ManagedObjectContext(model: model)] {
      for call in calls {
        let error = #expect(throws: StoreError.self) { try call(context) }
        #expect(error?.diagnostics.first?.code == .unknownEntity)
        #expect(error.map { "\($0)" } == "error: the model has no entity 'Heroo'; did you mean 'Hero'?")
      }
      let unknown = "error: the model has no entity 'Villain'"
      #expect(message { _ = try context.fetch(Villain.self) } == unknown)
      #expect(message { _ = try context.fetch(Villain.self, where: #Predicate { $0.name == "x" }) } == unknown)
      #expect(message { _ = try context.fetch(Villain.self, where: "name = 'x'") } == unknown)
      #expect(message { _ = try context.fetch(Villain.self) { _ in true } } == unknown)
      #expect(message { _ = try context.find(Villain.self, id: 1) } == unknown)
      #expect(message { _ = try context.find(Villain.self, identity: 1, 2) } == unknown)
      #expect(message { _ = try context.count(Villain.self) } == unknown)
    }
  }

  @Test("C2: a negative limit or offset is rejected")
  func negativePages() throws {
    for context in [context, ManagedObjectContext(model: model)] {
      let calls: [(Int?, Int) throws -> Void] = [
        { _ = try context.fetch(Hero.self, limit: $0, offset: $1) },
        { _ = try context.fetch(Hero.self, sortedBy: \.name, limit: $0, offset: $1) },
        { _ = try context.fetch(Hero.self, limit: $0, offset: $1) { _ in true } },
        { _ = try context.fetch(Hero.self, where: #Predicate { $0.id > 1 }, limit: $0, offset: $1) },
        { _ = try context.fetch(Hero.self, where: "id > 1", limit: $0, offset: $1) },
        { _ = try context.fetch(ofEntity: "Hero", limit: $0, offset: $1) },
        { _ = try context.fetch(ofEntity: "Hero", limit: $0, offset: $1) { _ in true } },
        { _ = try context.fetch(ofEntity: "Hero", where: "id > 1", limit: $0, offset: $1) },
      ]
      for call in calls {
        #expect(message { try call(-1, 0) } == "error: the limit is -1: it must not be negative")
        let error = #expect(throws: StoreError.self) { try call(-1, 0) }
        #expect(error?.diagnostics.first?.code == .negativeLimit)
        #expect(message { try call(nil, -2) } == "error: the offset is -2: it must not be negative")
        try call(0, 0)
      }
    }
  }

  @Test("C2: an identity with a wrong number or wrong types of values is rejected")
  func wrongIdentity() throws {
    for context in [context, ManagedObjectContext(model: model)] {
      let number = "error: 'Hero' has 1 identity attributes, not 2"
      #expect(message { _ = try context.find(Hero.self, identity: 1, 2) } == number)
      #expect(message { _ = try context.find(ofEntity: "Hero", identity: 1, 2) } == number)
      let type = "error: 'Hero.id' is declared integer64: no object is identified by the string \"one\""
      #expect(message { _ = try context.find(Hero.self, identity: "one") } == type)
      #expect(message { _ = try context.find(Hero.self, id: "one") } == type)
      #expect(message { _ = try context.find(ofEntity: "Hero", identity: "one") } == type)
      #expect(message { _ = try context.find(ofEntity: "Hero", id: "one") } == type)
      let error = #expect(throws: StoreError.self) { try context.find(Hero.self, id: true) }
      #expect(error?.diagnostics.first?.code == .wrongIdentifier)
      #expect(try context.find(Hero.self, id: 1.5) == nil)
    }
    let other = try Fixture.context(#""Note": {"attributes": {"text": "string"}}"#)
    #expect(message { _ = try other.find(ofEntity: "Note", id: 1) } == "error: 'Note' has 0 identity attributes, not 1")
  }

  @Test("C2: a sort key is rejected if it names no attribute, or an attribute without an order")
  func sortKeys() throws {
    for context in [context, ManagedObjectContext(model: model)] {
      let cases: [(String, String)] = [
        ("powers", "error: 'Hero.powers' has no order, so objects cannot be sorted by it"),
        ("publisher.nmae", "error: 'Publisher' has no property 'nmae'; did you mean 'name'?"),
        ("name.id", "error: 'Hero.name' is not a to-one relationship, so a sort key cannot follow it"),
        ("", "error: a sort key requires the name of a property"),
      ]
      for (name, text) in cases {
        #expect(message { _ = try context.fetch(Hero.self, sortedBy: .ascending(name)) } == text)
        #expect(message { _ = try context.fetch(ofEntity: "Hero", sortedBy: .descending(name)) { _ in true } } == text)
        #expect(message { _ = try context.fetch(Hero.self, where: "id > 1", sortedBy: .ascending(name)) } == text)
      }
    }
  }
}

/// Short forms of fetches.
@Suite("Short fetches") struct ShortFetchTests {
  typealias Hero = FetchErrorTests.Hero

  private let store: CountingStore
  private let contexts: [ManagedObjectContext]

  init() throws {
    let model = try ManagedObjectModel(
      text: "{\"keyStrategy\": \"sameName\", \"entities\": {\n\(Fixture.comics)\n}}", name: "m.json",
      classes: [Hero.self])
    store = CountingStore(model)
    contexts = [ManagedObjectContext(model: model), ManagedObjectContext(store: store)]
    for context in contexts { try context.load(StoredComics.heroes, "Hero") }
  }

  @Test("C2: a fetch can be sorted by a plain key path")
  func keyPaths() throws {
    for context in contexts {
      #expect(try context.fetch(Hero.self, sortedBy: \.name).map(\.id) == [1, 3, 2])
      #expect(try context.fetch(Hero.self, sortedBy: \.id, limit: 1, offset: 1).map(\.id) == [2])
      #expect(try context.fetch(Hero.self, sortedBy: \.name) { $0.id > 1 }.map(\.id) == [3, 2])
      #expect(try context.fetch(Hero.self, where: #Predicate { $0.id > 1 }, sortedBy: \.name).map(\.id) == [3, 2])
      #expect(try context.fetch(Hero.self, where: "id > 1", sortedBy: \.name).map(\.id) == [3, 2])
      #expect(try context.fetchOne(Hero.self, where: "id > 1", sortedBy: \.name)?.id == 3)
      #expect(try context.fetchOne(Hero.self, where: #Predicate { $0.id > 1 }, sortedBy: \.name)?.id == 3)
    }
  }

  @Test("C2: several sort keys need no brackets, with or without a limit after the keys")
  func sortKeys() throws {
    for context in contexts {
      #expect(
        try context.fetch(Hero.self, sortedBy: .descending("publisher.id"), .descending(\.id)).map(\.id) == [2, 1, 3])
      #expect(
        try context.fetch(Hero.self, sortedBy: .descending("publisher.id"), .ascending(\.id), limit: 2).map(\.id)
          == [1, 2])
      #expect(
        try context.fetch(ofEntity: "Hero", sortedBy: .descending("publisher.id"), .descending("id"), limit: 1)
          .map { $0["id"] as Int? } == [2])
      #expect(
        try context.fetch(Hero.self, sortedBy: .descending("publisher.id"), .descending(\.id)) { $0.id != 2 }
          .map(\.id) == [1, 3])
      let keys: [SortKey<Hero>] = [.descending("publisher.id"), .descending(\.id)]
      #expect(try context.fetch(Hero.self, where: "id > 0", sortedBy: keys).map(\.id) == [2, 1, 3])
      #expect(try context.fetch(Hero.self, sortedBy: []).count == 3)
    }
  }

  @Test("S6: a condition as text selects objects of a given class")
  func conditions() throws {
    let publisher = "Marsh"
    for context in contexts {
      #expect(try context.fetch(Hero.self, where: "publisher.name = \(publisher)").map(\.id) == [1, 2])
      #expect(try context.count(Hero.self, where: "publisher.name = \(publisher)") == 2)
      #expect(try context.exists(Hero.self, where: "name = 'Newt'"))
      #expect(try !context.exists(Hero.self, where: "name = 'Toad'"))
      #expect(try context.delete(Hero.self, where: "publisher.name = \(publisher)") == 2)
      #expect(try context.count(Hero.self) == 1)
    }
  }

  @Test("C2: fetchOne loads only the first object")
  func first() throws {
    for context in contexts {
      #expect(try context.fetchOne(Hero.self, where: "publisher.name = 'Marsh'", sortedBy: .descending(\.id))?.id == 2)
      #expect(try context.fetchOne(Hero.self, where: #Predicate { $0.id > 7 }) == nil)
      #expect(try context.fetchOne(ofEntity: "Hero", where: "id > 1", sortedBy: .ascending("name"))?["id"] == 3)
    }
    let context = ManagedObjectContext(store: store)
    let rows = try store.rowsRead {
      let hero = try context.fetchOne(Hero.self, where: #Predicate { $0.id > 0 }, sortedBy: .descending(\.name))
      #expect(hero?.id == 2)
    }
    #expect(rows == 1)
  }

  @Test("C2: find(_:id:) finds an object by its only identity value")
  func ids() throws {
    for context in contexts {
      #expect(try context.find(Hero.self, id: 2)?.name == "Otter")
      #expect(try context.find(Hero.self, id: 7) == nil)
      #expect(try context.find(ofEntity: "Hero", id: 2)?["name"] == "Otter")
    }
  }
}
