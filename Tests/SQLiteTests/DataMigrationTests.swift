import Foundation
import Graft
import Synchronization
import Testing

@testable import GraftSQLite

/// Steps that move data when a store is opened with a newer version of its model.
@Suite("Stores: migrations that move data") struct DataMigrationTests {
  enum Kind: CaseIterable { case sqlite, snapshot }

  /// A store in its own folder.
  final class Trial: @unchecked Sendable {
    let folder: Folder
    let kind: Kind
    var url: URL { folder.file("shop.graft") }

    init(_ kind: Kind) throws {
      folder = try Folder()
      self.kind = kind
    }

    func open(_ model: String, _ migrations: [StoreMigration] = []) throws -> ManagedObjectContext {
      let model = try ManagedObjectModel(text: model)
      switch kind {
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

    func plan(_ model: String, _ migrations: [StoreMigration]) throws -> String {
      let model = try ManagedObjectModel(text: model)
      switch kind {
      case .sqlite:
        var options = SQLiteStore.Options()
        options.migrations = migrations
        return try SQLiteStore.migrationPlan(at: url, to: model, options: options).description
      case .snapshot:
        var options = SnapshotStore.Options()
        options.migrations = migrations
        return try SnapshotStore.migrationPlan(at: url, to: model, options: options).description
      }
    }

    func write(_ model: String, _ payload: String, _ entity: String = "Hero") throws {
      let context = try open(model)
      try context.importJSON(payload, ofEntity: entity)
      try context.commit()
    }

    /// Returns the error thrown when the store is opened. Afterwards, the old model must still open the store with the same objects.
    func refusal(_ model: String, _ old: String, _ migrations: [StoreMigration]) throws -> String {
      let before = try open(old).all("Hero")
      var message = ""
      do { _ = try open(model, migrations) } catch { message = "\(error)" }
      #expect(try open(old).all("Hero") == before)
      try verify()
      return message
    }

    func verify() throws {
      guard kind == .sqlite else { return }
      let text = try SQLiteStore.modelText(at: url)
      let store = try SQLiteStore(at: url, model: ManagedObjectModel(text: text))
      #expect(try store.verify().map(\.description) == [])
    }

    var backups: [String] { get throws { try folder.names.filter { $0.contains("backup") } } }
  }

  static func model(_ version: String, _ entities: String) -> String {
    #"{"keyStrategy": "sameName", "version": "\#(version)", "entities": {\#(entities)}}"#
  }

  static let first = model(
    "1", #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}"#)
  static let second = model(
    "2",
    #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "given": "string", "family": {"type": "string", "optional": true}}}"#
  )
  static let heroes = #"[{"id": 1, "name": "Bruce Wayne"}, {"id": 2, "name": "Flash"}, {"id": 3, "name": "Lois Lane"}]"#
  static let split = StoreMigration(to: "2", replacing: ["Hero.name"]) { step in
    try step.forEach("Hero") { old, new in
      let name: String = old["name"] ?? ""
      let words = name.split(separator: " ", maxSplits: 1).map(String.init)
      new?["given"] = words.first
      new?["family"] = words.count > 1 ? words[1] : nil
    }
  }
  static let splitHeroes =
    #"[{"id":1,"given":"Bruce","family":"Wayne"},{"id":2,"given":"Flash","family":null},{"id":3,"given":"Lois","family":"Lane"}]"#

  @Test("S17: an attribute is split once", arguments: Kind.allCases)
  func split(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.first, Self.heroes)
    #expect(try trial.plan(Self.second, [Self.split]).contains("run the program's step to version 2"))
    #expect(try trial.open(Self.second, [Self.split]).all("Hero") == Self.splitHeroes)
    #expect(try trial.plan(Self.second, [Self.split]) == "")
    #expect(try trial.backups.count == 1)
    let context = try trial.open(
      Self.second, [StoreMigration(to: "2") { _ in Issue.record("the step ran again") }])
    #expect(try context.all("Hero") == Self.splitHeroes)
    try trial.verify()
    // The result is an ordinary store.
    try context.importJSON(#"[{"id": 2, "given": "Barry"}, {"id": 9, "given": "New"}]"#, ofEntity: "Hero")
    try context.commit()
    #expect(try trial.open(Self.second).count(ofEntity: "Hero") == 4)
  }

  @Test(
    "S17: the store is refused without the step, or if the step does not list the property that it replaces",
    arguments: Kind.allCases)
  func consent(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.first, Self.heroes)
    #expect(try trial.refusal(Self.second, Self.first, []).contains("does not declare 'Hero.name'"))
    let forgetful = StoreMigration(to: "2") { _ in Issue.record("the step ran") }
    #expect(try trial.refusal(Self.second, Self.first, [forgetful]).contains("does not declare 'Hero.name'"))
  }

  @Test("S17: a step that throws, or that leaves invalid objects, changes nothing", arguments: Kind.allCases)
  func failures(_ kind: Kind) throws {
    struct Oops: Error {}
    let trial = try Trial(kind)
    try trial.write(Self.first, Self.heroes)
    let throwing = StoreMigration(to: "2", replacing: ["Hero.name"]) { step in
      try step.forEach("Hero") { _, new in new?["given"] = "x" }
      throw Oops()
    }
    let message = try trial.refusal(Self.second, Self.first, [throwing])
    #expect(message.contains("its migration to version 2 failed, and it was not changed: Oops()"), "\(message)")
    let partial = StoreMigration(to: "2", replacing: ["Hero.name"]) { step in
      try step.forEach("Hero") { old, new in if old["id"] != 3 { new?["given"] = "x" } }
    }
    let violation = try trial.refusal(Self.second, Self.first, [partial])
    #expect(
      violation.contains("objects violate the model")
        && violation.contains("'Hero.given' becomes required, but the object Hero(3) has none"), "\(violation)")
    #expect(try trial.backups == [], "a failed migration leaves its backup")
    #expect(try trial.open(Self.second, [Self.split]).all("Hero") == Self.splitHeroes)
  }

