#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks that the program's validations name existing entities and attributes, and accept the types of their values (M9).
struct RegisteredValidations {
  let plan: Plan
  let registry: TransformerRegistry

  /// Returns the errors, in the order of registration.
  ///
  /// - Parameter classes: the class of each entity's objects.
  func findings(_ classes: [ManagedObject.Type]) -> [Diagnostic] {
    registry.valueValidations.compactMap(finding)
      + registry.objectValidations.compactMap { finding($0, classes) }
  }

  private func finding(_ validation: ValueValidation) -> Diagnostic? {
    guard let entity = plan.entity(named: validation.entityName) else { return unknownEntity(validation.entityName) }
    let name = "\(entity.name).\(validation.attributeName)"
    guard let property = entity.properties.first(where: { $0.name == validation.attributeName }) else {
      return Diagnostic(
        .error, code: .unknownAttribute,
        "a validation is registered for '\(name)', but '\(entity.name)' has no such attribute",
        at: entity.description.source.location(),
        suggestion: Suggestion.nearest(to: validation.attributeName, among: entity.properties.map(\.name)))
    }
    guard let attribute = property.attribute else {
      return Diagnostic(
        .error, code: .unknownAttribute,
        "a validation is registered for '\(name)', which is a relationship: validate it in a validation of the entity",
        at: property.source.location())
    }
    // A type that accepts none of the samples, such as an enum, may still accept other values, so this is not an error.
    guard !validation.takes(Self.sample(of: attribute)), Self.samples.contains(where: validation.takes) else {
      return nil
    }
    return Diagnostic(
      .error, code: .unfitValidation,
      "the validation of '\(name)' takes \(validation.typeName), but '\(attribute.name)' is declared \(attribute.typeText)",
      at: attribute.source.location(of: .type))
  }

  private func finding(_ validation: ObjectValidation, _ classes: [ManagedObject.Type]) -> Diagnostic? {
    guard let entity = plan.entity(named: validation.entityName) else { return unknownEntity(validation.entityName) }
    guard !validation.takes(classes[entity.index]) else { return nil }
    return Diagnostic(
      .error, code: .unfitValidation,
      "the validation of '\(entity.name)' takes \(validation.typeName), but its objects are of class \(classes[entity.index]): pass the class to the model",
      at: entity.description.source.location())
  }

  private func unknownEntity(_ name: String) -> Diagnostic {
    Diagnostic(
      .error, code: .unknownEntity, "a validation is registered for '\(name)', which the model does not have",
      suggestion: Suggestion.nearest(to: name, among: plan.entities.map(\.name)))
  }

  private static func sample(of attribute: AttributeDescription) -> AttributeValue {
    let sample = sample(of: attribute.type)
    return attribute.isList ? .list([sample]) : sample
  }

  /// A sample value of each type, and a list of each type.
  private static let samples = AttributeType.allCases.map(sample(of:))
    .flatMap { [$0, AttributeValue.list([$0])] }

  private static func sample(of type: AttributeType) -> AttributeValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer(1)
    case .float: .float(1)
    case .double: .double(1)
    case .decimal: .decimal(1)
    case .boolean: .boolean(true)
    case .string: .string("")
    case .date: .date(Date(timeIntervalSince1970: 0))
    case .binary: .binary(Data())
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .uri: URIText.url("https://example.org").map { .uri($0) } ?? .string("")
    case .json: .json(.null)
    }
  }
}
