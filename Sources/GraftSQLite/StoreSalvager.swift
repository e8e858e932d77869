import CSQLite
public import Foundation
public import Graft
import GraftSQL

extension SQLiteStore {
  /// Copies the readable rows of a damaged store to a new store.
  ///
  ///     let lost = try SQLiteStore.salvage(damaged, into: copy, model: model)
  ///     for finding in lost { print(finding) }      // rows 17 to 20 of table 'Hero' cannot be read
  ///
  /// A row is copied if its values match the digest that was written with them. If two rows have the same identity, the second is
  /// omitted. References and links to omitted rows are removed. The damaged file is not changed.
  ///
  /// The objects are not validated, so a required object may be missing. To check the objects, export the copy and import the result. Each
  /// table is read twice, and again if rows cannot be copied; SQLite also checks the file. The copy is written in one transaction. The
  /// numbers of all rows are kept in memory.
  ///
  /// - Parameters:
  ///   - url: the damaged store.
  ///   - copy: the location of the new store.
  ///   - model: the model of the store; see ``modelText(at:)``.
  /// - Returns: what is lost; empty if the whole store was copied.
  /// - Throws: if no row can be read, the store has the layout of another model, or the copy already exists or cannot be written. In that
  ///   case, no copy remains.
  public static func salvage(_ url: URL, into copy: URL, model: ManagedObjectModel) throws(StoreError) -> [Diagnostic] {
    try StoreFile(copy).create { temporary throws(StoreError) in
      let (damaged, file) = try openDamaged(url, model)
      return try SQLiteStore(at: URL(fileURLWithPath: temporary.path), model: model).fill(from: damaged, file)
    }
  }

  /// Copies the readable rows of a damaged store to a temporary store, which is removed when its last reference is released.
  ///
  /// - Returns: the copy, and a list of what is missing from it.
  package static func salvaged(
    _ url: URL, model: ManagedObjectModel
  ) throws(StoreError) -> (copy: SQLiteStore, lost: [Diagnostic]) {
    let (damaged, file) = try openDamaged(url, model)
    let copy = try SQLiteStore.inMemory(model: model)
    return (copy, try copy.fill(from: damaged, file))
  }

  private static func openDamaged(
    _ url: URL, _ model: ManagedObjectModel
  ) throws(StoreError) -> (SQLiteConnection, StoreFile) {
    let file = try StoreFile(url)
    try file.checkIsStore()
    var options = Options()
    options.isReadOnly = true
    let opener = StoreOpener(file: file, model: model, options: options)
    // Everything is read from one state of the store, even if another process migrates the store in the meantime.
    let damaged = try opener.translated { () throws(SQLiteError) in
      let connection = try opener.connection(readsTruncatedFile: true)
      try connection.begin(.reading)
      return connection
    }
    let layout = StoreLayout(StoreSchema(model))
    if let metadata = try? StoreDescription(damaged), !metadata.hasLayout(layout) {
      throw file.refusal(
        .incompatibleModel,
        "it has the layout of another model; use the model that it contains, which 'SQLiteStore.modelText(at:)' returns"
      )
    }
    return (damaged, file)
  }

  /// Copies the readable rows to this store, which is new. Returns what is lost.
  private func fill(from damaged: SQLiteConnection, _ file: StoreFile) throws(StoreError) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let isDone = try withWriter { connection throws(SQLiteError) in
      var salvager = StoreSalvager(damaged, connection, sql)
      defer { findings = salvager.findings }
      return try salvager.run()
    }
    guard isDone else {
      throw file.refusal(
        .damagedStore, "none of its rows can be read; if it was written with another model, salvage it with that model")
    }
    return WriteAheadLog.findings(file) + findings
  }
}

/// Copies the sound rows and links of a damaged database.
private struct StoreSalvager {
  private let damaged: SQLiteConnection
  private let copy: SQLiteConnection
  private let sql: SQLSchema
  private(set) var findings: [Diagnostic] = []
  /// The rows that are copied, by table.
  private var kept: [Int: Set<Int64>] = [:]
  private var latest: Int64 = 0

  /// The number of rows that are read at a time.
  private static let batch: Int64 = 1_024
  /// The number of successive unreadable rows after which the rest of a table is abandoned.
  private static let mostUnreadable: Int64 = 1 << 20