  @Test("S16: a migration that was interrupted after its backup uses that backup; a later migration makes a new backup")
  func interruptedBackup() throws {
    let trial = try Trial(.sqlite)
    try trial.write(Self.first, Self.heroes)
    // The backup is as a killed process leaves it.
    let copy = URL(fileURLWithPath: trial.url.path + ".copy")
    try SQLiteStore(at: trial.url, model: ManagedObjectModel(text: Self.first)).backup(to: copy)
    let (bytes, backup) = (try Data(contentsOf: copy), trial.url.path + ".backup-1")
    try bytes.write(to: URL(fileURLWithPath: backup))
    try FileManager.default.removeItem(at: copy)
    #expect(throws: StoreError.self) {
      try trial.open(
        Self.second, [StoreMigration(to: "2", replacing: ["Hero.name"]) { _ in throw CancellationError() }])
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == bytes && trial.backups.count == 1)
    _ = try trial.open(Self.second, [Self.split])
    #expect(try trial.backups.count == 1)
  }

  @Test("S17: a type is converted under the same name", arguments: Kind.allCases)
  func conversion(_ kind: Kind) throws {
    let trial = try Trial(kind)
    let old = Self.model(
      "1",
      #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "age": {"type": "string", "optional": true}}}"#
    )
    let new = Self.model(
      "1.10",
      #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "age": {"type": "integer64", "optional": true, "maximum": 150}}}"#
    )
    try trial.write(old, #"[{"id": 1, "age": "41"}, {"id": 2, "age": "unknown"}, {"id": 3, "age": "200"}]"#)
    func convert(_ limit: Int) -> StoreMigration {
      StoreMigration(to: "1.9", replacing: ["Hero.age"]) { step in
        try step.forEach("Hero") { old, new in
          let text: String? = old["age"]
          new?["age"] = text.flatMap { Int($0) }.map { min($0, limit) }
        }
      }
    }
    #expect(try trial.refusal(new, old, [convert(1000)]).contains("150"))
    #expect(
      try trial.open(new, [convert(150)]).all("Hero") == #"[{"id":1,"age":41},{"id":2,"age":null},{"id":3,"age":150}]"#)
  }

  @Test("S17: three columns become an entity", arguments: Kind.allCases)
  func extraction(_ kind: Kind) throws {
    let trial = try Trial(kind)
    let hero = #""id": "integer64", "name": "string""#
    let old = Self.model(
      "2",
      #""Hero": {"identityAttributes": "id", "attributes": {\#(hero), "publisherName": {"type": "string", "optional": true}, "publisherCity": {"type": "string", "optional": true}, "publisherYear": {"type": "integer16", "optional": true}}}"#
    )
    let new = Self.model(
      "3",
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {\#(hero)},
        "relationships": {"publisher": {"destination": "Publisher", "inverse": "heroes", "optional": true}}},
      "Publisher": {"identityAttributes": "name", "attributes": {"name": "string", "city": {"type": "string", "optional": true}, "year": {"type": "integer16", "optional": true}},
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher", "JSONRepresentation": "identifier"}}}
      """#)
    try trial.write(
      old,
      #"[{"id": 1, "name": "a", "publisherName": "DC", "publisherCity": "Burbank", "publisherYear": 1934}, {"id": 2, "name": "b", "publisherName": "Marvel"}, {"id": 3, "name": "c", "publisherName": "DC"}, {"id": 4, "name": "d"}]"#
    )
    let extract = StoreMigration(
      to: "3", replacing: ["Hero.publisherName", "Hero.publisherCity", "Hero.publisherYear"]
    ) { step in
      try step.forEach("Hero") { old, new in
        guard let name: String = old["publisherName"] else { return }
        let publisher =
          try step.new.find(ofEntity: "Publisher", identity: name) ?? step.new.insert(ofEntity: "Publisher")
        publisher["name"] = name
        if let city: String = old["publisherCity"] { publisher["city"] = city }
        if let year: Int = old["publisherYear"] { publisher["year"] = year }
        new?["publisher"] = publisher
      }
    }
    let context = try trial.open(new, [extract])
    #expect(
      try context.all("Publisher")
        == #"[{"name":"DC","city":"Burbank","year":1934,"heroes":[1,3]},{"name":"Marvel","city":null,"year":null,"heroes":[2]}]"#
    )
    #expect(try context.count(ofEntity: "Hero") == 4)
    try trial.verify()
  }

  @Test("S17: an entity gets a different identity, and links are made again", arguments: Kind.allCases)
  func replacedEntity(_ kind: Kind) throws {
    let trial = try Trial(kind)
    func text(_ version: String, _ identity: String, _ sub: String) -> String {
      Self.model(
        version,
        #"""
        "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"powers": {"destination": "Power", "toMany": true, "inverse": "heroes"}, "best": {"destination": "Power", "optional": true}}},
        "Power": {"identityAttributes": "\#(identity)", "attributes": {"\#(identity)": "string", "note": {"type": "string", "optional": true}},
          "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "powers", "JSONRepresentation": "identifier"}}},
        "\#(sub)": {"parent": "Power", "attributes": {"level": {"type": "integer16", "optional": true}}}
        """#)
    }
    let (old, new) = (text("1", "name", "Magic"), text("2", "code", "Magic"))
    try trial.write(
      old,
      #"[{"id": 1, "powers": ["Flight", "Strength"], "best": "Flight"}, {"id": 2, "powers": [{"name": "Flight", "note": "up"}]}]"#
    )
    let recode = StoreMigration(to: "2", replacing: ["Power"]) { step in
      #expect(try step.new.count(ofEntity: "Power") == 0)
      try step.forEach("Power") { old, new in
        #expect(new == nil)
        let name: String = old["name"] ?? ""
        let power = step.new.insert(ofEntity: "Power")
        power["code"] = name.uppercased()
        power["note"] = old["note"] as String?
      }
      // Only the names of Flight and Strength may be known.
      for hero in try step.old.fetch(ofEntity: "Hero") {
        guard let counterpart = try step.counterpart(of: hero) else { continue }
        let powers: RelatedObjects<ManagedObject> = hero["powers"]
        for power in powers {
          let name: String = power["name"] ?? ""
          let new =
            try step.new.find(ofEntity: "Power", identity: name.uppercased()) ?? step.new.insert(ofEntity: "Power")
          new["code"] = name.uppercased()
          let heroes: RelatedObjects<ManagedObject> = new["heroes"]
          heroes.insert(counterpart)
        }
      }
    }
    let context = try trial.open(new, [recode])
    #expect(
      try context.all("Power")
        == #"[{"code":"FLIGHT","note":"up","heroes":[1,2]},{"code":"STRENGTH","note":null,"heroes":[1]}]"#)
    try trial.verify()
  }

  @Test("S17: a step can delete objects and their links", arguments: Kind.allCases)
  func deletion(_ kind: Kind) throws {
    let trial = try Trial(kind)
    func text(_ version: String, _ more: String) -> String {
      Self.model(
        version,
        #"""
        "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"\#(more)},
          "relationships": {"friends": {"destination": "Hero", "toMany": true, "JSONRepresentation": "identifier"}, "boss": {"destination": "Hero", "optional": true, "inverse": "team", "JSONRepresentation": "identifier"}, "team": {"destination": "Hero", "toMany": true, "ordered": true, "inverse": "boss", "JSONRepresentation": "identifier"}}}
        """#)
    }
    try trial.write(
      text("1", ""),
      #"[{"id": 1, "friends": [2, 3], "boss": 2}, {"id": 2, "friends": [1]}, {"id": 3, "friends": [2], "boss": 2, "team": [4]}, {"id": 4}]"#
    )
    let purge = StoreMigration(to: "2") { step in
      guard let two = try step.new.find(ofEntity: "Hero", identity: 2) else { return }
      try step.new.delete(two)
    }
    let context = try trial.open(text("2", #", "x": {"type": "string", "optional": true}"#), [purge])
    #expect(
      try context.all("Hero")
        == #"[{"id":1,"x":null,"friends":[3],"boss":null,"team":[]},{"id":3,"x":null,"friends":[],"boss":null,"team":[4]},{"id":4,"x":null,"friends":[],"boss":3,"team":[]}]"#
    )
    try trial.verify()
    // Steps also run if nothing else in the layout changes.
    let purgeMore = StoreMigration(to: "3") { step in
      try step.forEach("Hero") { old, new in if old["id"] == 4, let new { try step.new.delete(new) } }
    }
    let again = try trial.open(text("3", #", "x": {"type": "string", "optional": true}"#), [purge, purgeMore])
    #expect(try again.count(ofEntity: "Hero") == 2)
    try trial.verify()
  }

  @Test(
    "S16: a one-to-one becomes an ordered list, in one version or over several",
    arguments: Kind.allCases, [["3"], ["2", "3"]])
  func orderedList(_ kind: Kind, versions: [String]) throws {
    let trial = try Trial(kind)
    func text(_ version: String) -> String {
      let more = ["2": #", "toMany": true"#, "3": #", "toMany": true, "ordered": true"#][version] ?? ""
      return Self.model(
        version,
        #"""
        "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"pins": {"destination": "Pin", "inverse": "box"\#(more)}}},
        "Pin": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"box": {"destination": "Box", "inverse": "pins", "JSONKeyPath": null}}}
        """#)
    }
    try trial.write(
      text("1"), #"[{"id": 1, "pins": {"id": 5}}, {"id": 2, "pins": {"id": 4}}, {"id": 3, "pins": null}]"#, "Box")
    for version in versions {
      let context = try trial.open(text(version), [])
      #expect(
        try context.all("Box")
          == #"[{"id":1,"pins":[{"id":5}]},{"id":2,"pins":[{"id":4}]},{"id":3,"pins":[]}]"#)
      try trial.verify()
    }
    let context = try trial.open(text("3"), [])
    try context.importJSON(#"[{"id": 1, "pins": [{"id": 9}, {"id": 5}, {"id": 4}, {"id": 8}]}]"#, ofEntity: "Box")
    let expected = #"[{"id":1,"pins":[{"id":9},{"id":5},{"id":4},{"id":8}]},{"id":2,"pins":[]},{"id":3,"pins":[]}]"#
    #expect(try context.all("Box") == expected)
    #expect(try trial.open(text("3"), []).all("Box") == expected)
    try trial.verify()
  }

  @Test("S17: a program that skips versions runs all steps in the order of their versions", arguments: Kind.allCases)
  func order(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.first, Self.heroes)
    let calls = Mutex<[String]>([])
    func note(_ version: String) -> StoreMigration {
      StoreMigration(to: version) { _ in calls.withLock { $0.append(version) } }
    }
    let model = Self.first.replacingOccurrences(of: #""version": "1""#, with: #""version": "2.1""#)
    _ = try trial.open(model, [note("2"), note("1.10"), note("1"), note("1.9"), note("2.1")])
    #expect(calls.withLock { $0 } == ["1.9", "1.10", "2", "2.1"])
    for (version, expected) in [
      ("3", "leads to version 3, but the model has version 2.1"), ("two", "'two' is not a version"),
    ] {
      let error = try #require(throws: StoreError.self) { try trial.open(model, [note(version)]) }
      #expect(error.diagnostics.map(\.code) == [.failedMigration] && "\(error)".contains(expected), "\(error)")
    }
  }

  @Test("S17: a step can complete objects in a second pass, and passes can be nested", arguments: Kind.allCases)
  func passes(_ kind: Kind) throws {
    let trial = try Trial(kind)
    let payload = "[" + (1...1200).map { #"{"id": \#($0), "name": "n"}"# }.joined(separator: ",") + "]"
    try trial.write(Self.first, payload)
    let model = Self.model(
      "2",
      #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "a": "integer64", "b": "integer64"}}"#)
    let migration = StoreMigration(to: "2", replacing: ["Hero.name"]) { step in
      (step.old.loadedObjectLimit, step.new.loadedObjectLimit) = (10, 10)
      var count = 0
      try step.forEach("Hero") { old, new in
        let id: Int? = old["id"]
        new?["a"] = id
        if let id, id % 400 == 0 { try step.forEach("Hero") { _, _ in count += 1 } }
      }
      #expect(count == 3 * 1200)
      try step.forEach("Hero") { old, new in
        #expect(new?["a"] == old["id"] as Int?)
        if let id: Int = old["id"] { new?["b"] = -id }
      }
    }
    let context = try trial.open(model, [migration])
    #expect(try context.count(ofEntity: "Hero", where: "a > 0 and b < 0") == 1200)
    try trial.verify()
  }

  @Test("S17: forEach reads an entity of any size in batches", arguments: Kind.allCases)
  func parts(_ kind: Kind) throws {
    let trial = try Trial(kind)
    let payload = "[" + (1...2500).map { #"{"id": \#($0), "name": "Given\#($0) Family"}"# }.joined(separator: ",") + "]"
    try trial.write(Self.first, payload)
    let context = try trial.open(Self.second, [Self.split])
    #expect(try context.count(ofEntity: "Hero", where: #"family = "Family""#) == 2500)
    #expect(try context.find(ofEntity: "Hero", identity: 1777)?["given"] == "Given1777")
    try trial.verify()
  }
}

/// Opening a store without its model file, emptying a store, and removing a store.
@Suite("Stores: life cycle") struct StoreLifeTests {
  private typealias Trial = DataMigrationTests.Trial

  @Test("S19: a store can be opened with the model that wrote it")
  func ownModel() throws {
    let trial = try Trial(.sqlite)
    #expect(throws: StoreError.self) { try SQLiteStore(at: trial.url) }
    try trial.write(DataMigrationTests.first, DataMigrationTests.heroes)
    let context = ManagedObjectContext(store: try SQLiteStore(at: trial.url))
    #expect(try context.find(ofEntity: "Hero", identity: 2)?["name"] == "Flash")
    #expect(context.model.contents.version == "1")
  }

  @Test("S19: a store is emptied in one commit, which its contexts notice", arguments: DataMigrationTests.Kind.allCases)
  func removeAll(_ kind: DataMigrationTests.Kind) throws {
    let trial = try Trial(kind)
    try trial.write(DataMigrationTests.first, DataMigrationTests.heroes)
    let context = try trial.open(DataMigrationTests.first)
    let other = try trial.open(DataMigrationTests.first)
    let flash = try #require(try other.find(ofEntity: "Hero", identity: 2))
    let id = flash.objectID
    switch kind {
    case .sqlite: try #require(context.store as? SQLiteStore).removeAll()
    case .snapshot: try #require(context.store as? SnapshotStore).removeAll()
    }
    #expect(try trial.open(DataMigrationTests.first).count(ofEntity: "Hero") == 0)
    try other.merge()
    #expect(try flash.isDeleted && other.count(ofEntity: "Hero") == 0 && other.find(id) == nil)
    try other.importJSON(#"[{"id": 2, "name": "Barry"}]"#, ofEntity: "Hero")
    try other.commit()
    #expect(flash.isDeleted)
    #expect(try trial.open(DataMigrationTests.first).all("Hero") == #"[{"id":2,"name":"Barry"}]"#)
    try trial.verify()
  }

  @Test("S19: removing a store removes nothing else", arguments: DataMigrationTests.Kind.allCases)
  func remove(_ kind: DataMigrationTests.Kind) throws {
    let trial = try Trial(kind)
    func remove() throws {
      switch kind {
      case .sqlite: try SQLiteStore.remove(at: trial.url)
      case .snapshot: try SnapshotStore.remove(at: trial.url)
      }
    }
    try remove()
    try Data("a letter, not a store".utf8).write(to: trial.url)
    #expect(throws: StoreError.self) { try remove() }
    #expect(try Data(contentsOf: trial.url).count == 21)
    try FileManager.default.removeItem(at: trial.url)
    let context = try trial.open(DataMigrationTests.first)
    try context.importJSON(DataMigrationTests.heroes, ofEntity: "Hero")
    try context.commit()
    try remove()
    #expect(try trial.folder.names.filter { !$0.hasSuffix("-lock") } == [])
    #expect(throws: (any Error).self) {
      try context.importJSON(#"[{"id": 7, "name": "x"}]"#, ofEntity: "Hero")
      try context.commit()
    }
    #expect(try trial.open(DataMigrationTests.first).count(ofEntity: "Hero") == 0)
  }
}
