#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The meaning of a part of a predicate.
enum PredicateTerm {
  /// A captured value that is not nil.
  case constant(Any)
  case null
  case scalar(PredicateScalar)
  case condition(StoreCondition)
  /// An object, or nil.
  case row(PredicateRow)
  /// The ID of an object; nil if there is no object.
  case id(PredicateRow)
  case rows(PredicateMembers)
}

/// A value and its kind. Values of different kinds are not compared.
struct PredicateScalar {
  enum Kind: String {
    case integer, number, decimal, boolean, string, date, binary, uuid, uri, json, list

    var isNumber: Bool { self == .integer || self == .number }
  }

  var term: StoreTerm
  var kind: Kind
  /// For a constant date: the microseconds of all dates that read as the same `Date`.
  var dates: ClosedRange<Int64>?

  /// The smallest value that a constant represents.
  var first: StoreTerm { dates.map { .value(.integer($0.lowerBound)) } ?? term }
  /// The largest value that a constant represents.
  var last: StoreTerm { dates.map { .value(.integer($0.upperBound)) } ?? term }
}

extension PredicateScalar {
  /// The string without the differences that a comparison ignores. Constants are folded once.
  func folded(_ folding: TextFolding) -> PredicateScalar {
    var folded = self
    if case .value(.text(let bytes)) = term {
      folded.term = .value(.text(folding.folded(bytes)))
    } else {
      folded.term = .folded(term, folding)
    }
    return folded
  }
}

/// The object at a path.
struct PredicateRow {
  var path: StorePath
  var entity: Int
  /// Further conditions that must be met for the object to exist, for example that it belongs to the class that it was cast to.
  var guards: [StoreCondition] = []

  /// Whether there is no object.
  var isMissing: StoreCondition {
    let isNil = StoreCondition.equal(.id(path), .value(.null))
    return guards.isEmpty ? isNil : .or([.not(.all(guards)), isNil])
  }

  var idTerm: StoreTerm { guarded(.id(path)) }

  func guarded(_ term: StoreTerm) -> StoreTerm {
    guards.isEmpty ? term : .choice(.all(guards), term, .value(.null))
  }
}

/// The objects of a to-many relationship that meet certain conditions.
struct PredicateMembers {
  var owner: PredicateRow
  var members: StoreMembers
  var entity: Int
  var filters: [Filter] = []

  /// A condition on the members, which a variable represents.
  struct Filter {
    var key: PredicateExpressions.VariableID
    var test: any PredicateExpression
  }
}

extension StoreCondition {
  /// A condition that is met if all of the given conditions are met.
  static func all(_ conditions: [StoreCondition]) -> StoreCondition {
    let parts = conditions.flatMap { condition in
      if case .and(let parts) = condition { parts } else { condition == .always ? [] : [condition] }
    }
    if parts.contains(.never) { return .never }
    return parts.isEmpty ? .always : parts.count == 1 ? parts[0] : .and(parts)
  }

  /// A condition that is met if at least one of the given conditions is met.
  static func any(_ conditions: [StoreCondition]) -> StoreCondition {
    let parts = conditions.flatMap { condition in
      if case .or(let parts) = condition { parts } else { condition == .never ? [] : [condition] }
    }
    if parts.contains(.always) { return .always }
    return parts.isEmpty ? .never : parts.count == 1 ? parts[0] : .or(parts)
  }

  /// The opposite of a condition.
  static func negated(_ condition: StoreCondition) -> StoreCondition {
    switch condition {
    case .always: .never
    case .never: .always
    case .not(let condition): condition
    default: .not(condition)
    }
  }
}
