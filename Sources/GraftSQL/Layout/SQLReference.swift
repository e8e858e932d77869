import Graft

/// A column that contains a to-one relationship.
package struct SQLReference {
  /// The relationship, such as `Hero.mentor`.
  package let title: String
  package let table: SQLTable
  package let column: Int

  private var name: String { SQLName.quoted(table.columnNames[column]) }
  private var isShared: Bool { table.layout.columns[column].properties.count > 1 }

  /// Returns a statement that selects the rows whose object refers to a different row, or to none; nil if siblings share a column,
  /// which may then contain other relationships.
  ///
  /// - Parameter inverse: the other side of a one-to-one relationship.
  package func contradictions(_ inverse: SQLReference) -> String? {
    guard !isShared, !inverse.isShared else { return nil }
    return """
      SELECT a."_id" FROM \(SQLName.quoted(table.name)) AS a JOIN \(SQLName.quoted(inverse.table.name)) AS b \
      ON b."_id" = a.\(name) WHERE b.\(inverse.name) IS NULL OR b.\(inverse.name) <> a."_id"
      """
  }
}

extension SQLSchema {
  /// The to-ones whose inverse is also a to-one. Each pair occurs twice, once from each side.
  package var oneToOnes: [(SQLReference, SQLReference)] {
    var references: [String: SQLReference] = [:]
    for table in tables {
      for column in table.references.map(\.column) {
        for title in table.layout.columns[column].properties {
          references[title] = SQLReference(title: title, table: table, column: column)
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
