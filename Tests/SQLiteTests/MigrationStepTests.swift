import Foundation
import Graft
import Synchronization
import Testing

@testable import GraftSQLite

/// Steps that move data to another version of the model, whether or not the layout changes.
@Suite("Stores: effects of a migration step on other programs") struct MigrationStepTests {
  typealias Kind = DataMigrationTests.Kind
  typealias Trial = DataMigrationTests.Trial

  /// Communication between threads.
  private final class Progress: Sendable {
    let isDone = Mutex(false)
    let count = Mutex(0)
    let failures = Mutex<[String]>([])

    func next() -> Int {
      count.withLock {
        $0 += 1; return $0
      }
    }
    func end() { isDone.withLock { $0 = true } }
    var hasEnded: Bool { isDone.withLock { $0 } }
  }

  /// A program of the first version that commits continuously until it is told to stop or can no longer commit.
  private static func commitAllTheTime(_ trial: Trial, _ progress: Progress) -> Thread {
    let writer = Thread {
      guard let context = try? trial.open(length("1")) else { return }
      while !progress.hasEnded {
        do {
          try context.importJSON(#"[{"id": 3, "note": "\#(progress.next())"}]"#, ofEntity: "Plank")
          try context.commit()
        } catch { return }
      }
    }
    writer.start()
    return writer
  }

  /// Versions of one model whose layouts are the same.
  private static func length(_ version: String?) -> String {
    let version = version.map { #""version": "\#($0)", "# } ?? ""
    return #"""
      {"keyStrategy": "sameName", \#(version)"entities": {
        "Plank": {"identityAttributes": "id", "attributes": {"id": "integer64", "length": {"type": "integer64", "optional": true}, "note": {"type": "string", "optional": true}},
          "relationships": {"nails": {"destination": "Nail", "toMany": true}}},
        "Nail": {"identityAttributes": "id", "attributes": {"id": "integer64"}}}}
      """#
  }
  private static let planks = #"[{"id": 1, "length": 2, "nails": [1]}, {"id": 2, "length": 3}, {"id": 3}]"#
  private static let millimeters =
    #"[{"id":1,"length":20,"note":null,"nails":[1]},{"id":2,"length":30,"note":null,"nails":[]},{"id":3,"length":null,"note":null,"nails":[]}]"#
  /// Converts centimeters to millimeters.
  private static let toMillimeters = StoreMigration(to: "2", replacing: ["Plank.length"]) { step in
    try step.forEach("Plank") { old, new in
      #expect(new?["length"] as Int? == nil, "replaced values still exist")
      let length: Int? = old["length"]
      new?["length"] = length.map { $0 * 10 }
    }
  }

  @Test(
    "S17: with the same layout, replaced properties are also empty, and no program continues with the old values",
    arguments: Kind.allCases)
  func sameLayout(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.length("1"), Self.planks, "Plank")
    let other = try trial.open(Self.length("1"))
    let plank = try #require(try other.find(ofEntity: "Plank", identity: 1))
    #expect(plank["length"] == 2)
    let context = try trial.open(Self.length("2"), [Self.toMillimeters])
    #expect(try context.all("Plank") == Self.millimeters)
    #expect(try trial.open(Self.length("2"), [Self.toMillimeters]).all("Plank") == Self.millimeters)
    plank["note"] = "x"
    let error = #expect(throws: (any Error).self) { try other.commit() }
    #expect("\(String(describing: error))".contains("open"), "\(String(describing: error))")
    #expect(throws: StoreError.self) { try trial.open(Self.length("1")).fetch(ofEntity: "Plank") }
    #expect(throws: StoreError.self) { try trial.open(Self.length("1")) }
    #expect(try trial.open(Self.length("2")).all("Plank") == Self.millimeters)
    try trial.verify()
  }

  @Test(
    "S17: a program without steps, or without a version, does not prevent the steps from running later",
    arguments: Kind.allCases)
  func others(_ kind: Kind) throws {
    let trial = try Trial(kind)
    try trial.write(Self.length("1"), Self.planks, "Plank")
    // As a tool that has the new model does.
    #expect(try trial.open(Self.length("2")).count(ofEntity: "Plank") == 3)
    try trial.write(Self.length("2"), #"[{"id": 3}]"#, "Plank")
    #expect(try trial.open(Self.length("2"), [Self.toMillimeters]).all("Plank") == Self.millimeters)
    try trial.verify()
    for version in [nil, "beta"] {
      let trial = try Trial(kind)
      try trial.write(Self.length("1"), Self.planks, "Plank")
      try trial.write(Self.length(version), #"[{"id": 3}]"#, "Plank")
      #expect(try trial.open(Self.length("2"), [Self.toMillimeters]).all("Plank") == Self.millimeters)
      #expect(throws: StoreError.self) { try trial.open(Self.length(version)) }
    }
  }

  @Test(
    "S17: a step does not run on a store that was created with the step's version or a later version",
    arguments: Kind.allCases)
  func created(_ kind: Kind) throws {
    let never = StoreMigration(to: "2") { _ in Issue.record("the step ran") }
    let trial = try Trial(kind)
    try trial.write(Self.length("2"), Self.planks, "Plank")
    #expect(try trial.open(Self.length("3"), [never]).count(ofEntity: "Plank") == 3)
  }

  @Test(
    "S17: programs without the step's version are refused, whether the step ran or the store began with that version",
    arguments: Kind.allCases, [nil, "1", "2025-03"] as [String?])
  func keptOut(kind: Kind, version: String?) throws {
    for isCreated in [true, false] {
      let trial = try Trial(kind)
      if !isCreated { try trial.open(Self.length(version)).importJSON(Self.planks, ofEntity: "Plank") }
      let context = try trial.open(Self.length("2"), [Self.toMillimeters])
      if isCreated { try context.importJSON(Self.planks, ofEntity: "Plank") }
      let before = context.dump()
      let error = try #require(throws: StoreError.self) { try trial.open(Self.length(version)) }
      #expect(
        error.diagnostics[0].code == .incompatibleModel && error.description.contains("update the program"), "\(error)")
      // Programs that know the new form do not need the step.
      #expect(try trial.open(Self.length("2")).dump() == before)
    }
  }

  @Test(
    "S17: the version of the step is decisive, not the version of the model", arguments: Kind.allCases,
    [true, false])
  func laterModel(kind: Kind, isCreated: Bool) throws {
    let trial = try Trial(kind)
    if !isCreated { try trial.open(Self.length("1")).importJSON(Self.planks, ofEntity: "Plank") }
    let context = try trial.open(Self.length("3"), [Self.toMillimeters])
    if isCreated { try context.importJSON(Self.planks, ofEntity: "Plank") }
    let before = context.dump()
    #expect(try trial.open(Self.length("2"), [Self.toMillimeters]).dump() == before)
    #expect(throws: StoreError.self) { try trial.open(Self.length("1")) }
  }

  @Test("S17: a step can find a renamed entity under its old and its new name", arguments: Kind.allCases)
  func renamedEntity(_ kind: Kind) throws {
    for name in ["Plank", "Board"] {
      let trial = try Trial(kind)
      try trial.write(Self.length("1"), Self.planks, "Plank")
      let renamed = Self.length("2").replacingOccurrences(
        of: #""Plank": {"#, with: #""Board": {"renamedFrom": "Plank", "#)
      let step = StoreMigration(to: "2", replacing: []) { step in
        try step.forEach(name) { old, new in new?["note"] = "was \(old.entity.name)" }
      }
      let context = try trial.open(renamed, [step])
      #expect(
        try context.fetch(ofEntity: "Board").map { $0["note"] as String? } == Array(repeating: "was Plank", count: 3))
    }
  }

  @Test("S17: a step can leave incomplete objects for a later step to complete", arguments: Kind.allCases)
  func skipping(_ kind: Kind) throws {
    func text(_ version: String, _ more: String) -> String {
      DataMigrationTests.model(
        version, #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"\#(more)}}"#)
    }
    let (first, second) = (text("1", ""), text("2", #", "a": "string""#))
    let third = text("3", #", "a": {"type": "string", "maxLength": 1}, "b": "string""#)
    func fill(_ version: String, _ name: String, _ value: String) -> StoreMigration {
      StoreMigration(to: version) { step in
        try step.forEach("Hero") { old, new in
          new?[name] = value
          if version == "3" { new?["a"] = "s" }
        }
      }
    }
    let steps = [fill("2", "a", "long"), fill("3", "b", "x")]
    let expected = #"[{"id":1,"a":"s","b":"x"}]"#
    let trial = try Trial(kind)
    try trial.write(first, #"[{"id": 1}]"#)
    #expect(try trial.open(third, steps).all("Hero") == expected)
    let slow = try Trial(kind)
    try slow.write(first, #"[{"id": 1}]"#)
    _ = try slow.open(second, [steps[0]])
    #expect(try slow.open(third, steps).all("Hero") == expected)
  }

  @Test(
    "S17, S16: a sub-entity that other objects refer to can be removed while another sub-entity is added",
    arguments: Kind.allCases)
  func removedSubentity(_ kind: Kind) throws {
    func text(_ version: String, _ sub: String, _ more: String) -> String {
      #"""
      {"keyStrategy": "sameName", "version": "\#(version)"\#(more), "entities": {
        "Owner": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"pet": {"destination": "Pet", "JSONRepresentation": "identifier"}}},
        "Pet": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "kind", "entities": {"p": "Pet", "s": "\#(sub)"}}, "attributes": {"id": "integer64"}},
        "\#(sub)": {"parent": "Pet", "attributes": {"lives": {"type": "integer16", "optional": true}}}}}
      """#
    }
    let trial = try Trial(kind)
    try trial.write(
      text("1", "Cat", ""),
      #"[{"id": 1, "pet": {"id": 1, "kind": "s", "lives": 9}}, {"id": 2, "pet": {"id": 2, "kind": "p"}}]"#,
      "Owner")
    let context = try trial.open(text("2", "Dog", #", "removed": ["Cat"]"#))
    #expect(try context.all("Owner") == #"[{"id":1,"pet":null},{"id":2,"pet":2}]"#)
    try context.commit()
    try trial.verify()
  }

  @Test("S17: the old objects have the model that wrote them, so they can be exported", arguments: Kind.allCases)
  func oldModel(_ kind: Kind) throws {
    func text(_ version: String, _ more: String) -> String {
      DataMigrationTests.model(
        version,
        #"""
        "Source": {"abstract": true, "identityAttributes": "id", "entityMapper": {"JSONKeyPath": "kind", "entities": {"b": "Book"}}, "attributes": {"id": "integer64"},
          "relationships": {"quotes": {"destination": "Quote", "toMany": true, "ordered": true, "inverse": "source"}}},
        "Book": {"parent": "Source", "attributes": {"title": {"type": "string", "JSONKeyPath": "name"}}},
        "Quote": {"identityAttributes": ["source", "position"], "attributes": {"position": {"type": "integer32", "JSONKeyPath": "@index"}, "text": "string"\#(more)},
          "relationships": {"source": {"destination": "Source", "inverse": "quotes", "JSONKeyPath": null}}}
        """#)
    }
    let trial = try Trial(kind)
    let payload = #"[{"kind":"b","id":1,"quotes":[{"text":"a"},{"text":"b"}],"name":"T"}]"#
    try trial.write(text("1", ""), payload, "Source")
    let step = StoreMigration(to: "2") { step in
      let export = try step.old.all("Source")
      #expect(export == payload)
      #expect(step.old.model.contents.version == "1")
    }
    let context = try trial.open(text("2", #", "page": {"type": "integer16", "optional": true}"#), [step])
    #expect(try context.count(ofEntity: "Quote") == 2)
    try trial.verify()
  }

  @Test(
    "S17: several programs can open a store at the same time, and the step runs once",
    arguments: Kind.allCases)
  func concurrently(_ kind: Kind) throws {
    for _ in 0..<5 {
      let trial = try Trial(kind)
      try trial.write(Self.length("1"), Self.planks, "Plank")
      let progress = Progress()
      let step = StoreMigration(to: "2", replacing: ["Plank.length"]) { step in
        _ = progress.next()
        try step.forEach("Plank") { old, new in new?["length"] = (old["length"] as Int?).map { $0 * 10 } }
      }
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        do {
          let found = try trial.open(Self.length("2"), [step]).all("Plank")
          if found != Self.millimeters { progress.failures.withLock { $0.append(found) } }
        } catch {
          progress.failures.withLock { $0.append("\(error)") }
        }
      }
      #expect(progress.failures.withLock { $0 } == [])
      // Programs that were too late have run their steps without effect, because another program's transaction was first.
      #expect(progress.count.withLock { $0 } >= 1)
      try trial.verify()
    }
  }

  @Test(
    "S17: a program that commits continuously does not prevent another program from migrating the store",
    arguments: Kind.allCases)
  func busy(_ kind: Kind) async throws {
    let trial = try Trial(kind)
    try trial.write(Self.length("1"), Self.planks, "Plank")
    let progress = Progress()
    let writer = Self.commitAllTheTime(trial, progress)
    while progress.count.withLock({ $0 }) < 5 { try await Task.sleep(for: .milliseconds(1)) }
    let found = try trial.open(Self.length("2"), [Self.toMillimeters]).all("Plank")
    progress.end()
    #expect(found.hasPrefix(#"[{"id":1,"length":20,"#))
    while !writer.isFinished { try await Task.sleep(for: .milliseconds(1)) }
    #expect(try trial.open(Self.length("2")).all("Plank") == found, "a commit of the old version came later")
    try trial.verify()
  }

  @Test("S17, S19: a read-only store is refused if a step has not run")
  func readOnly() throws {
    let trial = try Trial(.sqlite)
    try trial.write(Self.length("1"), Self.planks, "Plank")
    var options = SQLiteStore.Options()
    (options.isReadOnly, options.migrations) = (true, [Self.toMillimeters])
    let model = try ManagedObjectModel(text: Self.length("2"))
    let error = #expect(throws: StoreError.self) { try SQLiteStore(at: trial.url, model: model, options: options) }
    #expect(error?.diagnostics.map(\.code) == [.incompatibleModel])
    _ = try trial.open(Self.length("2"), [Self.toMillimeters])
    _ = try SQLiteStore(at: trial.url, model: model, options: options)
  }

  @Test("S17: a context that a step keeps cannot be used after the migration, and does no harm")
  func kept() throws {
    final class Box: Sendable {
      let context = Mutex<SendableContext?>(nil)
    }
    struct SendableContext: @unchecked Sendable { let context: ManagedObjectContext }
    let box = Box()
    let trial = try Trial(.sqlite)
    try trial.write(Self.length("1"), Self.planks, "Plank")
    let step = StoreMigration(to: "2") { step in
      let count = try step.new.count(ofEntity: "Plank")
      #expect(count == 3)
      let kept = SendableContext(context: step.new)
      box.context.withLock { $0 = kept }
    }
    let context = try trial.open(Self.length("2"), [step])
    let kept = try #require(box.context.withLock { $0 }).context
    #expect(throws: StoreError.self) { try kept.fetch(ofEntity: "Nail") }
    try context.importJSON(#"[{"id": 9}]"#, ofEntity: "Plank")
    try context.commit()
    box.context.withLock { $0 = nil }
    try context.importJSON(#"[{"id": 10}]"#, ofEntity: "Plank")
    try context.commit()
    #expect(try trial.open(Self.length("2")).count(ofEntity: "Plank") == 5)
    try trial.verify()
  }

  @Test("S17: an error that ends the transaction also ends the migration, regardless of how the step handles the error")
  func endedTransaction() throws {
    let trial = try Trial(.sqlite)
    try trial.write(Self.length("1"), Self.planks, "Plank")
    let step = StoreMigration(to: "2") { step in
      try step.forEach("Plank") { _, new in new?["note"] = "lost" }
      // The error ends the transaction, as a full disk does.
      let store = try #require(step.new.store as? SQLiteStore)
      try store.withWriter { connection throws(SQLiteError) in try connection.execute("ROLLBACK") }
      let plank = step.new.insert(ofEntity: "Plank")
      plank["id"] = 7
      #expect(throws: (any Error).self) { try step.new.commit() }
      step.new.rollBack()
    }
    let error = #expect(throws: StoreError.self) { try trial.open(Self.length("2"), [step]) }
    #expect("\(String(describing: error))".contains("ended the transaction"), "\(String(describing: error))")
    #expect(try trial.open(Self.length("1")).count(ofEntity: "Plank", where: "note = null") == 3)
    try trial.verify()
  }

  @Test("S19: a store that is removed while other programs commit to it does not reappear", arguments: Kind.allCases)
  func removal(_ kind: Kind) async throws {
    for _ in 0..<10 {
      let trial = try Trial(kind)
      try trial.write(Self.length("1"), Self.planks, "Plank")
      let progress = Progress()
      let writer = Self.commitAllTheTime(trial, progress)
      while progress.count.withLock({ $0 }) < 3 { try await Task.sleep(for: .milliseconds(1)) }
      switch kind {
      case .sqlite: try SQLiteStore.remove(at: trial.url)
      case .snapshot: try SnapshotStore.remove(at: trial.url)
      }
      try await Task.sleep(for: .milliseconds(5))
      progress.end()
      while !writer.isFinished { try await Task.sleep(for: .milliseconds(1)) }
      #expect(!FileManager.default.fileExists(atPath: trial.url.path))
    }
  }
}
