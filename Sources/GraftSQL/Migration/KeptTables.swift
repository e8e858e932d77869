package import Graft

/// The tables of a store that are unchanged when the store gets a different layout. The other tables are created again and filled.
package struct KeptTables {
  private let mapping: LayoutMapping
  private let old: SQLSchema
  private let new: SQLSchema
  /// For each old table, the rows of entities that were removed although their hierarchy remains.
  private let removedRows: [Int: Set<Int64>]

  package init(_ mapping: LayoutMapping, old: SQLSchema, new: SQLSchema, removedRows: [Int: Set<Int64>]) {
    self.mapping = mapping
    self.old = old
    self.new = new
    self.removedRows = removedRows
  }

  /// The old tables that are kept, and the old tables of links.
  package var tables: Set<Int> { Set(new.tables.filter(contains).compactMap { mapping.oldTable(of: $0.number) }) }
  package var links: Set<Int> { Set(new.links.filter(contains).compactMap { mapping.oldLinks(of: $0.number)?.links }) }

  /// Returns whether the rows of a table already fit the new layout.
  package func contains(_ table: SQLTable) -> Bool {
    guard let number = mapping.oldTable(of: table.number) else { return false }
    let former = old.tables[number]
    return old.items(ofTable: number, hasDeclared: false) == new.items(ofTable: table.number, hasDeclared: false)
      && areIdentical(former.layout.entities, table.layout.entities)
      && areIdentical(former.layout.columns.map(\.name), table.layout.columns.map(\.name))
      && zip(former.layout.columns, table.layout.columns).allSatisfy(isSame)
      && !refersToRemovedRows(former)
      && former.layout.entities.allSatisfy { mapping.entities[$0] == $0 }
      && !table.layout.columns.contains { $0.properties.contains(where: mapping.requiredNow.contains) }
  }

  package func contains(_ links: SQLLinkTable) -> Bool {
    guard let (number, isSwapped) = mapping.oldLinks(of: links.number), !isSwapped else { return false }
    let former = old.links[number]
    return old.items(ofLinks: number) == new.items(ofLinks: links.number)
      && removedRows[former.layout.ownerTable] == nil && removedRows[former.layout.memberTable] == nil
  }

  private func areIdentical(_ old: [String], _ new: [String]) -> Bool {
    old.count == new.count && zip(old, new).allSatisfy { $0.isIdentical(to: $1) }
  }

  private func isSame(_ old: StoreLayout.Column, _ new: StoreLayout.Column) -> Bool {
    switch (old.content, new.content) {
    case (.attribute(let a), .attribute(let b)): a == b && isSame(old.properties, new.properties)
    case (.reference, .reference): isSame(old.properties, new.properties)
    case (.position(let a), .position(let b)): a == b && isSame(old.properties, new.properties)
    default: false
    }
  }

  /// Returns whether a column contains the same properties as before the migration. A new column with the name of a removed column is
  /// different.
  private func isSame(_ old: [String], _ new: [String]) -> Bool {
    areIdentical(old, new) && new.allSatisfy { mapping.properties[$0] == $0 }
  }

  private func refersToRemovedRows(_ former: SQLTable) -> Bool {
    removedRows[former.number] != nil || former.references.contains { removedRows[$0.table] != nil }
  }
}

extension LayoutMapping {
  /// Returns the statement that selects the rows of entities that are removed although their hierarchy remains, with the number of
  /// the old table; nil if there are no such entities.
  package func removedRows(of table: SQLTable, in old: SQLSchema) -> (table: Int, select: String)? {
    guard let number = oldTable(of: table.number) else { return nil }
    let positions = entityPositions(from: number, to: table.number)
    let removed = positions.indices.filter { positions[$0] == nil }
    guard !removed.isEmpty, let condition = SQLTable.entityCondition(removed, old.tables[number].layout) else {
      return nil
    }
    return (number, "SELECT \"_id\" FROM \(SQLName.quoted(old.tables[number].name)) WHERE \(condition)")
  }
}
