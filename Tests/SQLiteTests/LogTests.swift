import Foundation
import Graft
import Testing

@testable import GraftSQLite

/// The write-ahead log stays short, even though contexts always show some state of the store.
@Suite("SQLite: the log") struct LogTests {
  private static let model = Result {
    try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "value": {"type": "integer64", "optional": true}}}}}
        """#)
  }

  private static func store(_ folder: Folder, limit: Int = 64 << 20) throws -> SQLiteStore {
    var options = SQLiteStore.Options()
    options.durability = .process
    options.maximumLogSize = limit
    let store = try SQLiteStore(at: folder.file("log.graft"), model: model.get(), options: options)
    try ManagedObjectContext(store: store).importJSON(
      "[" + (1...8).map { #"{"id": \#($0), "value": 0}"# }.joined(separator: ",") + "]", ofEntity: "Item")
    return store
  }

  private static func item(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.find(ofEntity: "Item", id: id))
  }

  /// Enough commits to make the log 9 MB long.
  private static let commits = 900

  @Test("S10: a single context that commits or imports repeatedly restarts the log", arguments: ["commits", "imports"])
  func oneContext(_ way: String) throws {
    let folder = try Folder()
    let store = try Self.store(folder)
    let context = ManagedObjectContext(store: store)
    let item = try Self.item(1, context)
    for number in 1...Self.commits {
      if way == "imports" {
        try context.importJSON(#"{"id": 1, "value": \#(number)}"#, ofEntity: "Item")
      } else {
        item["value"] = number
        try context.commit()
      }
      #expect(store.file.logSize < 5_000_000)
    }
    #expect(item["value"] == Self.commits && context.hasChanges == false)
    #expect(try Self.item(1, ManagedObjectContext(store: store))["value"] == Self.commits)
    #expect(try store.verify().isEmpty)
  }

  @Test("S10: several contexts restart the log when they merge, or when the log is too large")
  func severalContexts() throws {
    for merges in [true, false] {
      let folder = try Folder()
      let store = try Self.store(folder, limit: merges ? 64 << 20 : 6_000_000)
      let contexts = (0..<2).map { _ in ManagedObjectContext(store: store) }
      let items = try contexts.enumerated().map { try Self.item($0 + 1, $1) }
      for number in 1...Self.commits {
        let turn = number % 2
        if merges { for context in contexts { try context.merge() } }
        items[turn]["value"] = number
        try contexts[turn].commit()
        #expect(store.file.logSize < 7_000_000)
      }
      let fresh = ManagedObjectContext(store: store)
      for (number, context) in contexts.enumerated() {
        try context.merge()
        let expected = Self.commits - (Self.commits - number) % 2
        for one in [context, fresh] { #expect(try Self.item(number + 1, one)["value"] == expected) }
      }
    }
  }

  @Test("S10: contexts that take turns importing restart the log")
  func imports() throws {
    let folder = try Folder()
    let store = try Self.store(folder)
    let contexts = (0..<2).map { _ in ManagedObjectContext(store: store) }
    for number in 1...Self.commits {
      try contexts[number % 2].importJSON(#"{"id": \#(number % 2 + 1), "value": \#(number)}"#, ofEntity: "Item")
    }
    #expect(store.file.logSize < 6_000_000)
    for (number, context) in contexts.enumerated() {
      try context.merge()
      #expect(try Self.item(number + 1, context)["value"] == Self.commits - (Self.commits - number) % 2)
    }
  }

  @Test("S10: a context keeps its state when the log is restarted")
  func readers() throws {
    let folder = try Folder()
    let store = try Self.store(folder)
    let (writer, reader) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
    let item = try Self.item(1, writer)
    #expect(try reader.count(ofEntity: "Item") == 8)
    for number in 1...Self.commits {
      item["value"] = number
      try writer.commit()
      if number % 50 == 0 { try reader.merge() }
      let shown = number / 50 * 50
      // The store evaluates the count in the state that the context shows.
      #expect(try reader.count(ofEntity: "Item", where: "id = 1 and value = \(shown)") == 1)
    }
  }

  @Test("S10: two stores on one file restart the log, even if one of them only reads")
  func twoStores() throws {
    let folder = try Folder()
    let (store, other) = (try Self.store(folder), try Self.store(folder))
    let (writer, reader) = (ManagedObjectContext(store: store), ManagedObjectContext(store: other))
    let (item, shown) = (try Self.item(1, writer), try Self.item(1, reader))
    for number in 1...2 * Self.commits {
      item["value"] = number
      try writer.commit()
      try reader.merge()
      #expect(shown["value"] == number)
    }
    #expect(store.file.logSize < 12_000_000)
  }

  @Test("S10: a merge does not wait for a writer, even if the log is long")
  func busyWriter() throws {
    let folder = try Folder()
    let store = try Self.store(folder)
    let (writer, reader) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
    let shown = try Self.item(1, reader)
    try writer.importJSON(
      "[" + (1...60_000).map { #"{"id": \#($0), "value": 7}"# }.joined(separator: ",") + "]", ofEntity: "Item")
    let blocker = try SQLiteConnection(path: store.file.path)
    try blocker.begin(.writing)
    let start = ContinuousClock.now
    #expect(try reader.merge() && shown["value"] == 7)
    #expect(ContinuousClock.now - start < .seconds(3))
    blocker.rollBack()
    // A merge also does not wait for a writer in the same process.
    let isMerged = try store.writer.withLock { _ in try reader.merge() }
    #expect(!isMerged)
  }

  @Test("S10: threads that commit and read concurrently lose no commits when the log is restarted")
  func threads() async throws {
    let folder = try Folder()
    let store = try Self.store(folder)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask {
          let context = BackgroundContext(store: store)
          for value in 1...400 {
            try await context.perform { context in
              try context.merge()
              try Self.item(number, context)["value"] = value
              try context.commit()
              for other in 1...4 { _ = try Self.item(other, context)["value"] as Int? }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let context = ManagedObjectContext(store: store)
    for number in 1...4 { #expect(try Self.item(number, context)["value"] == 400) }
    #expect(try store.verify().isEmpty && store.latestCommit() == 1601)
    #expect(store.file.logSize < 64 << 20)
  }
}
