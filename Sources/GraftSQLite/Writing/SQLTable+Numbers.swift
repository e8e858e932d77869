import Graft
import GraftSQL

extension SQLTable {
  /// Returns the number for the next row, which is higher than any number used before.
  func nextID(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    let used = try connection.using("SELECT \"seq\" FROM \"sqlite_sequence\" WHERE \"name\" = ?") {
      statement throws(SQLiteError) -> Int64 in
      try statement.bind(name, at: 1)
      return try statement.step() ? statement.integer(0) : 0
    }
    let present = try connection.integer("SELECT max(\"_id\") FROM \(SQLName.quoted(name))") ?? 0
    guard max(used, present) < Int64.max / 2 else {
      throw .damage("table '\(name)' has used up its row IDs")
    }
    return max(used, present, 0) + 1
  }
}
