import Graft
import GraftSQL

/// The syntax of statements in PostgreSQL. Definitions are written as a person would write them, so that other programs can read
/// the tables.
struct PostgreSQLDialect: SQLDialect {
  /// The prefix of the names of tables and indexes. While a store is migrated, the old tables are set aside under such names.
  var prefix = ""

  /// The maximum number of bytes of a name. PostgreSQL truncates longer names.
  private static let maximumLength = 63
  private static let systemColumns: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  func name(ofTable name: String) -> String { PostgreSQLDialect.shortened(prefix + name) }

  /// PostgreSQL itself names the index of the primary key.
  func namesMade(forTable name: String) -> [String] {
    let ending = "_pkey"
    var start = Substring(name)
    while start.utf8.count + ending.utf8.count > PostgreSQLDialect.maximumLength { start.unicodeScalars.removeLast() }
    return [start + ending]
  }

  func name(ofColumn name: String) -> String {
    PostgreSQLDialect.shortened(PostgreSQLDialect.systemColumns.contains(name) ? name + "_" : name)
  }

  /// Returns the beginning of a long name, followed by a unique number.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > maximumLength else { return name }
    var digest = Digest()
    var name = name
    name.withUTF8 { digest.add($0) }
    let number = String(UInt64(bitPattern: digest.value), radix: 36)
    var start = ""
    for scalar in name.unicodeScalars {
      guard start.utf8.count + String(scalar).utf8.count + 1 + number.utf8.count <= maximumLength else { break }
      start.unicodeScalars.append(scalar)
    }
    return "\(start)_\(number)"
  }

  var commonTables: [String] { ["_graft", "_graft_log", "_graft_state", "_graft_numbers"] }

  // MARK: Definitions

  var idType: String { "bigint PRIMARY KEY" }
  var integerType: String { "bigint" }
  var flagType: String { "boolean" }
  var entityType: String { PostgreSQLDialect.text }
  /// False, because PostgreSQL can use its own checksums.
  var hasDigests: Bool { false }

  /// Text is compared by bytes, because other orders change with the system's libraries, which would invalidate indexes.
  private static let text = "text COLLATE \"C\""

  func type(of kind: SQLKind) -> String {
    switch kind {
    case .row, .position: "bigint"
    case .attribute(let type):
      switch type {
      case .integer16: "smallint"
      case .integer32: "integer"
      case .integer64: "bigint"
      case .boolean: "boolean"
      case .date: "timestamptz"
      case .float: "real"
      case .double: "double precision"
      case .decimal: "numeric"
      case .uuid: "uuid"
      case .json: "json"
      case .binary: "bytea"
      case .string, .uri: PostgreSQLDialect.text
      }
    }
  }

  /// Returns a column in the order in which queries sort by default, so that they can use the index.
  func indexed(_ column: String) -> String { "\(SQLName.quoted(column)) NULLS FIRST" }

  /// Tables may refer to each other, so foreign keys are added when all tables exist.
  func reference(toTable name: String, onDelete action: String) -> String { "" }

  var tableEnding: String { "" }
  var linkTableEnding: String { "" }

  // MARK: Conditions

  var isPlaceholder: String { "\"_placeholder\"" }

  func constant(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

  func parameter(_ number: Int, _ kind: SQLKind?) -> String { "$\(number)" }

  var hasLists: Bool { true }

  func isOne(_ expression: String, of number: Int, count: Int, _ kind: SQLKind?) -> String {
    "\(expression) = ANY($\(number))"
  }

  var identity: String { "IS NOT DISTINCT FROM" }

  func isSearchable(_ kind: SQLKind?) -> Bool { kind?.isText ?? true }
  func place(of part: String, in text: String) -> String { "strpos(\(text), \(part))" }

  func arithmetic(
    _ operation: StoreTerm.Arithmetic, _ left: String, _ leftKind: SQLKind?, _ right: String, _ rightKind: SQLKind?
  ) -> String? {
    guard let leftKind, let rightKind, leftKind.isNumber, rightKind.isNumber else { return nil }
    let isReal = leftKind.isReal || rightKind.isReal
    let type = isReal ? "double precision" : "bigint"
    let sign: String
    switch operation {
    case .add: sign = "+"
    case .subtract: sign = "-"
    case .multiply: sign = "*"
    case .divide: sign = "/"
    case .remainder where isReal: return nil
    case .remainder: sign = "%"
    }
    return "((\(left))::\(type) \(sign) (\(right))::\(type))"
  }

  /// PostgreSQL folds text by the rules of its libraries, not by Swift's rules.
  func folded(_ text: String, _ folding: TextFolding) -> String? { nil }

  /// Values of the type `json` cannot be compared, but their text can.
  func comparable(_ expression: String, _ kind: SQLKind?) -> String {
    kind == .attribute(.json) ? "((\(expression))::text COLLATE \"C\")" : expression
  }

  var decimalCollation: String { "" }

  func unified(
    _ left: String, _ leftKind: SQLKind?, _ right: String, _ rightKind: SQLKind?, isResult: Bool
  ) -> (String, String)? {
    guard let leftKind else { return ("NULL", right) }
    guard let rightKind else { return (left, "NULL") }
    if leftKind == rightKind || leftKind.isInteger && rightKind.isInteger || leftKind.isReal && rightKind.isReal {
      return (left, right)
    }
    switch (leftKind, rightKind) {
    case (.attribute(.decimal), _) where rightKind.isInteger: return (left, right)
    case (_, .attribute(.decimal)) where leftKind.isInteger: return (left, right)
    case (.attribute(.uuid), _) where rightKind.isText && !isResult: return ("(\(left))::text COLLATE \"C\"", right)
    case (_, .attribute(.uuid)) where leftKind.isText && !isResult: return (left, "(\(right))::text COLLATE \"C\"")
    case (_, _) where leftKind.isText && rightKind.isText: return (left, right)
    // For an integer and a double, for example, PostgreSQL would convert both to doubles.
    default: return nil
    }
  }

  func order(isAscending: Bool, isNilFirst: Bool) -> String {
    (isAscending ? "" : " DESC") + (isNilFirst ? " NULLS FIRST" : " NULLS LAST")
  }

  /// A limit of NULL means no limit.
  var noLimit: StoreValue { .null }
}

extension SQLKind {
  var isNumber: Bool { isInteger || isReal }

  var isText: Bool { self == .attribute(.string) || self == .attribute(.uri) || self == .attribute(.json) }
}
