import CSQLite
import Graft
import GraftSQL

extension StoreDescription {
  /// Reads the description of a store.
  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    guard let description = StoreDescription(try StoreDescription.entries(connection)) else {
      throw .damage("the description of the store, in table '_graft', is damaged")
    }
    self = description
  }

  private static func entries(_ connection: SQLiteConnection) throws(SQLiteError) -> [String: String] {
    do throws(SQLiteError) {
      return try connection.using("SELECT \"key\", \"value\" FROM \"_graft\"") { statement throws(SQLiteError) in
        var entries: [String: String] = [:]
        while try statement.step() { entries[statement.text(0) ?? ""] = statement.text(1) }
        return entries
      }
    } catch {
      guard error.primaryCode == SQLITE_ERROR else { throw error }
      throw .damage("it has no table '_graft'")
    }
  }

  /// Writes the description.
  func write(_ connection: SQLiteConnection) throws(SQLiteError) {
    try connection.using("INSERT OR REPLACE INTO \"_graft\" VALUES (?, ?)") { statement throws(SQLiteError) in
      for entry in entries {
        try statement.bind(entry.key, at: 1)
        try statement.bind(entry.value, at: 2)
        try statement.run()
      }
    }
  }
}
