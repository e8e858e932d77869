/// Compiles conditions and terms to closures over rows, with the meaning that they have in SQL.
///
///     name IS 'Batman' AND publisher -> name IS 'DC'
///     and([ { frame in isBatman(frame[0]) }, { frame in follow(frame[0]).map(isDC) ?? false } ])
///
/// A frame holds the row of each variable. Swift's arithmetic would trap on an integer overflow. Here, an overflow throws an error, because
/// the values come from outside the program.
struct ConditionCompiler<Rows: ConditionRows> {
  typealias Frame = PlainStack<RowPlace>
  typealias Test = (Frame) throws(StoreError) -> Bool
  typealias Read = (Frame) throws(StoreError) -> StoreValue

  let rows: Rows
  /// The tables of the variables.
  private var tables: [Int]
  /// The number of variables that a frame needs.
  private(set) var frameSize = 1
  /// The first variable that has occurred since the last call to ``member(_:_:)`` began.
  private var firstVariable = Int.max
  let pass = ConditionPass()

  init(_ rows: Rows, table: Int) {
    self.rows = rows
    tables = [table]
  }

  // MARK: Conditions

  mutating func test(_ condition: StoreCondition) -> Test {
    switch condition {
    case .always: return { _ in true }
    case .never: return { _ in false }
    case .and(let parts): return conjunction(parts.map { test($0) })
    case .or(let parts): return disjunction(parts.map { test($0) })
    case .not(let part):
      let test = test(part)
      return { frame throws(StoreError) in try !test(frame) }
    case .isTrue(let term): return comparison(term, .value(.integer(1)), .equal) { $0.isEqual(to: $1) }
    case .equal(let left, let right): return equality(left, right)
    case .less(let left, let right): return order(left, right, orEqual: false)
    case .lessOrEqual(let left, let right): return order(left, right, orEqual: true)
    case .containsText(let left, let right):
      return comparison(left, right, .contains) { $0.compareTexts($1) { $0.contains(bytes: $1) } }
    case .startsWith(let left, let right):
      return comparison(left, right, .startsWith) { $0.compareTexts($1) { $0.starts(with: $1) } }
    case .isOne(let term, of: let values): return isOne(term, values)
    case .isKind(let path, let entities): return isKind(path, entities)
    case .isPlaceholder(let path): return isPlaceholder(path)
    case .some(let path, of: let members, let part): return some(path, members, part)
    case .every(let path, of: let members, let part):
      let some = some(path, members, .not(part))
      return { frame throws(StoreError) in try !some(frame) }
    }
  }

  private func conjunction(_ tests: [Test]) -> Test {
    if tests.count == 2 {
      let (first, second) = (tests[0], tests[1])
      return { frame throws(StoreError) in
        if try !first(frame) { return false }
        return try second(frame)
      }
    }
    return { frame throws(StoreError) in
      for test in tests where try !test(frame) { return false }
      return true
    }
  }

  private func disjunction(_ tests: [Test]) -> Test {
    { frame throws(StoreError) in
      for test in tests where try test(frame) { return true }
      return false
    }
  }

  private mutating func equality(_ left: StoreTerm, _ right: StoreTerm) -> Test {
    if case .value = left { return comparison(right, left, .equal) { $0.isEqual(to: $1) } }
    return comparison(left, right, .equal) { $0.isEqual(to: $1) }
  }

  private mutating func order(_ left: StoreTerm, _ right: StoreTerm, orEqual: Bool) -> Test {
    let isDecimal = isDecimal(left) || isDecimal(right)
    func isInOrder(_ left: StoreValue, _ right: StoreValue) -> Bool {
      guard let order = left.order(before: right, isDecimal: isDecimal) else { return false }
      return orEqual ? order <= 0 : order < 0
    }
    if case .value = left, !isDecimal {
      return comparison(right, left, orEqual ? .greaterOrEqual : .greater) { isInOrder($1, $0) }
    }
    return comparison(left, right, isDecimal ? nil : orEqual ? .lessOrEqual : .less, isInOrder)
  }