  init(_ damaged: SQLiteConnection, _ copy: SQLiteConnection, _ sql: SQLSchema) {
    (self.damaged, self.copy, self.sql) = (damaged, copy, sql)
  }

  /// - Returns: whether any row could be read, or the store is empty.
  mutating func run() throws(SQLiteError) -> Bool {
    for table in sql.tables { try findRows(table) }
    if !findings.isEmpty, kept.values.allSatisfy(\.isEmpty) { return false }
    // If rows cannot be copied, the next attempt omits them, and removes references to them.
    while try !copyRows() {}
    try noteHiddenDamage()
    return true
  }

  /// Reports damage that hides rows: SQLite's checks find it, although all visible rows are sound.
  private mutating func noteHiddenDamage() throws(SQLiteError) {
    let message = try unlessDamaged { () throws(SQLiteError) in try damaged.text("PRAGMA integrity_check(1)") }
    if message != "ok" {
      note("rows may be hidden, because SQLite reports: \((message ?? nil) ?? "damage")")
    }
    let missing = try unlessDamaged { () throws(SQLiteError) in
      var missing: [String] = []
      try damaged.using("SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2") {
        statement throws(SQLiteError) in
        while try statement.step() {
          missing.append(
            "table '\(statement.text(0) ?? "")' has \(statement.integer(2)) references to rows of table '\(statement.text(1) ?? "")' that are missing"
          )
        }
      }
      return missing
    }
    for message in missing ?? [] { note(message) }
  }

  private mutating func note(_ message: String) { findings.append(Diagnostic(code: .damagedStore, message)) }

  // MARK: Reading

  private mutating func findRows(_ table: SQLTable) throws(SQLiteError) {
    var unreadable: [ClosedRange<Int64>] = []
    var found: Set<Int64> = []
    let end = try self.end(table)
    var next: Int64 = 1
    // In a damaged tree, SQLite may find an earlier row.
    while let first = try existing(table, from: next).map({ max($0, next) }), first <= end {
      let range = first...(end - first < StoreSalvager.batch ? end : first + StoreSalvager.batch - 1)
      for rows in try sound(table, range, &unreadable) {
        for header in rows.headers where range.contains(header.id) {
          found.insert(header.id)
          latest = max(latest, header.version)
        }
      }
      if let gap = unreadable.last, gap.upperBound == range.upperBound, gap.count > StoreSalvager.mostUnreadable {
        unreadable[unreadable.count - 1] = gap.lowerBound...end
        break
      }
      if range.upperBound == end { break }
      next = range.upperBound + 1
    }
    kept[table.number] = found
    let hasOthers = try unlessDamaged { () throws(SQLiteError) in
      try damaged.integer("SELECT EXISTS (SELECT 1 FROM \(SQLName.quoted(table.name)) WHERE \"_id\" < 1)")
    }
    if let hasOthers = hasOthers ?? nil, hasOthers != 0 {
      note("table '\(table.name)' has rows numbered below 1, which a store never writes")
    }
    for range in unreadable {
      let rows =
        range.lowerBound == range.upperBound
        ? "row \(range.lowerBound)" : "rows \(range.lowerBound) to \(range.upperBound)"
      note("\(rows) of table '\(table.name)' cannot be read")
    }
    if end < 0 { note("table '\(table.name)' cannot be read") }
  }

  /// Returns the largest row number; -1 if the table cannot be read at all.
  private func end(_ table: SQLTable) throws(SQLiteError) -> Int64 {
    let largest = try unlessDamaged { () throws(SQLiteError) in
      try damaged.integer("SELECT max(\"_id\") FROM \(SQLName.quoted(table.name))") ?? 0
    }
    if let largest { return largest }
    let recorded = try unlessDamaged { () throws(SQLiteError) in
      try damaged.using("SELECT \"seq\" FROM \"sqlite_sequence\" WHERE \"name\" = ?") { statement throws(SQLiteError) in
        try statement.bind(table.name, at: 1)
        return try statement.step() ? statement.integer(0) : 0
      }
    }
    // Without either number, nothing in the table can be read.
    return recorded.map { $0 > 0 ? $0 : -1 } ?? -1
  }

