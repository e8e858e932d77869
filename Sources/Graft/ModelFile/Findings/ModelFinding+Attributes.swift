// Findings about attributes (M4, M5, M9, D11).
extension ModelFinding {
  static func sensitiveKey(_ attribute: String) -> Self {
    Self(
      .sensitiveKey,
      "\(attribute.quoted) cannot be sensitive, because it is read from the key of its object (@key), and messages contain keys"
    )
  }

  static func unfitValue(_ key: ModelFileKey, of attribute: String, _ error: AttributeValueError) -> Self {
    Self(.unfitValue, "expected \(error.expected) for \(key.quoted) of \(attribute.quoted), found \(error.found)")
  }

  static func brokenValidation(
    _ key: ModelFileKey, of attribute: String, _ value: AttributeValue, _ word: ModelFileKey, _ limit: String
  ) -> Self {
    Self(
      .brokenValidation,
      "\(key.quoted) of \(attribute.quoted) is \(value.foundPhrase), which violates its \(word.quoted), \(limit)")
  }

  static func notListed(_ attribute: String, _ value: AttributeValue) -> Self {
    Self(
      .brokenValidation,
      "\(ModelFileKey.default.quoted) of \(attribute.quoted) is \(value.foundPhrase), which its "
        + "\(ModelFileKey.enum.quoted) does not list")
  }

  static func unfitValidation(_ word: ModelFileKey, of attribute: String, _ type: AttributeType, fits: String) -> Self {
    Self(
      .unfitValidation,
      "\(word.quoted) does not fit \(attribute.quoted), which is of type '\(type.rawValue)': it is for \(fits)")
  }

  static func impossibleBounds(
    _ low: ModelFileKey, _ lowText: String, _ high: ModelFileKey, _ highText: String, of owner: String
  ) -> Self {
    Self(
      .impossibleBounds,
      "no value can satisfy both \(low.quoted) \(lowText) and \(high.quoted) \(highText) of \(owner.quoted)")
  }

  static func negativeBound(_ word: ModelFileKey, of owner: String, _ value: Int) -> Self {
    Self(.impossibleBounds, "\(word.quoted) of \(owner.quoted) is \(value): expected 0 or more")
  }

  static func countWithoutList(_ word: ModelFileKey, of attribute: String) -> Self {
    Self(
      .unfitValidation, "\(word.quoted) does not fit \(attribute.quoted), which is a single value: it is for lists")
  }

  static func brokenCount(of attribute: String, _ count: Int, _ word: ModelFileKey, _ limit: Int) -> Self {
    Self(
      .brokenValidation,
      "\(ModelFileKey.default.quoted) of \(attribute.quoted) has \(count) element\(count == 1 ? "" : "s"), which violates its "
        + "\(word.quoted), \(limit)")
  }

  static func misplacedList(_ attribute: String, _ reason: String) -> Self {
    Self(.misplacedList, "\(attribute.quoted) cannot be a list: \(reason)")
  }

  static func emptyEnum(_ attribute: String) -> Self {
    Self(.emptyEnum, "'enum' of \(attribute.quoted) is empty: list the legal values, or remove it")
  }

  static func extensibleWithoutEnum(_ attribute: String) -> Self {
    Self(.missingKey, "\(attribute.quoted) has 'extensible' but no 'enum' to extend")
  }

  static func repeatedEnumValue(_ attribute: String, _ value: AttributeValue) -> Self {
    Self(.repeatedEnumValue, "'enum' of \(attribute.quoted) lists \(value.foundPhrase) twice")
  }

  static func malformedPattern(_ pattern: String, of attribute: String, _ reason: String) -> Self {
    Self(.malformedPattern, "malformed pattern \(pattern.quoted) of \(attribute.quoted): \(reason)")
  }

  static func unsupportedPattern(_ pattern: String, of attribute: String, _ reason: String) -> Self {
    Self(.malformedPattern, "the pattern \(pattern.quoted) of \(attribute.quoted) cannot be used: \(reason)")
  }

  /// - Parameter owner: the attribute or relationship: `attribute 'Hero.name'`.
  static func malformedTransformer(_ name: String, of owner: String, _ reason: String) -> Self {
    Self(.unknownTransformer, "the transformer \(name.quoted) of \(owner) is malformed: \(reason)")
  }

  static func unfitChain(
    _ first: String, _ output: String, _ second: String, _ input: String, of owner: String
  ) -> Self {
    Self(
      .unfitTransformer,
      "the transformer \(second.quoted) of \(owner.quoted) reads \(input), but \(first.quoted) before it returns \(output)"
    )
  }

  /// A word about the forms of values in a place where it has no meaning.
  ///
  /// - Parameter owner: the property in quotes, or the model.
  static func misplacedForm(_ word: String, of owner: String, _ reason: String) -> Self {
    Self(.misplacedForm, "\(word.quoted) does not fit \(owner): \(reason)")
  }

  static func unfitTransformer(
    _ name: String, of attribute: String, _ type: AttributeType, fits: [AttributeType]
  ) -> Self {
    let types = fits.map(\.rawValue.quoted).joined(separator: ", ")
    return Self(
      .unfitTransformer,
      "the transformer \(name.quoted) fits type \(types), but \(attribute.quoted) is of type '\(type.rawValue)'")
  }

  static func oneWayTransformer(_ name: String, of attribute: String) -> Self {
    Self(
      .oneWayTransformer,
      "the transformer \(name.quoted) of \(attribute.quoted) has no reverse: exports write the stored value",
      severity: .warning)
  }
}
