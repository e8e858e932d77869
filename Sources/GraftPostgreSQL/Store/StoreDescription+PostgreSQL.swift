import Graft
import GraftSQL

extension StoreDescription {
  /// Reads the description of a store.
  init(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    let entries = try connection.query("SELECT \"key\", \"value\" FROM \"_graft\"") { rows throws(PostgreSQLError) in
      var entries: [String: String] = [:]
      while try rows.next() { entries[try rows.text(0) ?? ""] = try rows.text(1) }
      return entries
    }
    guard let description = StoreDescription(entries) else {
      throw .damage("the description of the store, in table '_graft', is damaged")
    }
    self = description
  }

  /// Writes the description.
  func write(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    var parameters = Parameters()
    try parameters.append(entries.map(\.key))
    try parameters.append(entries.map(\.value))
    try connection.run(
      """
      INSERT INTO "_graft" ("key", "value") SELECT * FROM unnest($1, $2) \
      ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"
      """, parameters)
  }
}