  /// Returns the first row number that is at least `first`; `first` itself if no number can be read.
  private func existing(_ table: SQLTable, from first: Int64) throws(SQLiteError) -> Int64? {
    let sql = "SELECT \"_id\" FROM \(SQLName.quoted(table.name)) WHERE \"_id\" >= ? ORDER BY \"_id\" LIMIT 1"
    let found = try unlessDamaged { () throws(SQLiteError) in
      try damaged.using(sql) { statement throws(SQLiteError) in
        try statement.bind(first, at: 1)
        return try statement.step() ? [statement.integer(0)] : []
      }
    }
    return found.map(\.first) ?? first
  }

  /// Reads the rows of a range and checks their digests. If that fails, reads each half of the range.
  private func sound(
    _ table: SQLTable, _ range: ClosedRange<Int64>, _ unreadable: inout [ClosedRange<Int64>]
  ) throws(SQLiteError) -> [StoredRows] {
    let rows = try unlessDamaged { () throws(SQLiteError) in try table.rows(damaged, in: range) }
    if let rows { return [rows] }
    guard range.lowerBound < range.upperBound else {
      if let previous = unreadable.last, previous.upperBound == range.lowerBound - 1 {
        unreadable[unreadable.count - 1] = previous.lowerBound...range.upperBound
      } else {
        unreadable.append(range)
      }
      return []
    }
    let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
    return try sound(table, range.lowerBound...middle, &unreadable)
      + sound(table, middle + 1...range.upperBound, &unreadable)
  }

  /// Returns the result of a closure, or nil if it finds damage. Rethrows other errors, such as a lack of memory.
  private func unlessDamaged<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result? {
    do throws(SQLiteError) {
      return try body()
    } catch {
      if error.isDamage || error.isUnreadable { return nil }
      throw error
    }
  }

  // MARK: Writing

  /// - Returns: whether all rows were copied. If not, nothing was written.
  private mutating func copyRows() throws(SQLiteError) -> Bool {
    try copy.begin(.writing)
    var rejected: [RejectedRow] = []
    do throws(SQLiteError) {
      for table in sql.tables { rejected += try copyRows(table) }
      if rejected.isEmpty {
        for (relationship, inverse) in sql.oneToOnes { try clearContradictions(relationship, inverse) }
        for links in sql.links { try copyLinks(links) }
        try CommitLog.append(copy, max(1, min(latest, CommitNumbers.largest)), nil)
        try copy.execute("COMMIT")
        return true
      }
    } catch {
      copy.rollBack()
      throw error
    }
    copy.rollBack()
    for row in rejected {
      kept[row.table.number]?.remove(row.id)
      note("row \(row.id) of table '\(row.table.name)' \(row.reason)")
    }
    return false
  }

  /// A row that could not be copied.
  private struct RejectedRow {
    let table: SQLTable
    let id: Int64
    let reason: String
  }

  /// - Returns: the rows that were not copied.
  private mutating func copyRows(_ table: SQLTable) throws(SQLiteError) -> [RejectedRow] {
    let ids = (kept[table.number] ?? []).sorted()
    // In a damaged tree, a row may appear twice.
    var copied: Set<Int64> = []
    var rejected: [RejectedRow] = []
    let columns = table.headerColumns + table.layout.columns.map(\.name)
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let sql = "INSERT OR IGNORE INTO \(SQLName.quoted(table.name)) (\(SQLName.list(columns))) VALUES (\(marks))"
    var start = 0
    while start < ids.count {
      // A range must not span a large gap.
      var end = start + 1
      while end < ids.count, ids[end] - ids[start] < StoreSalvager.batch { end += 1 }
      var unreadable: [ClosedRange<Int64>] = []
      for rows in try sound(table, ids[start]...ids[end - 1], &unreadable) {
        let numbers = FinalNumbers(deleted: missingTargets(of: rows, table))
        for (row, header) in rows.headers.enumerated()
        where kept[table.number]?.contains(header.id) == true && copied.insert(header.id).inserted {
          try copy.using(sql) { statement throws(SQLiteError) in
            try rows.values.withTexts { texts throws(SQLiteError) in
              try numbers.bind(
                header, after: nil, rows.values, texts, row: row, table, to: statement, from: 1, hasID: true)
              try statement.run()
            }
          }
          if copy.changeCount == 0 {
            rejected.append(RejectedRow(table: table, id: header.id, reason: "has the identity of an earlier row"))
          }
        }
      }
      start = end
    }
    // A failing disk may be unable to read data that it could read before.
    return rejected
      + ids.filter { !copied.contains($0) }.map { RejectedRow(table: table, id: $0, reason: "cannot be read") }
  }

