import Graft
import GraftSQLite
import GraftTools

/// `graft export`: writes the objects of a store as JSON.
struct ExportCommand {
  static let options: [Arguments.Option] =
    [
      .init(name: "--store", value: "STORE", summary: "the store: a file, or postgresql://HOST/DATABASE"),
      .init(name: "--model", value: "MODEL", summary: "the model file; without it, the store's own model"),
      .init(name: "--output", value: "FILE", summary: "where to write; by default, to standard output"),
      .init(name: "--where", value: "CONDITION", summary: "only the objects that satisfy a condition"),
      .init(name: "--sort", value: "NAMES", summary: "sort by attributes, separated by commas; -name: largest first"),
      .init(name: "--limit", value: "N", summary: "write at most N objects"),
      .init(name: "--lines", summary: "write each object on its own line: JSON Lines"),
      .init(name: "--skip-damaged", summary: "write the readable rows of a damaged store"),
    ] + ExportArguments.options

  let store: StoreAddress
  let modelPath: String?
  let entityName: String
  let condition: String?
  let order: String?
  let limit: Int?
  let outputPath: String
  let skipsDamaged: Bool
  let exportOptions: ExportOptions

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: ExportCommand.options)
    guard let word = arguments.value(of: "--store") else { throw .usage("no store is given: '--store' STORE") }
    store = try StoreAddress(word)
    modelPath = arguments.value(of: "--model")
    guard let entity = arguments.operands.first else { throw .usage("no entity is given: ENTITY") }
    entityName = entity
    guard arguments.operands.count == 1 else {
      throw .usage("expected one entity, found '\(arguments.operands[1])' after it")
    }
    condition = arguments.value(of: "--where")
    order = arguments.value(of: "--sort")
    limit = try arguments.number(of: "--limit")
    outputPath = arguments.value(of: "--output") ?? "-"
    skipsDamaged = arguments.has("--skip-damaged")
    var options = try ExportArguments.exportOptions(arguments)
    options.writesLines = arguments.has("--lines")
    if options.writesLines, arguments.has("--indent") { throw .usage("'--lines' and '--indent' exclude each other") }
    exportOptions = options
    try Output.check([outputPath], model: modelPath, store: store.isDatabase ? nil : word)
    if skipsDamaged, store.isDatabase {
      throw .usage("'--skip-damaged' is for files; for a damaged database, restore a backup")
    }
  }

  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    var reader = FileReader(streams)
    let model =
      if let modelPath {
        try StoreFiles.model(modelPath, &reader, streams, outcome: "nothing was exported")
      } else {
        try StoreFiles.model(ofStore: store, damage: skipsDamaged ? StoreFiles.unreadableModel(store) : nil)
      }
    try ImportCommand.check(entityName, model)
    try Output.checkFiles([outputPath])
    let (opened, lost) = try open(model)
    let context = try StoreFiles.context(model, opened)
    var output = Output()
    var hasBegun = false
    do throws(Failure) {
      try output.addLong(to: outputPath, streams, hasBegun: &hasBegun) { write throws(Failure) in
        try export(in: context, to: write)
      }
    } catch {
      var failure = error
      if hasBegun { failure.message = error.message.replacing("nothing was written", with: "the output is incomplete") }
      throw failure
    }
    try output.writeFiles()
    try output.writeDocument(streams)
    guard lost.isEmpty else { throw .diagnostics(lost) { "\($0) in '\(store.shown)'; the rest was exported" } }
    return .done
  }

  /// Opens the store, or a copy of its readable rows.
  private func open(_ model: ManagedObjectModel) throws(Failure) -> (any CommandStore, lost: [Diagnostic]) {
    if skipsDamaged, case .file(let path) = store {
      let (copy, lost) = try StoreFiles.opening { () throws(StoreError) in
        try SQLiteStore.salvaged(FilePath.url(path), model: model)
      }
      return (copy, lost)
    }
    if store.mayOnlyBeRead { return (try StoreFiles.storeToRead(store, model), []) }
    return (try StoreFiles.store(store, model, from: modelPath, mustExist: true, migration: .noneOfTables), [])
  }

  private func export(in context: ManagedObjectContext, to write: @escaping FileWriter.PieceWriter) throws(Failure) {
    do {
      let selection = try ObjectSelection(
        of: entityName, in: context, where: condition.map { ($0, "--where") }, sortedBy: order.map { ($0, "--sort") },
        limit: limit)
      try context.export(selection, of: entityName, options: exportOptions, to: write)
      try context.throwStoreFailure()
    } catch let error as ConditionError {
      let subject = order == nil ? "the condition" : condition == nil ? "the order" : "the condition or the order"
      throw Failure(
        status: .wrongUsage, message: "\(subject) has an error; nothing was exported",
        diagnostics: [error.diagnostic])
    } catch let error as ExportError {
      throw .export(error)
    } catch let error as StoreError {
      throw .store(error)
    } catch {
      throw Failure(status: .unusableFile, message: "\(error)")
    }
  }
}