  /// A comparison of two terms. If a column is compared with a constant, the rows may provide a faster test.
  private mutating func comparison(
    _ left: StoreTerm, _ right: StoreTerm, _ comparison: ConditionComparison?,
    _ compare: @escaping (StoreValue, StoreValue) -> Bool
  ) -> Test {
    if let comparison, case .value(let value) = right, case .column(let path, let column) = left,
      let test = rows.test(column, in: table(of: path), comparison, value)
    {
      return self.test(path, elseward: compare(.null, value), test)
    }
    let read = read(left)
    if case .value(let value) = right { return { frame throws(StoreError) in compare(try read(frame), value) } }
    let readOther = self.read(right)
    return { frame throws(StoreError) in compare(try read(frame), try readOther(frame)) }
  }

  /// A test of the row at a path.
  private mutating func test(_ path: StorePath, elseward: Bool, _ test: @escaping (RowPlace) -> Bool) -> Test {
    let variable = mention(path)
    if path.references.isEmpty { return { frame in test(frame[variable]) } }
    if path.references.count == 1 {
      let follow = rows.follower(of: path.references[0])
      return { frame in follow(frame[variable]).map(test) ?? elseward }
    }
    let row = row(at: path)
    return { frame in row(frame).map(test) ?? elseward }
  }

  private mutating func isOne(_ term: StoreTerm, _ values: [StoreValue]) -> Test {
    let read = read(term)
    let hasNumbers = values.contains { $0.number != nil }
    let known = Set(values.map(\.countedAsDouble))
    return { frame throws(StoreError) in
      let value = try read(frame)
      return known.contains(hasNumbers ? value.countedAsDouble : value)
    }
  }

  private mutating func isKind(_ path: StorePath, _ entities: [Int]) -> Test {
    let rows = rows
    let known = Set(entities)
    let row = row(at: path)
    return { frame in row(frame).map { known.contains(rows.entity($0)) } ?? false }
  }

  private mutating func isPlaceholder(_ path: StorePath) -> Test {
    let rows = rows
    let row = row(at: path)
    return { frame in row(frame).map { rows.isPlaceholder($0) } ?? false }
  }

  // MARK: Members

  private mutating func some(_ path: StorePath, _ members: StoreMembers, _ condition: StoreCondition) -> Test {
    let variable = tables.count
    let list = rows.lister(of: members, in: table(of: path))
    let (test, isOwn) = member(members) { $0.test(condition) }
    return ofOwner(path, isOwn, elseward: false) { owner, frame throws(StoreError) in
      for row in list(owner) {
        frame[variable] = row
        if try test(frame) { return true }
      }
      return false
    }
  }

  private mutating func count(_ path: StorePath, _ members: StoreMembers, _ condition: StoreCondition) -> Read {
    let variable = tables.count
    let list = rows.lister(of: members, in: table(of: path))
    if condition == .always {
      let count = rows.counter(of: members, in: table(of: path))
      return ofOwner(path, true, elseward: .null) { owner, _ in .integer(Int64(count(owner))) }
    }
    let (test, isOwn) = member(members) { $0.test(condition) }
    return ofOwner(path, isOwn, elseward: .null) { owner, frame throws(StoreError) in
      var count: Int64 = 0
      for row in list(owner) {
        frame[variable] = row
        if try test(frame) { count += 1 }
      }
      return .integer(count)
    }
  }

  /// Compiles an expression that refers to a member through an additional variable.
  ///
  /// - Returns: the result, and whether no earlier variable occurs in the expression.
  private mutating func member<Compiled>(
    _ members: StoreMembers, _ compile: (inout Self) -> Compiled
  ) -> (compiled: Compiled, isOwn: Bool) {
    let (variable, outer) = (tables.count, firstVariable)
    tables.append(rows.schema.table(of: members))
    frameSize = max(frameSize, tables.count)
    firstVariable = .max
    let compiled = compile(&self)
    let isOwn = firstVariable >= variable
    firstVariable = min(firstVariable, outer)
    tables.removeLast()
    return (compiled, isOwn)
  }