  /// Clears the references of a one-to-one relationship to objects that refer back to a different object, or to no object.
  private mutating func clearContradictions(
    _ here: SQLReference, _ there: SQLReference
  ) throws(SQLiteError) {
    let ids = try copy.using(here.contradictions(there)) { statement throws(SQLiteError) in
      var ids: [Int64] = []
      while try statement.step() { ids.append(statement.integer(0)) }
      return ids
    }
    guard !ids.isEmpty else { return }
    var rows = try here.table.rows(copy, ids: ids)
    for row in rows.headers.indices { rows.values.setNil(row: row, column: here.column) }
    let columns: [[Int]?] = Array(repeating: [here.column], count: rows.count)
    try RowUpdater(connection: copy, table: here.table, numbers: FinalNumbers())
      .update(rows, columns: columns) { _ in false }
    for id in ids {
      note(
        "'\(here.title)' of row \(id) of table '\(here.table.name)' does not agree with '\(there.title)', and was left out"
      )
    }
  }

  /// Returns the lost rows that the given rows refer to, by table.
  private func missingTargets(of rows: StoredRows, _ table: SQLTable) -> [Int: Set<Int64>] {
    var missing: [Int: Set<Int64>] = [:]
    for (column, target) in table.references {
      for row in 0..<rows.count {
        guard let id = rows.values.integer(row: row, column: column), kept[target]?.contains(id) != true else {
          continue
        }
        missing[target, default: []].insert(id)
      }
    }
    return missing
  }

  /// Copies the links between rows that are copied. A link has no digest, but it is in both the table and an index. A link that
  /// differs between the two is omitted. If the index cannot be read, the link is taken from the table.
  private mutating func copyLinks(_ links: SQLLinkTable) throws(SQLiteError) {
    let columns = SQLName.list(links.columns)
    let (table, index) = (SQLName.quoted(links.name), SQLName.quoted(links.index.name))
    let (owner, member) = (SQLName.quoted(links.columns[0]), SQLName.quoted(links.columns[1]))
    let marks = Array(repeating: "?", count: links.columns.count).joined(separator: ", ")
    let insert = "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(marks))"
    let ofOwner = "SELECT \(columns) FROM \(table) WHERE \(owner) = ?"
    let ofMember = "SELECT \(columns) FROM \(table) INDEXED BY \(index) WHERE \(member) = ?"
    let ofBoth = "\(ofMember) AND \(owner) = ?"
    let copied = "SELECT \(columns) FROM \(table) WHERE \(member) = ? AND \(owner) = ?"
    let (owners, members) = (kept[links.layout.ownerTable] ?? [], kept[links.layout.memberTable] ?? [])
    var lost: Set<Int64> = []
    for owner in owners.sorted() {
      guard let found = try selection(ofOwner, [owner], damaged) else {
        lost.insert(owner)
        continue
      }
      for link in found where members.contains(link[1]) {
        let inIndex = try selection(ofBoth, [link[1], owner], damaged)
        guard inIndex == nil || inIndex == [link] else {
          lost.insert(owner)
          continue
        }
        try copy.using(insert) { statement throws(SQLiteError) in
          for (index, value) in link.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
          try statement.run()
        }
      }
    }
    for member in members.sorted() {
      for link in try selection(ofMember, [member], damaged) ?? [] where owners.contains(link[0]) {
        if try selection(copied, [member, link[0]], copy) == [] { lost.insert(link[0]) }
      }
    }
    guard let first = lost.min() else { return }
    note(
      "links of '\(links.layout.relationship)' cannot be read for \(lost.count == 1 ? "row" : "\(lost.count) rows, first row") \(first) of table '\(sql.tables[links.layout.ownerTable].name)'"
    )
  }

  /// Returns the integers that a query selects, row by row, or nil if they cannot be read.
  private func selection(
    _ select: String, _ values: [Int64], _ connection: SQLiteConnection
  ) throws(SQLiteError) -> [[Int64]]? {
    try unlessDamaged { () throws(SQLiteError) in
      try connection.using(select) { statement throws(SQLiteError) in
        var found: [[Int64]] = []
        for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
        while try statement.step() { found.append((0..<statement.columnCount).map { statement.integer(Int32($0)) }) }
        return found
      }
    }
  }
}
