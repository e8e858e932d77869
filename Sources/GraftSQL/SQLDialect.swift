package import Graft

/// The differences between databases in the text of statements.
package protocol SQLDialect: Sendable {
  // MARK: Definitions

  /// Returns a name that the database accepts for a table or an index, or for a column.
  func name(ofTable name: String) -> String
  func name(ofColumn name: String) -> String
  /// Returns the names that the database itself creates for a table. Other tables and indexes cannot have these names.
  func namesMade(forTable name: String) -> [String]

  /// The names of the tables that every store has.
  var commonTables: [String] { get }

  /// The types of the columns that every table has, and of the columns of positions.
  var idType: String { get }
  var integerType: String { get }
  var flagType: String { get }
  var entityType: String { get }
  /// Whether each row has a digest, because the database itself does not detect damage.
  var hasDigests: Bool { get }

  /// Returns the type of a column.
  func type(of kind: SQLKind) -> String

  /// Returns a column as part of a declared index.
  func indexed(_ column: String) -> String

  /// Returns the part of a column's definition that makes it refer to a table; empty if foreign keys are added to tables later.
  func reference(toTable name: String, onDelete action: String) -> String

  /// The ends of the definitions of tables, and of tables of links.
  var tableEnding: String { get }
  var linkTableEnding: String { get }

  // MARK: Conditions

  /// The condition that a row is a placeholder. An index is used only for a condition with exactly the same text.
  var isPlaceholder: String { get }

  /// Returns a condition that is always true, or never true.
  func constant(_ value: Bool) -> String

  /// Returns a parameter, by its number from 1.
  func parameter(_ number: Int, _ kind: SQLKind?) -> String

  /// Returns the condition that an expression equals one of the values of a list, which are parameters.
  ///
  /// - Parameters:
  ///   - number: the number of the first parameter.
  ///   - count: the number of values.
  func isOne(_ expression: String, of number: Int, count: Int, _ kind: SQLKind?) -> String
  /// Whether a list of values is one parameter.
  var hasLists: Bool { get }

  /// The operator for the equality of expressions that may both be NULL.
  var identity: String { get }

  /// Returns whether expressions of a kind can be searched for text; a nil kind is the kind of nil.
  func isSearchable(_ kind: SQLKind?) -> Bool
  /// Returns the position, from 1, at which one string begins in another; 0 if it does not occur.
  func place(of part: String, in text: String) -> String

  /// Returns the result of an arithmetic operation, with the same errors as in Swift, or nil if the database has no such operation.
  func arithmetic(
    _ operation: StoreTerm.Arithmetic, _ left: String, _ leftKind: SQLKind?, _ right: String, _ rightKind: SQLKind?
  ) -> String?

  /// Returns a string without differences of case or accents; nil if the database has no such function.
  func folded(_ text: String, _ folding: TextFolding) -> String?

  /// Returns an expression that can be compared.
  func comparable(_ expression: String, _ kind: SQLKind?) -> String

  /// The collation that orders decimals, to be written after an expression.
  var decimalCollation: String { get }

  /// Returns expressions of different kinds in forms that can be compared with each other, or nil if the database compares them
  /// differently from Swift.
  ///
  /// - Parameter isResult: whether one of the expressions is the result of another expression, so both must keep their kinds.
  func unified(
    _ left: String, _ leftKind: SQLKind?, _ right: String, _ rightKind: SQLKind?, isResult: Bool
  ) -> (String, String)?

  /// Returns a comparison with a constant that the database evaluates as Swift does, or nil if there is none.
  func comparison(_ sign: SQLSign, _ value: StoreValue, _ kind: SQLKind?) -> SQLComparison?

  /// Returns the end of a sort key.
  func order(isAscending: Bool, isNilFirst: Bool) -> String

  /// The limit for selecting all rows.
  var noLimit: StoreValue { get }
}

/// A sign between an expression and a constant.
package enum SQLSign: String, Sendable {
  case equal = "="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The sign between the constant and the expression.
  package var swapped: SQLSign {
    switch self {
    case .equal: .equal
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

/// A comparison with a constant.
package enum SQLComparison: Sendable {
  /// The same result for all values that are not NULL.
  case constant(Bool)
  case value(SQLSign, StoreValue)
}

/// A value of a statement.
package struct SQLParameter: Sendable {
  /// The value, or several values for a list.
  package let values: [StoreValue]
  package let isList: Bool
  /// The kind of the expression with which the value is compared; nil if that kind is not known.
  package let kind: SQLKind?
}

/// The kind of an expression.
package enum SQLKind: Sendable, Hashable {
  case attribute(AttributeType)
  /// The number of a row.
  case row
  case position

  package init(_ content: StoreLayout.Content) {
    switch content {
    // A layout has only types that exist.
    case .attribute(let name): self = .attribute(AttributeType(rawValue: name) ?? .string)
    case .reference: self = .row
    case .position: self = .position
    }
  }

  /// Whether the values are integers of the model: not dates or booleans.
  package var isInteger: Bool {
    switch self {
    case .row, .position, .attribute(.integer16), .attribute(.integer32), .attribute(.integer64): true
    default: false
    }
  }

  package var isReal: Bool { self == .attribute(.double) || self == .attribute(.float) }
}
