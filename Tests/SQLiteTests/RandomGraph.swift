import Graft
import GraftTestSupport

@testable import GraftSQLite

/// A store with random rows, random conditions on them, and a simple evaluator for these conditions.
struct RandomGraph {
  let store: SQLiteStore
  let rows: [StoredRows]
  let links: [[StoredLink]]
  private var schema: StoreSchema { store.schema }

  init() throws {
    store = try Shop.store()
    var random = SeededRandom(seed: 42)
    var changes = StoreChanges()
    func maybe(_ value: Value) -> Value { Int.random(in: 0..<4, using: &random) == 0 ? .null : value }
    let words = ["", "a", "ab", "b", "Ab", "ä"]
    for number in 0..<5 as Range<Int64> {
      changes.insert(store.schema, "Maker", ["name": maybe(.init("\(words[Int(number)])"))])
    }
    for number in 0..<4 as Range<Int64> {
      changes.insert(store.schema, "Tag", ["group": "g", "word": .init("\(words[Int(number)])")])
    }
    for number in 0..<40 as Range<Int64> {
      changes.insert(
        store.schema, "Item",
        [
          "number": .integer(number), "title": maybe(.init(words.randomElement(using: &random)!)),
          "stock": maybe(.integer(.random(in: -2...2, using: &random))),
          "pages": maybe(.integer(.random(in: -2...2, using: &random))),
          "weight": maybe(.double(Double(Int.random(in: -2...2, using: &random)) / 2)),
          "isNew": maybe(.integer(.random(in: 0...1, using: &random))),
          "maker": maybe(.integer(-.random(in: 1...5, using: &random))),
        ], entity: Int(number % 2))
    }
    var pairs: Set<StoredLink> = []
    for _ in 0..<50 {
      pairs.insert(StoredLink(owner: -.random(in: 1...40, using: &random), member: -.random(in: 1...4, using: &random)))
    }
    changes.link(store.schema, "Item_tags", Array(pairs))
    try store.commit(changes)
    let store = store
    rows = try store.schema.tables.indices.map { try store.rows(selectedBy: StoreQuery(table: $0)) }
    links = try store.schema.links.indices.map { try store.links(in: $0, ofOwners: Array(1...40)) }
  }

  // MARK: Random queries

  private var item: Int { schema.table("Item") }
  private func column(_ name: String) -> Int { schema.column("Item", name) }

  func query(_ random: inout SeededRandom) -> StoreQuery {
    var query = StoreQuery(table: item, condition: condition(&random, [item], depth: 3))
    if Bool.random(using: &random) {
      let names = ["title", "stock", "weight", "number"]
      query.order = [.init(column: column(names.randomElement(using: &random)!), isAscending: .random(using: &random))]
    }
    if Int.random(in: 0..<3, using: &random) == 0 { query.limit = .random(in: 0...10, using: &random) }
    if Int.random(in: 0..<3, using: &random) == 0 { query.offset = .random(in: 0...10, using: &random) }
    if Int.random(in: 0..<4, using: &random) == 0 { query.entities = [Int.random(in: 0...1, using: &random)] }
    return query
  }

  /// Returns a path from one of the variables, and the table where the path ends.
  private func path(_ random: inout SeededRandom, _ variables: [Int]) -> (StorePath, Int) {
    let variable = Int.random(in: 0..<variables.count, using: &random)
    guard variables[variable] == item, Bool.random(using: &random) else {
      return (StorePath(variable: variable), variables[variable])
    }
    return (
      StorePath(variable: variable, references: [.init(table: item, column: column("maker"))]), schema.table("Maker")
    )
  }

  /// A string, an integer or a double.
  private func term(_ random: inout SeededRandom, _ variables: [Int], isText: Bool, depth: Int) -> StoreTerm {
    let (path, table) = path(&random, variables)
    let value: StoreValue =
      isText
      ? .text(Array(["", "a", "b", "ä"].randomElement(using: &random)!.utf8))
      : Bool.random(using: &random) ? .integer(.random(in: -2...2, using: &random)) : .double(0.5)
    let constant = Int.random(in: 0..<8, using: &random) == 0 ? StoreTerm.value(.null) : .value(value)
    switch Int.random(in: 0..<(depth > 0 ? 7 : 3), using: &random) {
    case 0: return constant
    case 3 where !isText:
      let left = term(&random, variables, isText: false, depth: depth - 1)
      let right = term(&random, variables, isText: false, depth: depth - 1)
      return .arithmetic([.add, .subtract, .multiply].randomElement(using: &random)!, left, right)
    case 4:
      let left = term(&random, variables, isText: isText, depth: depth - 1)
      return .coalesce(left, term(&random, variables, isText: isText, depth: depth - 1))
    case 5:
      let test = condition(&random, variables, depth: depth - 1)
      let left = term(&random, variables, isText: isText, depth: depth - 1)
      return .choice(test, left, term(&random, variables, isText: isText, depth: depth - 1))
    case 6 where !isText:
      if Bool.random(using: &random) { return .condition(condition(&random, variables, depth: depth - 1)) }
      if Bool.random(using: &random) { return .id(path) }
      return table == item
        ? .count(path, .linked(0, isOwner: true))
        : table == schema.table("Maker")
          ? .count(path, .referring(table: item, column: column("maker"))) : .count(path, .linked(0, isOwner: false))
    default: break
    }
    if table == item {
      return .column(
        path, column(isText ? "title" : ["stock", "pages", "weight", "number"].randomElement(using: &random)!))
    }
    if isText { return .column(path, table == schema.table("Maker") ? 0 : 1) }
    return constant
  }

