import Graft

/// Conditions and terms as SQL.
///
/// A condition becomes an expression that is true if the condition is satisfied, and otherwise false or NULL. Only negation must
/// distinguish the latter two: `IS NOT TRUE`, or for SQLite `IS NOT 1`, because SQLite interprets TRUE as a column if a column has this
/// name.
///
/// The form of the SQL affects the speed by a factor of up to 700. A comparison through relationships reads the other table once, using its
/// index if there is one:
///
///     publisher?.name == "DC"      t."publisher" IN (SELECT p."_id" FROM "Publisher" AS p WHERE p."name" = ?)
struct ConditionSQL {
  /// A row that conditions refer to.
  struct Variable {
    let table: Int
    let alias: String
  }

  let schema: SQLSchema
  /// Whether only a few of the rows are needed.
  let hasLimit: Bool
  /// The rows of the condition, starting with the row to select.
  private var variables: [Variable]
  /// The values of the parameters, in order.
  private(set) var parameters: [SQLParameter] = []
  /// Whether a part of the condition has no equivalent in SQL.
  private(set) var isUntranslatable = false
  /// Whether values can make the condition fail, for example through a division by zero.
  private(set) var mayFail = false
  private var aliases = 0

  /// The maximum number of conditions in one `and` or `or`: SQLite compares all of them with each other.
  private static let mostJoined = 5_000

  private var dialect: any SQLDialect { schema.dialect }

  init(_ schema: SQLSchema, table: Int, hasLimit: Bool) {
    self.schema = schema
    self.hasLimit = hasLimit
    variables = [Variable(table: table, alias: "t")]
  }

  // MARK: Conditions

  /// - Parameter isAlone: whether the condition alone determines the rows.
  mutating func sql(_ condition: StoreCondition, isAlone: Bool = false) -> String {
    switch condition {
    case .always: dialect.constant(true)
    case .never: dialect.constant(false)
    case .and(let conditions): joined(conditions, "AND", isEmptyTrue: true, isAlone: isAlone && conditions.count == 1)
    case .or(let conditions): joined(conditions, "OR", isEmptyTrue: false, isAlone: false)
    case .not(let condition): "((\(sql(condition))) IS NOT \(dialect.constant(true)))"
    case .isTrue(let term): equal(term, .value(.integer(1)))
    case .equal(let left, let right): equal(left, right)
    case .less(let left, let right): comparison(left, .less, right)
    case .lessOrEqual(let left, let right): comparison(left, .lessOrEqual, right)
    case .containsText(let text, let part): search(text, part, ">= 1")
    case .startsWith(let text, let part): search(text, part, "= 1")
    case .isOne(let term, let values): isOne(term, values)
    case .isKind(let path, let entities): isKind(path, entities)
    case .isPlaceholder(let path): isPlaceholder(path)
    case .some(let path, let members, let condition): some(path, members, condition, isAlone: isAlone)
    case .every(let path, let members, let condition): "(NOT \(exists(path, members, .not(condition))))"
    }
  }

  /// Joins conditions. Long lists become a shallow tree, because SQLite limits the depth.
  private mutating func joined(
    _ conditions: [StoreCondition], _ word: String, isEmptyTrue: Bool, isAlone: Bool
  ) -> String {
    if conditions.isEmpty { return dialect.constant(isEmptyTrue) }
    if conditions.count == 1 { return sql(conditions[0], isAlone: isAlone) }
    if conditions.count > Self.mostJoined { isUntranslatable = true }
    if isUntranslatable { return dialect.constant(true) }
    if conditions.count <= 8 { return "(" + conditions.map { sql($0) }.joined(separator: " \(word) ") + ")" }
    let middle = conditions.count / 2
    let left = joined(Array(conditions[..<middle]), word, isEmptyTrue: isEmptyTrue, isAlone: false)
    return "(\(left) \(word) \(joined(Array(conditions[middle...]), word, isEmptyTrue: isEmptyTrue, isAlone: false)))"
  }

  private mutating func equal(_ left: StoreTerm, _ right: StoreTerm) -> String {
    if case .value = left, case .value = right {} else if case .value = left { return equal(right, left) }
    if case .value(let value) = right {
      guard value != .null else {
        // The condition holds if the value is nil, or if there is no row at the end of the path.
        return through(left) { _, column, _ in "\(column) IS NOT NULL" }
          .map { "((\($0)) IS NOT \(dialect.constant(true)))" }
          ?? "(\(sql(left)) IS NULL)"
      }
      // IS is not used here, because the indexes of references contain only values that are not NULL, and SQLite would not use these
      // indexes.
      return through(left) { builder, column, kind in builder.comparison(column, .equal, value, kind) }
        ?? "(\(comparison(sql(left), .equal, value, kind(left))))"
    }
    let (first, second) = unified(left, right)
    return "(\(first) \(dialect.identity) \(second))"
  }

