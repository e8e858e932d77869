/// The facts that a migration requires about tables in memory.
struct MemoryFacts: MigrationFacts {
  private static let rowsPerBatch = 1000

  let memory: TableMemory

  func hasRows(table: Int, entities: [Int], column: Int?, countsPlaceholders: Bool) -> Bool {
    var isFound = false
    readRows(table: table) { rows in
      isFound = rows.headers.indices.contains { row in
        entities.contains(rows.headers[row].entity) && (countsPlaceholders || !rows.headers[row].isPlaceholder)
          && column.map { !rows.values.isNil(row: row, column: $0) } ?? true
      }
      return !isFound
    }
    return isFound
  }

  func hasLinks(_ links: Int) -> Bool { !memory.links[links].all.isEmpty }

  func readRows(table: Int, _ body: (StoredRows) -> Bool) {
    let ids = memory.tables[table].places.entries.map(\.key).sorted()
    for start in stride(from: 0, to: ids.count, by: MemoryFacts.rowsPerBatch) {
      if !body(memory.rows(table, ids[start..<min(start + MemoryFacts.rowsPerBatch, ids.count)])) { return }
    }
  }

  func readLinks(_ links: Int, _ body: (Int64, Int64) -> Void) {
    for link in memory.links[links].all { body(link.owner, link.member) }
  }
}
