import Graft

/// The names of tables and indexes in SQL. They share one namespace, without regard to case.
struct SQLNames {
  /// The names of the indexes of a table.
  struct Indexes {
    var identities: [String] = []
    /// The indexes of references, by column.
    var references: [Int: String] = [:]
    var placeholders = ""
    /// The declared indexes, in order.
    var declared: [String] = []
  }

  private(set) var tables: [String] = []
  private(set) var links: [String] = []
  /// The names of the indexes of each table, followed by the names of the indexes of each table of links.
  private(set) var indexes: [Indexes] = []
  private var taken: Set<String>
  /// The names that the database creates, in their own spelling.
  private var made: Set<String> = []
  private let dialect: any SQLDialect

  init(_ layout: StoreLayout, _ dialect: any SQLDialect) {
    self.dialect = dialect
    taken = Set(dialect.commonTables)
    for table in layout.tables { tables.append(uniqueTable(table.name)) }
    for link in layout.links { links.append(uniqueTable(link.name)) }
    for (number, table) in layout.tables.enumerated() {
      var names = Indexes()
      for identity in table.identities {
        names.identities.append(
          unique("\(tables[number])_by_\(identity.columns.map { table.columns[$0].name }.joined(separator: "_"))"))
      }
      for (index, column) in table.columns.enumerated() {
        if case .reference = column.content { names.references[index] = unique("\(tables[number])_by_\(column.name)") }
      }
      indexes.append(names)
    }
    for (number, link) in layout.links.enumerated() {
      indexes.append(Indexes(references: [0: unique("\(links[number])_by_\(link.memberColumn)")]))
    }
    // These come last, so that the other names are the same as in stores that do not have these indexes yet.
    for number in tables.indices { indexes[number].placeholders = unique("\(tables[number])_placeholders") }
    for (number, table) in layout.tables.enumerated() {
      indexes[number].declared = table.indexes.map { columns in
        unique("\(tables[number])_by_\(columns.map { table.columns[$0].name }.joined(separator: "_"))")
      }
    }
  }

  /// Returns a name that is not taken.
  private mutating func unique(_ name: String) -> String {
    let name = dialect.name(ofTable: name)
    var candidate = name
    var number = 2
    while made.contains(candidate) || !taken.insert(candidate.lowercased()).inserted {
      candidate = dialect.name(ofTable: "\(name)_\(number)")
      number += 1
    }
    return candidate
  }

  /// Returns an unused name for a table, and reserves the names that the database creates for it.
  private mutating func uniqueTable(_ name: String) -> String {
    let name = unique(name)
    made.formUnion(dialect.namesMade(forTable: name))
    return name
  }
}
