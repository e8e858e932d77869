#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  /// In Swift, unwrapping nil traps. In a predicate, the result is nil.
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm { try translator.term(inner) }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.unwrapped(wrapped, variable.key, transform)
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    let (first, second) = (try translator.term(lhs), try translator.term(rhs))
    if case .null = first { return second }
    guard let value = try translator.scalar(first, "??") else { return second }
    guard let other = try translator.scalar(second, "??") else { return .scalar(value) }
    if case .choice(let test, .condition(let condition), .value(.null)) = value.term {
      // A condition on an optional, with the value to use if the optional is nil.
      return .condition(.any([.all([test, condition]), .all([.negated(test), translator.isTrue(other.term)])]))
    }
    guard let (term, replacement) = try translator.aligned(value, other) else { return .scalar(value) }
    return .scalar(PredicateScalar(term: .coalesce(term, replacement), kind: value.kind))
  }
}

extension PredicateTranslator {
  fileprivate func unwrapped(
    _ wrapped: any PredicateExpression, _ key: PredicateExpressions.VariableID, _ transform: any PredicateExpression
  ) throws(StoreError) -> PredicateTerm {
    let value = try term(wrapped)
    if case .null = value { return .null }
    bind(key, to: .expression(wrapped))
    return try transformed(term(transform), of: value)
  }

  /// The result of the closure of an optional chain; nil if the value before it is nil.
  fileprivate func transformed(_ result: PredicateTerm, of value: PredicateTerm) throws(StoreError) -> PredicateTerm {
    let exists = try existence(of: value)
    func isMissing(_ row: PredicateRow) -> Bool { row.isNil(with: value) }
    switch result {
    case .null: return .null
    case .row(var row):
      if !isMissing(row) { row.guards.append(exists) }
      return .row(row)
    case .id(var row):
      if !isMissing(row) { row.guards.append(exists) }
      return .id(row)
    case .rows(var members):
      if !isMissing(members.owner) { members.owner.guards.append(exists) }
      return .rows(members)
    case .condition(let condition):
      return .scalar(PredicateScalar(term: .choice(exists, .condition(condition), .value(.null)), kind: .boolean))
    case .scalar(let scalar):
      if scalar.term.isNil(with: value) { return result }
      return .scalar(PredicateScalar(term: .choice(exists, scalar.term, .value(.null)), kind: scalar.kind))
    case .constant:
      guard let scalar = try scalar(result, "flatMap") else { return .null }
      return .scalar(PredicateScalar(term: .choice(exists, scalar.term, .value(.null)), kind: scalar.kind))
    }
  }

  private func existence(of value: PredicateTerm) throws(StoreError) -> StoreCondition {
    if case .constant = value { return .always }
    if case .rows = value { return .always }
    return .negated(try equality(value, .null))
  }
}

extension PredicateRow {
  /// Whether there is no object if a value is nil, because the path to the object begins there.
  fileprivate func isNil(with value: PredicateTerm) -> Bool {
    switch value {
    case .row(let row), .id(let row):
      path.extends(row.path) && row.guards.allSatisfy { guards.contains($0) }
    default: false
    }
  }
}

extension StorePath {
  fileprivate func extends(_ other: StorePath) -> Bool {
    variable == other.variable && references.starts(with: other.references)
  }
}

extension StoreTerm {
  /// Whether a term is nil if a value is nil.
  fileprivate func isNil(with value: PredicateTerm) -> Bool {
    if case .scalar(let scalar) = value, scalar.term == self { return true }
    switch self {
    case .column(let path, _), .id(let path), .count(let path, _, _):
      if case .row(let row) = value { return row.guards.isEmpty && path.extends(row.path) }
      return false
    case .arithmetic(_, let left, let right): return left.isNil(with: value) || right.isNil(with: value)
    case .negative(let term), .folded(let term, _): return term.isNil(with: value)
    default: return false
    }
  }
}

// MARK: Classes

extension PredicateTranslator {
  /// A row as an object of a class; no object if the row does not belong to that class.
  fileprivate func cast(_ row: PredicateRow, to type: Any.Type) throws(StoreError) -> PredicateRow {
    let optional = (type as? any OptionalClass.Type)?.wrappedClass ?? type
    guard let type = optional as? ManagedObject.Type, let entity = plan.entity(named: type.entityName),
      plan.layouts[entity.index].table == plan.layouts[row.entity].table
    else {
      throw PredicateTranslator.error("casts an object to '\(type)'", "cast it to the class of a sub-entity")
    }
    var cast = row
    cast.entity = entity.index
    let isKind = isKind(row.path, entity.index)
    if isKind != .always { cast.guards.append(isKind) }
    return cast
  }

  fileprivate func row(_ expression: any PredicateExpression) throws(StoreError) -> PredicateRow {
    guard case .row(let row) = try term(expression) else {
      throw PredicateTranslator.error("casts a value", "cast objects only, or filter with a closure")
    }
    return row
  }
}

private protocol OptionalClass { static var wrappedClass: Any.Type { get } }
extension Optional: OptionalClass { fileprivate static var wrappedClass: Any.Type { Wrapped.self } }

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    .row(try translator.cast(translator.row(input), to: Desired.self))
  }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    .row(try translator.cast(translator.row(input), to: Desired.self))
  }
}

extension PredicateExpressions.TypeCheck: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    let row = try translator.cast(translator.row(input), to: Desired.self)
    return .condition(.negated(row.isMissing))
  }
}
