import Foundation
import Graft
import GraftSQLite
import GraftTestSupport

/// Kills a process that writes to a store, at random moments. Acknowledged commits must be in the store.
struct KillTrial {
  let kind: StoreKind
  let seed: UInt64

  /// Writes to a store until the process is killed. The number of each commit is printed to standard output after the commit returns.
  static func write(_ kind: StoreKind, _ url: URL) throws {
    acknowledge("ready")
    let ledger = try Ledger(kind.open(url))
    var number = try ledger.latest()
    while true {
      number += 1
      try ledger.commit(number)
      acknowledge("\(number)")
    }
  }

  static func acknowledge(_ word: String) { FileHandle.standardOutput.write(Data((word + "\n").utf8)) }

  func run(_ kills: Int) throws -> String {
    var random = SeededRandom(seed: seed)
    var folder = try Folder()
    var known: Int64 = 0
    var commits: Int64 = 0
    for kill in 1...max(1, kills) {
      // The store's creation is also interrupted.
      if kill % 20 == 1 {
        folder = try Folder()
        known = 0
      }
      let url = folder.url.appendingPathComponent("store.graft")
      let (acknowledged, errors) = try interrupt(url, &random)
      guard errors.isEmpty else { throw Failure("kill \(kill): \(errors)") }
      let last = max(known, acknowledged)
      let latest = try Ledger.check(
        kind.open(url), acknowledged: last, begun: last + 1, "\(kind.rawValue), kill \(kill)")
      commits += latest - known
      known = latest
      let allowed = ["store.graft", "store.graft-shm", "store.graft-wal", "store.graft-lock"]
      let others = folder.names.filter { !allowed.contains($0) && !$0.hasPrefix("store.graft-new-") }
      guard others.isEmpty else { throw Failure("kill \(kill): left behind: \(others)") }
    }
    return "\(kind.rawValue): \(kills) processes ended, \(commits) commits: none lost, none partial"
  }

  /// Starts a process, and kills it some time after it is ready, or after a number of commits.
  private func interrupt(_ url: URL, _ random: inout SeededRandom) throws -> (acknowledged: Int64, errors: String) {
    let process = Process()
    process.executableURL = Processes.program
    process.arguments = ["write", kind.rawValue, url.path]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The first line reports that the process is ready, which takes longer on a busy machine.
    let lineCount = Int.random(in: 1...8, using: &random)
    var text = Data()
    while text.count(where: { $0 == UInt8(ascii: "\n") }) < lineCount {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      text += more
    }
    usleep(UInt32.random(in: 0...10_000, using: &random))
    kill(process.processIdentifier, SIGKILL)
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    // The last line might be incomplete.
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
    return (lines.compactMap { Int64($0) }.max() ?? 0, String(decoding: complaint, as: UTF8.self))
  }
}

enum Processes {
  /// The path of this program.
  static let program: URL = {
    #if os(Linux)
      URL(fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "")
    #else
      Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
  }()
}
