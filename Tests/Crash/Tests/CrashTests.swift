import Foundation
import GraftTestSupport
import Testing

/// Stores after a process is killed, after a power failure or disk errors, and while they are shared with other processes.
///
/// The driver does the work, in separate processes. These variables make the runs longer:
///
///     GRAFT_CRASH_KILLS=1000 GRAFT_CRASH_MIGRATIONS=500 GRAFT_CRASH_LOGS=200 GRAFT_CRASH_FAULTS=all GRAFT_CRASH_SECONDS=10
///     GRAFT_CRASH_MINUTES=30 swift test --filter Crash
@Suite("Crashes", .serialized) struct CrashTests {
  @Test("T25: no acknowledged commit is lost when a process is killed", arguments: ["sqlite", "snapshot"])
  func kills(kind: String) throws { try Driver.run("kills", kind, Driver.number("GRAFT_CRASH_KILLS", 30)) }

  @Test(
    "T27: no data is lost when a migration is killed, in the store or in its backup", arguments: ["sqlite", "snapshot"])
  func migrations(kind: String) throws {
    try Driver.run("migrations", kind, Driver.number("GRAFT_CRASH_MIGRATIONS", 15))
  }

  @Test("T25: no acknowledged commit is lost in a power failure at any moment")
  func replays() throws { try Driver.run("replays", Driver.number("GRAFT_CRASH_LOGS", 2)) }

  @Test("T24: an I/O error in any call leaves no half-written commit, and the commit can be retried")
  func faults() throws {
    let isWhole = ProcessInfo.processInfo.environment["GRAFT_CRASH_FAULTS"] == "all"
    try Driver.run("faults", isWhole ? "1" : "11")
  }

  @Test("T26: if two processes write to one store, no commit is lost", arguments: ["sqlite", "snapshot"])
  func race(kind: String) throws { try Driver.run("race", kind, Driver.number("GRAFT_CRASH_SECONDS", 2)) }

  @Test("T26: if eight processes write to one database, no commit is lost", .enabled(if: Cluster.isAvailable))
  func sharedDatabase() throws {
    let schema = try PrivateSchema()
    try Driver.run("race", schema.url, Driver.number("GRAFT_CRASH_SECONDS", 2))
  }

  @Test("S5: if two processes import the same object, an import that encounters a conflict is repeated")
  func imports() throws { try Driver.run("imports", Driver.number("GRAFT_CRASH_SECONDS", 2)) }

  @Test("T24: a service continues while its disk is sometimes full, slow or broken, and loses no commit")
  func service() throws { try Driver.run("service", "sqlite", Driver.number("GRAFT_CRASH_MINUTES", 0.13)) }

  @Test(
    "T24: a service continues while its database server is sometimes killed or slow, or ends connections",
    .enabled(if: Cluster.isAvailable))
  func databaseService() throws { try Driver.run("service", "postgresql", Driver.number("GRAFT_CRASH_MINUTES", 0.13)) }

  @Test("S10: if permissions are missing, the error explains what to check")
  func permissions() throws { try Driver.run("permissions") }
}

/// The program that does the work. SwiftPM puts the program next to the test bundle.
private enum Driver {
  static func number(_ variable: String, _ otherwise: some CustomStringConvertible) -> String {
    ProcessInfo.processInfo.environment[variable] ?? "\(otherwise)"
  }

  static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = words
    // Swift writes no backtrace of a process that is killed on purpose.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let message = String(decoding: text, as: UTF8.self)
    #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(message)")
    print(message, terminator: "")
  }

  private static var program: URL {
    for word in CommandLine.arguments + [Bundle.main.bundlePath] where word.contains(".xctest") {
      var url = URL(fileURLWithPath: word)
      while url.pathExtension != "xctest" { url.deleteLastPathComponent() }
      return url.deletingLastPathComponent().appendingPathComponent("GraftCrashes")
    }
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("GraftCrashes")
  }
}
