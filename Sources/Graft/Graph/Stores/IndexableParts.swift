/// The parts of a query that an index can serve, each as a separate query: the comparisons of one row with values, and the sort
/// keys. If the only comparison is a range, SQLite prefers to read the rows in order.
///
///     name == "Batman" && team?.city == "Gotham"      Hero: name        Team: city
///     a == 1 && b < 2                                 Hero: a, b
package struct IndexableParts {
  /// A part of a query that an index can serve.
  package struct Part {
    /// The query that needs the index.
    package var query: StoreQuery
    /// The columns of the index, in order.
    package var columns: [Int]
  }

  /// The parts, in the order of the query.
  package private(set) var parts: [Part] = []
  private let schema: StoreSchema

  /// Finds the parts of a query.
  package init(_ query: StoreQuery, _ schema: StoreSchema) {
    self.schema = schema
    add(query.condition, tables: [query.table])
    let isOwn = query.order.allSatisfy { $0.path.references.isEmpty && !isDecimal(query.table, $0.column) }
    if isOwn, !query.order.isEmpty {
      let sorted = StoreQuery(table: query.table, order: query.order)
      parts.append(Part(query: sorted, columns: query.order.map(\.column)))
    }
  }

  /// - Parameter tables: the tables of the variables of the condition.
  private mutating func add(_ condition: StoreCondition, tables: [Int]) {
    switch condition {
    case .and(let conditions):
      // The columns that the comparisons of one row use form one index: equal values first, then one range.
      var rows: [StorePath] = []
      var found: [StorePath: [(column: Int, isRange: Bool, condition: StoreCondition)]] = [:]
      for condition in conditions {
        guard let (path, column, isRange, own) = comparison(condition, tables) else {
          add(condition, tables: tables)
          continue
        }
        if found[path] == nil { rows.append(path) }
        found[path, default: []].append((column, isRange, own))
      }
      for path in rows {
        let all = found[path] ?? []
        let equal = all.filter { !$0.isRange }
        if equal.isEmpty { continue }
        let used = equal + all.filter(\.isRange).prefix(1)
        add(used.map(\.condition), used.map(\.column), schema.table(of: path, variables: tables))
      }
    case .or(let conditions): for condition in conditions { add(condition, tables: tables) }
    case .some(_, let members, let condition): add(condition, tables: tables + [schema.table(of: members)])
    default:
      guard let (path, column, isRange, own) = comparison(condition, tables), !isRange else { return }
      add([own], [column], schema.table(of: path, variables: tables))
    }
  }

  private mutating func add(_ conditions: [StoreCondition], _ columns: [Int], _ table: Int) {
    var unique: [Int] = []
    for column in columns where !unique.contains(column) { unique.append(column) }
    let query = StoreQuery(table: table, condition: conditions.count == 1 ? conditions[0] : .and(conditions))
    parts.append(Part(query: query, columns: unique))
  }

  /// A comparison of a column with values that an index can serve, as a condition on the row with the column.
  private func comparison(
    _ condition: StoreCondition, _ tables: [Int]
  ) -> (path: StorePath, column: Int, isRange: Bool, condition: StoreCondition)? {
    func column(_ term: StoreTerm) -> (StorePath, Int)? {
      if case .column(let path, let column) = term { (path, column) } else { nil }
    }
    func isValue(_ term: StoreTerm) -> Bool { if case .value(let value) = term { value != .null } else { false } }
    switch condition {
    case .equal(let left, let right):
      guard let (path, number) = column(left) ?? column(right), isValue(left) || isValue(right) else { return nil }
      let value = isValue(left) ? left : right
      return (path, number, false, .equal(.column(StorePath(), number), value))
    case .isTrue(let term):
      guard let (path, number) = column(term) else { return nil }
      return (path, number, false, .isTrue(.column(StorePath(), number)))
    case .isOne(let term, let values):
      guard let (path, number) = column(term), !values.contains(.null) else { return nil }
      return (path, number, false, .isOne(.column(StorePath(), number), of: values))
    case .less(let left, let right), .lessOrEqual(let left, let right):
      guard let (path, number) = column(left) ?? column(right), isValue(left) || isValue(right),
        !isDecimal(schema.table(of: path, variables: tables), number)
      else { return nil }
      let own = StoreTerm.column(StorePath(), number)
      return (path, number, true, isValue(left) ? .less(left, own) : .less(own, right))
    default: return nil
    }
  }

  /// Decimals are compared by value, but an index orders them as text.
  private func isDecimal(_ table: Int, _ column: Int) -> Bool {
    schema.tables[table].columns[column].content == .attribute(.decimal)
  }
}
