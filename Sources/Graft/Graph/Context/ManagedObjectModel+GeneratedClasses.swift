extension ManagedObjectModel {
  /// Returns an error if a class was generated from another version of the model, or nil if its slots match those of its entity.
  /// Additional properties after those of the class are harmless.
  static func outdated(_ type: ManagedObject.Type, _ entity: EntityPlan) -> Diagnostic? {
    for (slot, expected) in type.generatedProperties.enumerated() {
      let property = entity.properties.indices.contains(slot) ? entity.properties[slot] : nil
      guard property?.signature != expected else { continue }
      let found = property.map { "the model has '\($0.signature)' there" } ?? "the model has no property there"
      return Diagnostic(
        .error, code: .outdatedClass,
        "the class '\(type)' was generated from another version of the model: its property \(slot) is '\(expected)', but \(found); generate the classes again",
        at: property?.source.location() ?? entity.description.source.location())
    }
    return nil
  }
}

extension PropertyPlan {
  fileprivate var signature: String {
    switch description {
    case .attribute(let attribute): attribute.signature
    case .relationship(let relationship): relationship.signature
    }
  }
}
