import Graft
import GraftTools

/// `graft lint --store`: finds the indexes that queries of a store lack.
struct LintStoreCommand {
  static let options: [Arguments.Option] = [
    .init(name: "--store", value: "STORE", summary: "the store whose queries are checked"),
    .init(name: "--model", value: "MODEL", summary: "the model file; without it, the store's own model"),
    .init(
      name: "--where", value: "ENTITY:CONDITION", isRepeatable: true,
      summary: "check a condition, which needs an index if it reads a whole table"),
    .init(
      name: "--sort", value: "ENTITY:NAMES", isRepeatable: true,
      summary: "check sort keys, which need an index if they sort a whole table"),
  ]

  /// Returns whether the arguments of `lint` name a store, whose queries are then examined instead of model files.
  static func isMeant(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--store" || $0.hasPrefix("--store=") }
  }

  let store: StoreAddress
  let modelPath: String?
  let conditions: [String]
  let orders: [String]

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: LintStoreCommand.options)
    guard let word = arguments.value(of: "--store") else { throw .usage("no store is given: '--store' STORE") }
    store = try StoreAddress(word)
    modelPath = arguments.value(of: "--model")
    conditions = arguments.values(of: "--where")
    orders = arguments.values(of: "--sort")
    if let operand = arguments.operands.first {
      throw .usage("with '--store', the model is given with '--model', found '\(operand)'")
    }
    guard !conditions.isEmpty || !orders.isEmpty else {
      throw .usage("no query is given: '--where' ENTITY:CONDITION, or '--sort' ENTITY:NAMES")
    }
  }

  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    var reader = FileReader(streams)
    let model =
      if let modelPath {
        try StoreFiles.model(modelPath, &reader, streams, outcome: "nothing was checked", isOnlyStored: true)
      } else {
        try StoreFiles.model(ofStore: store, isOnlyStored: true)
      }
    let opened = try StoreFiles.storeToRead(store, model)
    let context = try StoreFiles.context(model, opened)
    var lines: [String] = []
    for word in conditions { lines += try advice(word, "--where", opened, context) }
    for word in orders { lines += try advice(word, "--sort", opened, context) }
    try streams.write(lines.map { "\($0.escapedForDisplay())\n" }.joined())
    streams.say(
      lines.isEmpty ? "no index is missing\n" : "\(counted(lines.count, "part")) of queries without an index\n")
    return lines.isEmpty ? .done : .failed
  }

  /// Returns a line for each part of a query that reads or sorts a whole table.
  private func advice(
    _ word: String, _ option: String, _ store: any CommandStore, _ context: ManagedObjectContext
  ) throws(Failure) -> [String] {
    let parts = word.parts(between: ":", most: 1)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw .usage(
        "'\(option)' expects an entity, a colon and a query, such as 'Hero: name = \"Batman\"', found '\(word)'")
    }
    try ImportCommand.check(parts[0], context.model)
    let query = (text: String(parts[1].drop { $0 == " " }), name: option)
    do {
      let selection = try ObjectSelection(
        of: parts[0], in: context, where: option == "--where" ? query : nil, sortedBy: option == "--sort" ? query : nil)
      var lines: [String] = []
      for part in IndexableParts(try selection.storeQuery(), store.schema).parts {
        if try store.lacksIndex(for: part.query) { lines.append("\(word): \(try scan(part, store))") }
      }
      return lines
    } catch let error as ConditionError {
      throw Failure(
        status: .wrongUsage, message: "the query has an error; nothing was checked", diagnostics: [error.diagnostic])
    } catch let error as StoreError {
      throw .store(error)
    } catch {
      throw Failure(status: .unusableFile, message: "\(error)")
    }
  }

  /// Returns what a part of a query reads, and the index to declare.
  private func scan(_ part: IndexableParts.Part, _ store: any CommandStore) throws(StoreError) -> String {
    let table = store.schema.tables[part.query.table]
    let count = try store.snapshot().count(selectedBy: StoreQuery(table: part.query.table))
    // Find the entity that has all properties: a sub-entity if one of them is its own.
    var owner = 0
    let names = part.columns.map { column in
      let title = table.columns[column].properties[0]
      let declaring = table.entityNames.lastIndex { title.hasPrefix("\($0).") } ?? 0
      owner = max(owner, declaring)
      return String(title.dropFirst(table.entityNames[declaring].count + 1))
    }
    let index = JSON.array([names.count == 1 ? .string(names[0]) : .array(names.map(JSON.string))])
    let verb = part.query.order.isEmpty ? "reads" : "sorts"
    let rows = "\(count) row\(count == 1 ? "" : "s") of '\(table.name)'"
    return "\(verb) \(rows); add \"indexes\": \(index) to entity '\(table.entityNames[owner])'"
  }
}
