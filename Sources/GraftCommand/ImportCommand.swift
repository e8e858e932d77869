import Graft
import GraftTools

/// `graft import`: merges payloads into one graph, and writes the requested output.
struct ImportCommand {
  static let options: [Arguments.Option] = importOptions + ExportArguments.options

  private static let importOptions: [Arguments.Option] = [
    .init(name: "--model", value: "MODEL", summary: "the model file"),
    .init(name: "--store", value: "STORE", summary: "keep the graph in this store"),
    .init(
      name: "--assume", value: "NAME=TRANSFORMER", isRepeatable: true,
      summary: "use a built-in transformer in place of one of your program"),
    .init(name: "--at", value: "KEYPATH", isRepeatable: true, summary: "where the objects are in the payload"),
    .init(name: "--lines", summary: "payloads are JSON Lines"),
    .init(name: "--batch-size", value: "N", summary: "import at most N objects at a time"),
    .init(
      name: "--unknown-keys", value: "ignore|report|error", summary: "what to do with keys that the model does not map"
    ),
    .init(name: "--skip-faulty", summary: "import the rest of a list that has faulty elements"),
    .init(name: "--missing", value: "keep|delete", summary: "what to do with objects that no payload mentions"),
    .init(name: "--warnings", value: "show|error|none", summary: "what to do about probable mistakes"),
    .init(name: "--dry-run", summary: "only show the graph as it would be"),
    .init(
      name: "--trace", value: "OBJECT", isRepeatable: true, summary: "list every mention of an object in the payloads"),
    .init(name: "--progress", summary: "show progress"),
    .init(name: "--report", value: "text|json", summary: "how the report is written"),
    .init(
      name: "--export", value: "ENTITY=FILE", isRepeatable: true, summary: "write all objects of an entity as JSON"),
    .init(name: "--dump", value: "FILE", summary: "write the whole graph as one JSON document"),
    .init(name: "--quiet", summary: "show neither report nor warnings"),
  ]

