#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicateTranslator {
  /// The condition that at least one element of a sequence, or every element, meets a condition.
  ///
  /// - Parameter isEvery: whether the condition applies to all elements.
  fileprivate func quantified(
    _ sequence: any PredicateExpression, _ key: PredicateExpressions.VariableID, _ test: any PredicateExpression,
    isEvery: Bool
  ) throws(StoreError) -> PredicateTerm {
    switch try term(sequence) {
    case .rows(let members):
      let condition = try some(members) { (row) throws(StoreError) in
        let condition = try self.condition(test, row, key)
        return isEvery ? .negated(condition) : condition
      }
      return .condition(isEvery ? .negated(condition) : condition)
    case .constant(let value):
      var parts: [StoreCondition] = []
      for element in try elements(value) {
        bind(key, to: .term(PredicateConstant.term(element)))
        parts.append(try condition(test))
      }
      return .condition(isEvery ? .all(parts) : .any(parts))
    default: throw PredicateTranslator.notASequence
    }
  }

  /// The members of a to-many relationship that meet a condition.
  fileprivate func filtered(
    _ sequence: any PredicateExpression, _ key: PredicateExpressions.VariableID, _ test: any PredicateExpression
  ) throws(StoreError) -> PredicateTerm {
    guard case .rows(var members) = try term(sequence) else { throw PredicateTranslator.notASequence }
    members.filters.append(PredicateMembers.Filter(key: key, test: test))
    return .rows(members)
  }

  fileprivate func elements(_ value: Any) throws(StoreError) -> [Any] {
    guard let sequence = value as? any Sequence, !(value is String) else { throw PredicateTranslator.notASequence }
    func all<Elements: Sequence>(_ elements: Elements) -> [Any] { elements.map { $0 } }
    return all(sequence)
  }

  fileprivate static var notASequence: StoreError {
    error("looks for elements in a value", "look in a to-many relationship or in a captured array or set")
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.quantified(sequence, variable.key, test, isEvery: false)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.quantified(sequence, variable.key, test, isEvery: true)
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.filtered(sequence, variable.key, filter)
  }
}

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.contains(translator.term(sequence), translator.term(element))
  }
}

extension PredicateTranslator {
  fileprivate func contains(_ sequence: PredicateTerm, _ element: PredicateTerm) throws(StoreError) -> PredicateTerm {
    switch sequence {
    case .rows(let members):
      return .condition(
        try some(members) { (row) throws(StoreError) in try self.equality(.row(row), element) })
    case .constant(let value): return .condition(try isOne(element, of: elements(value)))
    default:
      throw PredicateTranslator.error(
        "looks for a character or an element in a value", "look for a string, or filter with a closure")
    }
  }

  fileprivate func isOne(_ element: PredicateTerm, of values: [Any]) throws(StoreError) -> StoreCondition {
    var parts: [StoreCondition] = []
    var term: StoreTerm?
    var constants: [StoreValue] = []
    for value in values {
      switch try equality(element, PredicateConstant.term(value)) {
      case .equal(let left, .value(let constant)):
        term = left
        constants.append(constant)
      case let condition: parts.append(condition)
      }
    }
    if let term { parts.append(.isOne(term, of: constants)) }
    return .any(parts)
  }
}

// MARK: Strings

extension PredicateTranslator {
  fileprivate func texts(
    _ text: any PredicateExpression, _ part: any PredicateExpression
  ) throws(StoreError) -> (StoreTerm, StoreTerm)? {
    guard let text = try scalar(text), let part = try scalar(part) else { return nil }
    guard text.kind == .string, part.kind == .string else {
      throw PredicateTranslator.error("looks for a part of something other than a string", "filter with a closure")
    }
    return (text.term, part.term)
  }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    .condition(try translator.texts(base, other).map { .containsText($0, $1) } ?? .never)
  }
}

