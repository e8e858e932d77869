/// Resolves the paths in the text of a condition.
struct ConditionNames {
  /// The target of a path.
  enum Value {
    /// A value, with its attribute; nil if it is the number of members of a relationship.
    case scalar(PredicateScalar, PropertyPlan?)
    case object(PredicateRow)
    case members(PredicateMembers)

    var scalar: PredicateScalar? { if case .scalar(let scalar, _) = self { scalar } else { nil } }
  }

  /// The maximum number of names in a path. Longer paths are rejected, because they could overflow the stack.
  private static let longest = 100

  private let text: ConditionText
  private let predicates: PredicateTranslator

  /// - Parameter predicates: the translator of the whole condition, which numbers the rows that it mentions.
  init(_ text: ConditionText, _ predicates: PredicateTranslator) {
    self.text = text
    self.predicates = predicates
  }

  /// A path as it was written.
  func title(_ path: ConditionExpression.Path) -> String { path.names.map(\.text).joined(separator: ".") }

  /// - Parameter isValue: whether a value could appear in place of the path.
  func value(
    _ path: ConditionExpression.Path, _ row: PredicateRow, isValue: Bool = false
  ) throws(ConditionError) -> Value {
    guard path.names.count <= ConditionNames.longest else {
      throw text.error("the path has more than \(ConditionNames.longest) names", path.range)
    }
    var value = Value.object(row)
    for (index, name) in path.names.enumerated() {
      switch value {
      case .object(let owner): value = try property(name, of: owner, isValue: isValue && path.names.count == 1)
      case .members(let members) where name.text == "count" && index == path.names.count - 1:
        value = .scalar(try count(members, name.range), nil)
      case .members:
        let before = path.names[..<index].map(\.text).joined(separator: ".")
        throw text.error(
          "'\(before)' is a to-many relationship; write 'some \(before) (\(name.text) ...)' or '\(before).count'",
          name.range)
      case .scalar:
        throw text.error("'\(path.names[index - 1].text)' is an attribute, which has no properties", name.range)
      }
    }
    return value
  }

  private func property(
    _ name: (text: String, range: SourceRange), of row: PredicateRow, isValue: Bool
  ) throws(ConditionError) -> Value {
    let entity = predicates.plan.entities[row.entity]
    guard let slot = entity.slotNumbers[name.text] else { throw unknown(name, entity, isValue) }
    switch predicates.property(.init(entity: row.entity, slot: slot), of: row) {
    case .scalar(let scalar): return .scalar(scalar, entity.properties[slot])
    case .row(let row): return .object(row)
    case .rows(let members): return .members(members)
    default: throw unknown(name, entity, isValue)
    }
  }

  private func unknown(
    _ name: (text: String, range: SourceRange), _ entity: EntityPlan, _ isValue: Bool
  ) -> ConditionError {
    let entities = entity.concreteAndSubentities.map { predicates.plan.entities[$0] }
    if let owner = entities.first(where: { $0.slotNumbers[name.text] != nil }) {
      return text.error(
        "'\(name.text)' is a property of '\(owner.name)', a sub-entity of '\(entity.name)'", name.range)
    }
    let suggestion = Suggestion.nearest(to: name.text, among: entity.properties.map(\.name))
    let isNull = ["nil", "none"].contains(name.text.lowercased())
    let hint =
      !isValue || suggestion != nil ? "" : isNull ? "; write null" : "; text needs quotes: \(JSON.string(name.text))"
    return text.error(
      "'\(entity.name)' has no property '\(name.text)'\(hint)", name.range, suggestion: suggestion)
  }

  private func count(_ members: PredicateMembers, _ range: SourceRange) throws(ConditionError) -> PredicateScalar {
    do throws(StoreError) {
      return try predicates.count(members)
    } catch {
      throw text.error(error.diagnostics.first?.message ?? "it cannot be counted", range)
    }
  }

  /// The attribute that identifies an object.
  func identity(
    of row: PredicateRow, _ path: ConditionExpression.Path
  ) throws(ConditionError) -> (PredicateScalar, PropertyPlan) {
    let entity = predicates.plan.entities[row.entity]
    guard entity.identitySlots.count == 1, let slot = entity.identitySlots.first,
      case .scalar(let scalar) = predicates.property(.init(entity: row.entity, slot: slot), of: row)
    else {
      throw text.error(
        "'\(title(path))' is an object that a single value cannot identify; compare its attributes", path.range)
    }
    return (scalar, entity.properties[slot])
  }
}
