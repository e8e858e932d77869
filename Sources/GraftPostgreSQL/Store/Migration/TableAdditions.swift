import Graft
import GraftSQL

/// Additions by administrators to tables that a migration creates again: indexes, privileges of other users, comments and settings. If
/// there are other additions, which would be lost, the migration is refused.
struct TableAdditions {
  /// The SQL before and after the name of a table, which may change.
  private struct Addition {
    let table: String
    let before: String
    let after: String
  }

  private var indexes: [Addition] = []
  private var grants: [Addition] = []
  private var settings: [Addition] = []
  /// The tables that are replaced.
  private var tables: [String] = []
  /// The tables that will be replaced, and the additions that the new tables would lack.
  private var losses: [String] = []

  init() {}

  /// Reads the additions to the tables of a store.
  init(_ connection: PostgreSQLConnection, of tables: [String], _ schema: SQLSchema) throws(PostgreSQLError) {
    let own = Set(
      schema.tables.flatMap { schema.items(ofTable: $0.number).map(\.name) }
        + schema.links.flatMap { schema.items(ofLinks: $0.number).map(\.name) })
    var parameters = Parameters()
    try parameters.append(tables)
    // Indexes of constraints belong to the definition of the table.
    indexes = try connection.query(
      """
      SELECT c.relname::text, i.relname::text, pg_get_indexdef(i.oid), format(' ON %s%s ', c.relnamespace::regnamespace || '.', quote_ident(c.relname))
      FROM pg_index AS x
      JOIN pg_class AS c ON c.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid
      WHERE c.relname = ANY($1) AND pg_table_is_visible(c.oid)
      AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.oid) ORDER BY i.relname
      """, parameters
    ) { rows throws(PostgreSQLError) in
      var indexes: [Addition] = []
      while try rows.next() {
        guard let table = try rows.text(0), let name = try rows.text(1), !own.contains(name),
          let sql = try rows.text(2),
          let target = try rows.text(3), let place = sql.firstRange(of: target)
        else { continue }
        indexes.append(
          Addition(table: table, before: "\(sql[..<place.lowerBound]) ON ", after: " \(sql[place.upperBound...])"))
      }
      return indexes
    }
    grants = try TableAdditions.additions(
      connection, parameters,
      // Privileges for a table, and for some of its columns.
      """
      SELECT c.relname::text, format('GRANT %s%s ON ', a.privilege_type, a.columns),
        format(' TO %s%s', CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(g.rolname) END, CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
      FROM pg_class AS c CROSS JOIN LATERAL (
        SELECT x.*, '' AS columns FROM aclexplode(c.relacl) AS x
        UNION ALL
        SELECT x.*, ' (' || quote_ident(f.attname) || ')' FROM pg_attribute AS f, aclexplode(f.attacl) AS x
        WHERE f.attrelid = c.oid AND NOT f.attisdropped
      ) AS a LEFT JOIN pg_roles AS g ON g.oid = a.grantee
      WHERE c.relname = ANY($1) AND pg_table_is_visible(c.oid) AND a.grantee <> c.relowner
      """)
    settings = try TableAdditions.additions(
      connection, parameters,
      // Storage parameters, the identity of replicated rows, and comments.
      """
      SELECT c.relname::text, a.before, a.after FROM pg_class AS c CROSS JOIN LATERAL (
        SELECT 'ALTER TABLE ' AS before, format(' SET (%s)', string_agg(format('%s = %L', split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', ')) AS after
          FROM unnest(c.reloptions) AS o HAVING count(*) > 0
        UNION ALL SELECT 'ALTER TABLE ', ' REPLICA IDENTITY ' || CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END WHERE c.relreplident IN ('f', 'n')
        UNION ALL SELECT 'COMMENT ON ' || CASE d.objsubid WHEN 0 THEN 'TABLE ' ELSE 'COLUMN ' END, coalesce('.' || quote_ident(f.attname), '') || format(' IS %L', d.description)
          FROM pg_description AS d LEFT JOIN pg_attribute AS f ON f.attrelid = c.oid AND f.attnum = d.objsubid AND f.attnum > 0
          WHERE d.classoid = 'pg_class'::regclass AND d.objoid = c.oid
      ) AS a WHERE c.relname = ANY($1) AND c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid)
      """)
    losses = try TableAdditions.losses(connection, parameters, schema)
    self.tables = tables
  }

  /// Reads rows that contain a table's name and the SQL before and after it.
  private static func additions(
    _ connection: PostgreSQLConnection, _ parameters: Parameters, _ query: String
  ) throws(PostgreSQLError) -> [Addition] {
    try connection.query(query, parameters) { rows throws(PostgreSQLError) in
      var additions: [Addition] = []
      while try rows.next() {
        guard let table = try rows.text(0), let before = try rows.text(1), let after = try rows.text(2) else {
          continue
        }
        additions.append(Addition(table: table, before: before, after: after))
      }
      return additions
    }
  }

  /// Throws if additions to the tables would be lost.
  func check() throws(PostgreSQLError) {
    guard let first = losses.first else { return }
    let others = losses.count > 1 ? ", and there are \(losses.count - 1) other additions" : ""
    throw PostgreSQLError(
      .other,
      "\(first), which would be lost, because the table is created again\(others): remove it, and add it again afterwards"
    )
  }

