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
  let path: String
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
      throw .usage(
        "'\(word)' is not one of the actions \(names.joined(separator: ", "))",
        suggestion: Suggestion.nearest(to: word, among: names))
    }
    self.action = action
    guard arguments.operands.count > 1 else { throw .usage("no store is given: FILE") }
    path = arguments.operands[1]
    if action.copies, arguments.operands.count == 3, !arguments.has("--output") {
      throw .usage("give the copy with an option: '--output' \(arguments.operands[2])")
    }
    guard arguments.operands.count == 2 else {
      throw .usage("it takes one store, found '\(arguments.operands[2])' after it")
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
    if action.copies, outputPath == "-" { throw .usage("a store is copied to a file, not to the standard output") }
    if outputPath != nil, !action.copies { throw .usage("'--output' belongs to 'backup' and 'salvage'") }
  }

  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    if action == .migrate { return try migrate(streams) }
    if action == .salvage { return try salvage(streams) }
    let store = try openToRead()
    switch action {
    case .info: try show(store, streams)
    case .verify: return try verify(store, streams)
    case .backup, .migrate, .salvage:
      guard let outputPath else { return .wrongUsage }
      try StoreFiles.opening { () throws(StoreError) in try store.backup(to: FilePath.url(outputPath)) }
    }
    return .done
  }

  /// Opens the store with its own model. Another one would migrate it: only 'migrate' does that.
  private func openToRead() throws(Failure) -> SQLiteStore {
    let damage = action == .verify ? { (errors: String) in "\(errors) in '\(path)'" } : nil
    let model = try StoreFiles.model(ofStore: path, isOnlyStored: true, damage: damage)
    return try StoreFiles.storeToRead(path, model, damage: damage)
  }

  /// The model, the latest commit, and how many objects each entity has.
  private func show(_ store: SQLiteStore, _ streams: Streams) throws(Failure) {
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

  private func verify(_ store: SQLiteStore, _ streams: Streams) throws(Failure) -> ExitStatus {
    let findings = try StoreFiles.opening { () throws(StoreError) in try store.verify() }
    guard findings.isEmpty else {
      throw .diagnostics(findings) { "\($0) in '\(path)'" }
    }
    try streams.write("\(path): no damage\n")
    return .done
  }

  private func salvage(_ streams: Streams) throws(Failure) -> ExitStatus {
    guard let outputPath else { return .wrongUsage }
    let model: ManagedObjectModel
    if let modelPath {
      var reader = FileReader(streams)
      model = try StoreFiles.model(modelPath, &reader, streams, outcome: "nothing was copied", isOnlyStored: true)
    } else {
      model = try StoreFiles.model(ofStore: path, isOnlyStored: true, damage: StoreFiles.unreadableModel(path))
    }
    let lost = try StoreFiles.opening { () throws(StoreError) in
      try SQLiteStore.salvage(FilePath.url(path), into: FilePath.url(outputPath), model: model)
    }
    guard lost.isEmpty else {
      throw .diagnostics(lost) { "\($0) in '\(path)'; the rest was copied to '\(outputPath)'" }
    }
    try streams.write("\(outputPath): the whole store was copied\n")
    return .done
  }

  private func migrate(_ streams: Streams) throws(Failure) -> ExitStatus {
    guard let modelPath else { return .wrongUsage }
    var reader = FileReader(streams)
    let model = try StoreFiles.model(
      modelPath, &reader, streams, outcome: "nothing was migrated", isQuiet: true, isOnlyStored: true)
    var options = SQLiteStore.Options()
    options.allowedRemovals = removals
    options.backsUpBeforeMigration = !isWithoutBackup
    let plan = try StoreFiles.opening { () throws(StoreError) in
      try SQLiteStore.migrationPlan(at: FilePath.url(path), to: model, options: options)
    }
    guard plan.isPossible else {
      throw .diagnostics(plan.refusals) { "\($0); nothing was migrated" }
    }
    if !isPlan { _ = try StoreFiles.store(path, model, mustExist: true, options: options) }
    try streams.write(
      plan.changes.isEmpty
        ? "\(path): nothing to migrate\n" : plan.changes.map { "\($0)\n" }.joined())
    return .done
  }
}

extension StoreCommand.Action {
  /// Whether the action creates another store.
  fileprivate var copies: Bool { self == .backup || self == .salvage }
}
