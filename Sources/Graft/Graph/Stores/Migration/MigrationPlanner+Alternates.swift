extension MigrationPlanner {
  /// Compares the alternate identities (M27) of tables that stay. Objects of the store must not have equal alternate identities.
  ///
  /// - Parameter removed: the rows of removed entities, by old table.
  mutating func compareAlternates(_ removed: [Int: Set<Int64>]) throws(Facts.Failure) {
    let schema = StoreSchema(model)
    for (number, table) in schema.tables.enumerated() {
      guard let former = mapping.oldTable(of: number) else { continue }
      noteDropped(of: number, in: former)
      for identity in table.identities where identity.isAlternate && !isKept(identity, of: number, in: former) {
        let names = identity.columns.map { table.columns[$0].name }.joined(separator: ", ")
        let title = "'\(table.entityNames[identity.entities[0]])' by '\(names)'"
        plan.changes.append("also identify the objects of \(title)")
        let hint = "change one of them first"
        let source = source(of: identity, table)
        guard let facts else {
          refuseConditionally(
            "the objects of \(title) must differ, and the store may have duplicates; \(hint)",
            source)
          continue
        }
        if let equal = try equalObjects(identity, schema, number, former, removed, facts) {
          refuse(
            "the objects of \(title) must differ, and the store has duplicates: \(equal.0) and \(equal.1)",
            hint, at: source, .alternateIdentities)
        }
      }
    }
  }

  /// Whether the old version had the alternate identity, for the same entities.
  private func isKept(_ identity: StoreSchema.Identity, of table: Int, in former: Int) -> Bool {
    let (new, old) = (mapping.new.tables[table], mapping.old.tables[former])
    let columns = formerColumns(identity.columns, of: new, in: old)
    let entities = identity.entities.compactMap { mapping.entities[new.entities[$0]] }
    return old.identities.contains { candidate in
      candidate.columns == columns && Set(candidate.entities.map { old.entities[$0] }).isSuperset(of: entities)
    }
  }

  /// The old columns of the given new columns; nil if one of the columns did not exist.
  private func formerColumns(_ columns: [Int], of new: StoreLayout.Table, in old: StoreLayout.Table) -> [Int]? {
    let former = columns.compactMap { column -> Int? in
      let titles = new.columns[column].properties.compactMap { mapping.properties[$0] }
      return old.columns.firstIndex { $0.properties.contains(where: titles.contains) }
    }
    return former.count == columns.count ? former : nil
  }

  /// Notes the alternate identities that a table no longer has, or no longer has for all of its entities.
  private mutating func noteDropped(of table: Int, in former: Int) {
    let (new, old) = (mapping.new.tables[table], mapping.old.tables[former])
    let remaining = Set(mapping.entities.values)
    for identity in old.identities {
      let kept = new.identities.filter { formerColumns($0.columns, of: new, in: old) == identity.columns }
      let covered = Set(kept.flatMap { $0.entities.compactMap { mapping.entities[new.entities[$0]] } })
      let dropped = identity.entities.map { old.entities[$0] }.filter {
        remaining.contains($0) && !covered.contains($0)
      }
      let names = identity.columns.map { old.columns[$0].name }
      // A change to the identity itself is refused elsewhere.
      guard let name = dropped.first else { continue }
      if LayoutMapping.identity(of: name, mapping.oldEntities) == names { continue }
      plan.changes.append("no longer identify the objects of '\(name)' by '\(names.joined(separator: ", "))'")
    }
  }

  /// The names of two objects of the store with the same alternate identity; nil if no two objects have the same.
  private func equalObjects(
    _ identity: StoreSchema.Identity, _ schema: StoreSchema, _ table: Int, _ former: Int,
    _ removed: [Int: Set<Int64>], _ facts: Facts
  ) throws(Facts.Failure) -> (String, String)? {
    let converter = RowConverter(mapping, from: former, to: table, removed, model.contents)
    let entities = Set(identity.entities)
    var known: [[StoreValue]: Int64] = [:]
    var equal: Set<Int64> = []
    try facts.readRows(table: former) { rows in
      let rows = converter.converted(rows)
      for row in 0..<rows.count where entities.contains(rows.headers[row].entity) {
        let values = identity.columns.map {
          rows.values.value(row: row, column: $0, schema.tables[table].columns[$0].content).normalized
        }
        if values.contains(.null) { continue }
        if let other = known.updateValue(rows.headers[row].id, forKey: values) {
          equal = [other, rows.headers[row].id]
          return false
        }
      }
      return true
    }
    if equal.isEmpty { return nil }
    var names: [String] = []
    try facts.readRows(table: former) { rows in
      let rows = converter.converted(rows)
      for row in 0..<rows.count where equal.contains(rows.headers[row].id) {
        names.append(RowNames(schema, table: table).name(rows, row))
      }
      return names.count < 2
    }
    return names.count == 2 ? (names[0], names[1]) : nil
  }

  private func source(of identity: StoreSchema.Identity, _ table: StoreSchema.Table) -> DescriptionSource {
    let name = table.entityNames[identity.entities[0]]
    return model.contents.entities.first { $0.name == name }?.source ?? DescriptionSource()
  }
}
