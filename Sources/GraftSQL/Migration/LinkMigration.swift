package import Graft

/// Fills tables of links with the links of old tables, or with the references of a to-one that became a to-many.
package struct LinkMigration {
  private let mapping: LayoutMapping
  private let old: SQLSchema
  private let new: SQLSchema
  /// Returns the name that an old table has while the store is migrated.
  private let tableName: (Int) -> String
  private let linksName: (Int) -> String

  package init(
    _ mapping: LayoutMapping, old: SQLSchema, new: SQLSchema, tableName: @escaping (Int) -> String,
    linksName: @escaping (Int) -> String
  ) {
    self.mapping = mapping
    self.old = old
    self.new = new
    self.tableName = tableName
    self.linksName = linksName
  }

  /// Returns the statement that fills a table, or nil if the table remains empty.
  package func statement(for links: SQLLinkTable) -> String? {
    guard let (number, isSwapped) = mapping.oldLinks(of: links.number) else { return statementFromReferences(links) }
    let former = old.links[number]
    let sides = isSwapped ? [former.memberColumn, former.ownerColumn] : [former.ownerColumn, former.memberColumn]
    let ends = sides.map { "t." + SQLName.quoted($0) }
    /// Returns the position for a list. A list that had no order gets the order in which its members were inserted.
    func position(_ name: String, of end: Int) -> String {
      former.columns.contains(name) ? "t.\(SQLName.quoted(name))" : ends[end]
    }
    var columns = ends
    if links.layout.isOrdered { columns.append(position(isSwapped ? "inverse_position" : "position", of: 1)) }
    if links.layout.isInverseOrdered { columns.append(position(isSwapped ? "position" : "inverse_position", of: 0)) }
    return statement(links, columns, from: linksName(number))
  }

  private func statementFromReferences(_ links: SQLLinkTable) -> String? {
    guard let former = mapping.oldReference(of: links.number) else { return nil }
    let table = old.tables[former.table]
    func column(_ number: Int) -> String { "t." + SQLName.quoted(table.columnNames[number]) }
    let ends = ["t.\"_id\"", column(former.column)]
    let position = former.position.map { "coalesce(\(column($0)), 0)" } ?? "0"
    var columns = former.isSwapped ? [ends[1], ends[0]] : ends
    if links.layout.isOrdered { columns.append(former.isSwapped ? position : "0") }
    if links.layout.isInverseOrdered { columns.append(former.isSwapped ? "0" : position) }
    let condition = SQLTable.entityCondition(former.entities, table.layout).map { "t.\($0) AND " } ?? ""
    return statement(links, columns, from: tableName(former.table), condition)
  }

  private func statement(
    _ links: SQLLinkTable, _ columns: [String], from table: String, _ condition: String = ""
  ) -> String {
    // The plus sign keeps SQLite from using both conditions to search an index of the links, which would try every pair of rows.
    let tables = [links.layout.ownerTable, links.layout.memberTable].map { SQLName.quoted(new.tables[$0].name) }
    return """
      INSERT INTO \(SQLName.quoted(links.name)) (\(SQLName.list(links.columns))) \
      SELECT \(columns.joined(separator: ", ")) FROM \(SQLName.quoted(table)) AS t \
      WHERE \(condition)+\(columns[0]) IN (SELECT "_id" FROM \(tables[0])) \
      AND +\(columns[1]) IN (SELECT "_id" FROM \(tables[1])) ORDER BY 1, 2
      """
  }
}
