import Foundation
import Graft
import GraftSQLite

/// Makes each call to the file system fail in turn, once or permanently. A commit either throws and can be repeated, or succeeds.
struct FaultTrial {
  let seed: UInt64

  /// Runs the trial.
  ///
  /// - Parameter step: the distance between the calls that fail in successive runs.
  func run(every step: Int) throws -> String {
    FileSystem.register()
    FileSystem.checkpointPages = 12
    var runs = 0
    var errors = 0
    for forever in [false, true] {
      var call = 1 + Int(seed % UInt64(step))
      while true {
        let (failures, thrown) = try attempt(call, forever)
        if failures == 0 { break }
        runs += 1
        errors += thrown
        call += step
      }
    }
    return "\(runs) runs with a failing call: \(errors) errors were thrown, nothing was lost or partial"
  }

  /// Makes commits while a call fails, and then without failures.
  private func attempt(_ call: Int, _ forever: Bool) throws -> (failures: Int, thrown: Int) {
    let place = "the call \(call) failed\(forever ? ", and all after it" : "")"
    let folder = try Folder()
    let url = folder.url.appendingPathComponent("store.graft")
    FileSystem.calls = 0
    FileSystem.failures = 0
    FileSystem.failingCall = call
    FileSystem.failsForever = forever
    defer { FileSystem.failingCall = .max }
    var thrown = 0
    /// Calls a closure until it succeeds. After a number of errors, no further calls fail.
    func retry<Result>(_ body: () throws -> Result) throws -> Result {
      for attempt in 1... {
        do {
          return try body()
        } catch  where isUnavailable(error) {
          thrown += 1
          if attempt == 3 { FileSystem.failingCall = .max }
          if attempt > 3 { throw Failure("\(place): \(error)") }
        }
      }
      throw Failure("unreachable")
    }
    do {
      let store = try retry { try SQLiteStore(at: url, model: Ledger.model) }
      let ledger = try retry { try Ledger(store) }
      for number in 1...6 as ClosedRange<Int64> { try commit(number, ledger, retry) }
      try Ledger.check(retry { try SQLiteStore(at: url, model: Ledger.model) }, acknowledged: 6, begun: 6, place)
    } catch  where isUnavailable(error) {
      // The check also reads from the file system, so it can encounter the failure.
      guard FileSystem.failures > 0 else { throw Failure("\(place): \(error)") }
      thrown += 1
    }
    FileSystem.failingCall = .max
    try Ledger.check(SQLiteStore(at: url, model: Ledger.model), acknowledged: 6, begun: 6, place + ", reopened")
    return (FileSystem.failures, thrown)
  }

  /// Makes a commit. After an error, the commit is repeated, with the pending changes or from the beginning.
  private func commit(_ number: Int64, _ ledger: Ledger, _ retry: (() throws -> Void) throws -> Void) throws {
    var isEdited = false
    try retry {
      do {
        if !isEdited { try ledger.edit(number) }
        isEdited = true
        try ledger.finish(number)
      } catch {
        if !isEdited || number % 2 == 0 {
          ledger.context.rollBack()
          isEdited = false
        }
        throw error
      }
    }
  }
}