  private func condition(_ random: inout SeededRandom, _ variables: [Int], depth: Int) -> StoreCondition {
    let isText = Bool.random(using: &random)
    func next() -> StoreTerm { term(&random, variables, isText: isText, depth: depth - 1) }
    func inner() -> StoreCondition { condition(&random, variables, depth: depth - 1) }
    let (path, table) = path(&random, variables)
    switch Int.random(in: 0..<(depth > 0 ? 14 : 7), using: &random) {
    case 0, 7: return .equal(next(), next())
    case 1: return .less(next(), next())
    case 2: return .lessOrEqual(next(), next())
    case 3:
      let text = term(&random, variables, isText: true, depth: 0)
      let part = term(&random, variables, isText: true, depth: 0)
      return Bool.random(using: &random) ? .containsText(text, part) : .startsWith(text, part)
    case 4:
      let values: [StoreValue] =
        isText ? [.text([0x61]), .null, .text([])] : [.integer(1), .null, .double(-0.5), .integer(2)]
      return .isOne(next(), of: Array(values.prefix(.random(in: 0...4, using: &random))))
    case 5:
      return table == item
        ? .isKind(path, Array([[0], [1], [0, 1], []].randomElement(using: &random)!)) : .isKind(path, [0])
    case 6 where Int.random(in: 0..<4, using: &random) == 0: return .isPlaceholder(path)
    case 6:
      return table == item ? .isTrue(.column(path, column("isNew"))) : [.always, .never].randomElement(using: &random)!
    case 8: return .and([inner(), inner()])
    case 9: return .or([inner(), inner()])
    case 10, 11: return .not(inner())
    default:
      let members: StoreMembers =
        table == item
        ? .linked(0, isOwner: true)
        : table == schema.table("Maker") ? .referring(table: item, column: column("maker")) : .linked(0, isOwner: false)
      let memberTable = table == item ? schema.table("Tag") : item
      // The condition can only use the outermost variables and the new one.
      let test = condition(&random, variables + [memberTable], depth: depth - 1)
      return Bool.random(using: &random) ? .some(path, of: members, test) : .every(path, of: members, test)
    }
  }

  // MARK: Evaluation

  /// A row, given by its table and its index in `rows`.
  typealias Row = (table: Int, index: Int)

  func evaluate(_ query: StoreQuery) -> [Int64] {
    var found = rows[query.table].headers.indices.filter { index in
      (query.entities?.contains(rows[query.table].headers[index].entity) ?? true)
        && evaluate(query.condition, [(query.table, index)])
    }
    for key in query.order.reversed() {
      let stable = found.enumerated().sorted { left, right in
        let a = value(rows[query.table], left.element, key.column)
        let b = value(rows[query.table], right.element, key.column)
        let (first, second) = key.isAscending ? (a, b) : (b, a)
        if first == second { return left.offset < right.offset }
        if first == .null { return true }
        if second == .null { return false }
        return less(first, second)
      }
      found = stable.map(\.element)
    }
    let rest = found.dropFirst(query.offset).prefix(query.limit ?? .max)
    return rest.map { rows[query.table].headers[$0].id }
  }

  private func value(_ rows: StoredRows, _ row: Int, _ column: Int) -> StoreValue {
    switch rows.value(schema, row, schema.tables[rows.table].columns[column].name) {
    case .null: .null
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .bytes(let bytes): .text(bytes)
    }
  }

