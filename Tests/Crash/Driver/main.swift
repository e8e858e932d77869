import Foundation

/// Tests that stores survive killed processes, power failures, disk errors and other processes.
///
///     GraftCrashes kills sqlite 1000       ends a writing process at random moments
///     GraftCrashes kills snapshot 1000
///     GraftCrashes migrations sqlite 500   ends a process that migrates a store at random moments
///     GraftCrashes migrations sqlite 1000000 50   the same, with a million objects
///     GraftCrashes replays 200             replays the writes of 200 runs up to each of them, as a power failure leaves them
///     GraftCrashes faults                  lets each call of the file system fail in turn
///     GraftCrashes race sqlite 10          two processes write to one store for 10 seconds
///     GraftCrashes race postgresql://... 60   eight processes do
///     GraftCrashes imports 10              two processes import the same object for 10 seconds
///     GraftCrashes service sqlite 30       a service under load for 30 minutes, with a full, slow or broken disk at times
///     GraftCrashes service postgresql 30   a private server that is killed, ends connections, or is slow at times
///     GraftCrashes permissions             opens and writes stores without permission
///
/// `GRAFT_CRASH_SEED` repeats the random choices of an earlier run.
let words = Array(CommandLine.arguments.dropFirst())
let seed = ProcessInfo.processInfo.environment["GRAFT_CRASH_SEED"].flatMap(UInt64.init) ?? .random(in: 1...1_000_000)
let count = words.last.flatMap { Int($0) } ?? 1

do {
  switch (words.first, words.count) {
  case ("kills", 3): print(try KillTrial(kind: StoreKind(words[1]), seed: seed).run(count))
  case ("migrations", 3...4):
    let entries = words.count == 3 ? 3_000 : max(1, Int(words[2]) ?? 3_000)
    print(try MigrationTrial(kind: StoreKind(words[1]), seed: seed, entries: entries).run(count))
  case ("replays", 2): print(try ReplayTrial(seed: seed).run(count))
  case ("faults", 1...2): print(try FaultTrial(seed: seed).run(every: max(1, count)))
  case ("race", 3) where words[1].contains("://"):
    let url = try StoreKind.postgresql.url(words[1])
    print(try RaceTrial(kind: .postgresql, url: url, processes: 8).run(seconds: count))
  case ("race", 3): print(try RaceTrial(kind: StoreKind(words[1])).run(seconds: count))
  case ("imports", 2): print(try ImportRaceTrial().run(seconds: count))
  case ("service", 3):
    print(try ServiceTrial(kind: StoreKind(words[1]), seed: seed).run(minutes: Double(words[2]) ?? 1))
  case ("permissions", 1): print(try PermissionTrial().run())
  // The processes that these commands start.
  case ("write", 3): try KillTrial.write(StoreKind(words[1]), URL(fileURLWithPath: words[2]))
  case ("migrate", 3): try MigrationTrial.migrate(StoreKind(words[1]), URL(fileURLWithPath: words[2]))
  case ("compete", 5):
    let kind = try StoreKind(words[1])
    try RaceTrial.compete(kind, kind.url(words[2]), writer: words[3], seconds: count)
  case ("import", 3): try ImportRaceTrial.compete(URL(fileURLWithPath: words[1]), seconds: count)
  default:
    throw Failure(
      "usage: GraftCrashes kills sqlite|snapshot N, migrations sqlite|snapshot [OBJECTS] N, replays N, faults, race sqlite|snapshot|URL SECONDS, imports SECONDS, service sqlite|postgresql MINUTES, or permissions"
    )
  }
} catch {
  FileHandle.standardError.write(Data("GRAFT_CRASH_SEED=\(seed): \(error)\n".utf8))
  exit(1)
}