  /// Reads additions that new tables would lack: triggers, policies, rules, publications, statistics, constraints, defaults and columns.
  private static func losses(
    _ connection: PostgreSQLConnection, _ parameters: Parameters, _ schema: SQLSchema
  ) throws(PostgreSQLError) -> [String] {
    var columns: Set<String> = []
    let properties = Set(schema.tables.flatMap { table in table.columnNames.map { "\(table.name)\0\($0)" } })
    for table in schema.tables {
      for name in table.headerColumns + table.columnNames { columns.insert("\(table.name)\0\(name)") }
    }
    for links in schema.links { for name in links.columns { columns.insert("\(links.name)\0\(name)") } }
    let keys = Set(schema.references.map { "\($0.table)\0\($0.column)\0\($0.target)" })
    return try connection.query(
      """
      SELECT c.relname::text, a.kind, a.name::text, a.target::text FROM pg_class AS c CROSS JOIN LATERAL (
        SELECT 'the trigger' AS kind, tgname AS name, NULL AS target FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal
        UNION ALL SELECT 'the policy', polname, NULL FROM pg_policy WHERE polrelid = c.oid
        UNION ALL SELECT 'row-level security', '', NULL WHERE c.relrowsecurity OR c.relforcerowsecurity
        UNION ALL SELECT 'the statistics', stxname, NULL FROM pg_statistic_ext WHERE stxrelid = c.oid
        UNION ALL SELECT 'a replica identity', '', NULL WHERE c.relreplident = 'i'
        UNION ALL SELECT CASE WHEN attnotnull THEN 'NOT NULL of the column' ELSE 'a default of the column' END, attname, NULL
          FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND (attnotnull OR atthasdef)
        UNION ALL SELECT 'the rule', rulename, NULL FROM pg_rewrite WHERE ev_class = c.oid
        UNION ALL SELECT 'the publication', p.pubname, NULL FROM pg_publication_rel AS r JOIN pg_publication AS p ON p.oid = r.prpubid WHERE r.prrelid = c.oid
        UNION ALL SELECT 'the constraint', conname, NULL FROM pg_constraint WHERE conrelid = c.oid AND contype IN ('c', 'u', 'x')
        UNION ALL SELECT 'the foreign key', f.attname, t.relname FROM pg_constraint AS k JOIN pg_class AS t ON t.oid = k.confrelid
          JOIN pg_attribute AS f ON f.attrelid = c.oid AND f.attnum = k.conkey[1] WHERE k.conrelid = c.oid AND k.contype = 'f'
        UNION ALL SELECT 'the column', attname, NULL FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
      ) AS a WHERE c.relname = ANY($1) AND c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid) ORDER BY 1, 2, 3
      """, parameters
    ) { rows throws(PostgreSQLError) in
      var losses: [String] = []
      while try rows.next() {
        guard let table = try rows.text(0), let kind = try rows.text(1), let name = try rows.text(2) else { continue }
        let column = "\(table)\0\(name)"
        if kind == "the column" ? columns.contains(column) : kind.hasSuffix(" column") && !properties.contains(column) {
          continue
        }
        if let target = try rows.text(3), keys.contains("\(table)\0\(name)\0\(target)") { continue }
        losses.append("table '\(table)' has \(kind)\(name.isEmpty ? "" : " '\(name)'")")
      }
      return losses
    }
  }

  /// Applies the additions to the new tables, except additions that belong to tables or columns that no longer exist.
  ///
  /// - Parameter names: the new names of tables, by their old names.
  func restore(_ connection: PostgreSQLConnection, _ names: [String: String]) throws(PostgreSQLError) {
    try revokeDefaults(connection, tables.compactMap { names[$0] })
    for addition in grants + indexes + settings {
      guard let table = names[addition.table] else { continue }
      let sql = addition.before + SQLName.quoted(table) + addition.after
      do throws(PostgreSQLError) {
        try connection.savepoint { () throws(PostgreSQLError) in try connection.execute(sql) }
      } catch {
        // An addition is omitted if its column, table or role no longer exists, or if indexed values are no longer unique.
        guard connection.isUsable, let state = error.sqlState, state != "42501",
          state.hasPrefix("42") || state == "23505"
        else { throw error }
      }
    }
  }

  /// Revokes the default privileges of new tables, which the old tables may not have had.
  private func revokeDefaults(_ connection: PostgreSQLConnection, _ tables: [String]) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(tables)
    let revocations = try connection.query(
      """
      SELECT DISTINCT format('REVOKE ALL ON %I FROM %s', c.relname, CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(g.rolname) END)
      FROM pg_class AS c CROSS JOIN LATERAL aclexplode(c.relacl) AS a LEFT JOIN pg_roles AS g ON g.oid = a.grantee
      WHERE c.relname = ANY($1) AND pg_table_is_visible(c.oid) AND a.grantee <> c.relowner
      """, parameters
    ) { rows throws(PostgreSQLError) in
      var statements: [String] = []
      while try rows.next() { statements.append(try rows.text(0) ?? "") }
      return statements
    }
    for statement in revocations { try connection.execute(statement) }
  }
}
