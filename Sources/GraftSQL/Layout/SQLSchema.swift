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

  /// Returns the tables and indexes of a hierarchy, or of a table of links.
  ///
  /// - Parameter hasDeclared: whether the indexes that the model declares are included.
  package func items(ofTable number: Int, hasDeclared: Bool = true) -> [SQLItem] {
    [SQLItem(kind: "table", name: tables[number].name, sql: tables[number].definitions.table)]
      + tables[number].definitions.indexes
      + [tables[number].definitions.placeholderIndex] + (hasDeclared ? tables[number].definitions.declaredIndexes : [])
  }

  package func items(ofLinks number: Int) -> [SQLItem] {
    [SQLItem(kind: "table", name: links[number].name, sql: links[number].definition), links[number].index]
  }
}

extension SQLSchema {
  /// Returns a prefix for the names of tables that a migration sets aside. No table or index of either layout has this prefix.
  package static func setAsidePrefix(_ old: SQLSchema, _ new: SQLSchema) -> String {
    let names = [old, new].flatMap { schema in
      schema.tables.indices.flatMap { schema.items(ofTable: $0) } + schema.links.indices.flatMap(schema.items(ofLinks:))
    }.map { $0.name.lowercased() }
    var prefix = "_graft_old_"
    while names.contains(where: { $0.hasPrefix(prefix) }) { prefix += "_" }
    return prefix
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

  package static func == (left: SQLItem, right: SQLItem) -> Bool {
    left.kind == right.kind && left.name.isIdentical(to: right.name) && left.sql.isIdentical(to: right.sql)
  }

  package static func < (left: SQLItem, right: SQLItem) -> Bool { (left.kind, left.name) < (right.kind, right.name) }
}
