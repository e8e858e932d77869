/// Translates a condition written as text to a condition of a store.
///
///     publisher.name = "DC"        equal(column(publisher -> name), 'DC')
struct ConditionTextTranslator {
  private let text: ConditionText
  private let predicates: PredicateTranslator
  private let names: ConditionNames

  init(_ text: ConditionText, _ context: ManagedObjectContext) {
    self.text = text
    predicates = PredicateTranslator(context)
    names = ConditionNames(text, predicates)
  }

  /// Returns the condition on objects of an entity.
  func condition(of entity: EntityPlan) throws(ConditionError) -> StoreCondition {
    let expression = try ConditionParser.expression(of: text)
    return try condition(expression, PredicateRow(path: StorePath(), entity: entity.index))
  }

  private func condition(
    _ expression: ConditionExpression, _ row: PredicateRow
  ) throws(ConditionError) -> StoreCondition {
    switch expression {
    case .all(let parts): return .all(try conditions(parts, row))
    case .any(let parts): return .any(try conditions(parts, row))
    case .not(let part): return .negated(try condition(part, row))
    case .isTrue(let path):
      guard let scalar = try names.value(path, row).scalar, scalar.kind == .boolean else {
        throw text.error("'\(names.title(path))' is not a boolean; compare it with a value", path.range)
      }
      return predicates.isTrue(scalar.term)
    case .isOne(let path, let literals):
      return try isOne(path, literals, row)
    case .members(let path, let part, let isEvery):
      guard case .members(let members) = try names.value(path, row) else {
        throw text.error("'\(names.title(path))' is not a to-many relationship", path.range)
      }
      return try memberCondition(members, part, isEvery: isEvery, path.range)
    case .comparison(let left, let comparison, let right, let range, let folding):
      return try self.comparison(left, comparison, right, range, row, folding)
    }
  }

  /// Translates a list of values. Values of the same column are looked up together.
  private func isOne(
    _ path: ConditionExpression.Path, _ literals: [ConditionExpression.Literal], _ row: PredicateRow
  ) throws(ConditionError) -> StoreCondition {
    if literals.isEmpty { _ = try names.value(path, row) }
    var parts: [StoreCondition] = []
    var values: [StoreValue] = []
    var column: StoreTerm?
    for literal in literals {
      let part = try comparison(.path(path), .equal, .literal(literal), path.range, row)
      if case .equal(let term, .value(let value)) = part, value != .null, column ?? term == term {
        column = term
        values.append(value)
      } else {
        parts.append(part)
      }
    }
    return .any(parts + (column.map { [.isOne($0, of: values)] } ?? []))
  }

  private func conditions(
    _ expressions: [ConditionExpression], _ row: PredicateRow
  ) throws(ConditionError) -> [StoreCondition] {
    var conditions: [StoreCondition] = []
    for expression in expressions { conditions.append(try condition(expression, row)) }
    return conditions
  }

  private func memberCondition(
    _ members: PredicateMembers, _ part: ConditionExpression, isEvery: Bool, _ range: SourceRange
  ) throws(ConditionError) -> StoreCondition {
    var failure: ConditionError?
    let condition = try translated(range) { () throws(StoreError) in
      try predicates.some(members) { (member) throws(StoreError) in
        do throws(ConditionError) {
          let condition = try self.condition(part, member)
          return isEvery ? .negated(condition) : condition
        } catch {
          failure = error
          return .never
        }
      }
    }
    if let failure { throw failure }
    return isEvery ? .negated(condition) : condition
  }

  // MARK: Comparisons

