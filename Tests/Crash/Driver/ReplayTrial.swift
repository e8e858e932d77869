import Foundation
import Graft
import GraftSQLite
import GraftTestSupport

/// Replays the writes of recorded runs up to each single change, in the state that a power failure at that moment would leave.
struct ReplayTrial {
  let seed: UInt64

  func run(_ logs: Int) throws -> String {
    FileSystem.register()
    var states = 0
    var changes = 0
    for log in 0..<logs {
      var random = SeededRandom(seed: seed &+ UInt64(log))
      let recorded = try record(&random)
      changes += recorded.count
      var disk = Disk()
      let folder = try Folder()
      for (index, change) in recorded.enumerated() {
        disk.apply(change)
        for remainder in Disk.Remainder.allCases where remainder == .nothing || !disk.isSynced {
          states += 1
          try check(disk, remainder, folder, &random, "log \(log) of seed \(seed), change \(index), \(remainder)")
        }
      }
    }
    return "\(logs) logs of \(changes) changes: \(states) states after a failure of power, all sound"
  }

  /// Records a run in which a store is created, written to, closed, opened again and written to again.
  private func record(_ random: inout SeededRandom) throws -> [FileSystem.Change] {
    let folder = try Folder()
    let url = folder.url.appendingPathComponent("store.graft")
    FileSystem.checkpointPages = .random(in: 4...60, using: &random)
    FileSystem.log = []
    var number: Int64 = 0
    for _ in 0..<2 {
      let store = try SQLiteStore(at: url, model: Ledger.model)
      let ledger = try Ledger(store)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        number += 1
        FileSystem.log?.append(.begun(number))
        try ledger.commit(number)
        FileSystem.log?.append(.acknowledged(number))
      }
    }
    defer { FileSystem.log = nil }
    return FileSystem.log ?? []
  }

  private func check(
    _ disk: Disk, _ remainder: Disk.Remainder, _ folder: Folder, _ random: inout SeededRandom, _ place: String
  ) throws {
    try folder.empty()
    for (name, bytes) in disk.files(remainder, &random) {
      try Data(bytes).write(to: folder.url.appendingPathComponent(name))
    }
    do {
      let url = folder.url.appendingPathComponent("store.graft")
      let latest = try Ledger.check(
        SQLiteStore(at: url, model: Ledger.model), acknowledged: disk.acknowledged, begun: disk.begun, place)
      // The store can be used from this state.
      guard Int.random(in: 0..<8, using: &random) == 0 else { return }
      try Ledger(SQLiteStore(at: url, model: Ledger.model)).commit(latest + 1)
      try Ledger.check(
        SQLiteStore(at: url, model: Ledger.model), acknowledged: latest + 1, begun: latest + 1, place + ", continued")
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure("\(place): \(error)")
    }
  }
}
