import Graft

/// Conditions and terms as SQL.
///
/// A condition becomes an expression that is true if it is satisfied, and otherwise false or NULL. Only negation must
/// distinguish these: `IS NOT TRUE`.
///
/// The form decides about speed, by up to 700 times. A comparison through relationships reads the other table once, by its
/// index if there is one:
///
///     publisher?.name == "DC"      t."publisher" IN (SELECT p."_id" FROM "Publisher" AS p WHERE p."name" = ?)
struct ConditionSQL {
  /// A row that conditions speak of.
  struct Variable {
    let table: Int
    let alias: String
  }

  let schema: SQLSchema
  /// Whether only few of the rows are needed.
  let hasLimit: Bool
  /// The rows of the condition, the row to select first.
  private var variables: [Variable]
  /// The values of the parameters, in their order.
  private(set) var parameters: [StoreValue] = []
  private var aliases = 0

  init(_ schema: SQLSchema, table: Int, hasLimit: Bool) {
    self.schema = schema
    self.hasLimit = hasLimit
    variables = [Variable(table: table, alias: "t")]
  }

  // MARK: Conditions

  /// - Parameter isAlone: whether the condition alone decides about rows.
  mutating func sql(_ condition: StoreCondition, isAlone: Bool = false) -> String {
    switch condition {
    case .always: "1"
    case .never: "0"
    case .and(let conditions): joined(conditions, "AND", empty: "1", isAlone: isAlone && conditions.count == 1)
    case .or(let conditions): joined(conditions, "OR", empty: "0", isAlone: false)
    case .not(let condition): "((\(sql(condition))) IS NOT TRUE)"
    case .isTrue(let term): comparison(term, "=", .value(.integer(1)))
    case .equal(let left, let right): equal(left, right)
    case .less(let left, let right): comparison(left, "<", right)
    case .lessOrEqual(let left, let right): comparison(left, "<=", right)
    case .containsText(let text, let part): search(text, part, ">= 1")
    case .startsWith(let text, let part): search(text, part, "= 1")
    case .isOne(let term, let values): isOne(term, values)
    case .isKind(let path, let entities): isKind(path, entities)
    case .isPlaceholder(let path): isPlaceholder(path)
    case .some(let path, let members, let condition): some(path, members, condition, isAlone: isAlone)
    case .every(let path, let members, let condition): "(NOT \(exists(path, members, .not(condition))))"
    }
  }

  /// Long lists become a tree of little depth, because SQLite limits the depth.
  private mutating func joined(
    _ conditions: [StoreCondition], _ word: String, empty: String, isAlone: Bool
  ) -> String {
    if conditions.isEmpty { return empty }
    if conditions.count == 1 { return sql(conditions[0], isAlone: isAlone) }
    if conditions.count <= 8 { return "(" + conditions.map { sql($0) }.joined(separator: " \(word) ") + ")" }
    let middle = conditions.count / 2
    let left = joined(Array(conditions[..<middle]), word, empty: empty, isAlone: false)
    return "(\(left) \(word) \(joined(Array(conditions[middle...]), word, empty: empty, isAlone: false)))"
  }

  private mutating func equal(_ left: StoreTerm, _ right: StoreTerm) -> String {
    if case .value = left, case .value = right {} else if case .value = left { return equal(right, left) }
    if case .value(let value) = right {
      if case .double(let number) = value, number.isNaN { return "0" }
      guard value != .null else {
        // Nil, or no row at the end of the path.
        return through(left) { _, column in "\(column) IS NOT NULL" }.map { "((\($0)) IS NOT TRUE)" }
          ?? "(\(sql(left)) IS NULL)"
      }
      // Not IS: the indexes of references are only of those that are not NULL, and SQLite would not use them.
      return through(left) { builder, column in "\(column) = \(builder.parameter(value))" }
        ?? "(\(sql(left)) = \(parameter(value)))"
    }
    return "(\(sql(left)) IS \(sql(right)))"
  }