  private mutating func comparison(_ left: StoreTerm, _ sign: SQLSign, _ right: StoreTerm) -> String {
    if case .value(let value) = right, value != .null {
      return through(left) { builder, column, kind in builder.comparison(column, sign, value, kind) }
        ?? "(\(comparison(sql(left), sign, value, kind(left))))"
    }
    if case .value(let value) = left, value != .null {
      return through(right) { builder, column, kind in builder.comparison(column, sign.swapped, value, kind) }
        ?? "(\(comparison(sql(right), sign.swapped, value, kind(right))))"
    }
    let (first, second) = unified(left, right)
    return "(\(first)\(collation(left, right)) \(sign.rawValue) \(second))"
  }

  /// Returns a comparison of an expression with a constant that is not nil.
  private mutating func comparison(
    _ expression: String, _ sign: SQLSign, _ value: StoreValue, _ kind: SQLKind?
  ) -> String {
    if case .double(let number) = value, number.isNaN { return dialect.constant(false) }
    let comparable = dialect.comparable(expression, kind)
    switch dialect.comparison(sign, value, kind) {
    case .constant(true): return "\(comparable) IS NOT NULL"
    case .constant(false): return dialect.constant(false)
    case .value(let sign, let value):
      let collation = kind == .attribute(.decimal) && sign != .equal ? dialect.decimalCollation : ""
      return "\(comparable)\(collation) \(sign.rawValue) \(parameter(value, kind))"
    case nil:
      isUntranslatable = true
      return dialect.constant(false)
    }
  }

  private func collation(_ left: StoreTerm, _ right: StoreTerm) -> String {
    kind(left) == .attribute(.decimal) || kind(right) == .attribute(.decimal) ? dialect.decimalCollation : ""
  }

  /// Returns two terms in forms that can be compared with each other.
  ///
  /// - Parameter isResult: whether one of the terms is the result of an expression.
  private mutating func unified(
    _ left: StoreTerm, _ right: StoreTerm, isResult: Bool = false
  ) -> (String, String) {
    let kinds = (kind(left), kind(right))
    let (first, second) = (sql(left, as: kinds.1), sql(right, as: kinds.0))
    let constants = (Self.isConstant(left) ? kinds.1 : kinds.0, Self.isConstant(right) ? kinds.0 : kinds.1)
    guard let unified = dialect.unified(first, constants.0, second, constants.1, isResult: isResult) else {
      isUntranslatable = true
      return (first, second)
    }
    return unified
  }

  private static func isConstant(_ term: StoreTerm) -> Bool {
    if case .value(let value) = term { value != .null } else { false }
  }

  /// Returns a term. A constant has the form in which it is compared with terms of the given kind.
  private mutating func sql(_ term: StoreTerm, as kind: SQLKind?) -> String {
    guard case .value(let value) = term, value != .null, let kind else { return sql(term) }
    guard case .value(_, let converted) = dialect.comparison(.equal, value, kind) else {
      isUntranslatable = true
      return sql(term)
    }
    return parameter(converted, kind)
  }

  private mutating func search(_ text: StoreTerm, _ part: StoreTerm, _ test: String) -> String {
    if !dialect.isSearchable(kind(text)) || !dialect.isSearchable(kind(part)) { isUntranslatable = true }
    if case .value(let value) = part {
      let nested = through(text) { builder, column, kind in
        let text = builder.dialect.comparable(column, kind)
        return "\(builder.dialect.place(of: builder.parameter(value, .attribute(.string)), in: text)) \(test)"
      }
      if let nested { return nested }
    }
    let whole = self.text(text)
    return "(\(dialect.place(of: self.text(part), in: whole)) \(test))"
  }

  private mutating func text(_ term: StoreTerm) -> String {
    if case .value(let value) = term { parameter(value, .attribute(.string)) } else { sql(term) }
  }

  private mutating func isOne(_ term: StoreTerm, _ values: [StoreValue]) -> String {
    let constants = values.filter { value in
      if case .double(let number) = value { !number.isNaN } else { value != .null }
    }
    var parts: [String] = []
    if !constants.isEmpty {
      let nested = through(term) { builder, column, kind in builder.isOne(column, constants, kind) }
      parts.append(nested ?? "(\(isOne(sql(term), constants, kind(term))))")
    }
    if values.contains(.null) { parts.append(equal(term, .value(.null))) }
    return parts.isEmpty ? dialect.constant(false) : "(\(parts.joined(separator: " OR ")))"
  }

