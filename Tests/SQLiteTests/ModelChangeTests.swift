import Foundation
import Graft
import Testing

@testable import GraftSQLite

/// How stores of both kinds behave with another version of a model.
@Suite("Stores: other versions of a model") struct ModelChangeTests {
  enum Kind: CaseIterable { case sqlite, snapshot }

  /// A store in its own folder, which is opened with models given as text.
  final class Trial {
    let folder: Folder
    let kind: Kind
    var url: URL { folder.file("shop.graft") }

    init(_ kind: Kind) throws {
      folder = try Folder()
      self.kind = kind
    }

    func open(_ model: ManagedObjectModel, allowing removals: [String] = []) throws -> ManagedObjectContext {
      switch kind {
      case .sqlite:
        var options = SQLiteStore.Options()
        options.allowedRemovals = removals
        return try ManagedObjectContext(model: model, store: SQLiteStore(at: url, model: model, options: options))
      case .snapshot:
        var options = SnapshotStore.Options()
        options.allowedRemovals = removals
        return try ManagedObjectContext(model: model, store: SnapshotStore(at: url, model: model, options: options))
      }
    }

    func write(_ text: String, _ payload: String, version: String? = nil) throws {
      let context = try open(ModelChangeTests.model(text, version: version))
      try context.importJSON(payload, ofEntity: "Person")
      try context.commit()
    }

    /// Returns the store's objects as another model reads them.
    func export(_ text: String, allowing removals: [String] = []) throws -> String {
      let context = try open(ModelChangeTests.model(text), allowing: removals)
      return try context.all("Person")
    }

    /// Returns the error thrown when the store is opened. Afterwards, the store must still have the same bytes.
    func refusal(_ text: String, version: String? = nil, removed: [String] = []) throws -> String {
      let names = try folder.names.filter { !$0.hasSuffix("-lock") }
      let before = try names.map { try folder.bytes($0) }
      var message = ""
      do {
        _ = try open(ModelChangeTests.model(text, version: version, removed: removed))
      } catch {
        message = "\(error)"
      }
      #expect(try folder.names.filter { !$0.hasSuffix("-lock") } == names)
      #expect(try names.map { try folder.bytes($0) } == before)
      return message
    }
  }

