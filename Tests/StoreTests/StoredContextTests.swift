import Foundation
import Graft
import GraftTestSupport
import Testing

/// Contexts that have only a part of a store's graph in memory.
@Suite("Contexts with a store") struct StoredContextTests {
  @Test("S1: a context's commits are visible to the next context", arguments: ContextSource.Kind.allCases)
  func outlivesTheContext(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let memory = ManagedObjectContext(model: comics.model)
    try memory.load(StoredComics.heroes, "Hero")
    #expect(try comics.dump == String(decoding: memory.dump(), as: UTF8.self))
  }

  @Test("S1: a file contains the graph after the process that wrote the file has ended", arguments: StoreKind.allCases)
  func outlivesTheProcess(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let url = folder.file("comics.graft")
    let model = try StoredComics(kind.source).model
    try ManagedObjectContext(model: model, store: kind.open(url, model)).load(StoredComics.heroes, "Hero")
    let context = try ManagedObjectContext(model: model, store: kind.open(url, model))
    #expect(try context.count(ofEntity: "Hero") == 3)
    #expect(try context.find(ofEntity: "Power", identity: 2)?["name"] == "Silence")
  }

  @Test(
    "C2: fetches return objects in the order of insertion, regardless of the order of loading",
    arguments: ContextSource.Kind.allCases)
  func orderOfInsertion(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Hero": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"rival": {"destination": "Hero"}}},
          "Villain": {"parent": "Hero"}}}
        """#)
    let source = try ContextSource(kind, model)
    for (id, entity) in [(5, "Hero"), (1, "Villain"), (4, "Hero"), (2, "Villain"), (3, "Hero")] {
      try source.context().load(#"{"id": \#(id)}"#, entity)
    }
    let context = try source.context()
    for id in [2, 4] { #expect(try context.find(ofEntity: "Hero", identity: id) != nil) }
    func expectOrder(_ expected: [Int], _ entity: String) throws {
      func ids(_ objects: [ManagedObject]) -> [Int] { objects.compactMap { $0["id"] as Int? } }
      for _ in 0..<2 {
        #expect(try ids(context.fetch(ofEntity: entity, limit: 2, offset: 1)) == Array(expected[1...2]))
        #expect(try ids(context.fetch(ofEntity: entity)) == expected)
        #expect(try ids(context.fetch(ofEntity: entity, sortedBy: .ascending("name"))) == expected)
        #expect(try ids(context.fetch(ofEntity: entity, limit: 2) { _ in true }) == Array(expected[..<2]))
        #expect(try ids(context.fetch(ofEntity: entity, sortedBy: .ascending("name")) { _ in true }) == expected)
        #expect(ids(try context.fetch(ofEntity: entity, where: "name is null")) == expected)
        #expect(ids(try context.fetch(ofEntity: entity, where: "rival is null", limit: 2)) == Array(expected[..<2]))
      }
    }
    try expectOrder([5, 1, 4, 2, 3], "Hero")
    for id in [0, 9, 7] { context.insert(ofEntity: "Villain")["id"] = id }
    try expectOrder([5, 1, 4, 2, 3, 0, 9, 7], "Hero")
    try expectOrder([1, 2, 0, 9, 7], "Villain")
    try context.commit()
    try expectOrder([5, 1, 4, 2, 3, 0, 9, 7], "Hero")
  }

  @Test(
    "S2: a URI in a list keeps its spelling, as a single URI does", arguments: ContextSource.Kind.allCases)
  func spellings(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {"Page": {"identityAttributes": "id", "attributes": {
          "id": "integer64", "url": {"type": "uri"}, "links": {"type": "uri", "list": true}}}}}
        """#)
    let source = try ContextSource(kind, model)
    for name in ["%C3%A9", "é"] {
      let context = try source.context()
      let page = #"{"id": 1, "url": "https://a.b/\#(name)", "links": ["https://a.b/\#(name)"]}"#
      let report = try context.importJSON(page, ofEntity: "Page")
      #expect(report.updated["Page"] ?? 0 == (name == "é" ? 1 : 0))
      let other = String(decoding: try source.context().dump(), as: UTF8.self)
      #expect(other == String(decoding: context.dump(), as: UTF8.self))
      #expect(other.components(separatedBy: "https://a.b/\(name)").count == 3, "\(other)")
    }
  }

  @Test(
    "S3: relationships are loaded when they are followed, in both directions", arguments: ContextSource.Kind.allCases)
  func followsRelationships(kind: ContextSource.Kind) throws {
    let context = try StoredComics(kind, StoredComics.heroes).context()
    let heron = try #require(try context.find(ofEntity: "Hero", identity: 1))
    let publisher: ManagedObject = try #require(heron["publisher"])
    #expect(publisher["name"] == "Marsh")
    let heroes: RelatedObjects<ManagedObject> = publisher["heroes"]
    #expect(heroes.compactMap { $0["name"] as String? }.sorted() == ["Heron", "Otter"])
    #expect(heroes.contains(heron))
    let powers: RelatedObjects<ManagedObject> = heron["powers"]
    #expect(powers.count == 2)
    let owners: RelatedObjects<ManagedObject> = try #require(powers.first { $0["id"] == 2 })["heroes"]
    #expect(owners.count == 2)
    #expect(!context.hasChanges)
    #expect(context.changes.isEmpty)
  }

  @Test(
    "E4: an export loads the objects that it writes, and importing the export changes nothing",
    arguments: ContextSource.Kind.allCases)
  func exports(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let memory = ManagedObjectContext(model: comics.model)
    try memory.load(StoredComics.heroes, "Hero")
    let context = try comics.context()
    for number in 1...3 {
      let object = try #require(try context.find(ofEntity: "Hero", identity: number))
      let same = try #require(try memory.find(ofEntity: "Hero", identity: number))
      #expect(
        try String(decoding: jsonData(from: object), as: UTF8.self)
          == String(decoding: jsonData(from: same), as: UTF8.self))
    }
    let all = try jsonData(from: comics.context().fetch(ofEntity: "Hero"))
    #expect(try comics.context().importJSON(all, ofEntity: "Hero").updated.isEmpty)
  }

  @Test(
    "S3: an import loads an object that the payload mentions only by its identifier",
    arguments: ContextSource.Kind.allCases)
  func importsOnTopOfTheStore(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let report = try comics.context().importJSON(
      #"[{"id": 2, "name": "Sea Otter"}, {"id": 4, "name": "Toad", "publisher": 9, "powers": [1]}]"#, ofEntity: "Hero")
    #expect("\(report)" == "Hero: 1 inserted, 1 updated")
    let context = try comics.context()
    let marsh = try #require(try context.find(ofEntity: "Publisher", identity: 9))
    let heroes: RelatedObjects<ManagedObject> = marsh["heroes"]
    #expect(heroes.count == 3)
    #expect(try context.find(ofEntity: "Publisher", identity: 9)?.isPlaceholder == false)
    #expect(try context.find(ofEntity: "Publisher", identity: 8)?.isPlaceholder == true)
  }

  @Test("S4: importing a payload again writes nothing", arguments: ContextSource.Kind.allCases)
  func importsAgain(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let writesNothing = try comics.source.writesNothing {
      let report = try comics.context().importJSON(StoredComics.heroes, ofEntity: "Hero")
      #expect("\(report)" == "Hero: 3 unchanged\nPower: 2 unchanged\nPublisher: 1 unchanged")
    }
    #expect(writesNothing)
  }

  @Test(
    "S4: a rollback returns to the state of the store, and keeps objects that were loaded in the meantime",
    arguments: ContextSource.Kind.allCases)
  func rollsBack(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let before = try comics.dump
    let context = try comics.context()
    let heron = try #require(try context.find(ofEntity: "Hero", identity: 1))
    heron["name"] = "Grey Heron"
    let otter = try #require(try context.find(ofEntity: "Hero", identity: 2))
    otter["publisher"] = nil as ManagedObject?
    let inserted = context.insert(ofEntity: "Hero")
    context.rollBack()
    #expect(heron["name"] == "Heron")
    #expect(inserted.isDeleted)
    #expect(!otter.isDeleted)
    #expect(try context.find(ofEntity: "Hero", identity: 2) === otter)
    let publisher: ManagedObject = try #require(otter["publisher"])
    let heroes: RelatedObjects<ManagedObject> = publisher["heroes"]
    #expect(heroes.contains(otter))
    #expect(!context.hasChanges)
    try context.commit()
    #expect(try comics.dump == before)
  }

  @Test("S4: a failed import leaves the store unchanged", arguments: ContextSource.Kind.allCases)
  func failedImport(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let before = try comics.dump
    let context = try comics.context()
    #expect(throws: ImportError.self) {
      try context.load(#"[{"id": 1, "name": "X"}, {"id": 5, "powers": [7]}, {"id": true}]"#, "Hero")
    }
    #expect(!context.hasChanges)
    #expect(try comics.dump == before)
  }

  @Test(
    "S4: deleting an object removes its links, whether or not they are in memory",
    arguments: ContextSource.Kind.allCases)
  func deletes(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let context = try comics.context()
    try context.delete(try #require(try context.find(ofEntity: "Publisher", identity: 9)))
    try context.delete(try #require(try context.find(ofEntity: "Power", identity: 2)))
    try context.commit()
    let after = try comics.context()
    let heron = try #require(try after.find(ofEntity: "Hero", identity: 1))
    #expect(heron["publisher"] as ManagedObject? == nil)
    let powers: RelatedObjects<ManagedObject> = heron["powers"]
    #expect(powers.map { $0["id"] as Int? } == [1])
    #expect(try after.find(ofEntity: "Publisher", identity: 9) == nil)
  }

  @Test(
    "S4: an object cannot get an identity that another object in the store has", arguments: ContextSource.Kind.allCases)
  func refusesIdentity(kind: ContextSource.Kind) throws {
    let context = try StoredComics(kind, StoredComics.heroes).context()
    let hero = context.insert(ofEntity: "Hero")
    #expect(throws: PropertyError.self) { try hero.setValue(2, of: "id") }
    try hero.setValue(7, of: "id")
    try context.commit()
    #expect(try context.find(ofEntity: "Hero", identity: 7) === hero)
  }

  @Test(
    "S4: if a transaction cannot be written, it is rolled back and throws the error",
    arguments: ContextSource.Kind.allCases)
  func transaction(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let context = try comics.context()
    let hero = try #require(try context.find(ofEntity: "Hero", identity: 1))
    #expect(throws: ValidationError.self) {
      try context.atomically {
        hero["name"] = "Bittern"
        try hero.setValue(nil, of: "id")
      }
    }
    #expect(hero["name"] == "Heron")
    try context.atomically { try hero.setValue("Bittern", of: "name") }
    #expect(try comics.context().find(ofEntity: "Hero", identity: 1)?["name"] == "Bittern")
  }
}