  private mutating func comparison(_ left: StoreTerm, _ sign: String, _ right: StoreTerm) -> String {
    let collation = isDecimal(left) || isDecimal(right) ? " COLLATE \(DecimalOrder.name)" : ""
    if case .value(let value) = right {
      let nested = through(left) { builder, column in "\(column)\(collation) \(sign) \(builder.parameter(value))" }
      if let nested { return nested }
    }
    if case .value(let value) = left {
      let nested = through(right) { builder, column in "\(builder.parameter(value)) \(sign) \(column)\(collation)" }
      if let nested { return nested }
    }
    return "(\(sql(left))\(collation) \(sign) \(sql(right)))"
  }

  private mutating func search(_ text: StoreTerm, _ part: StoreTerm, _ test: String) -> String {
    if case .value(let value) = part {
      let nested = through(text) { builder, column in "instr(\(column), \(builder.parameter(value))) \(test)" }
      if let nested { return nested }
    }
    return "(instr(\(sql(text)), \(sql(part))) \(test))"
  }

  private mutating func isOne(_ term: StoreTerm, _ values: [StoreValue]) -> String {
    let constants = values.filter { value in
      if case .double(let number) = value { !number.isNaN } else { value != .null }
    }
    var parts: [String] = []
    if !constants.isEmpty {
      let nested = through(term) { builder, column in
        "\(column) IN (\(constants.map { builder.parameter($0) }.joined(separator: ", ")))"
      }
      parts.append(nested ?? "(\(sql(term)) IN (\(constants.map { parameter($0) }.joined(separator: ", "))))")
    }
    if values.contains(.null) { parts.append(equal(term, .value(.null))) }
    return parts.isEmpty ? "0" : "(\(parts.joined(separator: " OR ")))"
  }

  private mutating func isKind(_ path: StorePath, _ entities: [Int]) -> String {
    let table = schema.tables[self.table(of: path)]
    if Set(entities).isSuperset(of: table.layout.entities.indices) {
      return path.references.isEmpty ? "1" : "(\(sql(.id(path))) IS NOT NULL)"
    }
    guard !entities.isEmpty, let condition = SQLTable.entityCondition(entities, table.layout) else { return "0" }
    guard let (rest, last) = path.split() else { return "(\(variables[path.variable].alias).\(condition))" }
    return within(rest, last) { _, alias in "\(alias).\(condition)" }
  }

  private mutating func isPlaceholder(_ path: StorePath) -> String {
    let condition = SQLTable.isPlaceholder
    guard let (rest, last) = path.split() else { return "(\(variables[path.variable].alias).\(condition))" }
    return within(rest, last) { _, alias in "\(alias).\(condition)" }
  }

  // MARK: To-many relationships

  /// If the condition does not depend on the row, its members are found first: that reads them once, however rare they are.
  /// If other conditions select few rows, or few are needed, only the members of these are looked at, unless an index finds
  /// the few members that meet the condition.
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

  /// The members of a to-many relationship: what to select from, the column with the row whose members they are, and the name
  /// and table of the members.
  private mutating func source(
    _ members: StoreMembers
  ) -> (from: String, owner: String, alias: String, table: Int) {
    let alias = alias()
    switch members {
    case .referring(let number, let column):
      let table = schema.tables[number]
      return (
        "\(SQLName.quoted(table.name)) AS \(alias)", "\(alias).\(SQLName.quoted(table.layout.columns[column].name))",
        alias, number
      )
    case .linked(let number, let isOwner):
      let links = schema.links[number]
      let link = self.alias()
      let own = isOwner ? links.layout.ownerColumn : links.layout.memberColumn
      let other = isOwner ? links.layout.memberColumn : links.layout.ownerColumn
      let table = isOwner ? links.layout.memberTable : links.layout.ownerTable
      return (
        "\(SQLName.quoted(links.name)) AS \(link) JOIN \(SQLName.quoted(schema.tables[table].name)) AS \(alias) ON \(alias).\"_id\" = \(link).\(SQLName.quoted(other))",
        "\(link).\(SQLName.quoted(own))", alias, table
      )
    }
  }

  /// The table of the members.
  private func table(of members: StoreMembers) -> Int {
    switch members {
    case .referring(let table, _): table
    case .linked(let links, let isOwner):
      isOwner ? schema.links[links].layout.memberTable : schema.links[links].layout.ownerTable
    }
  }

