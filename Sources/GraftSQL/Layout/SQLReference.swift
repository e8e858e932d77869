import Graft

/// A to-one relationship in a column. Siblings may share the column, so the relationship is that of the objects of certain entities.
package struct SQLReference {
  /// The relationship, such as `Hero.mentor`.
  package let title: String
  package let table: SQLTable
  package let column: Int
  /// The entities that have the relationship, as positions in the table's list.
  let entities: [Int]

  private var name: String { SQLName.quoted(table.columnNames[column]) }

  /// Returns the condition that the row under a name belongs to an entity that has the relationship.
  private func isOwner(_ row: String) -> String {
    SQLTable.entityCondition(entities, table.layout).map { "\(row).\($0)" } ?? "TRUE"
  }

  /// Returns a statement that selects the rows whose object refers to a different row, or to no row.
  ///
  /// - Parameter inverse: the other side of a one-to-one relationship.
  package func contradictions(_ inverse: SQLReference) -> String {
    """
    SELECT a."_id" FROM \(SQLName.quoted(table.name)) AS a JOIN \(SQLName.quoted(inverse.table.name)) AS b \
    ON b."_id" = a.\(name) WHERE \(isOwner("a")) \
    AND (NOT \(inverse.isOwner("b")) OR b.\(inverse.name) IS NULL OR b.\(inverse.name) <> a."_id")
    """
  }
}

extension SQLSchema {
  /// The to-ones whose inverse is also a to-one. Each pair occurs twice, once from each side.
  package var oneToOnes: [(SQLReference, SQLReference)] {
    let entities = Dictionary(layout.entities.map { ($0.name, $0) }) { first, _ in first }
    var references: [String: SQLReference] = [:]
    for table in tables where !table.references.isEmpty {
      let lineages = table.layout.entities.map { Set(LayoutMapping.lineage($0, entities)) }
      for name in table.layout.entities {
        let kinds = lineages.indices.filter { lineages[$0].contains(name) }
        for property in entities[name]?.properties ?? [] where property.inverse != nil {
          let title = "\(name).\(property.name)"
          guard let column = table.column(of: title) else { continue }
          references[title] = SQLReference(title: title, table: table, column: column, entities: kinds)
        }
      }
    }
    return layout.entities.flatMap { entity in
      entity.properties.compactMap { property in
        guard let inverse = property.inverse, let destination = property.destination,
          let here = references["\(entity.name).\(property.name)"], let there = references["\(destination).\(inverse)"]
        else { return nil }
        return (here, there)
      }
    }
  }
}

extension SQLTable {
  /// Returns the column of a to-one; nil if it has none.
  fileprivate func column(of relationship: String) -> Int? {
    references.map(\.column).first { layout.columns[$0].properties.contains(relationship) }
  }
}