#if canImport(Darwin)
  /// Foundation declares this expression only on Apple's platforms.
  extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
    func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
      let folding: TextFolding = [.ignoringCase, .ignoringAccents]
      guard let text = try translator.scalar(root), let part = try translator.scalar(other) else {
        return .condition(.never)
      }
      guard text.kind == .string, part.kind == .string else {
        throw PredicateTranslator.error("searches something other than a string", "filter with a closure")
      }
      return .condition(.containsText(text.folded(folding).term, part.folded(folding).term))
    }
  }
#endif

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    .condition(try translator.texts(base, prefix).map { .startsWith($0, $1) } ?? .never)
  }
}

// MARK: Ranges

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(StoreError) -> PredicateTerm {
    try translator.checkOrder(Element.Output.self)
    return .condition(try translator.contains(translator.bounds(range), translator.scalar(element)))
  }
}

extension PredicateTranslator {
  fileprivate func bounds(_ range: any PredicateExpression) throws(StoreError) -> PredicateBounds {
    if let range = range as? any BoundedExpression { return try range.bounds(self) }
    guard case .constant(let value) = try term(range), let range = value as? any BoundedRange else {
      throw PredicateTranslator.error("uses a range that has no translation", "compare with its bounds")
    }
    var bounds = PredicateBounds(
      hasLower: range.lowest != nil, hasUpper: range.highest != nil, includesUpper: range.includesHighest)
    if let lowest = range.lowest { bounds.lower = try scalar(.constant(lowest), "contains") }
    if let highest = range.highest { bounds.upper = try scalar(.constant(highest), "contains") }
    return bounds
  }

  fileprivate func contains(_ bounds: PredicateBounds, _ value: PredicateScalar?) throws(StoreError) -> StoreCondition {
    var parts: [StoreCondition] = []
    if bounds.hasLower { parts.append(try order(bounds.lower, isAtMost: value)) }
    if bounds.hasUpper {
      parts.append(
        try bounds.includesUpper ? order(value, isAtMost: bounds.upper) : order(value, isLessThan: bounds.upper))
    }
    return .all(parts)
  }
}

/// The bounds of a range.
private struct PredicateBounds {
  var lower: PredicateScalar?
  var upper: PredicateScalar?
  var hasLower = true
  var hasUpper = true
  var includesUpper: Bool
}

private protocol BoundedExpression {
  func bounds(_ translator: PredicateTranslator) throws(StoreError) -> PredicateBounds
}

extension PredicateExpressions.Range: BoundedExpression {
  fileprivate func bounds(_ translator: PredicateTranslator) throws(StoreError) -> PredicateBounds {
    PredicateBounds(lower: try translator.scalar(lower), upper: try translator.scalar(upper), includesUpper: false)
  }
}

extension PredicateExpressions.ClosedRange: BoundedExpression {
  fileprivate func bounds(_ translator: PredicateTranslator) throws(StoreError) -> PredicateBounds {
    PredicateBounds(lower: try translator.scalar(lower), upper: try translator.scalar(upper), includesUpper: true)
  }
}

/// A captured range.
private protocol BoundedRange {
  var lowest: Any? { get }
  var highest: Any? { get }
  var includesHighest: Bool { get }
}

extension Range: BoundedRange {
  fileprivate var lowest: Any? { lowerBound }
  fileprivate var highest: Any? { upperBound }
  fileprivate var includesHighest: Bool { false }
}

extension ClosedRange: BoundedRange {
  fileprivate var lowest: Any? { lowerBound }
  fileprivate var highest: Any? { upperBound }
  fileprivate var includesHighest: Bool { true }
}

extension PartialRangeFrom: BoundedRange {
  fileprivate var lowest: Any? { lowerBound }
  fileprivate var highest: Any? { nil }
  fileprivate var includesHighest: Bool { true }
}

extension PartialRangeThrough: BoundedRange {
  fileprivate var lowest: Any? { nil }
  fileprivate var highest: Any? { upperBound }
  fileprivate var includesHighest: Bool { true }
}

extension PartialRangeUpTo: BoundedRange {
  fileprivate var lowest: Any? { nil }
  fileprivate var highest: Any? { upperBound }
  fileprivate var includesHighest: Bool { false }
}