  let modelPath: String
  /// The store; nil if the graph is in memory only.
  let store: StoreAddress?
  /// The replacements of the transformers and mappers of the user's program.
  let assumptions: Assumptions
  let isDryRun: Bool
  let input: Input
  let handling: Handling
  let documents: Documents
  let messages: Messages

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: ImportCommand.options)
    // Checked before the payloads, because a model is often given as a payload by mistake.
    guard let model = arguments.value(of: "--model") else { throw .usage("no model is given: '--model' MODEL") }
    modelPath = model
    store = try arguments.value(of: "--store").map { word throws(Failure) in try StoreAddress(word) }
    assumptions = try Assumptions(arguments.values(of: "--assume"))
    guard assumptions.isEmpty || store == nil else {
      throw .usage("'--assume' is for trials, whose values do not belong in a store: remove '--store'")
    }
    isDryRun = arguments.has("--dry-run")
    input = try Input(arguments, model: model)
    handling = try Handling(arguments)
    documents = try Documents(arguments)
    messages = try Messages(arguments)
    // A JSON report is an ordinary document. A text report and traces give way to documents.
    try Output.check(
      documents.paths + (messages.reportFormat == .json ? ["-"] : []), model: modelPath, store: store?.path,
      payloads: input.payloads.map(\.path))
  }

  /// Imports, exports and then writes. Nothing is written until everything is complete.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    var unreported: ReportLines? = ReportLines(
      ImportReport(), entityNames: [], hasUnknownKeys: handling.unknownKeys != .ignore)
    do throws(Failure) {
      return try importAll(streams, &unreported)
    } catch {
      // A program that reads the report also gets the errors, unless it already has them.
      if messages.reportFormat == .json, var unreported, !error.reported.isEmpty {
        unreported.errors += error.reported
        try streams.write(unreported.json)
      }
      throw error
    }
  }

  /// - Parameter unreported: the report of what was imported; nil once it has been reported.
  private func importAll(_ streams: Streams, _ unreported: inout ReportLines?) throws(Failure) -> ExitStatus {
    var reader = FileReader(streams)
    let model = try StoreFiles.model(
      modelPath, &reader, streams, outcome: "nothing was imported", isQuiet: messages.isQuiet, assumptions: assumptions)
    for name in input.payloads.map(\.entityName) + documents.exports.map(\.entityName) {
      try ImportCommand.check(name, model)
    }
    try checkExports(model)
    try checkParents()
    let traces = try ImportCommand.traces(messages.tracedObjects, model)
    try Output.checkFiles(documents.paths)
    let isNewStore = try store.map { store throws(Failure) in try !store.exists } ?? false
    let interruption = isNewStore && !isDryRun ? store?.path.map { InterruptedImport(ofStore: $0) } : nil
    defer { interruption?.end() }
    var isImported = false
    do throws(Failure) {
      return try run(model, &reader, traces, streams, interruption, &isImported, &unreported)
    } catch {
      // A store that was created for a failed import is removed.
      if isNewStore, !isImported { store?.removeIfUnused() }
      throw error
    }
  }

  /// - Parameters:
  ///   - interruption: the handler of signals until the payloads are in the store.
  ///   - isImported: set to true when the payloads are in the store.
  ///   - unreported: the report of what was imported; nil once it has been reported.
  private func run(
    _ model: ManagedObjectModel, _ reader: inout FileReader, _ traces: [ImportTrace], _ streams: Streams,
    _ interruption: InterruptedImport?, _ isImported: inout Bool, _ unreported: inout ReportLines?
  ) throws(Failure) -> ExitStatus {
    let context =
      if let store, isDryRun ? try store.exists : true {
        try StoreFiles.context(
          model, try StoreFiles.store(store, model, from: modelPath, migration: isDryRun ? .nothing : .noRemovals))
      } else {
        ManagedObjectContext(model: model)
      }
    var output = Output()
    func work() throws(Failure) -> Merged {
      LastWords.set("interrupted; nothing was imported")
      var merged = try merge(&reader, into: context, traces, streams)
      if let store, !isDryRun, input.batchSize == nil {
        LastWords.set("interrupted; what was imported is in the store '\(store.shown)'")
      }
      isImported = merged.failure == nil
      interruption?.end()
      merged.traces = traces.map { TraceLines($0, suggestions: $0.suggestions(in: context)) }
      unreported = lines(of: merged, model)
      try telling(merged) { () throws(Failure) in
        for export in documents.exports { try write(export, in: context, to: &output) }
        if let path = documents.dumpPath { try output.add(context.dumpBytes(), to: path) }
      }
      return merged
    }
    // A dry run shows the graph in its state after the import.
    let merged = isDryRun ? try context.dryRun { () throws(Failure) in try work() } : try work()
    try telling(merged) { () throws(Failure) in
      try StoreFiles.opening { () throws(StoreError) in try context.throwStoreFailure() }
      try output.writeFiles()
      say(merged.report, streams)
      try show(merged, model, streams)
      unreported = nil
      try output.writeDocument(streams)
    }
    LastWords.set(nil)
    if let failure = merged.failure { throw failure }
    return .done
  }

  // MARK: The steps

  /// Runs the steps after the import. If they fail, the import is still in the store.
  private func telling(_ merged: Merged, _ body: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try body()
    } catch {
      guard let store, !isDryRun, merged.payloads != nil else { throw error }
      var failure = error
      failure.message += "; what was imported is in the store '\(store.shown)'"
      throw failure
    }
  }

  static func check(_ entityName: String, _ model: ManagedObjectModel) throws(Failure) {
    guard model.entity(named: entityName) == nil else { return }
    let names = model.entities.map(\.name)
    let near = Suggestion.nearest(to: entityName, among: names)
    let listed = names.prefix(12).map { "'\($0)'" } + (names.count > 12 ? ["…"] : [])
    let known = near == nil && !names.isEmpty ? "; it has \(listed.joined(separator: ", "))" : ""
    throw .usage("the model has no entity '\(entityName)'\(known)", suggestion: near)
  }

  /// Checks the options of exports before anything is imported.
  private func checkExports(_ model: ManagedObjectModel) throws(Failure) {
    let empty = ManagedObjectContext(model: model)
    for export in documents.exports {
      do throws(ExportError) {
        try empty.exportAll(of: export.entityName, options: documents.exportOptions) { _ in }
      } catch {
        throw .export(error)
      }
    }
  }

  private func write(_ export: Assignment, in context: ManagedObjectContext, to output: inout Output) throws(Failure) {
    try output.add(to: export.path) { write throws(Failure) in
      do throws(ExportError) {
        try context.exportAll(of: export.entityName, options: documents.exportOptions, to: write)
      } catch {
        throw .export(error)
      }
    }
  }

  /// Writes warnings, and the number of skipped elements.
  private func say(_ report: ImportReport, _ streams: Streams) {
    let skipped = report.faultyElements.count
    if !messages.isQuiet { streams.say(report.warnings) }
    guard skipped > 0, !messages.isQuiet else { return }
    streams.say(
      "\(counted(skipped, "faulty element")) \(isDryRun ? "would be" : skipped == 1 ? "was" : "were") skipped\n")
  }

  private func lines(of merged: Merged, _ model: ManagedObjectModel) -> ReportLines {
    ReportLines(
      merged.report, entityNames: model.entities.map(\.name), hasUnknownKeys: handling.unknownKeys != .ignore,
      traces: messages.tracedObjects.isEmpty ? nil : merged.traces.map(\.json), errors: merged.failure?.reported ?? [])
  }

  /// If a document is written to standard output, the report is written to standard error.
  private func show(_ merged: Merged, _ model: ManagedObjectModel, _ streams: Streams) throws(Failure) {
    let lines = lines(of: merged, model)
    var text = ""
    switch messages.reportFormat {
    case .text:
      if !messages.isQuiet, let payloads = merged.payloads { text = lines.text(payloads: payloads, isDryRun: isDryRun) }
      text += merged.traces.map(\.text).joined()
    case .json: text = lines.json
    }
    if text.isEmpty { return }
    if documents.paths.contains(where: Output.isStandardOutput) { streams.say(text) } else { try streams.write(text) }
  }
}