  static func model(
    _ attributes: String, version: String? = nil, removed: [String] = [], entities: String = ""
  ) throws -> ManagedObjectModel {
    let version = version.map { "\"version\": \"\($0)\", " } ?? ""
    return try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", \(version)"removed": \(removed), "entities": {"Person": {
          "identityAttributes": "id", "attributes": {"id": "integer64"\(attributes.isEmpty ? "" : ", \(attributes)")}}\(entities)}}
        """)
  }

  static let name = #""name": {"type": "string", "optional": true}"#
  static let people = #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]"#

  @Test("S16: a property with values is not removed without consent", arguments: Kind.allCases)
  func removal(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.name, Self.people)
    let message = try trial.refusal("")
    #expect(message.contains("the model does not declare 'Person.name', and the store has values of it"), "\(message)")
    #expect(message.contains(#""removed": ["Person.name"]"#) && message.contains("--remove Person.name"), "\(message)")
    #expect(try trial.export("", allowing: ["Person.name"]) == #"[{"id":1},{"id":2}]"#)
  }

  @Test("S16: a property is removed if the model file lists it", arguments: Kind.allCases)
  func listedRemoval(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.name, Self.people)
    let context = try trial.open(Self.model("", removed: ["Person.name"]))
    #expect(try context.all("Person") == #"[{"id":1},{"id":2}]"#)
  }

  @Test("S16: a property without values can be removed", arguments: Kind.allCases)
  func emptyRemoval(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.name, #"[{"id": 1}]"#)
    #expect(try trial.export("") == #"[{"id":1}]"#)
  }

  @Test("S16: an older model does not open a newer store", arguments: Kind.allCases)
  func older(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.name, #"[{"id": 1}]"#)
    let added = Self.name + #", "age": {"type": "integer16", "optional": true}"#
    try trial.write(added, #"[{"id": 2}]"#)
    #expect(try trial.refusal(Self.name).contains("it was written by a newer model"))
    #expect(try trial.export(added) == #"[{"id":1,"name":null,"age":null},{"id":2,"name":null,"age":null}]"#)
  }

  @Test("S16: a model with a lower version does not change a store", arguments: Kind.allCases)
  func lowerVersion(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.name, #"[{"id": 1}]"#, version: "1.10")
    let message = try trial.refusal("", version: "1.9")
    #expect(message.contains("it was written by version 1.10 of the model, but the given model has version 1.9"))
    _ = try trial.open(Self.model(Self.name, version: "1.9"))
    _ = try trial.open(Self.model("", version: "1.11"))
  }

  @Test(
    "S9, S16: programs share a store even if the order of properties in their model files differs",
    arguments: Kind.allCases)
  func order(_ kind: Kind) throws {
    let trial = try Trial(kind)
    let age = #""age": {"type": "integer16", "optional": true}"#
    let pet = #""Pet": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#
    func model(_ version: String, _ attributes: [String], petFirst: Bool) throws -> ManagedObjectModel {
      let person = #""Person": {"identityAttributes": "id", "attributes": {\#(attributes.joined(separator: ", "))}}"#
      let entities = petFirst ? [pet, person] : [person, pet]
      return try ManagedObjectModel(
        text:
          #"{"keyStrategy": "sameName", "version": "\#(version)", "entities": {\#(entities.joined(separator: ", "))}}"#)
    }
    let id = #""id": "integer64""#
    let first = try model("1", [id, Self.name, age], petFirst: false)
    let second = try model("2", [age, Self.name, id], petFirst: true)
    let old = try trial.open(first)
    try old.importJSON(#"[{"id": 1, "name": "Ann", "age": 5}]"#, ofEntity: "Person")
    try old.commit()
    let files = try trial.folder.names
    let new = try trial.open(second)
    #expect(try trial.folder.names == files)
    #expect(try new.all("Person") == #"[{"age":5,"name":"Ann","id":1}]"#)
    try new.importJSON(#"[{"id": 2, "name": "Bob", "age": 6}]"#, ofEntity: "Person")
    try new.importJSON(#"[{"id": 3}]"#, ofEntity: "Pet")
    try new.commit()
    // The older program still works, and reads what the newer program has written since then.
    if kind == .sqlite {
      #expect(try old.merge())
      #expect(try old.all("Person") == #"[{"id":1,"name":"Ann","age":5},{"id":2,"name":"Bob","age":6}]"#)
    }
    let again = try trial.open(first)
    try again.importJSON(#"[{"id": 1, "name": "Anna"}]"#, ofEntity: "Person")
    try again.commit()
    #expect(try trial.open(second).all("Person") == #"[{"age":5,"name":"Anna","id":1},{"age":6,"name":"Bob","id":2}]"#)
    #expect(try again.all("Pet") == #"[{"id":3}]"#)
  }

  @Test("S9, M27: the plan mentions an alternate identity that only a sub-entity keeps", arguments: Kind.allCases)
  func droppedAlternate(_ kind: Kind) throws {
    func model(_ ofBase: String, _ ofSub: String) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "entities": {
            "Person": {"identityAttributes": "id", \(ofBase)
              "attributes": {"id": "integer64", "slug": {"type": "string", "optional": true}}},
            "Author": {"parent": "Person"\(ofSub)}}}
          """)
    }
    let alternate = #""alternateIdentities": ["slug"]"#
    let trial = try Trial(kind)
    let context = try trial.open(model("\(alternate),", ""))
    try context.importJSON(#"[{"id": 1, "slug": "x"}]"#, ofEntity: "Person")
    try context.commit()
    let new = try model("", ", \(alternate)")
    let plan =
      switch kind {
      case .sqlite: try SQLiteStore.migrationPlan(at: trial.url, to: new)
      case .snapshot: try SnapshotStore.migrationPlan(at: trial.url, to: new)
      }
    #expect(plan.changes == ["no longer identify the objects of 'Person' by 'slug'"])
    let migrated = try trial.open(new)
    try migrated.importJSON(#"[{"id": 2, "slug": "x"}]"#, ofEntity: "Person")
    #expect(try migrated.count(ofEntity: "Person") == 2)
  }

  @Test("S16: a removal can name its entity by the old or the new name", arguments: Kind.allCases)
  func removalByNewName(_ kind: Kind) throws {
    let id = #""identityAttributes": "id", "attributes": {"id": "integer64""#
    let nick = #", "nick": {"type": "string", "optional": true}"#
    let team =
      #""Team": {\#(id)}, "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "team"}}}"#
    let hero = #""Hero": {\#(id)}, "relationships": {"team": {"destination": "Team", "inverse": "heroes"}}}"#
    let cases = [
      (
        entity: "Hero", old: "\(team), \(hero)",
        new: #""Team": {\#(id)}}, "Champion": {"renamedFrom": "Hero", \#(id)}}"#,
        payload: #"[{"id": 1, "team": 2}]"#, names: ["Hero.team", "Champion.team"]
      ),
      (
        entity: "Sub",
        old: #""Base": {\#(id)}}, "Sub": {"parent": "Base", "attributes": {"nick": {"type": "string"}}}"#,
        new: #""Base": {\#(id)\#(nick)}}, "Sab": {"parent": "Base", "renamedFrom": "Sub"}"#,
        payload: #"[{"id": 1, "nick": "x"}]"#, names: ["Sub.nick", "Sab.nick"]
      ),
    ]
    for one in cases {
      for name in one.names {
        let trial = try Trial(kind)
        func model(_ entities: String) throws -> ManagedObjectModel {
          try ManagedObjectModel(text: #"{"keyStrategy": "sameName", "entities": {\#(entities)}}"#)
        }
        let context = try trial.open(model(one.old))
        try context.importJSON(one.payload, ofEntity: one.entity)
        try context.commit()
        #expect(throws: StoreError.self) { try trial.open(model(one.new)) }
        #expect(throws: Never.self, "\(name)") { try trial.open(model(one.new), allowing: [name]) }
      }
    }
  }

  @Test("S16: a property is found under any of its former names", arguments: Kind.allCases)
  func skippedVersion(_ kind: Kind) throws {
    for former in [#""name""#, #""firstName""#] {
      let trial = try Trial(kind)
      try trial.write(
        "\(former): {\"type\": \"string\", \"optional\": true}",
        "[{\"id\": 1, \(former): \"Ann\"}]")
      let renamed = { (former: String) in
        "\"givenName\": {\"type\": \"string\", \"optional\": true, \"renamedFrom\": \(former)}"
      }
      if former == #""name""# {
        let message = try trial.refusal(renamed(#""firstName""#))
        #expect(
          message.contains(#"if 'Person.givenName' is its new name, add "name" to its 'renamedFrom'"#), "\(message)")
      }
      #expect(try trial.export(renamed(#"["firstName", "name"]"#)) == #"[{"id":1,"givenName":"Ann"}]"#)
    }
  }

  @Test("S16: the refusal to remove an entity suggests the only new entity that is similar", arguments: Kind.allCases)
  func likelyName(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.name, Self.people)
    func message(_ entities: String) throws -> String {
      let model = try ManagedObjectModel(text: "{\"keyStrategy\": \"sameName\", \"entities\": {\(entities)}}")
      let error = #expect(throws: StoreError.self) { _ = try trial.open(model) }
      return error.map { "\($0)" } ?? ""
    }
    func entity(_ name: String, _ attributes: String = ", \(Self.name)") -> String {
      "\"\(name)\": {\"identityAttributes\": \"id\", \"attributes\": {\"id\": \"integer64\"\(attributes)}}"
    }
    let advice = #"if 'Human' is its new name, add "renamedFrom": "Person" to 'Human'"#
    let other = #""Place": {"attributes": {"city": "string", "street": "string"}}"#
    #expect(try message("\(entity("Human")), \(other)").contains(advice))
    #expect(try !message("\(entity("Human")), \(entity("Place"))").contains("is its new name"))
    #expect(try !message(other).contains("is its new name"))
    #expect(
      try trial.open(
        ManagedObjectModel(
          text:
            "{\"keyStrategy\": \"sameName\", \"entities\": {\(entity("Human").replacing("{\"identity", with: "{\"renamedFrom\": \"Person\", \"identity"))}}"
        )
      ).count(ofEntity: "Human") == 2)
  }

  @Test("S9: a path that names no file is refused, and the error names the call for a store in memory")
  func memoryPaths() throws {
    let model = try Self.model(Self.name)
    for path in [":memory:", ""] {
      let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path, model: model) }
      #expect(error.map { "\($0)" }?.contains("call 'SQLiteStore.inMemory(model:)'") == true)
    }
  }

  @Test(
    "S16: 'removed' and 'renamedFrom' accept only names that are no longer in the model, and are written as they were read"
  )
  func names() throws {
    #expect { try Self.model(Self.name, removed: ["Person.name"]) } throws: { error in
      "\(error)".contains("'removed' lists 'Person.name', which the model still declares")
    }
    #expect { try Self.model(Self.name + #", "title": {"type": "string", "renamedFrom": ["a", "name"]}"#) } throws: {
      "\($0)".contains("the former name 'name' of 'Person.title' is still in use")
    }
    #expect { try ManagedObjectModel(text: #"{"removed": "Person", "entities": {}}"#) } throws: {
      "\($0)".contains("an array of strings")
    }
    let model = try Self.model(#""name": {"type": "string", "renamedFrom": ["a", "b"]}"#, removed: ["Person.age"])
    let again = try ManagedObjectModel(text: ModelFileWriter().text(of: model.contents))
    #expect(again.contents.removed == ["Person.age"])
    #expect(again.contents.entities[0].attributes[1].renamedFrom == ["a", "b"])
  }

  @Test("S9: an optional property becomes required if all objects have a value", arguments: Kind.allCases)
  func required(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.name, Self.people)
    #expect(try trial.export(#""name": "string""#) == #"[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]"#)
  }

  @Test("S9: a property that becomes required sets its default in objects without a value", arguments: Kind.allCases)
  func requiredWithDefault(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.name, #"[{"id": 1, "name": "Ann"}, {"id": 2}]"#)
    let message = try trial.refusal(#""name": "string""#)
    #expect(message.contains("'Person.name' becomes required, but the object Person(2) has none"), "\(message)")
    let model = #""name": {"type": "string", "default": "?"}"#
    #expect(try trial.export(model) == #"[{"id":1,"name":"Ann"},{"id":2,"name":"?"}]"#)
  }

  @Test("S16: a snapshot file is copied before the first commit by a newer model, unless copies are turned off")
  func snapshotBackup() throws {
    for isWanted in [true, false] {
      let trial = try Trial(.snapshot)
      try trial.write(Self.name, Self.people)
      var options = SnapshotStore.Options()
      options.allowedRemovals = ["Person.name"]
      options.backsUpBeforeMigration = isWanted
      let model = try Self.model("")
      let store = try SnapshotStore(at: trial.url, model: model, options: options)
      let context = try ManagedObjectContext(model: model, store: store)
      context.insert(ofEntity: "Person")["id"] = 3
      try context.commit()
      let backups = try trial.folder.names.filter { $0.contains(".backup-") }
      #expect(backups.count == (isWanted ? 1 : 0), "\(backups)")
    }
  }

  @Test(
    "S16: new limits of a relationship that is its own inverse count each linked object once", arguments: Kind.allCases)
  func symmetricCount(_ kind: Kind) throws {
    func model(_ rule: String) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        text: #"""
          {"keyStrategy": "sameName", "entities": {"Person": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"friends": {"destination": "Person", "toMany": true, "inverse": "friends"\#(rule)}}}}}
          """#)
    }
    let trial = try Trial(kind)
    do {
      let context = try trial.open(model(""))
      let people = #"[{"id": 1, "friends": [2, 3]}, {"id": 2, "friends": [1, 3]}, {"id": 3, "friends": [1, 2]}]"#
      try context.importJSON(people, ofEntity: "Person")
      try context.commit()
    }
    let error = #expect(throws: StoreError.self) { try trial.open(model(#", "minCount": 3"#)) }
    #expect(error.map { "\($0)".contains("'Person.friends'") } == true, "\(error.map { "\($0)" } ?? "")")
    let context = try trial.open(model(#", "minCount": 2, "maxCount": 2"#))
    #expect(try context.count(ofEntity: "Person") == 3)
  }

  @Test(
    "S16: validation rules can become stricter if all objects satisfy the new rules", arguments: Kind.allCases,
    [#""enum": ["Ann", "Al"]"#, #""maxLength": 3"#, #""pattern": "^A""#])
  func rules(_ kind: Kind, _ rule: String) throws {
    let trial = try Trial(kind)
    try trial.write(Self.name, #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Robert"}]"#)
    let ruled = "\"name\": {\"type\": \"string\", \"optional\": true, \(rule)}"
    let message = try trial.refusal(ruled)
    #expect(message.contains("the object Person(2) violates the rules of the model: expected"), "\(message)")
    try trial.write(Self.name, #"[{"id": 2, "name": "Al"}]"#)
    #expect(try trial.export(ruled) == #"[{"id":1,"name":"Ann"},{"id":2,"name":"Al"}]"#)
  }
}

extension ManagedObjectContext {
  /// Returns all objects of an entity as compact JSON, sorted by identity.
  func all(_ entity: String) throws -> String {
    String(decoding: try exportAll(of: entity, options: ExportOptions()), as: UTF8.self)
  }
}
