/// All tables of a store in memory: the contents of a snapshot file.
///
///     rows       packed; a changed row is appended again, and its old copy is garbage until the next compaction
///     indexes    from numbers, identities and references to rows
///
/// Snapshots are copies. Rows and indexes are divided so that a commit copies only the parts that it changes.
struct TableMemory {
  let schema: StoreSchema
  private(set) var sequence: Int64 = 0
  private(set) var tables: [Table]
  private(set) var links: [LinkMemory]
  private var log = CommitLog()

  struct Table {
    var rows: ChunkedRows
    /// The position of each row.
    var places = ShardedDictionary<Int64, Int>()
    /// For each identity space, the row of each identity.
    var identities: [ShardedDictionary<[StoreValue], Int64>]
    /// For each column, the rows that refer to each row.
    var referrers: [Int: ShardedDictionary<Int64, Set<Int64>>] = [:]
    /// The highest number that was ever used.
    var lastID: Int64 = 0
    var garbage = 0
  }

  init(_ schema: StoreSchema) {
    self.schema = schema
    tables = schema.tables.enumerated().map { index, table in
      Table(
        rows: ChunkedRows(table: index, columnCount: table.columns.count),
        identities: table.identities.map { _ in ShardedDictionary() })
    }
    links = schema.links.map { _ in LinkMemory() }
  }

  // MARK: Reading

  func rows(_ table: Int, _ ids: some Sequence<Int64>) -> StoredRows {
    let from = tables[table]
    var found = StoredRows(table: table, columnCount: schema.tables[table].columns.count)
    for id in ids {
      guard let place = from.places[id] else { continue }
      let (rows, row) = from.rows.chunk(of: place)
      found.append(rows, row, schema.tables[table])
    }
    return found
  }

  func identity(_ table: Int, _ space: Int, _ values: StoredValues, row: Int) -> [StoreValue] {
    schema.tables[table].identities[space].columns.enumerated().map { index, column in
      values.value(row: row, column: index, schema.tables[table].columns[column].content).normalized
    }
  }

  /// The identities of a row, including alternate identities, with their spaces.
  func identities(_ table: Int, _ rows: StoredRows, _ row: Int) -> [(space: Int, values: [StoreValue])] {
    var found: [(space: Int, values: [StoreValue])] = []
    for (space, identity) in schema.tables[table].identities.enumerated()
    where identity.entities.contains(rows.headers[row].entity) {
      let values = identity.columns.map {
        rows.values.value(row: row, column: $0, schema.tables[table].columns[$0].content).normalized
      }
      if !values.contains(.null) { found.append((space, values)) }
    }
    return found
  }

  /// The changes that were written after a commit. Each row is listed once.
  func changes(since sequence: Int64) -> StoreLog {
    var all = StoreLog(sequence: self.sequence)
    guard sequence != self.sequence else { return all }
    guard sequence < self.sequence, self.sequence - sequence <= log.count else {
      all.isIncomplete = true
      return all
    }
    var written: [Int: Set<Int64>] = [:]
    var deleted: [Int: Set<Int64>] = [:]
    for entry in log.suffix(Int(self.sequence - sequence)) {
      for (table, ids) in entry.written { written[table, default: []].formUnion(ids) }
      for (table, ids) in entry.deleted { deleted[table, default: []].formUnion(ids) }
    }
    for (table, ids) in deleted { written[table]?.subtract(ids) }
    all.written = written.mapValues { $0.sorted() }.filter { !$0.value.isEmpty }
    all.deleted = deleted.mapValues { $0.sorted() }
    return all
  }

  // MARK: Writing

