package import Graft

/// All tables and indexes of a store.
package struct SQLSchema: Sendable {
  package let layout: StoreLayout
  package let tables: [SQLTable]
  package let links: [SQLLinkTable]
  package let dialect: any SQLDialect

  package init(_ layout: StoreLayout, _ dialect: any SQLDialect) {
    let names = SQLNames(layout, dialect)
    self.layout = layout
    self.dialect = dialect
    tables = layout.tables.indices.map { SQLTable($0, layout, names, dialect) }
    links = layout.links.indices.map { SQLLinkTable($0, layout, names, dialect) }
  }

  /// The statements of a hierarchy or of a table of links.
  ///
  /// - Parameter hasDeclared: whether the indexes that the model declares are among them.
  package func items(ofTable number: Int, hasDeclared: Bool = true) -> [SQLItem] {
    [SQLItem(kind: "table", name: tables[number].name, sql: tables[number].definition)] + tables[number].indexes
      + [tables[number].placeholderIndex] + (hasDeclared ? tables[number].declaredIndexes : [])
  }

  package func items(ofLinks number: Int) -> [SQLItem] {
    [SQLItem(kind: "table", name: links[number].name, sql: links[number].definition), links[number].index]
  }
}

/// A table or an index of the database.
package struct SQLItem: Hashable, Comparable, Sendable {
  package var kind: String
  package var name: String
  package var sql: String

  package init(kind: String, name: String, sql: String) {
    self.kind = kind
    self.name = name
    self.sql = sql
  }

  package static func < (left: SQLItem, right: SQLItem) -> Bool { (left.kind, left.name) < (right.kind, right.name) }
}
