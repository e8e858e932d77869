import CSQLite
import Graft

/// An SQL function that returns text without differences in case or accents. SQLite itself only handles the case of ASCII letters.
///
///     instr(graft_fold("name", 3), 'angstrom') >= 1
enum FoldingFunction {
  private static let name = "graft_fold"

  /// Returns a call of the function, as SQL.
  static func call(_ text: String, _ folding: TextFolding) -> String { "\(name)(\(text), \(folding.rawValue))" }

  /// Registers the function with a connection.
  static func register(_ connection: SQLiteConnection) throws(SQLiteError) {
    let status = sqlite3_create_function_v2(
      connection.handle, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, values in
        guard let text = values?[0], let folding = values?[1], sqlite3_value_type(text) == SQLITE_TEXT,
          let start = sqlite3_value_text(text)
        else { return sqlite3_result_null(context) }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(text)))
        let folded = TextFolding(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int64(folding))).folded(bytes)
        folded.withUnsafeBytes { folded in
          graft_sqlite3_result_text_copy(context, folded.baseAddress, sqlite3_uint64(folded.count))
        }
      }, nil, nil, nil)
    guard status == SQLITE_OK else { throw .latest(connection.handle, code: status) }
  }
}
