/// Reads the values in the comparisons of a condition.
struct ConditionValue {
  private let text: ConditionText

  init(_ text: ConditionText) { self.text = text }

  /// Returns a value in the form of an attribute's value; nil if it is null. If the attribute is nil, the value is a number of members.
  ///
  /// The value may be in stored form or, if the attribute has a transformer, in its JSON form.
  ///
  /// - Parameter isOrdered: whether the values are compared by order, which also allows comparing integers with fractions.
  func scalar(
    _ literal: ConditionExpression.Literal, _ property: PropertyPlan?, _ title: String, isOrdered: Bool = false
  ) throws(ConditionError) -> PredicateScalar? {
    if literal.json.isNull { return nil }
    let type = property?.attribute?.storedType ?? .integer64
    guard type != .json else {
      let kind = property?.attribute?.isList == true ? "a list" : "JSON"
      throw text.error("'\(title)' is \(kind), which can only be compared with null", literal.range)
    }
    // A distant date with microseconds is more precise than a `Date`, which is interpolated with nanoseconds.
    if type == .date, let date = literal.json.stringValue,
      date.utf8.drop(while: { $0 != UInt8(ascii: ".") }).dropFirst().prefix(while: NumberText.isDigit).count <= 6,
      let microseconds = LentBytes.with(date, { DateText.microseconds($0) })
    {
      return PredicateScalar(term: .value(.integer(microseconds)), kind: .date)
    }
    do throws(AttributeValueError) {
      // Any integer may be compared with an attribute of a small integer type.
      let value = try AttributeValue(json: literal.json, type: type.integerRange == nil ? type : .integer64)
      return PredicateConstant.scalar(value)
    } catch {
      let value = property?.transformer.flatMap { transformer in
        (try? transformer.forward(literal.json)).flatMap { $0 }
      }
      if let value, let scalar = PredicateConstant.scalar(value) { return scalar }
      if isOrdered, type.integerRange != nil, let number = literal.json.numberValue?.double, abs(number) < 0x1p53 {
        return PredicateConstant.scalar(.double(number))
      }
      throw text.error("expected \(error.expected) for '\(title)', found \(error.found)", literal.range)
    }
  }
}
