import Graft
import GraftSQL

/// What administrators added to tables that a migration creates again: indexes, and the privileges of other users.
struct TableAdditions {
  private var indexes: [(table: String, sql: String)] = []
  private var grants: [(table: String, sql: String)] = []

  init() {}

  /// Reads what the tables of a store have.
  init(_ connection: PostgreSQLConnection, of tables: [String], _ schema: SQLSchema) throws(PostgreSQLError) {
    let own = Set(
      schema.tables.flatMap { schema.items(ofTable: $0.number).map(\.name) }
        + schema.links.flatMap { schema.items(ofLinks: $0.number).map(\.name) })
    var parameters = Parameters()
    try parameters.append(tables)
    // Indexes of constraints belong to the definition of the table.
    indexes = try connection.query(
      """
      SELECT c.relname::text, i.relname::text, pg_get_indexdef(i.oid) FROM pg_index AS x
      JOIN pg_class AS c ON c.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid
      WHERE c.relname = ANY($1) AND pg_table_is_visible(c.oid)
      AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.oid) ORDER BY i.relname
      """, parameters
    ) { rows throws(PostgreSQLError) in
      var indexes: [(table: String, sql: String)] = []
      while try rows.next() {
        guard let name = try rows.text(1), !own.contains(name) else { continue }
        indexes.append((try rows.text(0) ?? "", try rows.text(2) ?? ""))
      }
      return indexes
    }
    grants = try connection.query(
      """
      SELECT c.relname::text, a.privilege_type, CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(g.rolname) END, a.is_grantable
      FROM pg_class AS c, aclexplode(c.relacl) AS a LEFT JOIN pg_roles AS g ON g.oid = a.grantee
      WHERE c.relname = ANY($1) AND pg_table_is_visible(c.oid) AND a.grantee <> c.relowner
      """, parameters
    ) { rows throws(PostgreSQLError) in
      var grants: [(table: String, sql: String)] = []
      while try rows.next() {
        guard let table = try rows.text(0), let privilege = try rows.text(1), let role = try rows.text(2) else {
          continue
        }
        let option = try rows.bool(3) == true ? " WITH GRANT OPTION" : ""
        grants.append((table, "GRANT \(privilege) ON \(SQLName.quoted(table)) TO \(role)\(option)"))
      }
      return grants
    }
  }

  /// Adds it to the new tables, except what belongs to tables or columns that no longer exist.
  func restore(_ connection: PostgreSQLConnection, _ schema: SQLSchema) throws(PostgreSQLError) {
    let names = Set(schema.tables.map(\.name) + schema.links.map(\.name))
    for (table, sql) in grants + indexes where names.contains(table) {
      do throws(PostgreSQLError) {
        try connection.savepoint { () throws(PostgreSQLError) in try connection.execute(sql) }
      } catch {
        guard connection.isUsable, error.sqlState?.hasPrefix("42") == true || error.sqlState == "23505" else {
          throw error
        }
      }
    }
  }
}
