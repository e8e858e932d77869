// Values that an attribute does not accept (M5, M11, T3).
extension ImportFinding {
  /// An array position that the attribute cannot hold (M12).
  static func unfitIndex(_ subject: Subject, _ range: ClosedRange<Int64>, _ index: Int) -> Self {
    Self(
      .invalidValue, about: subject.named, "expected a position from 0 to \(range.upperBound) for \(subject.quoted)",
      found: .value("\(index)"),
      requirement: Requirement(subject.property.source, .type, "'\(subject.property.name)' is declared here"))
  }

  /// A value of another JSON type.
  ///
  /// - Parameter bytes: the value.
  static func wrongType(_ subject: Subject, _ bytes: some BidirectionalCollection<UInt8>, found: String) -> Self {
    let type = subject.property.attribute?.type ?? .json
    let expected = subject.property.transformer?.input ?? type.nounPhrase
    return Self(
      .wrongType, about: subject.named, "expected \(expected) for \(subject.quoted)", found: .value(found),
      requirement: subject.type(ImportAdvice.reading(bytes, subject)))
  }

  /// A value that is not an array, for an attribute that is a list (M13).
  static func notAList(_ subject: Subject, found: String) -> Self {
    Self(
      .wrongType, about: subject.named, "expected an array for \(subject.quoted)", found: .value(found),
      requirement: subject.list,
      remark: subject.property.isLenient ? nil : "to read a single value as a list of one, add \"lenient\": true")
  }

  /// An element of a list that is null, or for which the transformer returned nil (M13).
  ///
  /// - Parameter value: the element; nil if it is null.
  static func nullElement(_ subject: Subject, value: String?) -> Self {
    let element = "an element of \(subject.quoted)"
    guard let value, let transformer = subject.property.transformer else {
      return Self(
        .wrongType, about: subject.named, "expected a value for \(element)", found: "null", requirement: subject.list)
    }
    return Self(
      .wrongTransformerOutput, about: subject.named,
      "the transformer '\(transformer.name)' returned nil for \(subject.property.phrase(value)), and \(element) cannot be nil",
      requirement: subject.transformer())
  }

  /// A value of the right JSON type that the attribute cannot hold.
  ///
  /// - Parameter bytes: the value.
  static func unfitValue(_ subject: Subject, _ bytes: some BidirectionalCollection<UInt8>, found: String) -> Self {
    let type = subject.property.attribute?.type ?? .json
    return Self(
      .wrongType, about: subject.named, "expected \(type.rangePhrase) for \(subject.quoted)", found: .value(found),
      requirement: subject.type(ImportAdvice.reading(bytes, subject)))
  }

  /// A string that StringToInteger does not accept.
  ///
  /// - Parameter bytes: the value.
  static func unfitDigits(
    _ subject: Subject, _ bytes: some BidirectionalCollection<UInt8>, _ range: ClosedRange<Int64>, found: String
  ) -> Self {
    Self(
      .wrongType, about: subject.named,
      "expected a string of digits, such as \"42\", without leading zeros, from \(range.lowerBound) to "
        + "\(range.upperBound) for \(subject.quoted)", found: .value(found),
      requirement: subject.type(ImportAdvice.reading(bytes, subject)))
  }

  // MARK: Keys of objects

  /// A key that the attribute with the key path `@key` cannot hold.
  ///
  /// - Parameter range: the range of an integer attribute; nil for any other attribute.
  static func unfitKey(
    _ subject: Subject, _ key: some Collection<UInt8>, _ range: ClosedRange<Int64>?
  ) -> Self {
    let type = subject.property.attribute?.type ?? .string
    // StringToInteger takes text. A key is always text, so its content decides.
    let expected =
      range != nil ? AttributeType.integer64.nounPhrase : subject.property.transformer?.input ?? type.nounPhrase
    let (reason, advice) = range.map { keyAdvice(key, subject.property.name, $0) } ?? ("", nil)
    return Self(
      .wrongType, about: subject.named, "expected a key that spells \(expected) for \(subject.quoted)",
      found: .value("the key \(FoundPhrase.quoted(key))\(reason)"),
      requirement: Requirement(
        subject.property.source, .JSONKeyPath, "'\(subject.property.name)' is read from the key (@key) here"),
      remark: advice)
  }

  /// Returns why a key does not spell an integer, and how to read it.
  private static func keyAdvice(
    _ key: some Collection<UInt8>, _ name: String, _ range: ClosedRange<Int64>
  ) -> (reason: String, advice: String?) {
    let digits = key.first == UInt8(ascii: "-") ? key.dropFirst() : key[...]
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return ("", nil)
    }
    if digits.first == UInt8(ascii: "0"), digits.count > 1 {
      return (
        ", which has a leading zero", "to keep such keys as they are, declare '\(name)' with \"type\": \"string\""
      )
    }
    if digits.first == UInt8(ascii: "0") { return (", which must be written \"0\"", nil) }
    return (", which is not between \(range.lowerBound) and \(range.upperBound)", nil)
  }

  /// A part of a string that was split into a list (T8).
  static func unfitPart(_ subject: Subject, part: String) -> Self {
    let type = subject.property.attribute?.type ?? .json
    let digits = part.dropFirst().dropLast()
    if let range = type.integerRange, let number = JSONNumber(String(digits)),
      digits.allSatisfy({ "-0123456789".contains($0) }),
      Int64(digits).map(range.contains) != true
    {
      return Self(
        .invalidValue, about: subject.named, "expected \(type.rangePhrase) for each part of \(subject.quoted)",
        found: .value(part), requirement: subject.type(ImportAdvice.reading(.number(number), subject)))
    }
    let expected =
      subject.property.transformer.map { "text that '\($0.name)' can read" } ?? "text that spells \(type.nounPhrase)"
    return Self(
      .invalidValue, about: subject.named, "expected \(expected) for each part of \(subject.quoted)",
      found: .value(part),
      requirement: subject.transformer())
  }

  // MARK: Values in Swift

  /// A value of a Swift dictionary that is not JSON.
  static func notJSON(_ message: String) -> Self {
    var finding = Self(.notJSON, message)
    finding.isOfText = true
    return finding
  }
}

extension ImportFinding.Subject {
  /// The declaration of the attribute's type, or of the transformer that reads it.
  fileprivate func type(_ advice: String?) -> ImportFinding.Requirement {
    if property.transformer != nil { return transformer(advice) }
    let note = "'\(property.name)' is declared \(property.attribute?.typeText ?? "") here"
    return ImportFinding.Requirement(property.source, .type, note + (advice.map { "; \($0)" } ?? ""))
  }

  /// The declaration of the attribute as a list.
  fileprivate var list: ImportFinding.Requirement {
    ImportFinding.Requirement(
      property.source, .list, "'\(property.name)' is declared \(property.attribute?.typeText ?? "") here")
  }

  /// The declaration of the property's transformer.
  func transformer(_ advice: String? = nil) -> ImportFinding.Requirement {
    let declared = property.attribute?.transformerName ?? property.relationship?.transformerNames.first ?? ""
    return ImportFinding.Requirement(
      property.source, .JSONTransformerName,
      "'\(property.name)' is read by the transformer '\(property.transformer?.name ?? declared)' here"
        + (advice.map { "; \($0)" } ?? ""))
  }
}