  /// Writes changes that ``hasMoved(_:since:storeName:)`` has checked.
  mutating func write(_ changes: StoreChanges) -> StoreWriteResult {
    sequence += 1
    var entry = StoreLog(sequence: sequence)
    var firstIDs: [Int: Int64] = [:]
    var deleted: [Int: Set<Int64>] = [:]
    for change in changes.tables {
      let table = change.inserted.table
      if change.inserted.count > 0 { firstIDs[table] = tables[table].lastID + 1 }
      if !change.deleted.isEmpty { deleted[table] = Set(change.deleted.map(\.id)) }
    }
    /// The number of a row in the store; nil if the row is deleted.
    func number(_ id: Int64, _ table: Int) -> Int64? {
      if id < 0 { return (firstIDs[table] ?? 1) - id - 1 }
      return deleted[table]?.contains(id) == true ? nil : id
    }
    for change in changes.tables {
      let table = change.inserted.table
      for header in change.deleted {
        remove(header.id, table, &entry)
        entry.deleted[table, default: []].append(header.id)
      }
      let updated = keepingLinks(change, number)
      for (row, header) in updated.headers.enumerated() { withdraw(header.id, table, unlike: (updated, row)) }
      for (rows, first) in [(change.inserted, firstIDs[table]), (updated, nil)] {
        for row in 0..<rows.count {
          let id = first.map { $0 + Int64(row) } ?? rows.headers[row].id
          put(rows, row, id, table, isNew: first != nil, number)
          entry.written[table, default: []].append(id)
        }
      }
      compact(table)
    }
    for change in changes.links {
      let (owners, members) = (schema.links[change.table].ownerTable, schema.links[change.table].memberTable)
      for link in change.removed {
        // The links of deleted rows are removed.
        guard number(link.owner, owners) != nil, number(link.member, members) != nil else { continue }
        links[change.table].remove(owner: link.owner, member: link.member)
        entry.written[owners, default: []].append(link.owner)
        entry.written[members, default: []].append(link.member)
      }
      for link in change.written {
        guard let owner = number(link.owner, owners), let member = number(link.member, members) else { continue }
        var link = link
        (link.owner, link.member) = (owner, member)
        links[change.table].insert(link)
        entry.written[owners, default: []].append(link.owner)
        entry.written[members, default: []].append(link.member)
      }
    }
    log.append(entry)
    return .written(sequence: sequence, firstIDs: firstIDs)
  }

  /// Keeps the stored references and positions of updated rows, except references and positions that change, because the context that
  /// updates a row might not know the links that other contexts made.
  private func keepingLinks(
    _ change: StoreChanges.TableChanges, _ number: (Int64, Int) -> Int64?
  ) -> StoredRows {
    var rows = change.updated
    let table = rows.table
    let columns = schema.tables[table].columns.indices.filter { !schema.tables[table].columns[$0].isAttribute }
    if columns.isEmpty { return rows }
    for (row, header) in rows.headers.enumerated() where row < change.changedColumns.count {
      guard let place = tables[table].places[header.id] else { continue }
      for column in columns where !change.changedColumns[row].contains(column) {
        if let stored = tables[table].rows.integer(place, column: column) {
          rows.values.setInteger(stored, row: row, column: column)
        } else {
          rows.values.setNil(row: row, column: column)
        }
      }
    }
    for row in rows.headers.indices { TableMemory.refer(&rows, row, schema.tables[table].columns, number) }
    return rows
  }

  private mutating func put(
    _ rows: StoredRows, _ row: Int, _ id: Int64, _ table: Int, isNew: Bool, _ number: (Int64, Int) -> Int64?
  ) {
    let place = tables[table].rows.count
    tables[table].rows.append(rows, row, schema.tables[table])
    let columns = schema.tables[table].columns
    tables[table].rows.change(place) { rows, row in
      rows.headers[row].id = id
      rows.headers[row].version = sequence
      TableMemory.refer(&rows, row, columns, number)
    }
    index(table, place, isNew: isNew)
  }

  /// Replaces the references of a row with numbers in the store.
  private static func refer(
    _ rows: inout StoredRows, _ row: Int, _ columns: [StoreSchema.Column], _ number: (Int64, Int) -> Int64?
  ) {
    for (column, content) in columns.enumerated() {
      guard case .reference(let target) = content.content,
        let reference = rows.values.integer(row: row, column: column)
      else { continue }
      if let target = number(reference, target) {
        rows.values.setInteger(target, row: row, column: column)
      } else {
        rows.values.setNil(row: row, column: column)
      }
    }
  }

