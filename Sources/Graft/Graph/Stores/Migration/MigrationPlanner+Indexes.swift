extension MigrationPlanner {
  /// Compares the declared indexes (M28) of tables that stay. Changes to indexes need no consent, because no data is lost.
  mutating func compareIndexes() {
    for (number, table) in mapping.new.tables.enumerated() {
      guard let former = mapping.oldTable(of: number).map({ mapping.old.tables[$0] }) else { continue }
      let kept = table.indexes.map { mapping.former($0, of: table, in: former) }
      for index in former.indexes where !kept.contains(index) {
        plan.changes.append("drop the index \(former.title(ofIndex: index))")
      }
      for (index, former) in zip(table.indexes, kept) where former == nil {
        plan.changes.append("create an index \(table.title(ofIndex: index))")
      }
    }
  }
}

extension LayoutMapping {
  /// The old columns of an index; nil if there was no such index.
  fileprivate func former(_ index: [Int], of table: StoreLayout.Table, in old: StoreLayout.Table) -> [Int]? {
    let columns = index.compactMap { column in
      let titles = table.columns[column].properties.compactMap { properties[$0] }
      return old.columns.firstIndex { candidate in
        candidate.isIndexable && candidate.properties.contains(where: titles.contains)
      }
    }
    return columns.count == index.count ? old.indexes.first { $0 == columns } : nil
  }
}

extension StoreLayout.Column {
  /// Whether indexes may list the column. A position column has the same properties as its reference, so it is excluded.
  fileprivate var isIndexable: Bool { if case .position = content { false } else { true } }
}

extension StoreLayout.Table {
  /// An index in words: `on 'Hero.lastName, Hero.firstName'`.
  fileprivate func title(ofIndex index: [Int]) -> String {
    "on '\(index.map { columns[$0].properties.first ?? columns[$0].name }.joined(separator: ", "))'"
  }
}
