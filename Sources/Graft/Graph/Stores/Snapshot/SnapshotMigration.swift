/// Converts the contents of a snapshot file to the layout of another version of the model.
struct SnapshotMigration {
  private let contents: SnapshotContents
  private let schema: StoreSchema
  private let mapping: LayoutMapping
  let steps: MigrationSteps

  init(_ contents: SnapshotContents, to schema: StoreSchema, _ layout: StoreLayout, _ steps: MigrationSteps) {
    self.contents = contents
    self.schema = schema
    self.steps = steps
    mapping = LayoutMapping(from: contents.layout, to: layout, schema.model.contents, replacing: steps.replaced)
  }

  /// Returns the changes that the migration would make.
  func plan(allowedRemovals: [String]) -> StoreMigrationPlan {
    var planner = MigrationPlanner(
      mapping, schema.model, contents, allowedRemovals: allowedRemovals, steps: steps)
    planner.run()
    return planner.plan.adding(steps)
  }

  /// Whether steps of the program move data.
  var hasSteps: Bool { !steps.isEmpty }

  /// Returns the contents after the steps.
  ///
  /// - Parameter migrated: the contents after the rest of the migration, as returned by ``memory()``.
  func runSteps(on migrated: TableMemory, storeName: String) throws(StoreError) -> TableMemory {
    guard let model = ManagedObjectModel.former(contents.description.model, of: contents.layout, name: storeName) else {
      throw damage(storeName)
    }
    let oldSchema = StoreSchema(model)
    let reading = SnapshotMigration(contents, to: oldSchema, StoreLayout(oldSchema).withoutIndexes, MigrationSteps())
    guard let before = reading.memory() else { throw damage(storeName) }
    let (old, new) = (SnapshotStore(before, isReadOnly: true), SnapshotStore(migrated))
    defer { for store in [old, new] { store.retire() } }
    try steps.run(from: old, to: new, mapping, storeName: storeName)
    let memory = new.memory
    let facts = MemoryFacts(memory: memory)
    if let error = MigrationSteps.check(facts, mapping.new, schema.model, storeName: storeName) { throw error }
    return memory
  }

  private func damage(_ storeName: String) -> StoreError {
    StoreError(.damagedStore, "the description of the store '\(storeName)' cannot be read; restore it from a backup")
  }

  /// Whether objects stay unchanged.
  var keepsTables: Bool { mapping.keepsTables }

  /// Returns the rows and links in the new layout, with the highest number of each table; nil if they contradict each other.
  func memory() -> TableMemory? {
    var memory = TableMemory(schema)
    if keepsTables {
      let lastIDs = contents.description.tables.map(\.lastID)
      let isSound = memory.fill(
        contents.rows, contents.links, sequence: contents.description.sequence, lastIDs: lastIDs)
      return isSound ? memory : nil
    }
    var rows: [ChunkedRows] = []
    var lastIDs: [Int64] = []
    let removed = mapping.removedRows(contents)
    for table in schema.tables.indices {
      var converted = ChunkedRows(table: table, columnCount: schema.tables[table].columns.count)
      let old = mapping.oldTable(of: table)
      if let old {
        let converter = RowConverter(mapping, from: old, to: table, removed, schema.model.contents)
        contents.rows[old].read { rows in
          let rows = converter.converted(rows)
          for row in 0..<rows.count { converted.append(rows, row, schema.tables[table]) }
          return true
        }
      }
      rows.append(converted)
      lastIDs.append(old.map { contents.description.tables[$0].lastID } ?? 0)
    }
    let isSound = memory.fill(
      rows, schema.links.indices.map { links($0, removed) }, sequence: contents.description.sequence, lastIDs: lastIDs)
    return isSound ? memory : nil
  }

  private func links(_ table: Int, _ removed: [Int: Set<Int64>]) -> [StoredLink] {
    guard let (old, isSwapped) = mapping.oldLinks(of: table) else { return linksFromReferences(table, removed) }
    let layout = mapping.old.links[old]
    let (owners, members) = (removed[layout.ownerTable] ?? [], removed[layout.memberTable] ?? [])
    let kept = contents.links[old].filter { !owners.contains($0.owner) && !members.contains($0.member) }
    var links = kept
    if isSwapped {
      links = kept.map {
        StoredLink(
          owner: $0.member, member: $0.owner, position: $0.inversePosition, inversePosition: $0.position)
      }
    }
    // A list that was not ordered gets the order in which its members were inserted.
    let (hadOrder, hadInverseOrder) =
      isSwapped ? (layout.isInverseOrdered, layout.isOrdered) : (layout.isOrdered, layout.isInverseOrdered)
    for index in links.indices {
      if schema.links[table].isOrdered, !hadOrder { links[index].position = links[index].member }
      if schema.links[table].isInverseOrdered, !hadInverseOrder { links[index].inversePosition = links[index].owner }
    }
    return links
  }

  /// Converts the references of a to-one to the links of a to-many.
  private func linksFromReferences(_ table: Int, _ removed: [Int: Set<Int64>]) -> [StoredLink] {
    guard let former = mapping.oldReference(of: table),
      case .reference(let target) = mapping.old.tables[former.table].columns[former.column].content
    else { return [] }
    var links: [StoredLink] = []
    contents.rows[former.table].read { rows in
      for row in rows.headers.indices where former.entities.contains(rows.headers[row].entity) {
        let id = rows.headers[row].id
        guard let referred = rows.values.integer(row: row, column: former.column),
          removed[former.table]?.contains(id) != true, removed[target]?.contains(referred) != true
        else { continue }
        let position = former.position.flatMap { rows.values.integer(row: row, column: $0) } ?? 0
        links.append(
          former.isSwapped
            ? StoredLink(owner: referred, member: id, position: position, inversePosition: 0)
            : StoredLink(owner: id, member: referred, position: 0, inversePosition: position))
      }
      return true
    }
    return links
  }
}
