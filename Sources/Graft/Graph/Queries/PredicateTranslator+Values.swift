#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicateExpressions.Value: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm { PredicateConstant.term(value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm { .null }
}

extension PredicateExpressions.Variable: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    switch translator.variables[key] {
    case .term(let term): return term
    case .expression(let expression): return try translator.term(expression)
    case nil: throw PredicateTranslator.error("uses a variable of another predicate", "write both as one predicate")
    }
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    let owner = try translator.term(root)
    switch owner {
    case .constant(let value):
      // A property of a captured value.
      if let value = value as? Root.Output { return PredicateConstant.term(value[keyPath: keyPath]) }
    case .null: return .null
    case .row(let row):
      if Output.self == ManagedObjectID.self { return .id(row) }
      return try translator.property(keyPath, of: row)
    case .rows(let members):
      switch PredicateTranslator.collectionProperty(keyPath, of: Root.Output.self) {
      case .count: return .scalar(try translator.count(members))
      case .isEmpty:
        return .condition(.negated(try translator.exists(members)))
      case nil: break
      }
    case .scalar(let scalar):
      if scalar.kind == .string, PredicateTranslator.collectionProperty(keyPath, of: Root.Output.self) == .isEmpty {
        return .condition(.equal(scalar.term, .value(.text([]))))
      }
    case .condition, .id: break
    }
    throw PredicateTranslator.error(
      "reads a property of type '\(Output.self)' of '\(Root.Output.self)', which has no translation",
      "compare the value itself, or filter with a closure")
  }
}

extension PredicateTranslator {
  enum CollectionProperty { case count, isEmpty }

  static func collectionProperty(_ keyPath: AnyKeyPath, of type: Any.Type) -> CollectionProperty? {
    (type as? any QueriedCollection.Type)?.queriedProperty(keyPath)
  }

  /// The value of a key path of an object.
  func property(_ keyPath: AnyKeyPath, of row: PredicateRow) throws(StoreError) -> PredicateTerm {
    let type = Swift.type(of: keyPath)
    guard let place = context.model.queryableSlots[keyPath] else {
      throw PredicateTranslator.error(
        "reads a property of type '\(type.valueType)' that '\(type.rootType).queryableProperties' does not list",
        "add it to the list with its name in the model, even if it is inherited, or filter with a closure")
    }
    return property(place, of: row)
  }

  /// The value of a property of an object.
  func property(_ place: QueryableSlots.Place, of row: PredicateRow) -> PredicateTerm {
    let slot = plan.layouts[place.entity].slots[place.slot]
    switch schema.places[place.entity][place.slot] {
    case .column(let column):
      guard slot.kind == .toOne else {
        let attribute = plan.entities[place.entity].properties[place.slot].attribute
        return .scalar(
          PredicateScalar(
            term: row.guarded(.column(row.path, column)), kind: attribute.map { PredicateScalar.Kind($0) } ?? .json))
      }
      let reference = StorePath.Reference(table: plan.layouts[place.entity].table, column: column)
      let path = StorePath(variable: row.path.variable, references: row.path.references + [reference])
      return .row(PredicateRow(path: path, entity: slot.destination, guards: row.guards))
    case let storage:
      guard let members = storage.members else { return .null }
      return .rows(PredicateMembers(owner: row, members: members, entity: slot.destination))
    }
  }

  /// Whether there is at least one member.
  func exists(_ members: PredicateMembers) throws(StoreError) -> StoreCondition {
    try some(members) { (_) throws(StoreError) in .always }
  }

  func count(_ members: PredicateMembers) throws(StoreError) -> PredicateScalar {
    let condition = try within(members) { (_) throws(StoreError) in .always }
    return PredicateScalar(
      term: members.owner.guarded(.count(members.owner.path, members.members, where: condition)), kind: .integer)
  }
}

/// A collection whose own key paths are known. The key paths of its protocols differ from these.
private protocol QueriedCollection {
  static func queriedProperty(_ keyPath: AnyKeyPath) -> PredicateTranslator.CollectionProperty?
}

extension RelatedObjects: QueriedCollection {
  fileprivate static func queriedProperty(_ keyPath: AnyKeyPath) -> PredicateTranslator.CollectionProperty? {
    keyPath == \Self.count ? .count : keyPath == \Self.isEmpty ? .isEmpty : nil
  }
}

extension Array: QueriedCollection {
  fileprivate static func queriedProperty(_ keyPath: AnyKeyPath) -> PredicateTranslator.CollectionProperty? {
    keyPath == \Self.count ? .count : keyPath == \Self.isEmpty ? .isEmpty : nil
  }
}

extension Set: QueriedCollection {
  fileprivate static func queriedProperty(_ keyPath: AnyKeyPath) -> PredicateTranslator.CollectionProperty? {
    keyPath == \Self.count ? .count : keyPath == \Self.isEmpty ? .isEmpty : nil
  }
}

extension String: QueriedCollection {
  fileprivate static func queriedProperty(_ keyPath: AnyKeyPath) -> PredicateTranslator.CollectionProperty? {
    keyPath == \Self.count ? .count : keyPath == \Self.isEmpty ? .isEmpty : nil
  }
}

// MARK: Arithmetic

extension PredicateTranslator {
  /// A term for arithmetic of integers, doubles and floats.
  fileprivate func arithmetic(
    _ operation: StoreTerm.Arithmetic, _ left: any PredicateExpression, _ right: any PredicateExpression
  ) throws(StoreError) -> PredicateTerm {
    guard let left = try number(left), let right = try number(right) else { return .null }
    return .scalar(PredicateScalar(term: .arithmetic(operation, left.term, right.term), kind: left.kind))
  }

  fileprivate func number(_ expression: any PredicateExpression) throws(StoreError) -> PredicateScalar? {
    guard let scalar = try scalar(expression) else { return nil }
    guard scalar.kind.isNumber else {
      throw PredicateTranslator.error(
        "calculates with a \(scalar.kind.rawValue)", "calculate with integers or doubles, or filter with a closure")
    }
    return scalar
  }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    switch op {
    case .add: return try translator.arithmetic(.add, lhs, rhs)
    case .subtract: return try translator.arithmetic(.subtract, lhs, rhs)
    case .multiply: return try translator.arithmetic(.multiply, lhs, rhs)
    @unknown default: throw PredicateTranslator.error("uses the operation '\(op)'", "use a different one")
    }
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.arithmetic(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.arithmetic(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.arithmetic(.remainder, lhs, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    guard let value = try translator.number(wrapped) else { return .null }
    return .scalar(PredicateScalar(term: .negative(value.term), kind: value.kind))
  }
}