  /// Adds a row to the indexes. An index that already contains the row is not changed, because a change would copy a part of the index.
  ///
  /// - Parameter isNew: whether the indexes cannot contain the row yet.
  private mutating func index(_ table: Int, _ place: Int, isNew: Bool) {
    let (rows, row) = tables[table].rows.chunk(of: place)
    let id = rows.headers[row].id
    tables[table].places[id] = place
    tables[table].lastID = max(tables[table].lastID, id)
    for (space, values) in identities(table, rows, row)
    where isNew || tables[table].identities[space][values] != id {
      tables[table].identities[space][values] = id
    }
    for (column, content) in schema.tables[table].columns.enumerated() {
      guard case .reference = content.content, let target = rows.values.integer(row: row, column: column),
        isNew || tables[table].referrers[column]?[target]?.contains(id) != true
      else { continue }
      tables[table].referrers[column, default: ShardedDictionary()][target, default: []].insert(id)
    }
  }

  /// Removes a row from the indexes.
  ///
  /// - Parameter new: the row that replaces it, whose identities and references stay in the indexes.
  private mutating func withdraw(_ id: Int64, _ table: Int, unlike new: (rows: StoredRows, row: Int)? = nil) {
    guard let place = tables[table].places[id] else { return }
    if new == nil { _ = tables[table].places.removeValue(forKey: id) }
    let (rows, row) = tables[table].rows.chunk(of: place)
    let kept = new.map { identities(table, $0.rows, $0.row) } ?? []
    for (space, values) in identities(table, rows, row) where tables[table].identities[space][values] == id {
      if kept.contains(where: { $0.space == space && $0.values == values }) { continue }
      tables[table].identities[space][values] = nil
    }
    for (column, content) in schema.tables[table].columns.enumerated() {
      guard case .reference = content.content, let target = rows.values.integer(row: row, column: column),
        new.map({ $0.rows.values.integer(row: $0.row, column: column) }) != target
      else { continue }
      tables[table].referrers[column]?[target]?.remove(id)
    }
    tables[table].garbage += 1
  }

  /// Deletes a row. References to it become nil, and its links are removed. The rows on the other side are recorded as written.
  private mutating func remove(_ id: Int64, _ table: Int, _ entry: inout StoreLog) {
    withdraw(id, table)
    for (other, layout) in schema.tables.enumerated() {
      for (column, content) in layout.columns.enumerated() where content.content == .reference(table: table) {
        for referrer in tables[other].referrers[column]?.removeValue(forKey: id) ?? [] {
          guard let place = tables[other].places[referrer] else { continue }
          clear(column, place, other)
          entry.written[other, default: []].append(referrer)
        }
      }
    }
    for (index, link) in schema.links.enumerated() {
      if link.ownerTable == table {
        entry.written[link.memberTable, default: []] += links[index].links(owner: id).map(\.member)
        links[index].remove(owner: id)
      }
      if link.memberTable == table {
        entry.written[link.ownerTable, default: []] += links[index].links(member: id).map(\.owner)
        links[index].remove(member: id)
      }
    }
  }

  /// Sets a reference to nil, along with the row's position among the members of the row that it referred to.
  private mutating func clear(_ reference: Int, _ place: Int, _ table: Int) {
    let positions = schema.tables[table].columns.indices.filter {
      schema.tables[table].columns[$0].content == .position(reference: reference)
    }
    tables[table].rows.change(place) { rows, row in
      for column in [reference] + positions { rows.values.setNil(row: row, column: column) }
      rows.headers[row].version = sequence
    }
  }

  private mutating func compact(_ table: Int) {
    guard tables[table].garbage > 1000, tables[table].garbage * 2 > tables[table].rows.count else { return }
    let old = tables[table]
    var rows = ChunkedRows(table: table, columnCount: schema.tables[table].columns.count)
    for (id, place) in old.places.entries.sorted(by: { $0.key < $1.key }) {
      tables[table].places[id] = rows.count
      let (chunk, row) = old.rows.chunk(of: place)
      rows.append(chunk, row, schema.tables[table])
    }
    tables[table].rows = rows
    tables[table].garbage = 0
  }

  // MARK: Filling

  /// Adopts rows and links that were read from a file.
  ///
  /// - Returns: false if two rows have the same number or identity, or refer to rows that do not exist.
  mutating func fill(_ rows: [ChunkedRows], _ links: [[StoredLink]], sequence: Int64, lastIDs: [Int64]) -> Bool {
    self.sequence = sequence
    for (table, rows) in rows.enumerated() {
      tables[table].rows = rows
      tables[table].places.reserveCapacity(rows.count)
      for place in 0..<rows.count {
        let (chunk, row) = rows.chunk(of: place)
        guard tables[table].places[chunk.headers[row].id] == nil else { return false }
        for (space, values) in identities(table, chunk, row) where tables[table].identities[space][values] != nil {
          return false
        }
        index(table, place, isNew: true)
      }
      tables[table].lastID = max(tables[table].lastID, lastIDs[table])
    }
    return hasTargets && fill(links)
  }

