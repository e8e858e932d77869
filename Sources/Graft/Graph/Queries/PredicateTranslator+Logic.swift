#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    .condition(.all([try translator.condition(lhs), try translator.condition(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    .condition(.any([try translator.condition(lhs), try translator.condition(rhs)]))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    .condition(.negated(try translator.condition(wrapped)))
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    let test = try translator.condition(test)
    if Output.self == Bool.self {
      let first = try translator.condition(trueBranch)
      let second = try translator.condition(falseBranch)
      return .condition(.any([.all([test, first]), .all([.negated(test), second])]))
    }
    let first = try translator.scalar(trueBranch)
    let second = try translator.scalar(falseBranch)
    guard let kind = first?.kind ?? second?.kind else { return .null }
    return .scalar(
      PredicateScalar(
        term: .choice(test, first?.term ?? .value(.null), second?.term ?? .value(.null)), kind: kind))
  }
}

// MARK: Comparisons

extension PredicateExpressions.Equal: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    .condition(try translator.equality(translator.term(lhs), translator.term(rhs)))
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    .condition(.negated(try translator.equality(translator.term(lhs), translator.term(rhs))))
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.checkOrder(LHS.Output.self)
    let (left, right) = (try translator.scalar(lhs), try translator.scalar(rhs))
    switch op {
    case .lessThan: return .condition(try translator.order(left, isLessThan: right))
    case .lessThanOrEqual: return .condition(try translator.order(left, isAtMost: right))
    case .greaterThan: return .condition(try translator.order(right, isLessThan: left))
    case .greaterThanOrEqual: return .condition(try translator.order(right, isAtMost: left))
    @unknown default: throw PredicateTranslator.error("uses the comparison '\(op)'", "use a different one")
    }
  }
}

extension PredicateTranslator {
  func checkOrder(_ type: Any.Type) throws(StoreError) {
    guard !PredicateConstant.hasStoredOrder(type) else { return }
    throw PredicateTranslator.error(
      "compares the order of two values of '\(type)', which may define its own order",
      "compare the stored values, or filter with a closure")
  }

  /// Whether a value precedes another value.
  func order(_ left: PredicateScalar?, isLessThan right: PredicateScalar?) throws(StoreError) -> StoreCondition {
    guard let terms = try aligned(left?.at(\.last), right?.at(\.first)) else { return .never }
    return .less(terms.0, terms.1)
  }

  /// Whether a value precedes another value or is equal to it.
  func order(_ left: PredicateScalar?, isAtMost right: PredicateScalar?) throws(StoreError) -> StoreCondition {
    guard let terms = try aligned(left?.at(\.first), right?.at(\.last)) else { return .never }
    return .lessOrEqual(terms.0, terms.1)
  }

  /// Two values of the same kind; nil if one of them is nil or NaN.
  func aligned(
    _ left: PredicateScalar?, _ right: PredicateScalar?
  ) throws(StoreError) -> (StoreTerm, StoreTerm)? {
    guard let left, let right, !left.isNaN, !right.isNaN else { return nil }
    if left.kind == right.kind || left.kind.isNumber && right.kind.isNumber { return (left.term, right.term) }
    if left.kind == .decimal, let right = right.asDecimal { return (left.term, right) }
    if right.kind == .decimal, let left = left.asDecimal { return (left, right.term) }
    throw PredicateTranslator.error(
      "compares values of types \(left.kind.rawValue) and \(right.kind.rawValue)",
      "compare values of the same type")
  }

  func equality(_ left: PredicateTerm, _ right: PredicateTerm) throws(StoreError) -> StoreCondition {
    switch (left, right) {
    case (.null, .null): return .always
    case (.null, .row(let row)), (.row(let row), .null), (.null, .id(let row)), (.id(let row), .null):
      return row.isMissing
    case (.row(let left), .row(let right)), (.id(let left), .id(let right)):
      guard plan.layouts[left.entity].table == plan.layouts[right.entity].table else {
        return .all([left.isMissing, right.isMissing])
      }
      return .equal(left.idTerm, right.idTerm)
    case (.id(let row), .constant(let id as ManagedObjectID)), (.constant(let id as ManagedObjectID), .id(let row)):
      return .all(row.guards + [identity(row, id)])
    case (.row(let row), .constant(let object as ManagedObject)),
      (.constant(let object as ManagedObject), .row(let row)):
      return .all(row.guards + [identity(row, object.objectID)])
    case (.constant(let left as ManagedObjectID), .constant(let right as ManagedObjectID)):
      return left == right ? .always : .never
    case (.rows, _), (_, .rows):
      throw PredicateTranslator.error("compares a to-many relationship", "use 'contains', 'allSatisfy' or 'count'")
    default:
      return try equality(scalar(left, "=="), scalar(right, "=="))
    }
  }

