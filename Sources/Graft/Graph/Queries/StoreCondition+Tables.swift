/// The tables that a query reads, in addition to the rows that it selects.
struct ReadTables {
  private let schema: StoreSchema
  private var variables: [Int]
  private(set) var tables: Set<Int> = []

  init(_ condition: StoreCondition, _ order: [StoreQuery.Order], table: Int, _ schema: StoreSchema) {
    self.schema = schema
    variables = [table]
    add(condition)
    for key in order { add(key.path, column: key.column) }
  }

  private mutating func add(_ path: StorePath) {
    for reference in path.references { add(reference.table, reference.column) }
  }

  private mutating func add(_ path: StorePath, column: Int) {
    add(path)
    add(schema.table(of: path, variables: variables), column)
  }

  /// Adds the destination of a reference, because the value of the reference becomes nil when the destination row is deleted.
  private mutating func add(_ table: Int, _ column: Int) {
    if case .reference(let target) = schema.tables[table].columns[column].content { tables.insert(target) }
  }

  private mutating func add(_ condition: StoreCondition) {
    switch condition {
    case .always, .never: break
    case .and(let parts), .or(let parts): for part in parts { add(part) }
    case .not(let part): add(part)
    case .isTrue(let term), .isOne(let term, of: _): add(term)
    case .equal(let left, let right), .less(let left, let right), .lessOrEqual(let left, let right),
      .containsText(let left, let right), .startsWith(let left, let right):
      add(left)
      add(right)
    case .isKind(let path, _), .isPlaceholder(let path): add(path)
    case .some(let path, of: let members, let part), .every(let path, of: let members, let part):
      add(path, members, part)
    }
  }

  private mutating func add(_ path: StorePath, _ members: StoreMembers, _ condition: StoreCondition) {
    add(path)
    let table = schema.table(of: members)
    tables.insert(table)
    variables.append(table)
    add(condition)
    variables.removeLast()
  }

  private mutating func add(_ term: StoreTerm) {
    switch term {
    case .value: break
    case .column(let path, let column): add(path, column: column)
    case .id(let path): add(path)
    case .count(let path, let members, let condition): add(path, members, condition)
    case .arithmetic(_, let left, let right), .coalesce(let left, let right):
      add(left)
      add(right)
    case .negative(let term), .folded(let term, _): add(term)
    case .choice(let condition, let first, let second):
      add(condition)
      add(first)
      add(second)
    case .condition(let condition): add(condition)
    }
  }
}
