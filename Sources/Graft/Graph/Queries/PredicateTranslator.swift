#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Translates Foundation predicates to the conditions of stores.
///
///     $0.name == wanted && $0.publisher?.name == "DC"
///     and([equal(column(name), 'Batman'), equal(column(publisher -> name), 'DC')])
///
/// Each type of expression has its own translation, in the files named `PredicateTranslator+…`.
final class PredicateTranslator {
  let context: ManagedObjectContext
  let map: StoreMap
  /// The meaning of each closure parameter. An unwrapped optional is translated again wherever it is used.
  private(set) var variables: [PredicateExpressions.VariableID: Variable] = [:]
  /// The number of rows that conditions can mention.
  private var depth = 1
  /// The tables of objects that a condition refers to by row number, and of the owners through which these objects are found. A
  /// number changes if the object is committed or moves, or if a different object has the identity.
  private(set) var namedTables: Set<Int> = []

  enum Variable {
    case term(PredicateTerm)
    case expression(any PredicateExpression)
  }

  var schema: StoreSchema { map.schema }
  var plan: Plan { context.model.plan }

  init(_ context: ManagedObjectContext) {
    self.context = context
    map = context.queryMap
  }

  /// Translates a predicate about the objects of an entity.
  func condition<Object>(
    _ predicate: Predicate<Object>, entity: Int
  ) throws(StoreError) -> StoreCondition {
    let row = PredicateRow(path: StorePath(), entity: entity)
    bind(predicate.variable.key, to: .term(.row(row)))
    return try condition(predicate.expression)
  }

  /// Translates predicates about the objects of an entity. All predicates must be satisfied.
  func condition<Object>(
    _ predicates: [Predicate<Object>], entity: Int
  ) throws(StoreError) -> StoreCondition {
    var parts: [StoreCondition] = []
    for predicate in predicates { parts.append(try condition(predicate, entity: entity)) }
    return .all(parts)
  }

  func noteNamedRow(in table: Int) { namedTables.insert(table) }

  func bind(_ key: PredicateExpressions.VariableID, to variable: Variable) { variables[key] = variable }

  // MARK: Expressions

  func term(_ expression: any PredicateExpression) throws(StoreError) -> PredicateTerm {
    guard let translatable = expression as? any TranslatableExpression else {
      throw PredicateTranslator.error(
        "uses '\(PredicateTranslator.name(of: expression))', which has no translation",
        "express it in another way, combine several predicates with a comma, or filter with a closure")
    }
    return try translatable.term(self)
  }

  /// The condition that an expression represents.
  func condition(_ expression: any PredicateExpression) throws(StoreError) -> StoreCondition {
    switch try term(expression) {
    case .condition(let condition): return condition
    case .constant(let value as Bool): return value ? .always : .never
    case .scalar(let scalar) where scalar.kind == .boolean: return isTrue(scalar.term)
    case .null: return .never
    default:
      throw PredicateTranslator.error(
        "uses '\(PredicateTranslator.name(of: expression))' as a condition", "compare it with a value")
    }
  }

  /// A condition on a row, which a variable represents.
  func condition(
    _ test: any PredicateExpression, _ row: PredicateRow, _ key: PredicateExpressions.VariableID
  ) throws(StoreError) -> StoreCondition {
    bind(key, to: .term(.row(row)))
    return try condition(test)
  }

  /// The value of an expression.
  func scalar(_ expression: any PredicateExpression) throws(StoreError) -> PredicateScalar? {
    try scalar(term(expression), PredicateTranslator.name(of: expression))
  }

  /// The value of a term; nil if the term is nil.
  func scalar(_ term: PredicateTerm, _ name: String) throws(StoreError) -> PredicateScalar? {
    switch term {
    case .scalar(let scalar): return scalar
    case .null: return nil
    case .condition(let condition): return PredicateScalar(term: .condition(condition), kind: .boolean)
    case .constant(let value):
      guard let scalar = PredicateConstant.scalar(value) else {
        throw PredicateTranslator.error(
          "captures a '\(type(of: value))', which no attribute stores", "capture a value that an attribute can hold")
      }
      return scalar
    case .row, .id, .rows:
      throw PredicateTranslator.error(
        "uses an object where '\(name)' requires the value of an attribute", "name an attribute of the object")
    }
  }

  /// The condition that a boolean term is true. The first two cases come from conditions on optionals.
  func isTrue(_ term: StoreTerm) -> StoreCondition {
    switch term {
    case .condition(let condition): condition
    case .choice(let test, .condition(let condition), .value(.null)): .all([test, condition])
    case .value(let value): value == .integer(1) ? .always : .never
    default: .isTrue(term)
    }
  }

  // MARK: Members

  /// Whether at least one member of a to-many relationship meets a condition.
  func some(
    _ members: PredicateMembers, _ test: (PredicateRow) throws(StoreError) -> StoreCondition
  ) throws(StoreError) -> StoreCondition {
    let condition = try within(members, test)
    return .all(members.owner.guards + [.some(members.owner.path, of: members.members, condition)])
  }

  /// A condition on a member. Relationships of sibling entities may share a column, so members of other entities are excluded.
  func within(
    _ members: PredicateMembers, _ test: (PredicateRow) throws(StoreError) -> StoreCondition
  ) throws(StoreError) -> StoreCondition {
    let member = PredicateRow(path: StorePath(variable: depth), entity: members.entity)
    depth += 1
    defer { depth -= 1 }
    var parts = [isKind(member.path, members.entity)]
    for filter in members.filters { parts.append(try condition(filter.test, member, filter.key)) }
    parts.append(try test(member))
    return .all(parts)
  }

  /// Whether the row at a path belongs to an entity. `always` if all rows of the table belong to it.
  func isKind(_ path: StorePath, _ entity: Int) -> StoreCondition {
    let all = plan.entities[entity].concreteAndSubentities
    if path.references.isEmpty, all.count == map.entities[plan.layouts[entity].table].count { return .always }
    return .isKind(path, all.map { map.positions[$0] })
  }

  // MARK: Errors

  static func error(_ what: String, _ advice: String) -> StoreError {
    StoreError(.untranslatablePredicate, "the predicate \(what); \(advice)")
  }

  /// The name of an expression: `SequenceMaximum`.
  static func name(of expression: any PredicateExpression) -> String {
    String(String(describing: type(of: expression)).prefix { $0 != "<" })
  }
}

/// A type of expression that conditions can express.
protocol TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm
}
