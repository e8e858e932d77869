import Graft

/// A table of links in SQL: pairs of rows, found from both sides.
///
///     CREATE TABLE "Hero_powers" (
///       "hero"     INTEGER NOT NULL REFERENCES "Hero" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
///       "powers"   INTEGER NOT NULL REFERENCES "Power" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
///       "position" INTEGER NOT NULL,
///       PRIMARY KEY ("hero", "powers")
///     ) STRICT, WITHOUT ROWID
struct SQLLinkTable: Sendable {
  let number: Int
  let layout: StoreLayout.Links
  let name: String
  /// The columns in order: owner, member, and positions if there are any.
  let columns: [String]
  let definition: String
  let index: (name: String, sql: String)

  init(_ number: Int, _ layout: StoreLayout, _ names: SQLNames) {
    let links = layout.links[number]
    self.number = number
    self.layout = links
    name = names.links[number]
    let positions = (links.isOrdered ? ["position"] : []) + (links.isInverseOrdered ? ["inverse_position"] : [])
    columns = [links.ownerColumn, links.memberColumn] + positions
    func reference(_ table: Int) -> String {
      "INTEGER NOT NULL REFERENCES \(SQLName.quoted(names.tables[table])) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
    }
    let lines =
      [
        (SQLName.quoted(links.ownerColumn), reference(links.ownerTable)),
        (SQLName.quoted(links.memberColumn), reference(links.memberTable)),
      ] + positions.map { (SQLName.quoted($0), "INTEGER NOT NULL") }
    definition = """
      CREATE TABLE \(SQLName.quoted(name)) (
      \(SQLTable.aligned(lines)),
        PRIMARY KEY (\(SQLName.list([links.ownerColumn, links.memberColumn])))
      ) STRICT, WITHOUT ROWID
      """
    // The positions are part of the index, so that SQLite's own check compares each with a second copy.
    let columns = SQLName.list([links.memberColumn, links.ownerColumn] + positions)
    let index = names.indexes[layout.tables.count + number].references[0] ?? ""
    self.index = (index, "CREATE INDEX \(SQLName.quoted(index)) ON \(SQLName.quoted(name)) (\(columns))")
  }
}