  private func number(_ value: StoreValue) -> Double? {
    switch value {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  private func equal(_ left: StoreValue, _ right: StoreValue) -> Bool {
    if let a = number(left), let b = number(right) { return a == b }
    return left == right
  }

  private func less(_ left: StoreValue, _ right: StoreValue) -> Bool {
    if let a = number(left), let b = number(right) { return a < b }
    if case .text(let a) = left, case .text(let b) = right { return a.lexicographicallyPrecedes(b) }
    return false
  }

  private func row(_ path: StorePath, _ variables: [Row]) -> Row? {
    var row = variables[path.variable]
    for reference in path.references {
      guard case .integer(let id) = value(rows[row.table], row.index, reference.column),
        case .reference(let table) = schema.tables[reference.table].columns[reference.column].content,
        let index = rows[table].headers.firstIndex(where: { $0.id == id })
      else { return nil }
      row = (table, index)
    }
    return row
  }

  private func members(_ path: StorePath, _ members: StoreMembers, _ variables: [Row]) -> [Row] {
    guard let row = row(path, variables) else { return [] }
    let id = rows[row.table].headers[row.index].id
    switch members {
    case .referring(let table, let column):
      return rows[table].headers.indices.filter { value(rows[table], $0, column) == .integer(id) }.map { (table, $0) }
    case .linked(let number, let isOwner):
      let table = isOwner ? schema.links[number].memberTable : schema.links[number].ownerTable
      let ids = links[number].filter { (isOwner ? $0.owner : $0.member) == id }.map { isOwner ? $0.member : $0.owner }
      return rows[table].headers.indices.filter { ids.contains(rows[table].headers[$0].id) }.map { (table, $0) }
    }
  }

  private func evaluate(_ condition: StoreCondition, _ variables: [Row]) -> Bool {
    func value(_ term: StoreTerm) -> StoreValue { evaluate(term, variables) }
    func texts(_ left: StoreTerm, _ right: StoreTerm) -> ([UInt8], [UInt8])? {
      if case .text(let a) = value(left), case .text(let b) = value(right) { (a, b) } else { nil }
    }
    switch condition {
    case .always: return true
    case .never: return false
    case .and(let conditions): return conditions.allSatisfy { evaluate($0, variables) }
    case .or(let conditions): return conditions.contains { evaluate($0, variables) }
    case .not(let condition): return !evaluate(condition, variables)
    case .isTrue(let term): return value(term) == .integer(1)
    case .equal(let left, let right): return equal(value(left), value(right))
    case .less(let left, let right): return less(value(left), value(right))
    case .lessOrEqual(let left, let right):
      let (a, b) = (value(left), value(right))
      return a != .null && b != .null && (less(a, b) || equal(a, b))
    case .containsText(let text, let part):
      guard let (text, part) = texts(text, part) else { return false }
      return part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
    case .startsWith(let text, let part): return texts(text, part).map { $0.starts(with: $1) } ?? false
    case .isOne(let term, let values):
      let found = value(term)
      return values.contains { equal($0, found) }
    case .isKind(let path, let entities):
      return row(path, variables).map { entities.contains(rows[$0.table].headers[$0.index].entity) } ?? false
    case .isPlaceholder(let path):
      return row(path, variables).map { rows[$0.table].headers[$0.index].isPlaceholder } ?? false
    case .some(let path, let members, let condition):
      return self.members(path, members, variables).contains { evaluate(condition, variables + [$0]) }
    case .every(let path, let members, let condition):
      return self.members(path, members, variables).allSatisfy { evaluate(condition, variables + [$0]) }
    }
  }

  private func evaluate(_ term: StoreTerm, _ variables: [Row]) -> StoreValue {
    switch term {
    case .value(let value): return value
    case .column(let path, let column):
      return row(path, variables).map { value(rows[$0.table], $0.index, column) } ?? .null
    case .id(let path): return row(path, variables).map { .integer(rows[$0.table].headers[$0.index].id) } ?? .null
    case .count(let path, let members, let condition):
      guard row(path, variables) != nil else { return .null }
      return .integer(
        Int64(self.members(path, members, variables).count { evaluate(condition, variables + [$0]) }))
    case .arithmetic(let operation, let left, let right):
      return arithmetic(operation, evaluate(left, variables), evaluate(right, variables))
    case .negative(let term): return arithmetic(.subtract, .integer(0), evaluate(term, variables))
    case .coalesce(let first, let second):
      let value = evaluate(first, variables)
      return value == .null ? evaluate(second, variables) : value
    case .choice(let condition, let first, let second):
      return evaluate(evaluate(condition, variables) ? first : second, variables)
    case .condition(let condition): return .integer(evaluate(condition, variables) ? 1 : 0)
    case .folded(let term, let folding):
      let value = evaluate(term, variables)
      if case .text(let bytes) = value { return .text(folding.folded(bytes)) }
      return value
    }
  }

  private func arithmetic(_ operation: StoreTerm.Arithmetic, _ left: StoreValue, _ right: StoreValue) -> StoreValue {
    guard let a = number(left), let b = number(right) else { return .null }
    let result =
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      case .remainder: a.truncatingRemainder(dividingBy: b)
      }
    if case .integer = left, case .integer = right { return .integer(Int64(result)) }
    return .double(result)
  }
}