  /// Computes a value from the members of the row at a path.
  ///
  /// Paths from many rows can lead to the same row. In `publisher.heroes.count > 5`, for example, all heroes of a publisher lead to that
  /// publisher. If the value depends only on the owner, the value is computed once for all these rows.
  ///
  /// - Parameters:
  ///   - isOwn: whether the value depends only on the owner.
  ///   - value: the value if there is no row at the path.
  private mutating func ofOwner<Value>(
    _ path: StorePath, _ isOwn: Bool, elseward value: Value,
    _ compute: @escaping (_ owner: RowPlace, Frame) throws(StoreError) -> Value
  ) -> (Frame) throws(StoreError) -> Value {
    let owner = row(at: path)
    guard isOwn, path.variable > 0 || !path.references.isEmpty else {
      return { frame throws(StoreError) in
        guard let owner = owner(frame) else { return value }
        return try compute(owner, frame)
      }
    }
    let known = RowMemo<Value>(pass)
    return { frame throws(StoreError) in
      guard let owner = owner(frame) else { return value }
      return try known.value(of: owner.row) { () throws(StoreError) in try compute(owner, frame) }
    }
  }

  // MARK: Terms

  mutating func read(_ term: StoreTerm) -> Read {
    switch term {
    case .value(let value): return { _ in value }
    case .column(let path, let column):
      let row = row(at: path)
      let read = rows.reader(of: column, in: table(of: path))
      return { frame in row(frame).map(read) ?? .null }
    case .id(let path):
      let rows = rows
      let row = row(at: path)
      return { frame in row(frame).map { .integer(rows.id($0)) } ?? .null }
    case .count(let path, let members, let condition): return count(path, members, condition)
    case .arithmetic(let operation, let left, let right):
      let (left, right) = (read(left), read(right))
      return { frame throws(StoreError) in try left(frame).combined(with: try right(frame), by: operation) }
    case .negative(let term):
      let read = read(term)
      return { frame throws(StoreError) in try StoreValue.integer(0).combined(with: try read(frame), by: .subtract) }
    case .coalesce(let first, let second):
      let (first, second) = (read(first), read(second))
      return { frame throws(StoreError) in
        let value = try first(frame)
        return value == .null ? try second(frame) : value
      }
    case .choice(let condition, let first, let second):
      let test = test(condition)
      let (first, second) = (read(first), read(second))
      return { frame throws(StoreError) in try test(frame) ? try first(frame) : try second(frame) }
    case .folded(let term, let folding):
      let read = read(term)
      return { frame throws(StoreError) in
        let value = try read(frame)
        if case .text(let bytes) = value { return .text(folding.folded(bytes)) }
        return value
      }
    case .condition(let condition):
      let test = test(condition)
      return { frame throws(StoreError) in .integer(try test(frame) ? 1 : 0) }
    }
  }

  // MARK: Paths

  /// Records that the variable at the beginning of a path occurs.
  private mutating func mention(_ path: StorePath) -> Int {
    firstVariable = min(firstVariable, path.variable)
    return path.variable
  }

  private mutating func row(at path: StorePath) -> (Frame) -> RowPlace? {
    let variable = mention(path)
    if path.references.isEmpty { return { frame in frame[variable] } }
    let followers = path.references.map { rows.follower(of: $0) }
    return { frame in
      var row = frame[variable]
      for follow in followers {
        guard let target = follow(row) else { return nil }
        row = target
      }
      return row
    }
  }

  private func table(of path: StorePath) -> Int { rows.schema.table(of: path, variables: tables) }

  /// Whether a term is a decimal, which is compared by its value.
  func isDecimal(_ term: StoreTerm) -> Bool { rows.schema.isDecimal(term, variables: tables) }
}

extension StoreSchema {
  /// The table of the members of a relationship.
  func table(of members: StoreMembers) -> Int {
    switch members {
    case .referring(let table, _): table
    case .linked(let link, let isOwner): isOwner ? links[link].memberTable : links[link].ownerTable
    }
  }

  /// The table of the row at the end of a path.
  func table(of path: StorePath, variables: [Int]) -> Int {
    guard let last = path.references.last,
      case .reference(let table) = tables[last.table].columns[last.column].content
    else { return variables[path.variable] }
    return table
  }

  /// Whether a term is a decimal, which is compared by its value.
  func isDecimal(_ term: StoreTerm, variables: [Int]) -> Bool {
    switch term {
    case .column(let path, let column):
      tables[table(of: path, variables: variables)].columns[column].content == .attribute(.decimal)
    case .coalesce(let first, let second), .choice(_, let first, let second):
      isDecimal(first, variables: variables) || isDecimal(second, variables: variables)
    default: false
    }
  }
}