  private mutating func isOne(_ expression: String, _ values: [StoreValue], _ kind: SQLKind?) -> String {
    var constants: [StoreValue] = []
    for value in values {
      switch dialect.comparison(.equal, value, kind) {
      case .value(_, let value): constants.append(value)
      case .constant: break
      case nil: isUntranslatable = true
      }
    }
    let comparable = dialect.comparable(expression, kind)
    let first = parameters.count + 1
    if dialect.hasLists {
      parameters.append(SQLParameter(values: constants, isList: true, kind: kind))
    } else {
      parameters += constants.map { SQLParameter(values: [$0], isList: false, kind: kind) }
    }
    return dialect.isOne(comparable, of: first, count: constants.count, kind)
  }

  private mutating func isKind(_ path: StorePath, _ entities: [Int]) -> String {
    let table = schema.tables[self.table(of: path)]
    if Set(entities).isSuperset(of: table.layout.entities.indices) {
      return path.references.isEmpty ? dialect.constant(true) : "(\(sql(.id(path))) IS NOT NULL)"
    }
    guard !entities.isEmpty, let condition = SQLTable.entityCondition(entities, table.layout) else {
      return dialect.constant(false)
    }
    guard let (rest, last) = path.split() else { return "(\(variables[path.variable].alias).\(condition))" }
    return within(rest, last) { _, alias in "\(alias).\(condition)" }
  }

  private mutating func isPlaceholder(_ path: StorePath) -> String {
    let condition = dialect.isPlaceholder
    guard let (rest, last) = path.split() else { return "(\(variables[path.variable].alias).\(condition))" }
    return within(rest, last) { _, alias in "\(alias).\(condition)" }
  }

  // MARK: To-many relationships

  /// Returns the condition that at least one member of a relationship satisfies a condition. If that condition does not depend on the row,
  /// the members that satisfy it are found first, so members are read only once, even if few satisfy the condition. If other conditions
  /// select only a few rows, or only a few rows are needed, only the members of those rows are examined, unless an index finds the few
  /// members that satisfy the condition.
  private mutating func some(
    _ path: StorePath, _ members: StoreMembers, _ condition: StoreCondition, isAlone: Bool
  ) -> String {
    let number = variables.count
    guard path.references.isEmpty, !condition.mentions(below: number),
      isAlone && !hasLimit || schema.tables[table(of: members)].finds(condition, variable: number)
    else { return exists(path, members, condition) }
    let (from, owner, alias, table) = source(members)
    variables.append(Variable(table: table, alias: alias))
    defer { variables.removeLast() }
    return "(\(sql(.id(path))) IN (SELECT \(owner) FROM \(from) WHERE \(owner) IS NOT NULL AND \(sql(condition))))"
  }

  private mutating func exists(_ path: StorePath, _ members: StoreMembers, _ condition: StoreCondition) -> String {
    let (from, owner, alias, table) = source(members)
    let id = sql(.id(path))
    variables.append(Variable(table: table, alias: alias))
    defer { variables.removeLast() }
    return "EXISTS (SELECT 1 FROM \(from) WHERE \(owner) = \(id) AND \(sql(condition)))"
  }

  /// Returns the source of a to-many relationship's members: the tables to select from, the column with the row that the members
  /// belong to, and the name and table of the members.
  private mutating func source(
    _ members: StoreMembers
  ) -> (from: String, owner: String, alias: String, table: Int) {
    let alias = alias()
    switch members {
    case .referring(let number, let column):
      let table = schema.tables[number]
      return (
        "\(SQLName.quoted(table.name)) AS \(alias)", "\(alias).\(SQLName.quoted(table.columnNames[column]))",
        alias, number
      )
    case .linked(let number, let isOwner):
      let links = schema.links[number]
      let link = self.alias()
      let own = isOwner ? links.ownerColumn : links.memberColumn
      let other = isOwner ? links.memberColumn : links.ownerColumn
      let table = isOwner ? links.layout.memberTable : links.layout.ownerTable
      return (
        "\(SQLName.quoted(links.name)) AS \(link) JOIN \(SQLName.quoted(schema.tables[table].name)) AS \(alias) ON \(alias).\"_id\" = \(link).\(SQLName.quoted(other))",
        "\(link).\(SQLName.quoted(own))", alias, table
      )
    }
  }

