/// The description of the tables in a snapshot file, which allows reading the file with a changed model. It is JSON:
///
///     {"sequence": 7, "tables": [{"name": "Hero", "entities": ["Hero"], "lastID": 3, "rows": 2,
///       "columns": [{"name": "id", "content": "integer64"}]}], "links": [{"name": "Hero_powers", "links": 4}],
///       "id": "5f1c…", "layout": "{…}", "history": "[…]", "model": "{…}"}
struct SnapshotLayout {
  /// A random string that distinguishes stores; empty in files of early versions, like the layout and the history.
  var id = ""
  /// The text of a ``StoreLayout``.
  var layout = ""
  /// The text of a ``ModelHistory``.
  var history = ""
  /// The text of the model file, for steps that move data.
  var model = ""
  var sequence: Int64
  var tables: [Table]
  var links: [Link]

  struct Table {
    var name: String
    var entities: [String]
    var columns: [Column]
    var lastID: Int64
    var rows: Int
  }

  struct Column {
    var name: String
    var content: String
  }

  struct Link {
    var name: String
    var links: Int
  }

  init(sequence: Int64, tables: [Table], links: [Link]) {
    self.sequence = sequence
    self.tables = tables
    self.links = links
  }

  // MARK: Reading

  /// Reads the text; nil if it does not have this form.
  init?(_ text: ArraySlice<UInt8>) {
    guard let json = LentBytes.with(text, { try? JSONBuilder.json($0) }),
      let sequence = json["sequence"]?.integer,
      let tables = json["tables"]?.arrayValue?.map(SnapshotLayout.table),
      let links = json["links"]?.arrayValue?.map(SnapshotLayout.link), !tables.contains(where: { $0 == nil }),
      !links.contains(where: { $0 == nil })
    else { return nil }
    self.init(sequence: sequence, tables: tables.compactMap(\.self), links: links.compactMap(\.self))
    id = json["id"]?.stringValue ?? ""
    layout = json["layout"]?.stringValue ?? ""
    history = json["history"]?.stringValue ?? ""
    model = json["model"]?.stringValue ?? ""
  }

  private static func table(_ json: JSON) -> Table? {
    guard let name = json["name"]?.stringValue, let entities = json["entities"]?.arrayValue?.compactMap(\.stringValue),
      let columns = json["columns"]?.arrayValue?.compactMap(column), let lastID = json["lastID"]?.integer,
      let rows = json["rows"]?.integer
    else { return nil }
    return Table(name: name, entities: entities, columns: columns, lastID: lastID, rows: Int(clamping: rows))
  }

  private static func column(_ json: JSON) -> Column? {
    guard let name = json["name"]?.stringValue, let content = json["content"]?.stringValue else { return nil }
    return Column(name: name, content: content)
  }

  private static func link(_ json: JSON) -> Link? {
    guard let name = json["name"]?.stringValue, let links = json["links"]?.integer else { return nil }
    return Link(name: name, links: Int(clamping: links))
  }

  // MARK: Writing

  var text: [UInt8] {
    let tables = tables.map { table -> JSON in
      [
        "name": .string(table.name), "entities": .array(table.entities.map { .string($0) }),
        "lastID": .number(JSONNumber(table.lastID)), "rows": .number(JSONNumber(table.rows)),
        "columns": .array(table.columns.map { ["name": .string($0.name), "content": .string($0.content)] }),
      ]
    }
    let links = links.map { ["name": .string($0.name), "links": .number(JSONNumber($0.links))] as JSON }
    let json: JSON = [
      "sequence": .number(JSONNumber(sequence)), "tables": .array(tables), "links": .array(links), "id": .string(id),
      "layout": .string(layout), "history": .string(history), "model": .string(model),
    ]
    return Array(JSONWriter.text(of: json).utf8)
  }
}

extension JSON {
  /// The value of an integer number; nil for anything else.
  fileprivate var integer: Int64? {
    guard case .number(let number) = self else { return nil }
    return Int64(number.text)
  }
}
