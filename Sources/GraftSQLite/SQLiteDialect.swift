import Graft
import GraftSQL

/// The syntax of statements in SQLite.
struct SQLiteDialect: SQLDialect {
  /// SQLite reserves names that begin with `sqlite_`.
  func name(ofTable name: String) -> String { name.lowercased().hasPrefix("sqlite_") ? "_" + name : name }
  func name(ofColumn name: String) -> String { name }
  func namesMade(forTable name: String) -> [String] { [] }

  var commonTables: [String] { ["_graft", "_graft_log"] }

  var idType: String { "INTEGER PRIMARY KEY AUTOINCREMENT" }
  var integerType: String { "INTEGER" }
  var flagType: String { "INTEGER" }
  var entityType: String { "TEXT" }
  var hasDigests: Bool { true }

  func type(of kind: SQLKind) -> String {
    switch kind {
    case .row, .position: "INTEGER"
    case .attribute(let type):
      switch type {
      case .integer16, .integer32, .integer64, .boolean, .date: "INTEGER"
      case .float, .double: "REAL"
      case .binary: "BLOB"
      case .string, .decimal, .uuid, .uri, .json: "TEXT"
      }
    }
  }

  func indexed(_ column: String) -> String { SQLName.quoted(column) }

  func reference(toTable name: String, onDelete action: String) -> String {
    " REFERENCES \(SQLName.quoted(name)) ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
  }

  var tableEnding: String { " STRICT" }
  var linkTableEnding: String { " STRICT, WITHOUT ROWID" }

  var isPlaceholder: String { "\"_placeholder\" = 1" }

  func constant(_ value: Bool) -> String { value ? "1" : "0" }

  /// A parameter without a number, because the time that SQLite takes grows with the square of the number of numbered parameters.
  func parameter(_ number: Int, _ kind: SQLKind?) -> String { "?" }

  var hasLists: Bool { false }

  func isOne(_ expression: String, of number: Int, count: Int, _ kind: SQLKind?) -> String {
    "\(expression) IN (\(Array(repeating: "?", count: count).joined(separator: ", ")))"
  }

  var identity: String { "IS" }

  func isSearchable(_ kind: SQLKind?) -> Bool { true }
  func place(of part: String, in text: String) -> String { "instr(\(text), \(part))" }

  func arithmetic(
    _ operation: StoreTerm.Arithmetic, _ left: String, _ leftKind: SQLKind?, _ right: String, _ rightKind: SQLKind?
  ) -> String? {
    "\(ArithmeticFunctions.name(operation))(\(left), \(right))"
  }

  func folded(_ text: String, _ folding: TextFolding) -> String? { FoldingFunction.call(text, folding) }

  func comparable(_ expression: String, _ kind: SQLKind?) -> String { expression }

  var decimalCollation: String { " COLLATE \(DecimalOrder.name)" }

  func unified(
    _ left: String, _ leftKind: SQLKind?, _ right: String, _ rightKind: SQLKind?, isResult: Bool
  ) -> (String, String)? { (left, right) }

  /// SQLite compares integers with doubles exactly.
  func comparison(_ sign: SQLSign, _ value: StoreValue, _ kind: SQLKind?) -> SQLComparison? { .value(sign, value) }

  func order(isAscending: Bool, isNilFirst: Bool) -> String {
    (isAscending ? "" : " DESC") + (isNilFirst == isAscending ? "" : isNilFirst ? " NULLS FIRST" : " NULLS LAST")
  }

  /// A negative limit means no limit.
  var noLimit: StoreValue { .integer(-1) }
}
