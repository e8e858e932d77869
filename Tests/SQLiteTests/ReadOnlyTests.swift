import Foundation
import Graft
import Testing

@testable import GraftSQLite

/// Stores that are opened read-only (S1), and damage to the write-ahead log that SQLite does not report (S10).
@Suite("SQLite: read-only stores") struct ReadOnlyTests {
  private let folder: Folder
  private var url: URL { folder.file("counts.graft") }
  private let model: ManagedObjectModel

  init() throws {
    folder = try Folder()
    model = try ManagedObjectModel(text: Self.text(""), name: "m.json")
  }

  private static func text(_ more: String) -> String {
    """
    {"keyStrategy": "sameName", "entities": {
      "Count": {"identityAttributes": "id", "attributes": {"id": "integer64", "value": "integer64"\(more)}}}}
    """
  }

  private var readOnly: SQLiteStore.Options {
    var options = SQLiteStore.Options()
    options.isReadOnly = true
    return options
  }

  private func load(_ ids: Range<Int>, _ store: SQLiteStore) throws {
    let counts = ids.map { "{\"id\": \($0), \"value\": \($0)}" }.joined(separator: ",")
    try ManagedObjectContext(store: store).importJSON("[\(counts)]", ofEntity: "Count")
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch { return "\(error)" }
  }

  @Test("S1: a read-only store is not written to, and shows other programs' commits")
  func reads() throws {
    let writing = try SQLiteStore(at: url, model: model)
    try load(0..<3, writing)
    let store = try SQLiteStore(at: url, model: model, options: readOnly)
    let context = ManagedObjectContext(store: store)
    #expect(try context.count(ofEntity: "Count") == 3)
    try load(3..<5, writing)
    try context.merge()
    #expect(try context.count(ofEntity: "Count") == 5)
    let error = message { try load(7..<8, store) }
    #expect(
      error.contains("cannot be written: it was opened with 'isReadOnly'; open it without that option to change it"))
    #expect(try writing.latestCommit() == 2)
    #expect(!context.hasChanges)
  }

  @Test("S1: a read-only store is neither created nor migrated")
  func refusals() throws {
    #expect(
      message { _ = try SQLiteStore(at: url, model: model, options: readOnly) }.contains("there is no store '")
    )
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try load(0..<3, SQLiteStore(at: url, model: model))
    let before = try Data(contentsOf: url)
    let other = try ManagedObjectModel(
      text: Self.text(#", "more": {"type": "string", "optional": true}"#), name: "m.json")
    let error = message { _ = try SQLiteStore(at: url, model: other, options: readOnly) }
    #expect(error.contains("read-only stores are not migrated"), "\(error)")
    #expect(try Data(contentsOf: url) == before)
  }

  @Test("S1: an immutable file is read without creating files, regardless of its name")
  func frozen() throws {
    let odd = folder.file("a?b#c%41.graft")
    try load(0..<3, SQLiteStore(at: odd, model: model))
    let connection = try SQLiteConnection(path: odd.path, .readingImmutableFile)
    #expect(try connection.integer("SELECT count(*) FROM Count") == 3)
    #expect(try folder.names == [odd.lastPathComponent])
  }

  // MARK: The log

  /// A copy of a store whose commits are still in the log.
  private func copyWithLog() throws -> (copy: URL, log: Data) {
    let store = try SQLiteStore(at: url, model: model)
    for number in 0..<8 { try load(number * 10..<number * 10 + 10, store) }
    let copy = folder.file("copy.graft")
    try FileManager.default.copyItem(at: url, to: copy)
    let log = try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
    withExtendedLifetime(store) {}
    return (copy, log)
  }

  @Test("S10: verify finds damage in the write-ahead log, and changes nothing")
  func damagedLog() throws {
    let (copy, log) = try copyWithLog()
    let logFile = URL(fileURLWithPath: copy.path + "-wal")
    func findings(_ log: Data) throws -> [String] {
      try? FileManager.default.removeItem(atPath: copy.path + "-shm")
      try log.write(to: logFile)
      let file = try Data(contentsOf: copy)
      let store = try SQLiteStore(at: copy, model: model, options: readOnly)
      let found = try store.verify().map(\.message)
      #expect(try Data(contentsOf: copy) == file)
      #expect(try Data(contentsOf: logFile) == log)
      return found
    }
    #expect(try findings(log) == [])
    let frames = (log.count - 32) / (4096 + 24)
    #expect(frames > 8)
    // A power failure can cut the last commit short.
    let commits = (0..<frames).filter { frame in (4..<8).contains { log[32 + frame * 4120 + $0] != 0 } }
    for frame in 0...commits[commits.count - 3] {
      for offset in [4, 9, 16, 30, 4000] {
        var damaged = log
        damaged[32 + frame * 4120 + offset] ^= 0x55
        let found = try findings(damaged)
        #expect(
          found.contains { $0.contains("frame \(frame + 1) of the write-ahead log is damaged") },
          "\(frame), \(offset): \(found)")
      }
    }
    for offset in [1, 9, 17, 25] {
      var damaged = log
      damaged[offset] ^= 0x55
      #expect(try findings(damaged).contains { $0.contains("the header of the write-ahead log") }, "\(offset)")
    }
  }

  @Test("S10: a write-ahead log with a torn end is not damaged")
  func tornLog() throws {
    let (_, log) = try copyWithLog()
    let torn = folder.file("torn")
    for length in [log.count - 1, log.count - 2000, log.count - 4120, 31, 32, 33] {
      try log.prefix(length).write(to: URL(fileURLWithPath: torn.path + "-wal"))
      #expect(WriteAheadLog(ofFileAt: torn.path)?.damage == nil, "\(length)")
    }
    // The last frames belong to a commit that was not acknowledged.
    var last = log
    last[log.count - 100] ^= 1
    try last.write(to: URL(fileURLWithPath: torn.path + "-wal"))
    #expect(WriteAheadLog(ofFileAt: torn.path)?.damage == nil)
    #expect(WriteAheadLog(ofFileAt: folder.file("none").path) == nil)
  }
}
