import Foundation
import Graft
import GraftSQLite

/// A valid store, and a folder for damaged files.
struct StoreFiles: Sendable {
  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(
        text: #"""
          { "keyStrategy": "sameName", "entities": {
            "Maker": { "identityAttributes": "name", "attributes": { "name": "string" },
              "relationships": { "items": { "destination": "Item", "toMany": true, "inverse": "maker" } } },
            "Item": { "identityAttributes": "number",
              "attributes": { "number": "integer32", "title": { "type": "string", "optional": true },
                "size": { "type": "integer16", "optional": true }, "code": { "type": "uuid", "optional": true },
                "weight": { "type": "float", "optional": true }, "price": { "type": "decimal", "optional": true },
                "made": { "type": "date", "optional": true }, "more": { "type": "json", "optional": true },
                "page": { "type": "uri", "optional": true }, "names": { "type": "string", "list": true, "optional": true },
                "photo": { "type": "binary", "optional": true }, "isNew": { "type": "boolean", "default": false } },
              "relationships": { "maker": { "destination": "Maker", "inverse": "items" },
                "tags": { "destination": "Tag", "toMany": true, "inverse": "items", "ordered": true } } },
            "Book": { "parent": "Item", "attributes": { "pages": { "type": "integer16", "optional": true } } },
            "Tag": { "identityAttributes": "word", "attributes": { "word": "string" },
              "relationships": { "items": { "destination": "Item", "toMany": true, "inverse": "tags" } } }
          } }
          """#)
    } catch { fatalError("\(error)") }
  }()

  static let payload = #"""
    [{"number": 1, "title": "one", "size": 10, "code": "6b29fc40-ca47-1067-b31d-00dd010662da", "weight": 0.5,
      "price": 12.50, "made": "2001-09-09T01:46:40Z", "more": {"a": [1, null]}, "page": "https://example.com",
      "names": ["a", "b"], "photo": "AAEC", "isNew": true, "maker": {"name": "DC"}, "tags": [{"word": "x"}, {"word": "y"}]},
     {"number": 2, "title": "two", "maker": "DC", "tags": ["y", "x", "z"]}]
    """#

  let folder: URL
  let file: URL
  /// The bytes and the contents of a valid store.
  let sound: [UInt8]
  let dump: [UInt8]

  init(_ open: (URL) throws -> any PersistentStore) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("graft-fuzz-\(UUID().uuidString)")
    let file = folder.appendingPathComponent("store.graft")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    dump = try StoreFiles.fill(try open(file))
    sound = Array(try Data(contentsOf: file))
    (self.folder, self.file) = (folder, file)
  }

  private static func fill(_ store: any PersistentStore) throws -> [UInt8] {
    let context = ManagedObjectContext(store: store)
    try context.importJSON(payload, ofEntity: "Item")
    try context.importJSON(#"[{"number": 3, "pages": 5, "tags": ["z"]}]"#, ofEntity: "Book")
    try context.commit()
    return context.dumpBytes()
  }

  /// Writes a file, calls a closure with it, and then removes the file's folder.
  func with(_ bytes: [UInt8], _ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(bytes).write(to: file)
    try body()
  }

  /// Calls everything that a store can do. Returns the store's contents, or nil if something could not be read.
  ///
  /// - Parameter isSound: whether the store must be consistent.
  func use(_ store: any PersistentStore, isSound: Bool) throws -> [UInt8]? {
    let context = ManagedObjectContext(store: store)
    let dump = context.dumpBytes()
    // If a dump encounters an error, which it cannot throw, the next call throws the error.
    guard (try? context.count(ofEntity: "Item")) != nil else { return nil }
    for entity in ["Maker", "Item", "Tag"] { _ = try? context.exportAll(of: entity, options: ExportOptions()) }
    let problems = context.checkInvariants()
    if isSound, !problems.isEmpty { throw BrokenLaw("the graph of a store is inconsistent: \(problems)") }
    do {
      try context.importJSON(#"[{"word": "new", "items": [{"number": 9}, 1]}]"#, ofEntity: "Tag")
    } catch { return dump }
    return dump
  }
}