  /// Without a row, there is no number.
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
    case .value(let value): return parameter(value)
    case .column(let path, let column): return sql(path, column: column)
    case .id(let path):
      guard let (rest, last) = path.split() else { return "\(variables[path.variable].alias).\"_id\"" }
      return sql(rest, column: last.column)
    case .count(let path, let members, let condition): return count(path, members, condition)
    case .arithmetic(let operation, let left, let right):
      return "\(ArithmeticFunctions.name(operation))(\(sql(left)), \(sql(right)))"
    case .negative(let term): return "\(ArithmeticFunctions.name(.subtract))(0, \(sql(term)))"
    case .coalesce(let first, let second): return "coalesce(\(sql(first)), \(sql(second)))"
    case .choice(let condition, let first, let second):
      return "CASE WHEN \(sql(condition)) THEN \(sql(first)) ELSE \(sql(second)) END"
    case .condition(let condition): return "((\(sql(condition))) IS TRUE)"
    case .folded(let term, let folding): return FoldingFunction.call(sql(term), folding)
    }
  }

  /// A column of the row at a path.
  mutating func sql(_ path: StorePath, column: Int) -> String {
    let name = SQLName.quoted(schema.tables[table(of: path)].layout.columns[column].name)
    guard let (rest, last) = path.split() else { return "\(variables[path.variable].alias).\(name)" }
    let alias = alias()
    let table = SQLName.quoted(schema.tables[self.table(of: path)].name)
    return
      "(SELECT \(alias).\(name) FROM \(table) AS \(alias) WHERE \(alias).\"_id\" = \(sql(rest, column: last.column)))"
  }

  /// Whether a term is a decimal, which is compared by its value.
  func isDecimal(_ term: StoreTerm) -> Bool {
    switch term {
    case .column(let path, let column):
      if case .decimal = schema.tables[table(of: path)].forms[column] { true } else { false }
    case .coalesce(let first, let second), .choice(_, let first, let second): isDecimal(first) || isDecimal(second)
    default: false
    }
  }

  // MARK: Paths

  /// The table of the row at the end of a path.
  func table(of path: StorePath) -> Int {
    guard let last = path.references.last,
      case .reference(let table) = schema.tables[last.table].layout.columns[last.column].content
    else { return variables[path.variable].table }
    return table
  }

  /// A test of a column, inside the tables on the path to it; nil if the term is something else. False if there is no row at
  /// the path.
  private mutating func through(
    _ term: StoreTerm, _ test: (inout ConditionSQL, String) -> String
  ) -> String? {
    if case .folded(let inner, let folding) = term {
      return through(inner) { builder, column in test(&builder, FoldingFunction.call(column, folding)) }
    }
    guard case .column(let path, let column) = term else { return nil }
    guard let (rest, last) = path.split() else { return "(\(test(&self, sql(path, column: column))))" }
    let name = SQLName.quoted(schema.tables[table(of: path)].layout.columns[column].name)
    return within(rest, last) { builder, alias in test(&builder, "\(alias).\(name)") }
  }

  /// A test of the row of a reference.
  private mutating func within(
    _ path: StorePath, _ reference: StorePath.Reference, _ test: (inout ConditionSQL, String) -> String
  ) -> String {
    let whole = StorePath(variable: path.variable, references: path.references + [reference])
    let alias = alias()
    let table = SQLName.quoted(schema.tables[self.table(of: whole)].name)
    let selection = "(SELECT \(alias).\"_id\" FROM \(table) AS \(alias) WHERE \(test(&self, alias)))"
    return through(.column(path, reference.column)) { _, column in "\(column) IN \(selection)" } ?? "0"
  }

  private mutating func alias() -> String {
    aliases += 1
    return "r\(aliases)"
  }

  /// A parameter without a number: the time that SQLite takes grows with the square of the number of numbered parameters.
  /// Statements are therefore built from left to right.
  mutating func parameter(_ value: StoreValue) -> String {
    parameters.append(value)
    return "?"
  }
}

extension StorePath {
  /// The path without its last reference, and that reference; nil if there is none.
  func split() -> (rest: StorePath, last: Reference)? {
    guard let last = references.last else { return nil }
    return (StorePath(variable: variable, references: references.dropLast()), last)
  }
}

extension StoreCondition {
  /// Whether it mentions a variable with a number below a given one.
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
  /// Whether it mentions a variable with a number below a given one.
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