  /// The tables without rows, as of the next commit.
  var emptied: TableMemory {
    var empty = TableMemory(schema)
    empty.sequence = sequence + 1
    for table in tables.indices { empty.tables[table].lastID = tables[table].lastID }
    return empty
  }

  /// Whether all rows refer to rows that exist.
  private var hasTargets: Bool {
    schema.tables.indices.allSatisfy { table in
      schema.tables[table].columns.enumerated().allSatisfy { column, content in
        guard case .reference(let target) = content.content, let referrers = tables[table].referrers[column] else {
          return true
        }
        return referrers.keys.allSatisfy { tables[target].places[$0] != nil }
      }
    }
  }

  private mutating func fill(_ all: [[StoredLink]]) -> Bool {
    for (table, list) in all.enumerated() {
      let (owners, members) = (schema.links[table].ownerTable, schema.links[table].memberTable)
      for link in list {
        guard tables[owners].places[link.owner] != nil, tables[members].places[link.member] != nil,
          !links[table].contains(link)
        else { return false }
        links[table].insert(link)
      }
    }
    return true
  }
}

/// The links of a table of links, found from both sides.
struct LinkMemory {
  private var byOwner = ShardedDictionary<Int64, [Int64: StoredLink]>()
  private var byMember = ShardedDictionary<Int64, Set<Int64>>()

  var all: [StoredLink] { byOwner.values.flatMap(\.values) }

  mutating func insert(_ link: StoredLink) {
    var link = link
    if min(link.position, link.inversePosition) == StoredLink.keptPosition {
      link.keepPositions(of: byOwner[link.owner]?[link.member])
    }
    byOwner[link.owner, default: [:]][link.member] = link
    byMember[link.member, default: []].insert(link.owner)
  }

  /// Whether there is already a link between the two rows of the given link.
  func contains(_ link: StoredLink) -> Bool { byOwner[link.owner]?[link.member] != nil }

  mutating func remove(owner: Int64, member: Int64) {
    byOwner[owner]?[member] = nil
    byMember[member]?.remove(owner)
  }

  /// Removes all links of an owner, or of a member.
  mutating func remove(owner: Int64) {
    for member in members(of: owner) { byMember[member]?.remove(owner) }
    byOwner[owner] = nil
  }

  mutating func remove(member: Int64) {
    for owner in byMember.removeValue(forKey: member) ?? [] { byOwner[owner]?[member] = nil }
  }

  func members(of owner: Int64) -> [Int64] { byOwner[owner].map { Array($0.keys) } ?? [] }
  func owners(of member: Int64) -> [Int64] { byMember[member].map(Array.init) ?? [] }
  func links(owner: Int64) -> [StoredLink] { byOwner[owner].map { Array($0.values) } ?? [] }
  func links(member: Int64) -> [StoredLink] {
    (byMember[member] ?? []).compactMap { byOwner[$0]?[member] }
  }
}

extension StoredRows {
  /// Appends a row from another list of rows of the same table.
  mutating func append(_ other: StoredRows, _ row: Int, _ table: StoreSchema.Table) {
    append(other.headers[row])
    for (column, content) in table.columns.enumerated() where !other.values.isNil(row: row, column: column) {
      if content.isText {
        values.setText(other.values, row, row: count - 1, column: column)
      } else {
        values.setWord(other.values.word(row: row, column: column), row: count - 1, column: column)
      }
    }
  }
}

extension StoreSchema.Column {
  /// Whether the column holds values of an attribute, rather than links.
  package var isAttribute: Bool {
    if case .attribute = content { return true }
    return false
  }

  /// Whether the values consist of bytes.
  package var isText: Bool {
    guard case .attribute(let type) = content else { return false }
    return SlotPlan.Kind(type).isText
  }
}

extension StoreValue {
  /// The value in the form that identities compare, in which -0.0 equals 0 (D9).
  var normalized: StoreValue {
    if case .double(let value) = self, value == 0 { return .double(0) }
    return self
  }
}