  /// Returns the table of the members.
  private func table(of members: StoreMembers) -> Int {
    switch members {
    case .referring(let table, _): table
    case .linked(let links, let isOwner):
      isOwner ? schema.links[links].layout.memberTable : schema.links[links].layout.ownerTable
    }
  }

  /// Returns an expression for the number of members; it is NULL if there is no row.
  private mutating func count(_ path: StorePath, _ members: StoreMembers, _ condition: StoreCondition) -> String {
    let (from, owner, alias, table) = source(members)
    let id = sql(.id(path))
    variables.append(Variable(table: table, alias: alias))
    defer { variables.removeLast() }
    let test = condition == .always ? "" : " AND \(sql(condition))"
    let number = "(SELECT count(*) FROM \(from) WHERE \(owner) = \(id)\(test))"
    return path.references.isEmpty ? number : "CASE WHEN \(id) IS NOT NULL THEN \(number) END"
  }

  // MARK: Terms

  mutating func sql(_ term: StoreTerm) -> String {
    switch term {
    case .value(let value): return parameter(value, kind(term))
    case .column(let path, let column): return dialect.comparable(sql(path, column: column), kind(term))
    case .id(let path):
      guard let (rest, last) = path.split() else { return "\(variables[path.variable].alias).\"_id\"" }
      return sql(rest, column: last.column)
    case .count(let path, let members, let condition): return count(path, members, condition)
    case .arithmetic(let operation, let left, let right): return arithmetic(operation, left, right)
    case .negative(let term): return arithmetic(.subtract, .value(.integer(0)), term)
    case .coalesce(let first, let second):
      let (first, second) = unified(first, second, isResult: true)
      return "coalesce(\(first), \(second))"
    case .choice(let condition, let first, let second):
      let test = sql(condition)
      let (first, second) = unified(first, second, isResult: true)
      return "CASE WHEN \(test) THEN \(first) ELSE \(second) END"
    case .condition(let condition): return "((\(sql(condition))) IS \(dialect.constant(true)))"
    case .folded(let term, let folding): return folded(sql(term), folding)
    }
  }

  private mutating func arithmetic(
    _ operation: StoreTerm.Arithmetic, _ left: StoreTerm, _ right: StoreTerm
  ) -> String {
    mayFail = true
    let kinds = (kind(left), kind(right))
    let (first, second) = (sql(left), sql(right))
    guard let result = dialect.arithmetic(operation, first, kinds.0, second, kinds.1) else {
      isUntranslatable = true
      return first
    }
    return result
  }

  private mutating func folded(_ text: String, _ folding: TextFolding) -> String {
    guard let folded = dialect.folded(text, folding) else {
      isUntranslatable = true
      return text
    }
    return folded
  }

  /// Returns a column of the row at a path.
  mutating func sql(_ path: StorePath, column: Int) -> String {
    let name = SQLName.quoted(schema.tables[table(of: path)].columnNames[column])
    guard let (rest, last) = path.split() else { return "\(variables[path.variable].alias).\(name)" }
    let alias = alias()
    let table = SQLName.quoted(schema.tables[self.table(of: path)].name)
    return
      "(SELECT \(alias).\(name) FROM \(table) AS \(alias) WHERE \(alias).\"_id\" = \(sql(rest, column: last.column)))"
  }

  /// Returns the kind of a term, or nil if the term is nil.
  func kind(_ term: StoreTerm) -> SQLKind? {
    switch term {
    case .value(let value): SQLKind(value)
    case .column(let path, let column): schema.tables[table(of: path)].kinds[column]
    case .id: .row
    case .count: .attribute(.integer64)
    case .arithmetic(_, let left, let right):
      kind(left)?.isReal == true || kind(right)?.isReal == true ? .attribute(.double) : .attribute(.integer64)
    case .negative(let term): kind(term)?.isReal == true ? .attribute(.double) : .attribute(.integer64)
    case .coalesce(let first, let second), .choice(_, let first, let second): kind(first, second)
    case .condition: .attribute(.boolean)
    case .folded: .attribute(.string)
    }
  }

  /// Returns the kind of an expression whose value is one of two terms.
  private func kind(_ first: StoreTerm, _ second: StoreTerm) -> SQLKind? {
    let kinds = (kind(first), kind(second))
    if Self.isConstant(first), let other = kinds.1 { return other }
    return kinds.1 == .attribute(.decimal) && !Self.isConstant(second) ? kinds.1 : kinds.0 ?? kinds.1
  }