  private func comparison(
    _ left: ConditionExpression.Operand, _ comparison: ConditionExpression.Comparison,
    _ right: ConditionExpression.Operand, _ range: SourceRange, _ row: PredicateRow, _ folding: TextFolding = []
  ) throws(ConditionError) -> StoreCondition {
    guard case .path(let path) = left else { throw text.error("expected a property to compare", left.range) }
    switch try names.value(path, row) {
    case .members:
      throw text.error(
        "'\(names.title(path))' is a to-many relationship; write 'some \(names.title(path)) (...)' or compare '\(names.title(path)).count'",
        path.range)
    case .object(let object):
      guard folding.isEmpty else { throw notText(names.title(path), range) }
      return try self.comparison(object, path, comparison, right, range, row)
    case .scalar(let scalar, let attribute):
      let isOrdered = [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(comparison)
      let other = try value(right, comparedWith: path, scalar, attribute, row, isOrdered: isOrdered)
      try check(comparison, scalar, isNull: other == nil, path, range)
      if folding.isEmpty { return try condition(scalar, comparison, other, range) }
      guard scalar.kind == .string, [.equal, .notEqual, .contains, .beginsWith].contains(comparison) else {
        throw notText(names.title(path), range)
      }
      return try condition(scalar.folded(folding), comparison, other?.folded(folding), range)
    }
  }

  private func notText(_ title: String, _ range: SourceRange) -> ConditionError {
    text.error(
      "[c] and [d] apply to =, !=, contains and beginsWith of strings; '\(title)' is compared in another way", range)
  }

  /// The other side of a comparison; nil if it is null.
  private func value(
    _ operand: ConditionExpression.Operand, comparedWith path: ConditionExpression.Path, _ scalar: PredicateScalar,
    _ attribute: PropertyPlan?, _ row: PredicateRow, isOrdered: Bool
  ) throws(ConditionError) -> PredicateScalar? {
    switch operand {
    case .literal(let literal):
      return try ConditionValue(text).scalar(literal, attribute, names.title(path), isOrdered: isOrdered)
    case .path(let other):
      guard let scalar = try names.value(other, row, isValue: true).scalar else {
        throw text.error("'\(names.title(other))' is not an attribute", other.range)
      }
      return scalar
    }
  }

  private func check(
    _ comparison: ConditionExpression.Comparison, _ scalar: PredicateScalar, isNull: Bool,
    _ path: ConditionExpression.Path, _ range: SourceRange
  ) throws(ConditionError) {
    if comparison == .equal || comparison == .notEqual { return }
    if isNull { throw text.error("null can only be compared with = or !=", range) }
    if comparison == .contains || comparison == .beginsWith {
      guard scalar.kind != .string else { return }
      throw text.error(
        "'\(comparison.rawValue)' compares text, but '\(names.title(path))' is not a string", range)
    }
    guard ![.boolean, .binary, .uri, .json, .list].contains(scalar.kind) else {
      throw text.error(
        "'\(names.title(path))' has no order: its type is \(scalar.kind.rawValue); compare it with = or !=", range)
    }
  }

  private func condition(
    _ left: PredicateScalar, _ comparison: ConditionExpression.Comparison, _ right: PredicateScalar?,
    _ range: SourceRange
  ) throws(ConditionError) -> StoreCondition {
    try translated(range) { () throws(StoreError) in
      switch comparison {
      case .equal: return try predicates.equality(.scalar(left), right.map { .scalar($0) } ?? .null)
      case .notEqual: return .negated(try predicates.equality(.scalar(left), right.map { .scalar($0) } ?? .null))
      case .less: return try predicates.order(left, isLessThan: right)
      case .lessOrEqual: return try predicates.order(left, isAtMost: right)
      case .greater: return try predicates.order(right, isLessThan: left)
      case .greaterOrEqual: return try predicates.order(right, isAtMost: left)
      case .contains, .beginsWith:
        guard let (first, second) = try predicates.aligned(left, right) else { return .never }
        return comparison == .contains ? .containsText(first, second) : .startsWith(first, second)
      }
    }
  }

  /// Compares an object with null, with another object, or with its identifier.
  private func comparison(
    _ object: PredicateRow, _ path: ConditionExpression.Path, _ comparison: ConditionExpression.Comparison,
    _ right: ConditionExpression.Operand, _ range: SourceRange, _ row: PredicateRow
  ) throws(ConditionError) -> StoreCondition {
    guard comparison == .equal || comparison == .notEqual else {
      throw text.error("'\(names.title(path))' is an object; compare one of its attributes", path.range)
    }
    let condition: StoreCondition
    switch right {
    case .literal(let literal) where literal.json.isNull:
      condition = try translated(range) { () throws(StoreError) in try predicates.equality(.row(object), .null) }
    case .literal(let literal):
      let (scalar, attribute) = try names.identity(of: object, path)
      let value = try ConditionValue(text).scalar(literal, attribute, names.title(path))
      condition = try self.condition(scalar, .equal, value, range)
    case .path(let other):
      guard case .object(let second) = try names.value(other, row, isValue: true) else {
        throw text.error("'\(names.title(other))' is not an object", other.range)
      }
      condition = try translated(range) { () throws(StoreError) in
        try predicates.equality(.row(object), .row(second))
      }
    }
    return comparison == .equal ? condition : .negated(condition)
  }

  private func translated<Result>(
    _ range: SourceRange, _ body: () throws(StoreError) -> Result
  ) throws(ConditionError) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      throw text.error(error.diagnostics.first?.message ?? "it cannot be compared", range)
    }
  }
}
