package import Graft

/// A table of links in SQL: pairs of rows, found from both sides.
///
///     CREATE TABLE "Hero_powers" (
///       "hero"     INTEGER NOT NULL REFERENCES "Hero" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
///       "powers"   INTEGER NOT NULL REFERENCES "Power" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
///       "position" INTEGER NOT NULL,
///       PRIMARY KEY ("hero", "powers")
///     ) STRICT, WITHOUT ROWID
package struct SQLLinkTable: Sendable {
  package let number: Int
  package let layout: StoreLayout.Links
  package let name: String
  /// The columns of the owner and of the member.
  package let ownerColumn: String
  package let memberColumn: String
  /// The columns in order: owner, member, and positions if there are any.
  package let columns: [String]
  /// The assignment for an existing pair in the table `l`, which gets the new positions, unless they are ``StoredLink/keptPosition``.
  package let repositioning: String
  package let definition: String
  package let index: SQLItem

  init(_ number: Int, _ layout: StoreLayout, _ names: SQLNames, _ dialect: any SQLDialect) {
    let links = layout.links[number]
    self.number = number
    self.layout = links
    name = names.links[number]
    let positions = (links.isOrdered ? ["position"] : []) + (links.isInverseOrdered ? ["inverse_position"] : [])
    ownerColumn = dialect.name(ofColumn: links.ownerColumn)
    memberColumn = dialect.name(ofColumn: links.memberColumn)
    columns = [ownerColumn, memberColumn] + positions
    let settings = positions.map(SQLName.quoted).map {
      positions.count == 1
        ? "\($0) = excluded.\($0)"
        : "\($0) = CASE excluded.\($0) WHEN \(StoredLink.keptPosition) THEN l.\($0) ELSE excluded.\($0) END"
    }
    repositioning = settings.isEmpty ? "NOTHING" : "UPDATE SET \(settings.joined(separator: ", "))"
    func reference(_ table: Int) -> String {
      "\(dialect.integerType) NOT NULL"
        + dialect.reference(toTable: names.tables[table], onDelete: "CASCADE")
    }
    let lines =
      [
        (SQLName.quoted(ownerColumn), reference(links.ownerTable)),
        (SQLName.quoted(memberColumn), reference(links.memberTable)),
      ] + positions.map { (SQLName.quoted($0), "\(dialect.integerType) NOT NULL") }
    definition = """
      CREATE TABLE \(SQLName.quoted(name)) (
      \(SQLTable.aligned(lines)),
        PRIMARY KEY (\(SQLName.list([ownerColumn, memberColumn])))
      )\(dialect.linkTableEnding)
      """
    // The positions are part of the index, so that SQLite's own check compares each position with a second copy.
    let columns = SQLName.list([memberColumn, ownerColumn] + positions)
    let index = names.indexes[layout.tables.count + number].references[0] ?? ""
    self.index = SQLItem(
      kind: "index", name: index, sql: "CREATE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\(columns))")
  }
}