  private func equality(_ left: PredicateScalar?, _ right: PredicateScalar?) throws(StoreError) -> StoreCondition {
    guard let left, let right else {
      guard let value = left ?? right else { return .always }
      return isNil(value.term)
    }
    guard left.kind != .json, right.kind != .json else {
      throw PredicateTranslator.error("compares JSON, which can be written in several ways", "filter with a closure")
    }
    guard left.kind != .list, right.kind != .list else {
      throw PredicateTranslator.error("compares a list", "filter with a closure")
    }
    guard let (first, second) = try aligned(left, right) else { return .never }
    if left.kind == .boolean {
      if case .value(.integer(let value)) = second { return equality(first, isTrue: value == 1) }
      if case .value(.integer(let value)) = first { return equality(second, isTrue: value == 1) }
    }
    if let dates = right.dates, dates.count > 1 { return .isOne(first, of: dates.map { .integer($0) }) }
    if let dates = left.dates, dates.count > 1 { return .isOne(second, of: dates.map { .integer($0) }) }
    if left.kind == .uri, case .value(let value) = second { return .isOne(first, of: value.uriSpellings) }
    if left.kind == .uri, case .value(let value) = first { return .isOne(second, of: value.uriSpellings) }
    return .equal(first, second)
  }

  private func isNil(_ term: StoreTerm) -> StoreCondition {
    switch term {
    case .value(let value): value == .null ? .always : .never
    case .condition: .never
    case .choice(let test, .condition, .value(.null)): .negated(test)
    default: .equal(term, .value(.null))
    }
  }

  private func equality(_ term: StoreTerm, isTrue: Bool) -> StoreCondition {
    if isTrue { return self.isTrue(term) }
    return switch term {
    case .condition(let condition): .negated(condition)
    case .choice(let test, .condition(let condition), .value(.null)): .all([test, .negated(condition)])
    default: .equal(term, .value(.integer(0)))
    }
  }

  /// Whether a row is the object with an ID.
  private func identity(_ row: PredicateRow, _ id: ManagedObjectID) -> StoreCondition {
    let table = plan.layouts[row.entity].table
    switch id.key {
    case .number(let number):
      noteNamedRow(in: table)
      guard let place = context.rowNumbers.place(of: number), place.table == table else { return .never }
      return .equal(.id(row.path), .value(.integer(context.state.key(of: place))))
    case .identity(let wanted):
      guard let entity = plan.entity(named: wanted.space), plan.layouts[entity.index].table == table,
        plan.layouts[entity.index].identity.space >= 0
      else { return .never }
      let identity = schema.tables[table].identities[plan.layouts[entity.index].identity.space]
      guard identity.columns.count == wanted.parts.count else { return .never }
      var parts: [StoreCondition] = []
      for (column, part) in zip(identity.columns, wanted.parts) {
        let constant: StoreValue?
        switch part {
        case .owner(let owner):
          // An owner is compared by its row (M12).
          noteNamedRow(owner)
          constant = context.place(of: owner).map { .integer(context.state.key(of: $0)) }
        case .value(let value): constant = self.value(value, schema.tables[table].columns[column].content)
        }
        guard let constant else { return .never }
        parts.append(.equal(.column(row.path, column), .value(constant)))
      }
      let isWhole = identity.entities.count == map.entities[table].count
      return .all(parts + (isWhole ? [] : [.isKind(row.path, identity.entities)]))
    }
  }

  /// Notes that a condition contains the number of an object's row, which is found through its owners.
  private func noteNamedRow(_ identity: ManagedObjectID.Identity) {
    if let entity = plan.entity(named: identity.space) { noteNamedRow(in: plan.layouts[entity.index].table) }
    for case .owner(let owner) in identity.parts { noteNamedRow(owner) }
  }

  private func value(_ value: JSON, _ content: StoreSchema.Content) -> StoreValue? {
    guard case .attribute(let type) = content else { return nil }
    // A URI is identified by its text, not by the URL that is read from it.
    if type == .uri { return value.stringValue.map { .text(Array($0.utf8)) } }
    // A distant date is more precise than a `Date`.
    if type == .date {
      guard let text = value.stringValue else { return nil }
      return LentBytes.with(text) { DateText.microseconds($0) }.map { .integer($0) }
    }
    guard let typed = try? AttributeValue(json: value, type: type),
      case .value(let constant) = PredicateConstant.scalar(typed)?.term
    else { return nil }
    return constant
  }
}

extension PredicateScalar {
  /// This value, with one end of its range as its term.
  fileprivate func at(_ end: KeyPath<PredicateScalar, StoreTerm>) -> PredicateScalar {
    PredicateScalar(term: self[keyPath: end], kind: kind)
  }

  /// Whether this is the constant NaN, which is not equal to any value and has no order.
  fileprivate var isNaN: Bool { if case .value(.double(let value)) = term { value.isNaN } else { false } }

  /// An integer constant as a decimal.
  fileprivate var asDecimal: StoreTerm? {
    guard kind == .integer, case .value(.integer(let value)) = term else { return nil }
    return .value(.text(Array(String(value).utf8)))
  }
}

extension StoreValue {
  /// The spellings of a URI. A URL may spell some characters differently; both spellings denote the same URI.
  fileprivate var uriSpellings: [StoreValue] {
    guard case .text(let bytes) = self, let url = URL(string: String(decoding: bytes, as: UTF8.self)) else {
      return [self]
    }
    return [self] + URIText.spellings(of: url).map { .text(Array($0.utf8)) }
  }
}
