import Graft
import GraftSQLite
import GraftTools

/// `graft store`: describes, checks, migrates, copies and salvages stores.
struct StoreCommand {
  enum Action: String, CaseIterable { case info, verify, migrate, backup, salvage }

  static let options: [Arguments.Option] = [
    .init(name: "--model", value: "MODEL", summary: "the model file; without it, the store's own model"),
    .init(name: "--plan", summary: "only show what a migration would change"),
    .init(
      name: "--remove", value: "NAME", isRepeatable: true,
      summary: "an entity or Entity.property that a migration may remove"),
    .init(name: "--no-backup", summary: "migrate without keeping a copy of the store"),
    .init(name: "--output", value: "FILE", summary: "where to copy the store"),
  ]

  let action: Action
  let address: StoreAddress
  let modelPath: String?
  let isPlan: Bool
  let outputPath: String?
  let removals: [String]
  let isWithoutBackup: Bool

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: StoreCommand.options)
    let names = Action.allCases.map(\.rawValue)
    guard let word = arguments.operands.first else {
      throw .usage("no action is given: \(names.joined(separator: ", "))")
    }
    guard let action = Action(rawValue: word) else {
      let isStore = word.contains(where: "./:".contains)
      let meant = arguments.operands.first(where: names.contains) ?? Action.info.rawValue
      throw .usage(
        "'\(word)' is not one of the actions \(names.joined(separator: ", "))",
        suggestion: isStore
          ? "graft store \(meant) \(FilePath.word(word))" : Suggestion.nearest(to: word, among: names))
    }
    self.action = action
    guard arguments.operands.count > 1 else { throw .usage("no store is given: STORE") }
    address = try StoreAddress(arguments.operands[1])
    if action.copies, arguments.operands.count == 3, !arguments.has("--output") {
      throw .usage("give the copy with an option: '--output' \(arguments.operands[2])")
    }
    guard arguments.operands.count == 2 else {
      throw .usage("expected one store, found '\(arguments.operands[2])' after it")
    }
    modelPath = arguments.value(of: "--model")
    isPlan = arguments.has("--plan")
    outputPath = arguments.value(of: "--output")
    removals = arguments.values(of: "--remove")
    isWithoutBackup = arguments.has("--no-backup")
    if action == .migrate, modelPath == nil {
      throw .usage("no model is given to migrate to: add '--model' MODEL, the new version of the model")
    }
    if action.copies, outputPath == nil { throw .usage("no file is given for the copy: '--output' FILE") }
    if isPlan, action != .migrate { throw .usage("'--plan' belongs to 'migrate'") }
    for option in ["--remove", "--no-backup"] where arguments.has(option) && action != .migrate {
      throw .usage("'\(option)' belongs to 'migrate'")
    }
    if action.copies, outputPath == "-" { throw .usage("a store is copied to a file, not to standard output") }
    if address.isDatabase {
      if action.copies {
        throw .usage("'\(action.rawValue)' copies files; for a database, use PostgreSQL's 'pg_dump'")
      }
      if isWithoutBackup { throw .usage("'--no-backup' is for files; a database is not copied before a migration") }
    }
    if let outputPath { try StoreAddress.checkPath(outputPath) }
    if outputPath != nil, !action.copies { throw .usage("'--output' belongs to 'backup' and 'salvage'") }
  }

  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    if action == .migrate { return try migrate(streams) }
    if action == .salvage { return try salvage(streams) }
    if action == .backup { return try backUp() }
    let store = try openToRead()
    if action == .verify { return try verify(store, streams) }
    try show(store, streams)
    return .done
  }

  private func backUp() throws(Failure) -> ExitStatus {
    guard case .file = address, let outputPath, let store = try openToRead() as? SQLiteStore else { return .wrongUsage }
    try StoreFiles.opening { () throws(StoreError) in try store.backup(to: FilePath.url(outputPath)) }
    return .done
  }

  /// Opens the store with its own model. A different model would migrate it, which only 'migrate' may do.
  private func openToRead() throws(Failure) -> any CommandStore {
    let damage = action == .verify ? { (errors: String) in "\(errors) in '\(address.shown)'" } : nil
    let model = try StoreFiles.model(ofStore: address, isOnlyStored: true, damage: damage)
    return try StoreFiles.storeToRead(address, model, damage: damage)
  }

  /// Shows the model, the latest commit, and the number of objects of each entity.
  private func show(_ store: any CommandStore, _ streams: Streams) throws(Failure) {
    let contents = store.schema.model.contents
    let name = contents.name.map { "\($0)\(contents.version.map { " \($0)" } ?? "")" } ?? "without a name"
    var lines = [("model", name)]
    try StoreFiles.opening { () throws(StoreError) in
      let snapshot = try store.snapshot()
      lines.append(("commits", "\(snapshot.sequence)"))
      for (table, schema) in store.schema.tables.enumerated() {
        for (entity, name) in schema.entityNames.enumerated() {
          let count = try snapshot.count(selectedBy: StoreQuery(table: table, entities: [entity]))
          if count > 0 { lines.append((name, counted(count, "object"))) }
        }
      }
    }
    let width = lines.map(\.0.count).max() ?? 0
    let text = lines.map { "\($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)\n" }.joined()
    try streams.write(text)
  }

  private func verify(_ store: any CommandStore, _ streams: Streams) throws(Failure) -> ExitStatus {
    let findings = try StoreFiles.opening { () throws(StoreError) in try store.verify(limit: 100) }
    guard findings.isEmpty else {
      throw .diagnostics(findings) { "\($0) in '\(address.shown)'" }
    }
    try streams.write("\(address.shown): no damage\n")
    return .done
  }

  private func salvage(_ streams: Streams) throws(Failure) -> ExitStatus {
    guard case .file(let path) = address, let outputPath else { return .wrongUsage }
    let model: ManagedObjectModel
    if let modelPath {
      var reader = FileReader(streams)
      model = try StoreFiles.model(modelPath, &reader, streams, outcome: "nothing was copied", isOnlyStored: true)
    } else {
      model = try StoreFiles.model(ofStore: address, isOnlyStored: true, damage: StoreFiles.unreadableModel(address))
    }
    let lost = try StoreFiles.opening { () throws(StoreError) in
      try SQLiteStore.salvage(FilePath.url(path), into: FilePath.url(outputPath), model: model)
    }
    guard lost.isEmpty else {
      throw .diagnostics(lost) { "\($0) in '\(address.shown)'; the rest was copied to '\(outputPath)'" }
    }
    try streams.write("\(outputPath): the whole store was copied\n")
    return .done
  }

  /// Tries the migration on a copy.
  ///
  /// - Returns: false if there can be no copy.
  private func tryMigration(to model: ManagedObjectModel, _ streams: Streams) throws(Failure) -> Bool {
    do throws(StoreError) {
      return try address.tryMigration(to: model, removals: removals)
    } catch {
      if error.diagnostics.contains(where: { $0.code != .unavailableStore }) { throw .store(error) }
      streams.say("the migration was not tried on a copy: \(error.description)\n")
      return false
    }
  }

  private func migrate(_ streams: Streams) throws(Failure) -> ExitStatus {
    guard let modelPath else { return .wrongUsage }
    var reader = FileReader(streams)
    let model = try StoreFiles.model(
      modelPath, &reader, streams, outcome: "nothing was migrated", isQuiet: true, isOnlyStored: true)
    // Opening a file without a store would create one.
    _ = try StoreFiles.opening { () throws(StoreError) in try address.modelText() }
    let plan = try StoreFiles.opening { () throws(StoreError) in
      try address.migrationPlan(to: model, removals: removals)
    }
    if let unknown = plan.unknownRemovals.first {
      throw .usage("the store has no '\(unknown.name)' that '--remove' could name", suggestion: unknown.nearest)
    }
    guard plan.isPossible else {
      throw .diagnostics(plan.refusals) { "\($0); nothing was migrated" }
    }
    var isTried = true
    if isPlan, plan.movesData { isTried = try tryMigration(to: model, streams) }
    if !isPlan {
      try StoreFiles.check(address, try address.exists)
      _ = try StoreFiles.opening { () throws(StoreError) in
        try address.open(model, removals: removals, keepsBackup: !isWithoutBackup)
      }
    }
    try streams.write(
      plan.changes.isEmpty
        ? "\(address.shown): nothing to migrate\n" : plan.changes.map { "\($0)\n" }.joined())
    if !isTried { streams.say("the migration will show whether all values fit\n") }
    return .done
  }
}

extension StoreCommand.Action {
  /// Whether the action creates another store.
  fileprivate var copies: Bool { self == .backup || self == .salvage }
}
