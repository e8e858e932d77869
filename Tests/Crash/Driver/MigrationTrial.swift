import Foundation
import Graft
import GraftSQLite
import GraftTestSupport

/// Kills a process while it migrates a store. Afterwards, the store has either the old layout or the new one with every value, and so does
/// its backup.
struct MigrationTrial {
  let kind: StoreKind
  let seed: UInt64
  /// The number of entries to migrate, in addition to the entries of nine commits.
  let entries: Int

  /// The ledger's model with different names and types, so three of its four tables are rewritten.
  private static let model: ManagedObjectModel = {
    var text = Ledger.modelText
    let edits = [
      (#""keyStrategy": "sameName","#, #""keyStrategy": "sameName", "version": "2","#),
      (#""title": { "type": "string", "optional": true }"#, #""name": { "type": "string", "renamedFrom": "title" }"#),
      (#""text": { "type": "string", "optional": true }"#, #""text": { "type": "string", "default": "" }"#),
      (#""value": { "type": "integer64", "optional": true }"#, #""value": { "type": "decimal", "default": 0 }"#),
      (
        #""word": { "type": "string" }"#,
        #""word": { "type": "string" }, "color": { "type": "string", "default": "red" }"#
      ),
    ]
    for (old, new) in edits {
      precondition(text.contains(old), "the model has no \(old)")
      text = text.replacingOccurrences(of: old, with: new)
    }
    do {
      return try ManagedObjectModel(text: text)
    } catch {
      fatalError("\(error)")
    }
  }()

  /// A migration step of the next version of the program: every entry gets a new text, and every hundredth entry is deleted.
  private static let step = StoreMigration(to: "2") { step in
    try step.forEach("Entry") { old, new in
      guard let new, let id: Int = old["id"] else { return }
      if id % 100 == 0 {
        try step.new.delete(new)
      } else {
        let text: String? = old["text"]
        new["text"] = "\(text ?? "none"), moved"
      }
    }
  }

  /// Migrates a store, and prints when the migration begins and ends.
  static func migrate(_ kind: StoreKind, _ url: URL) throws {
    // The models are read before the time is measured.
    let model = model
    KillTrial.acknowledge("ready")
    let store = try kind.open(url, model, [step])
    // A snapshot store writes the new layout with the next commit.
    if kind == .snapshot { try touch(ManagedObjectContext(model: model, store: store)) }
    KillTrial.acknowledge("done")
  }

  private static func touch(_ context: ManagedObjectContext) throws {
    try context.importJSON(#"[{"word": "t0", "color": "red"}]"#, ofEntity: "Tag")
    try context.importJSON(#"[{"word": "t0", "color": "blue"}]"#, ofEntity: "Tag")
  }

  func run(_ kills: Int) throws -> String {
    var random = SeededRandom(seed: seed)
    let folder = try Folder()
    let original = folder.url.appendingPathComponent("original.graft")
    do {
      let ledger = try Ledger(kind.open(original))
      for batch in 1...9 { try ledger.commit(Int64(batch)) }
      let entries = (1_000..<1_000 + entries).map {
        "{\"id\": \($0), \"text\": \"entry \($0)\", \"tags\": [\"t\($0 % 40)\"]}"
      }
      try ledger.context.importJSON("[\(entries.joined(separator: ","))]", ofEntity: "Entry")
    }
    try checkLogIsClosed(original)
    let before = try dump(original, Ledger.model)
    let url = folder.url.appendingPathComponent("store.graft")
    let duration = try duration(original, url)
    let after = try dump(url, MigrationTrial.model)
    var counts = (before: 0, after: 0, backups: 0)
    for kill in 1...max(1, kills) {
      try remove(besides: [original.lastPathComponent], folder)
      try FileManager.default.copyItem(at: original, to: url)
      // The last moments are tested more often, because the new layout is written then.
      let part = Double.random(in: 0...1.2, using: &random).squareRoot()
      try interrupt(url, after: UInt32(Double(duration) * part))
      for name in folder.names where name.hasPrefix("store.graft.backup-") {
        counts.backups += 1
        guard try dump(folder.url.appendingPathComponent(name), Ledger.model) == before else {
          throw Failure("\(kind.rawValue), kill \(kill): the backup '\(name)' is not the store as it was")
        }
      }
      // The old model opens the store if and only if the migration did not take place.
      let content = try? dump(url, Ledger.model)
      if content == nil { counts.after += 1 } else { counts.before += 1 }
      guard content == nil || content == before else {
        throw Failure("\(kind.rawValue), kill \(kill): the store has changed")
      }
      let store = try kind.open(url, MigrationTrial.model, [MigrationTrial.step])
      if let finding = try (store as? SQLiteStore)?.verify().first { throw Failure("kill \(kill): \(finding)") }
      if kind == .snapshot { try MigrationTrial.touch(ManagedObjectContext(model: MigrationTrial.model, store: store)) }
      guard try dump(url, MigrationTrial.model) == after else {
        throw Failure("\(kind.rawValue), kill \(kill): the migrated store has different values")
      }
      // The files that the killed process left behind must have been removed, unless the migration was complete.
      if let name = folder.names.first(where: { $0.contains("-new-") }), content != nil {
        throw Failure("\(kind.rawValue), kill \(kill): left behind: \(name)")
      }
    }
    return
      "\(kind.rawValue): \(kills) migrations ended, \(counts.before) before and \(counts.after) after they were written, \(counts.backups) backups: nothing lost"
  }

  private func dump(_ url: URL, _ model: ManagedObjectModel) throws -> Data {
    let context = try ManagedObjectContext(model: model, store: kind.open(url, model))
    let dump = context.dump()
    try context.throwStoreFailure()
    return dump
  }

  /// Checks that the file can be copied without the files next to it.
  private func checkLogIsClosed(_ url: URL) throws {
    let log = URL(fileURLWithPath: url.path + "-wal")
    guard (try? Data(contentsOf: log))?.isEmpty != false else {
      throw Failure("the log of '\(url.path)' is not closed")
    }
  }

  private func remove(besides kept: [String], _ folder: Folder) throws {
    for name in folder.names where !kept.contains(name) {
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
    }
  }

  /// The duration of a complete migration in microseconds, from the moment the process is ready.
  private func duration(_ original: URL, _ url: URL) throws -> UInt32 {
    try FileManager.default.copyItem(at: original, to: url)
    let (process, output) = try start(url)
    let begin = ContinuousClock.now
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    let duration = ContinuousClock.now - begin
    process.waitUntilExit()
    guard String(decoding: rest, as: UTF8.self) == "done\n" else { throw Failure("the migration failed") }
    return UInt32(duration / .microseconds(1))
  }

  private func interrupt(_ url: URL, after delay: UInt32) throws {
    let (process, _) = try start(url)
    usleep(delay)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts a process that migrates a store, and waits until the process is ready.
  private func start(_ url: URL) throws -> (Process, Pipe) {
    let process = Process()
    process.executableURL = Processes.program
    process.arguments = ["migrate", kind.rawValue, url.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while !text.hasSuffix("\n") {
      guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
        throw Failure("the process that migrates ended")
      }
      text += String(decoding: byte, as: UTF8.self)
    }
    guard text == "ready\n" else { throw Failure("the process that migrates prints \(text)") }
    return (process, output)
  }
}
