extension TableMemory {
  /// Whether commits after the base of changes wrote data that the changes depend on.
  ///
  /// - Throws: if the changes contradict the state that they are based on, or contradict each other.
  func hasMoved(_ changes: StoreChanges, since base: Int64, storeName: String) throws(StoreError) -> Bool {
    // If the store has fewer commits than the base, it was replaced by a backup.
    guard base <= sequence else { return true }
    let fault = changes.tables.lazy.compactMap(fault).first ?? missingTarget(changes)
    guard base == sequence else { return fault != nil || isNewer(changes, base) || hasWritten(changes.watch, base) }
    if let fault { throw StoreError(.unavailableStore, "the store '\(storeName)' cannot be written: \(fault)") }
    return false
  }

  private func isNewer(_ changes: StoreChanges, _ base: Int64) -> Bool {
    changes.tables.contains { change in
      let table = tables[change.inserted.table]
      return (change.updated.headers + change.deleted).contains { header in
        table.places[header.id].map { table.rows.header($0).version > base } ?? true
      }
    }
  }

  private func hasWritten(_ watch: StoreChanges.Watch, _ base: Int64) -> Bool {
    guard !watch.tables.isEmpty || watch.rows.contains(where: { !$0.value.isEmpty }) else { return false }
    let log = changes(since: base)
    if log.isIncomplete { return true }
    return [log.written, log.deleted].contains { rows in
      watch.tables.contains { rows[$0]?.isEmpty == false }
        || watch.rows.contains { table, watched in rows[table]?.contains(where: watched.contains) == true }
    }
  }

  // MARK: Contradictions

  /// The reason why the changes to a table cannot be written; nil if they can.
  private func fault(_ change: StoreChanges.TableChanges) -> String? {
    let table = change.inserted.table
    let named = change.updated.headers + change.deleted
    if let missing = named.first(where: { tables[table].places[$0.id] == nil }) {
      return "there is no row \(missing.id) in table '\(schema.tables[table].name)'"
    }
    return takenIdentity(change, replaced: Set(named.map(\.id)))
      ?? missingTarget(change.inserted) ?? missingTarget(change.updated)
  }

  private func takenIdentity(_ change: StoreChanges.TableChanges, replaced: Set<Int64>) -> String? {
    let table = change.inserted.table
    var claimed = Array(repeating: Set<[StoreValue]>(), count: schema.tables[table].identities.count)
    if claimed.count == 1 { claimed[0].reserveCapacity(change.inserted.count + change.updated.count) }
    for rows in [change.inserted, change.updated] {
      for row in 0..<rows.count {
        for (space, values) in identities(table, rows, row) {
          let holder = tables[table].identities[space][values]
          guard claimed[space].insert(values).inserted, holder.map(replaced.contains) ?? true else {
            return "two rows of table '\(schema.tables[table].name)' would have the same identity"
          }
        }
      }
    }
    return nil
  }

  private func missingTarget(_ rows: StoredRows) -> String? {
    for (column, content) in schema.tables[rows.table].columns.enumerated() {
      guard case .reference(let target) = content.content else { continue }
      for row in 0..<rows.count {
        if let id = rows.values.integer(row: row, column: column), let fault = missingTarget(id, target) {
          return fault
        }
      }
    }
    return nil
  }

  private func missingTarget(_ changes: StoreChanges) -> String? {
    guard changes.links.contains(where: { !$0.written.isEmpty }) else { return nil }
    var deleted: [Int: Set<Int64>] = [:]
    for change in changes.tables where !change.deleted.isEmpty {
      deleted[change.inserted.table] = Set(change.deleted.map(\.id))
    }
    for change in changes.links {
      let layout = schema.links[change.table]
      for link in change.written {
        // The links of rows that the changes delete are not added.
        if deleted[layout.ownerTable]?.contains(link.owner) == true { continue }
        if deleted[layout.memberTable]?.contains(link.member) == true { continue }
        if let fault = missingTarget(link.owner, layout.ownerTable) ?? missingTarget(link.member, layout.memberTable) {
          return fault
        }
      }
    }
    return nil
  }

  private func missingTarget(_ id: Int64, _ table: Int) -> String? {
    guard id > 0, tables[table].places[id] == nil else { return nil }
    return "a row refers to row \(id) of table '\(schema.tables[table].name)', which does not exist"
  }
}