  // MARK: Paths

  /// Returns the table of the row at the end of a path.
  func table(of path: StorePath) -> Int {
    guard let last = path.references.last,
      case .reference(let table) = schema.tables[last.table].layout.columns[last.column].content
    else { return variables[path.variable].table }
    return table
  }

  /// Returns a test of a column, inside the tables on the path to it, or nil if the term is not a column. The test is false if there is no
  /// row at the path.
  private mutating func through(
    _ term: StoreTerm, _ test: (inout ConditionSQL, String, SQLKind?) -> String
  ) -> String? {
    if case .folded(let inner, let folding) = term {
      return through(inner) { builder, column, _ in
        let folded = builder.folded(column, folding)
        return test(&builder, folded, .attribute(.string))
      }
    }
    guard case .column(let path, let column) = term else { return nil }
    let kind = schema.tables[table(of: path)].kinds[column]
    guard let (rest, last) = path.split() else { return "(\(test(&self, sql(path, column: column), kind)))" }
    let name = SQLName.quoted(schema.tables[table(of: path)].columnNames[column])
    return within(rest, last) { builder, alias in test(&builder, "\(alias).\(name)", kind) }
  }

  /// Returns a test of the row of a reference.
  private mutating func within(
    _ path: StorePath, _ reference: StorePath.Reference, _ test: (inout ConditionSQL, String) -> String
  ) -> String {
    let whole = StorePath(variable: path.variable, references: path.references + [reference])
    let alias = alias()
    let table = SQLName.quoted(schema.tables[self.table(of: whole)].name)
    let selection = "(SELECT \(alias).\"_id\" FROM \(table) AS \(alias) WHERE \(test(&self, alias)))"
    return through(.column(path, reference.column)) { _, column, _ in "\(column) IN \(selection)" }
      ?? dialect.constant(false)
  }

  private mutating func alias() -> String {
    aliases += 1
    return "r\(aliases)"
  }

  /// Adds a parameter. Statements are built from left to right, because parameters may have no numbers.
  mutating func parameter(_ value: StoreValue, _ kind: SQLKind?) -> String {
    parameters.append(SQLParameter(values: [value], isList: false, kind: kind))
    return dialect.parameter(parameters.count, kind)
  }
}

extension SQLKind {
  /// Creates the kind of a constant that is not compared with anything. Fails for nil.
  init?(_ value: StoreValue) {
    switch value {
    case .null: return nil
    case .integer: self = .attribute(.integer64)
    case .double: self = .attribute(.double)
    case .text: self = .attribute(.string)
    case .binary: self = .attribute(.binary)
    }
  }
}

extension StorePath {
  /// Returns the path without its last reference, and that reference, or nil if there is none.
  func split() -> (rest: StorePath, last: Reference)? {
    guard let last = references.last else { return nil }
    return (StorePath(variable: variable, references: references.dropLast()), last)
  }
}

extension StoreCondition {
  /// Returns whether the condition mentions a variable with a number below the given limit.
  func mentions(below limit: Int) -> Bool {
    switch self {
    case .always, .never: false
    case .and(let conditions), .or(let conditions): conditions.contains { $0.mentions(below: limit) }
    case .not(let condition): condition.mentions(below: limit)
    case .isTrue(let term), .isOne(let term, _): term.mentions(below: limit)
    case .equal(let left, let right), .less(let left, let right), .lessOrEqual(let left, let right),
      .containsText(let left, let right), .startsWith(let left, let right):
      left.mentions(below: limit) || right.mentions(below: limit)
    case .isKind(let path, _), .isPlaceholder(let path): path.variable < limit
    case .some(let path, _, let condition), .every(let path, _, let condition):
      path.variable < limit || condition.mentions(below: limit)
    }
  }
}

extension StoreTerm {
  /// Returns whether the term mentions a variable with a number below the given limit.
  func mentions(below limit: Int) -> Bool {
    switch self {
    case .value: false
    case .column(let path, _), .id(let path): path.variable < limit
    case .count(let path, _, let condition): path.variable < limit || condition.mentions(below: limit)
    case .arithmetic(_, let left, let right), .coalesce(let left, let right):
      left.mentions(below: limit) || right.mentions(below: limit)
    case .negative(let term), .folded(let term, _): term.mentions(below: limit)
    case .choice(let condition, let first, let second):
      condition.mentions(below: limit) || first.mentions(below: limit) || second.mentions(below: limit)
    case .condition(let condition): condition.mentions(below: limit)
    }
  }
}
