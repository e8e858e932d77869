/// One state of a snapshot store: a copy that shares its memory with the store until the store changes.
final class MemorySnapshot: StoreSnapshot {
  private let memory: TableMemory

  init(_ memory: TableMemory) { self.memory = memory }

  var sequence: Int64 { memory.sequence }

  func changes(since base: Int64) -> StoreLog { memory.changes(since: base) }

  func rows(in table: Int, ids: [Int64]) -> StoredRows { memory.rows(table, ids) }

  func rows(in table: Int, identity: Int, values: StoredValues) -> StoredRows {
    let ids = (0..<values.count).compactMap { row in
      memory.tables[table].identities[identity][memory.identity(table, identity, values, row: row)]
    }
    return memory.rows(table, Set(ids).sorted())
  }

  func rows(in table: Int, column: Int, referringTo targets: [Int64]) -> StoredRows {
    guard let referrers = memory.tables[table].referrers[column] else { return memory.rows(table, []) }
    return memory.rows(table, targets.flatMap { referrers[$0] ?? [] }.sorted())
  }

  func links(in table: Int, ofOwners owners: [Int64]) -> [StoredLink] {
    owners.flatMap { memory.links[table].links(owner: $0) }
  }

  func links(in table: Int, ofMembers members: [Int64]) -> [StoredLink] {
    members.flatMap { memory.links[table].links(member: $0) }
  }

  func rows(selectedBy query: StoreQuery) throws(StoreError) -> StoredRows {
    memory.rows(query.table, try memory.select(query))
  }

  func ids(selectedBy query: StoreQuery) throws(StoreError) -> [Int64] { try memory.select(query) }

  func count(selectedBy query: StoreQuery) throws(StoreError) -> Int { try memory.select(query).count }

  func aggregate(
    _ aggregate: StoreAggregate, over query: StoreQuery
  ) throws(StoreError) -> [StoreAggregate.Group] {
    try memory.groups(aggregate, query.table, try memory.select(query))
  }
}
