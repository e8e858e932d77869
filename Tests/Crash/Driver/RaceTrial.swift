import Foundation
import Graft
import GraftPostgreSQL
import GraftSQLite

/// Processes that write to one store. All commits that a process acknowledged must be in the store.
struct RaceTrial {
  let kind: StoreKind
  /// The path or URL of the store; nil for a new file.
  var url: URL?
  var processes = 2

  /// Writes for a few seconds. Each commit adds an entry and increments a counter that all processes update.
  static func compete(_ kind: StoreKind, _ url: URL, writer: String, seconds: Int) throws {
    let store = try kind.open(url)
    let context = try ManagedObjectContext(model: Ledger.model, store: store)
    let end = Date(timeIntervalSinceNow: Double(seconds))
    let base = (Int64(writer) ?? 0) * 1_000_000_000
    var commits: Int64 = 0
    var conflicts = 0
    // On a busy machine, a process may need longer for its first commit.
    while Date() < end || commits == 0 && Date() < end.addingTimeInterval(30) {
      do {
        let counter = try context.find(ofEntity: "Counter", identity: 0 as Int64) ?? context.insert(ofEntity: "Counter")
        counter["id"] = 0 as Int64
        counter["value"] = (counter["value"] ?? 0 as Int64) + 1
        try context.importJSON("[{\"id\": \(base + commits), \"tags\": [\"both\", \"\(writer)\"]}]", ofEntity: "Entry")
        commits += 1
        KillTrial.acknowledge("\(commits)")
        // A program does other work between two commits. Without this pause, the process that committed last would always be faster,
        // because it does not need to read other processes' commits.
        usleep(.random(in: 0...20_000))
      } catch  where hasCode(error, .commitConflict) {
        conflicts += 1
        context.rollBack()
        try context.merge()
      }
    }
    KillTrial.acknowledge("\(conflicts) conflicts")
  }

  func run(seconds: Int) throws -> String {
    let folder = try Folder()
    let url = self.url ?? folder.url.appendingPathComponent("store.graft")
    let place = kind == .postgresql ? url.absoluteString : url.path
    do {
      let context = try ManagedObjectContext(model: Ledger.model, store: kind.open(url))
      try context.importJSON("[{\"id\": 0, \"value\": 0}]", ofEntity: "Counter")
    }
    let (commits, conflicts) = try RaceTrial.run(
      (1...processes).map { ["compete", kind.rawValue, place, "\($0)", "\(seconds)"] }, folder)
    let store = try kind.open(url)
    let findings = try (store as? SQLiteStore)?.verify() ?? (store as? PostgreSQLStore)?.verify() ?? []
    if let finding = findings.first { throw Failure("\(finding)") }
    let context = try ManagedObjectContext(model: Ledger.model, store: store)
    let value: Int64? = try context.find(ofEntity: "Counter", identity: 0 as Int64)?["value"]
    guard value == commits.reduce(0, +) else {
      throw Failure("\(commits) commits were acknowledged, but the counter is \(value ?? -1)")
    }
    let ids = try Set(context.fetch(ofEntity: "Entry").compactMap { $0["id"] as Int64? })
    for (index, count) in commits.enumerated() {
      let base = Int64(index + 1) * 1_000_000_000
      guard (base..<base + count).allSatisfy(ids.contains) else { throw Failure("an entry is missing") }
    }
    guard ids.count == Int(commits.reduce(0, +)) else { throw Failure("there are more entries than commits") }
    guard commits.allSatisfy({ $0 > 0 }) else { throw Failure("a process wrote nothing: \(commits)") }
    return
      "\(processes) processes for \(seconds) s: \(commits) commits, \(conflicts) conflicts that were tried again; none lost"
  }

  /// Runs processes at the same time.
  ///
  /// - Returns: the number of commits that each process acknowledged, and the number of conflicts that it encountered.
  static func run(_ commands: [[String]], _ folder: Folder) throws -> (commits: [Int64], conflicts: Int) {
    let processes = try commands.enumerated().map { number, words in
      let process = Process()
      process.executableURL = Processes.program
      process.arguments = words
      let output = folder.url.appendingPathComponent("output-\(number)")
      _ = FileManager.default.createFile(atPath: output.path, contents: nil)
      process.standardOutput = try FileHandle(forWritingTo: output)
      try process.run()
      return (process, output)
    }
    var commits: [Int64] = []
    var conflicts = 0
    for (process, output) in processes {
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure("a process failed") }
      let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
      commits.append(lines.compactMap { Int64($0) }.max() ?? 0)
      conflicts += lines.last?.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }
    return (commits, conflicts)
  }
}
