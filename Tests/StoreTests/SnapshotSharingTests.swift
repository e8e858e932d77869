import Foundation
import GraftTestSupport
import Testing

@testable import Graft

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Snapshot files that other programs use, replace or damage in the meantime.
@Suite("Snapshot files: several processes") struct SnapshotSharingTests {
  private let folder: TemporaryFolder
  private var url: URL { folder.file("counts.graft") }
  private let model: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"Count": {"identityAttributes": "id", "attributes": {
          "id": "integer64", "value": "integer64", "text": {"type": "string", "optional": true},
          "weight": {"type": "double", "optional": true}, "day": {"type": "date", "optional": true},
          "tags": {"type": "string", "list": true, "optional": true}},
          "relationships": {"next": {"destination": "Count"}, "near": {"destination": "Count", "toMany": true, "ordered": true}}}}}
        """)
  }

  private func context() throws -> ManagedObjectContext {
    try ManagedObjectContext(model: model, store: SnapshotStore(at: url, model: model))
  }

  private func fill() throws {
    try context().importJSON(
      #"[{"id": 1, "value": 1, "text": "ä", "weight": 0.5, "day": "2026-01-08T00:00:00Z", "tags": ["a"], "next": 2, "near": [2, 3]}, {"id": 2, "value": 5}, {"id": 3, "value": 5}]"#,
      ofEntity: "Count")
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch { return "\(error)" }
  }

  @Test("T26: two stores on one file see each other's commits, and no commit is lost")
  func twoStores() throws {
    let contexts = try [context(), context()]
    for number in 0..<20 as Range<Int64> {
      let context = contexts[Int(number % 2)]
      try context.merge()
      let count = try context.find(ofEntity: "Count", identity: 1 as Int64) ?? context.insert(ofEntity: "Count")
      count["id"] = 1 as Int64
      count["value"] = (count["value"] ?? 0 as Int64) + 1
      try context.commit()
    }
    let value: Int64? = try context().find(ofEntity: "Count", identity: 1 as Int64)?["value"]
    #expect(value == 20)
  }

  @Test("T26: threads that write to one file lose no commits")
  func threads() throws {
    try fill()
    let failures = Guarded<[String]>([])
    let (url, model) = (url, model)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      do {
        let context = try ManagedObjectContext(model: model, store: SnapshotStore(at: url, model: model))
        for number in 0..<10 {
          try context.importJSON("[{\"id\": \(1000 * (thread + 1) + number), \"value\": 1}]", ofEntity: "Count")
        }
      } catch { failures.withLock { $0.append("\(error)") } }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try context().count(ofEntity: "Count") == 43)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == ["counts.graft", "counts.graft-lock"])
  }

  @Test("T26: a store does not overwrite a file that has taken the place of its own file")
  func exchanged() throws {
    try fill()
    let backup = try Data(contentsOf: url)
    let context = try context()
    try context.importJSON(#"[{"id": 4, "value": 1}]"#, ofEntity: "Count")
    try backup.write(to: url)
    let error = message { try context.importJSON(#"[{"id": 5, "value": 1}]"#, ofEntity: "Count") }
    #expect(error.contains("another file took its place, such as a backup; open the store again"), "\(error)")
    #expect(try Data(contentsOf: url) == backup)
  }

  @Test("T26: after the file is removed, reading and writing throw errors, and no file is created")
  func removed() throws {
    try fill()
    let store = try SnapshotStore(at: url, model: model)
    let context = try ManagedObjectContext(model: model, store: store)
    _ = try context.find(ofEntity: "Count", identity: 1 as Int64)
    try FileManager.default.removeItem(at: url)
    for body in [{ _ = try store.latestCommit() }, { _ = try store.snapshot() }, { _ = try store.changes(since: 0) }] {
      #expect(message(body).contains("it was removed or renamed"))
    }
    #expect(message { try context.merge() }.contains("it was removed or renamed"))
    #expect(message { try context.importJSON(#"[{"id": 5, "value": 1}]"#, ofEntity: "Count") } != "")
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test("S10: if a store's path is not a file, the error when the store is opened names the path")
  func notFiles() throws {
    func error(_ name: String) -> String {
      message { _ = try SnapshotStore(at: folder.file(name), model: model) }
    }
    try FileManager.default.createDirectory(at: folder.file("d"), withIntermediateDirectories: true)
    #expect(error("d").contains("it is a directory; give the path of a file"))
    #expect(mkfifo(folder.file("fifo").path, 0o600) == 0)
    #expect(error("fifo").contains("it is not a regular file"))
    try FileManager.default.createSymbolicLink(atPath: folder.url.path + "/link", withDestinationPath: url.path)
    #expect(error("link").contains("it is a symbolic link"))
    #expect(error("missing/counts.graft").contains("create it first"))
    #expect(error(String(repeating: "n", count: 250)).contains("too long"))
    try Data().write(to: folder.file("file"))
    #expect(error("file/counts.graft").contains("cannot be opened"))
    #expect(
      message { _ = try SnapshotStore(at: URL(fileURLWithPath: "/dev/null"), model: model) }.contains("not a regular"))
  }

  @Test("T21: opening a damaged or crafted file succeeds or throws an error, and never crashes the process")
  func crafted() throws {
    try fill()
    let sound = Array(try Data(contentsOf: url))
    var random = SeededRandom(seed: 3)
    let extremes: [Int64] = [
      0, -1, 1, 2, 255, .max, .min, .max - 1, .max / 2, .max / 2 + 1, 1 << 30, 1 << 32, 1 << 62, Int64(Int32.max),
    ]
    let name = Array("sequence\":".utf8)
    var refusals = 0
    for number in 0..<460 {
      var bytes = sound
      if number < 60 {
        let offset = 16 + random.below(bytes.count - 24)
        let word = UInt64(bitPattern: extremes[number % extremes.count])
        for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index)) }
      } else if number < 100, let start = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) {
        // Changes a number in the layout to another number with the same number of digits.
        let digits = bytes.indices.filter { $0 > start - 400 && $0 < start + 1500 && (0x30...0x39).contains(bytes[$0]) }
        bytes.insert(
          contentsOf: Array("9223372036854775807".utf8.dropFirst(number % 3)), at: digits[random.below(digits.count)])
      } else {
        for _ in 0..<3 { bytes[16 + random.below(bytes.count - 16)] = UInt8(random.below(256)) }
      }
      if number % 4 < 3 {
        let checksum = SnapshotFile.checksum(bytes[16...])
        for index in 0..<8 { bytes[8 + index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
      }
      try Data(bytes).write(to: url)
      do {
        let context = try context()
        _ = context.dump()
        for object in try context.fetch(ofEntity: "Count") { object["value"] = 7 as Int64 }
        try context.importJSON(#"[{"id": 77, "value": 1, "near": [1, 2]}]"#, ofEntity: "Count")
        _ = try self.context().dump()
      } catch { refusals += 1 }
    }
    #expect(refusals > 300)
  }
}
