import CSQLite
import Graft

/// The description of a store in the table `_graft`.
struct Metadata: Hashable {
  /// The text of the model file.
  var model: String
  /// The model's name and version, for people.
  var modelName: String
  var modelVersion: String
  /// The layout of the tables, as text.
  var layout: String
  /// The models that wrote the store.
  var history = ModelHistory()

  /// The metadata of a new store.
  init(_ model: ManagedObjectModel, layout: StoreLayout) {
    self.model = model.fileText
    modelName = model.contents.name ?? ""
    modelVersion = model.contents.version ?? ""
    self.layout = layout.text
    history.add(version: modelVersion, layout)
  }

  /// The metadata of a store that another model writes next.
  ///
  /// - Parameter ranSteps: whether steps of a program move data.
  func followed(by model: ManagedObjectModel, layout: StoreLayout, ranSteps: Bool) -> Metadata {
    var next = Metadata(model, layout: layout)
    next.history = history
    next.history.add(version: next.modelVersion, layout, ranSteps: ranSteps)
    return next
  }

  /// The entries. Stores of early versions have no history.
  private func entries(hasHistory: Bool) -> [(key: String, value: String)] {
    (hasHistory ? [("history", history.text)] : []) + [
      ("layout", layout), ("model", model), ("model_name", modelName), ("model_version", modelVersion),
    ]
  }

  /// Whether the tables are those of a layout. Rules for values do not matter.
  func hasLayout(_ other: StoreLayout) -> Bool {
    layout == other.text || StoreLayout(text: layout)?.withoutRules == other.withoutRules
  }

  /// A number that detects damaged metadata.
  private func digest(hasHistory: Bool = true) -> String {
    var digest = Digest()
    for entry in entries(hasHistory: hasHistory) {
      var value = entry.value
      value.withUTF8 { digest.add($0) }
    }
    return String(digest.value)
  }

  /// Reads the metadata.
  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    let entries = try Metadata.entries(connection)
    model = entries["model"] ?? ""
    modelName = entries["model_name"] ?? ""
    modelVersion = entries["model_version"] ?? ""
    layout = entries["layout"] ?? ""
    let text = entries["history"]
    let history = text.flatMap { ModelHistory(text: $0) }
    self.history = history ?? ModelHistory()
    guard entries["digest"] == digest(hasHistory: text != nil), (history == nil) == (text == nil) else {
      throw .damage("the description of the store, in the table '_graft', is damaged")
    }
    if text == nil, let layout = StoreLayout(text: layout) { self.history.add(version: modelVersion, layout) }
  }

  private static func entries(_ connection: SQLiteConnection) throws(SQLiteError) -> [String: String] {
    do throws(SQLiteError) {
      return try connection.using("SELECT \"key\", \"value\" FROM \"_graft\"") { statement throws(SQLiteError) in
        var entries: [String: String] = [:]
        while try statement.step() { entries[statement.text(0) ?? ""] = statement.text(1) }
        return entries
      }
    } catch {
      guard error.primaryCode == SQLITE_ERROR else { throw error }
      throw .damage("it has no table '_graft'")
    }
  }

  /// Writes the metadata.
  func write(_ connection: SQLiteConnection) throws(SQLiteError) {
    let sql = "INSERT OR REPLACE INTO \"_graft\" VALUES (?, ?)"
    try connection.using(sql) { statement throws(SQLiteError) in
      for entry in entries(hasHistory: true) + [("digest", digest())] {
        try statement.bind(entry.key, at: 1)
        try statement.bind(entry.value, at: 2)
        try statement.run()
      }
    }
  }
}
