/// One violation of the model, in words. The validator finds facts; the functions of this type phrase them.
struct ValidationFinding {
  let code: DiagnosticCode
  /// The slot of the property; nil for the object as a whole.
  let slot: Int?
  /// The index of the element that is wrong, if the value is a list and not wrong as a whole.
  var element: Int?
  /// The expectation, or the problem. In the message, the actual value follows the expectation.
  var expectation: String
  /// The actual value; nil if the message does not contain it.
  var found: String?
  /// The key in the model that the value violates.
  var key: ModelFileKey?
  /// The error that a closure of the program threw.
  var cause: (any Error)?
  /// The row of another object that has the same alternate identity.
  var other: UInt32?

  /// The whole message.
  var message: String { found.map { "\(expectation), found \($0)" } ?? expectation }

  /// Whether a required value is missing.
  var isMissing: Bool { code == .missingValue }

  /// The finding as it is shown to people (M29).
  func shown(_ entity: EntityPlan, _ property: PropertyPlan?) -> Self {
    guard property?.isSensitive ?? entity.hidesValues else { return self }
    var finding = self
    finding.found = found.map(HiddenValue.phrase)
    if let cause {
      let text = HiddenValue.text(of: cause, isHidden: true)
      finding.expectation = "'\(property?.name ?? entity.name)' is not valid: \(text)"
    }
    return finding
  }

  /// The finding about an object, with the line of the model that is violated.
  func diagnostic(_ entity: EntityPlan, _ object: ManagedObject) -> Diagnostic {
    var diagnostic = diagnostic(entity)
    diagnostic.subject?.objectName = object.description
    diagnostic.subject = diagnostic.subject?.with(object: object.objectID)
    return diagnostic
  }

  /// The finding, with the line of the model that is violated.
  func diagnostic(_ entity: EntityPlan) -> Diagnostic {
    let property = slot.map { entity.properties[$0] }
    let source = property?.source ?? entity.description.source
    let key = key.flatMap { source[$0] == nil ? nil : $0 }
    let message = shown(entity, property).message
    var diagnostic = Diagnostic(
      code: code, element.map { "\(message) at index \($0)" } ?? message,
      notes: [Diagnostic.Note("'\(property?.name ?? entity.name)' is declared here", at: source.location(of: key))])
    diagnostic.subject = Diagnostic.Subject(entityName: entity.name, propertyName: property?.name)
    return diagnostic
  }

  // MARK: Required values

  static func missing(_ slot: Int, _ name: String, isToMany: Bool) -> Self {
    Self(
      code: .missingValue, slot: slot,
      expectation: isToMany
        ? "expected at least one object in '\(name)'" : "expected a value for '\(name)', which is not optional",
      found: "none", key: .optional)
  }

  /// An object has lost the owner that identifies it (M12).
  static func withoutOwner(_ slot: Int, _ name: String, _ relationship: PropertyPlan) -> Self {
    let owner = relationship.relationship
    let nesting = owner?.inverseName.map { "in '\($0)' of its '\(owner?.destinationName ?? "")'" } ?? "in its owner"
    let way = relationship.importedKeyPath.map { ", or name the owner under \(FoundPhrase.quoted("\($0)".utf8))" } ?? ""
    return Self(
      code: .missingValue, slot: slot,
      expectation: "expected an owner for '\(name)', which identifies the object (nest it \(nesting)\(way))",
      found: "none", key: nil)
  }

  /// Another object has the same alternate identity (M27).
  static func taken(
    _ slot: Int, _ properties: [String], _ values: [String], by name: String, _ other: UInt32
  ) -> Self {
    let names = properties.map { "'\($0)'" }.joined(separator: " and ")
    return Self(
      code: .duplicateIdentity, slot: slot,
      expectation:
        "expected \(values.count == 1 ? "a value" : "values") of \(names) that no other object has, found \(values.joined(separator: " and ")), as in '\(name)'",
      other: other)
  }

  // MARK: Values

  private static func invalid(_ slot: Int, _ expectation: String, found: String, _ key: ModelFileKey) -> Self {
    Self(code: .invalidValue, slot: slot, expectation: expectation, found: found, key: key)
  }

  static func notListed(_ slot: Int, _ name: String, _ value: AttributeValue, legal: [AttributeValue]) -> Self {
    let list = legal.map { JSONWriter.text(of: $0.jsonValue) }.joined(separator: ", ")
    return invalid(
      slot, "expected \(legal.count == 1 ? "" : "one of ")\(list) for '\(name)'", found: value.foundPhrase, .enum)
  }

  /// The value that selects the entity of an object selects a different entity (M3), or no entity.
  static func contradictsEntity(
    _ slot: Int, _ name: String, _ value: AttributeValue, _ selected: String?, _ own: String
  ) -> Self {
    let other = selected.map { "'\($0)'" } ?? "no entity"
    return invalid(
      slot, "expected a value for '\(name)' that selects '\(own)', the entity of the object, instead of \(other)",
      found: value.foundPhrase, .entityMapper)
  }

  static func belowMinimum(_ slot: Int, _ name: String, _ value: AttributeValue, _ least: AttributeValue) -> Self {
    invalid(
      slot, "expected at least \(JSONWriter.text(of: least.jsonValue)) for '\(name)'", found: value.foundPhrase,
      .minimum)
  }

  static func aboveMaximum(_ slot: Int, _ name: String, _ value: AttributeValue, _ most: AttributeValue) -> Self {
    invalid(
      slot, "expected at most \(JSONWriter.text(of: most.jsonValue)) for '\(name)'", found: value.foundPhrase, .maximum)
  }

  /// - Parameter unit: the unit of the length: `character`.
  static func tooShort(_ slot: Int, _ name: String, _ length: Int, _ least: Int, _ unit: String) -> Self {
    invalid(slot, "expected at least \(count(least, unit)) for '\(name)'", found: "\(length)", .minLength)
  }

  static func tooLong(_ slot: Int, _ name: String, _ length: Int, _ most: Int, _ unit: String) -> Self {
    invalid(slot, "expected at most \(count(most, unit)) for '\(name)'", found: "\(length)", .maxLength)
  }

  static func noMatch(_ slot: Int, _ name: String, _ value: AttributeValue, _ pattern: TextPattern) -> Self {
    invalid(
      slot, "expected text that matches the pattern \(pattern.text) for '\(name)'", found: value.foundPhrase, .pattern)
  }

  // MARK: Relationships and lists

  /// - Parameter unit: the unit of the count: `object`.
  static func tooFew(_ slot: Int, _ name: String, _ number: Int, _ least: Int, _ unit: String) -> Self {
    invalid(slot, "expected at least \(count(least, unit)) in '\(name)'", found: "\(number)", .minCount)
  }

  static func tooMany(_ slot: Int, _ name: String, _ number: Int, _ most: Int, _ unit: String) -> Self {
    invalid(slot, "expected at most \(count(most, unit)) in '\(name)'", found: "\(number)", .maxCount)
  }

  // MARK: Closures

  /// A validation of the program does not accept the type of the value.
  static func unfit(_ slot: Int, _ name: String, _ value: AttributeValue, expected: String) -> Self {
    invalid(slot, "expected \(expected) for '\(name)'", found: value.foundPhrase, .type)
  }

  /// A validation of the program threw an error.
  ///
  /// - Parameter slot: the property that the error concerns; nil for the object as a whole.
  static func refused(_ slot: Int?, _ name: String, _ error: any Error) -> Self {
    Self(code: .invalidValue, slot: slot, expectation: "'\(name)' is not valid: \(error)", cause: error)
  }

  /// `1 object`, `2 objects`
  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
