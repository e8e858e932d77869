/// Finds what a child cannot commit, because the parent changed in the meantime.
struct ParentConflicts {
  private let store: ParentStore
  /// The entities of the rows that the child writes, by table and number.
  private var entities: [Int: [Int64: Int]] = [:]

  init(_ store: ParentStore, _ changes: StoreChanges) {
    self.store = store
    for rows in changes.tables.map(\.updated) where rows.count > 0 {
      entities[rows.table] = Dictionary(
        rows.headers.map { ($0.id, store.map.entities[rows.table][$0.entity]) }, uniquingKeysWith: { $1 })
    }
  }

  func conflicts(_ changes: StoreChanges) throws(StoreError) -> [StoreConflict] {
    var found: [StoreConflict] = []
    for change in changes.tables {
      found += try versions(change)
      found += try identities(change)
      for rows in [change.inserted, change.updated] { found += try references(rows) }
    }
    for change in changes.links { found += try links(change) }
    return found
  }

  private func versions(_ change: StoreChanges.TableChanges) throws(StoreError) -> [StoreConflict] {
    let table = change.inserted.table
    let headers = change.updated.headers + change.deleted
    let current = store.stored(try store.find(table, headers.map(\.id)), table)
    let versions = Dictionary(uniqueKeysWithValues: current.headers.map { ($0.id, $0.version) })
    return headers.compactMap { header in
      guard let version = versions[header.id] else {
        return StoreConflict(table: table, id: header.id, reason: .deleted)
      }
      return version == header.version ? nil : StoreConflict(table: table, id: header.id, reason: .changed)
    }
  }

  private func identities(_ change: StoreChanges.TableChanges) throws(StoreError) -> [StoreConflict] {
    let table = change.inserted.table
    let deleted = Set(change.deleted.map(\.id))
    let updated = Dictionary(uniqueKeysWithValues: change.updated.headers.enumerated().map { ($1.id, $0) })
    var found: [StoreConflict] = []
    for (space, identity) in store.schema.tables[table].identities.enumerated() {
      let finder = IdentityFinder(store, table, space)
      for rows in [change.inserted, change.updated] where rows.count > 0 {
        let others = try finder.rows(rows.values, identity.columns)
        for (index, header) in rows.headers.enumerated() where identity.entities.contains(header.entity) {
          guard let other = others[index].map({ store.numbers.id(table, $0) }), other != header.id,
            !deleted.contains(other)
          else { continue }
          // A row that changes only otherwise keeps its identity.
          if let new = updated[other], !isSame(table, identity.columns, rows.values, index, change.updated.values, new)
          {
            continue
          }
          found.append(StoreConflict(table: table, id: header.id, reason: .identityTaken(by: other)))
        }
      }
    }
    return found
  }

  /// Whether two rows of a table have the same values in some columns, none of which is nil in the first.
  private func isSame(
    _ table: Int, _ columns: [Int], _ left: StoredValues, _ leftRow: Int, _ right: StoredValues, _ rightRow: Int
  ) -> Bool {
    columns.allSatisfy { column in
      if right.isNil(row: rightRow, column: column) { return false }
      if case .attribute(let type) = store.schema.tables[table].columns[column].content, SlotPlan.Kind(type).isText {
        return left.text(row: leftRow, column: column) == right.text(row: rightRow, column: column)
      }
      return left.word(row: leftRow, column: column) == right.word(row: rightRow, column: column)
    }
  }

  private func references(_ rows: StoredRows) throws(StoreError) -> [StoreConflict] {
    var found: [StoreConflict] = []
    for (column, content) in store.schema.tables[rows.table].columns.enumerated() {
      guard case .reference(let target) = content.content else { continue }
      let ids = (0..<rows.count).map { rows.values.integer(row: $0, column: column) }
      let gone = try gone(target, ids.compactMap { $0 })
      for (index, header) in rows.headers.enumerated() {
        let entity = store.map.entities[rows.table][header.entity]
        guard let id = ids[index], gone.contains(id) || !fits(id, target, entity, store.map.slots[entity][column])
        else { continue }
        found.append(
          StoreConflict(table: rows.table, id: header.id, reason: .referenceDeleted(table: target, id: id)))
      }
    }
    return found
  }

  private func links(_ change: StoreChanges.LinkChanges) throws(StoreError) -> [StoreConflict] {
    let (owners, members) = (
      store.schema.links[change.table].ownerTable, store.schema.links[change.table].memberTable
    )
    let goneOwners = try gone(owners, change.added.map(\.owner))
    let goneMembers = try gone(members, change.added.map(\.member))
    let slots = Dictionary(
      store.map.owners(of: change.table).map { ($0.entity, $0.slot) }, uniquingKeysWith: { $1 })
    return change.added.compactMap { link in
      if goneMembers.contains(link.member) || !fits(link, members, owners, slots) {
        return StoreConflict(
          table: owners, id: link.owner, reason: .referenceDeleted(table: members, id: link.member))
      }
      guard goneOwners.contains(link.owner) else { return nil }
      return StoreConflict(table: members, id: link.member, reason: .referenceDeleted(table: owners, id: link.owner))
    }
  }

  /// Whether a member is of an entity that its owner's list may contain.
  private func fits(_ link: StoredLink, _ members: Int, _ owners: Int, _ slots: [Int: Int]) -> Bool {
    guard let owner = store.numbers.row(owners, link.owner) else { return true }
    let entity = entities[owners]?[link.owner] ?? store.state.row(owners, owner).entity
    return slots[entity].map { fits(link.member, members, entity, $0) } ?? true
  }

  /// Whether a row is of an entity that a relationship of another one may lead to. After a rollback of the parent, it may be of a
  /// parent entity again: what the child refers to is then no longer there.
  private func fits(_ id: Int64, _ table: Int, _ owner: Int, _ property: Int) -> Bool {
    guard id > 0, property >= 0, let number = store.numbers.row(table, id) else { return true }
    let layouts = store.parent.model.plan.layouts
    let entity = entities[table]?[id] ?? store.state.row(table, number).entity
    return layouts[entity].isKind(of: layouts[layouts[owner].slots[property].destination])
  }

  /// Those of some numbers whose rows the parent no longer has.
  private func gone(_ table: Int, _ ids: [Int64]) throws(StoreError) -> Set<Int64> {
    let ids = Set(ids.filter { $0 > 0 })
    if ids.isEmpty { return [] }
    return ids.subtracting(try store.find(table, ids.sorted()).map { store.numbers.id(table, $0) })
  }
}
