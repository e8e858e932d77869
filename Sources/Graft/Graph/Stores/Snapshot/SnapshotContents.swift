/// The contents of a snapshot file, according to its own layout. All contents are checked, because a hostile file can contain arbitrary
/// data.
struct SnapshotContents {
  /// The largest number of a commit or row, which leaves room for more.
  static let largestNumber = Int64.max / 2

  let description: SnapshotLayout
  let layout: StoreLayout
  let history: ModelHistory
  private(set) var rows: [ChunkedRows] = []
  private(set) var links: [[StoredLink]] = []

  /// Reads the data after the checksum.
  ///
  /// - Parameter expected: the layout of the model. Files of early versions do not contain their layout.
  /// - Returns: nil if the bytes were not written by a store.
  init?(_ reader: inout ByteReader, expecting expected: StoreLayout) {
    guard let length = reader.word(), let text = reader.bytes(Int(clamping: length)),
      let description = SnapshotLayout(text), 0...SnapshotContents.largestNumber ~= description.sequence,
      let layout = description.layout.isEmpty ? expected : StoreLayout(text: description.layout),
      let history = description.history.isEmpty ? ModelHistory() : ModelHistory(text: description.history)
    else { return nil }
    self.description = description
    self.layout = layout
    self.history = history
    if !hasFittingTables { return nil }
    for table in layout.tables.indices { guard read(table, &reader) else { return nil } }
    for table in layout.links.indices { guard readLinks(table, &reader) else { return nil } }
    guard reader.isAtEnd else { return nil }
  }

  /// Whether the tables that the file lists match the tables of the layout.
  private var hasFittingTables: Bool {
    let tables = description.tables.map { [$0.name] + $0.entities + $0.columns.map(\.name) + $0.columns.map(\.content) }
    let fitting = layout.tables.map { table in
      [table.name] + table.entities + table.columns.map(\.name) + table.columns.map { layout.word($0.content) }
    }
    return tables == fitting && description.links.map(\.name) == layout.links.map(\.name)
  }

  // MARK: Rows

  private mutating func read(_ table: Int, _ reader: inout ByteReader) -> Bool {
    let (listed, layout) = (description.tables[table], layout.tables[table])
    // A row has at least 24 bytes. A file that claims more rows than fit is rejected immediately.
    guard 0...SnapshotContents.largestNumber ~= listed.lastID, listed.rows >= 0, listed.rows <= reader.left / 24 else {
      return false
    }
    var rows = ChunkedRows(table: table, columnCount: layout.columns.count)
    for row in 0..<listed.rows {
      guard let header = header(layout, listed.lastID, &reader) else { return false }
      rows.append(header)
      for (index, column) in layout.columns.enumerated() {
        guard let isPresent = reader.byte(), isPresent <= 1 else { return false }
        if isPresent == 0 { continue }
        var isRead = false
        rows.change(row) { rows, row in
          isRead = SnapshotContents.read(column.content, &rows.values, row: row, column: index, &reader)
        }
        if !isRead { return false }
      }
    }
    self.rows.append(rows)
    return true
  }

  private func header(
    _ layout: StoreLayout.Table, _ lastID: Int64, _ reader: inout ByteReader
  ) -> StoredRows.Header? {
    guard let id = reader.integer(), let version = reader.integer(), let flags = reader.word(), id >= 1, id <= lastID,
      0...description.sequence ~= version, let entity = Int(exactly: flags >> 2), entity < layout.entities.count
    else { return nil }
    return StoredRows.Header(
      id: id, version: version, entity: entity, isPlaceholder: flags & 1 != 0, isBare: flags & 2 != 0)
  }

  /// Reads a value that is not nil; false if it does not fit the column.
  private static func read(
    _ content: StoreLayout.Content, _ values: inout StoredValues, row: Int, column: Int, _ reader: inout ByteReader
  ) -> Bool {
    guard let word = reader.word() else { return false }
    guard case .attribute(let name) = content else {
      if case .reference = content, Int64(bitPattern: word) < 1 { return false }
      values.setWord(word, row: row, column: column)
      return true
    }
    guard let type = AttributeType(rawValue: name) else { return false }
    guard content.isBytes else {
      guard isLegal(word, type) else { return false }
      values.setWord(word, row: row, column: column)
      return true
    }
    guard word <= UInt64(CellEncoder.longestText), let bytes = reader.bytes(Int(word)) else { return false }
    guard LentBytes.with(bytes, { isLegal($0, type) }) else { return false }
    bytes.withUnsafeBufferPointer { values.setText($0, row: row, column: column) }
    return true
  }

  private static func isLegal(_ word: UInt64, _ type: AttributeType) -> Bool {
    switch type {
    case .integer16, .integer32, .integer64: type.integerRange?.contains(Int64(bitPattern: word)) ?? true
    case .boolean: word <= 1
    case .double: Double(bitPattern: word).isFinite
    case .float:
      Double(bitPattern: word).isFinite && Double(Float(Double(bitPattern: word))) == Double(bitPattern: word)
    default: true
    }
  }

  private static func isLegal(_ bytes: LentBytes, _ type: AttributeType) -> Bool {
    switch type {
    case .binary: true
    case .uuid: bytes.count == 16
    case .decimal: DecimalText.canonical(bytes).map { bytes.elementsEqual($0) } == true
    case .uri: UTF8Check.isValid(bytes.buffer) && URIText.isValid(bytes)
    case .json: (try? JSONBuilder.json(bytes)) != nil
    default: UTF8Check.isValid(bytes.buffer)
    }
  }

  // MARK: Links

  private mutating func readLinks(_ table: Int, _ reader: inout ByteReader) -> Bool {
    let count = description.links[table].links
    guard count >= 0, count <= reader.left / 32 else { return false }
    var links: [StoredLink] = []
    links.reserveCapacity(count)
    for _ in 0..<count {
      guard let owner = reader.integer(), let member = reader.integer(), let position = reader.integer(),
        let inverse = reader.integer()
      else { return false }
      links.append(StoredLink(owner: owner, member: member, position: position, inversePosition: inverse))
    }
    self.links.append(links)
    return true
  }
}

extension StoreLayout {
  /// The content of a column, as a word.
  func word(_ content: Content) -> String {
    switch content {
    case .attribute(let type): type
    case .reference(let table): "-> \(tables[table].name)"
    case .position: "position"
    }
  }
}

extension SnapshotContents: MigrationFacts {
  func hasRows(table: Int, entities: [Int], column: Int?, countsPlaceholders: Bool) -> Bool {
    var isFound = false
    rows[table].read { rows in
      isFound = rows.headers.indices.contains { row in
        entities.contains(rows.headers[row].entity) && (countsPlaceholders || !rows.headers[row].isPlaceholder)
          && column.map { !rows.values.isNil(row: row, column: $0) } ?? true
      }
      return !isFound
    }
    return isFound
  }

  func hasLinks(_ links: Int) -> Bool { !self.links[links].isEmpty }

  func readRows(table: Int, _ body: (StoredRows) -> Bool) { rows[table].read(body) }

  func readLinks(_ links: Int, _ body: (Int64, Int64) -> Void) {
    for link in self.links[links] { body(link.owner, link.member) }
  }
}
