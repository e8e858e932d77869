extension ModelChecker {
  /// Checks that a value transformer is known, returns the attribute's type, and has a reverse if the attribute is exported
  /// (M9).
  func checkValueTransformer(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard let name = attribute.transformerName else { return }
    let place = subject.place(of: .JSONTransformerName)
    guard let transformer = name.utf8.count <= NameRules.longest ? transformers.valueTransformer(named: name) : nil
    else {
      if let reason = name.utf8.count <= NameRules.longest ? transformers.fault(ofValueTransformerNamed: name) : nil {
        // A malformed name of a built-in transformer is always an error.
        let finding = ModelFinding.malformedTransformer(name, of: subject.name, reason)
        findings.report(finding, at: place)
      } else {
        findings.report(
          .unknownTransformer(name, of: subject.name, unregisteredNames), at: place,
          near: transformers.valueTransformerNames)
      }
      return
    }
    // The result of a closure is known only when it runs.
    if let builtIn = transformer.builtIn, attribute.source.isReadable(.type),
      !builtIn.attributeTypes.contains(attribute.type)
    {
      findings.report(
        .unfitTransformer(name, of: subject.name, attribute.type, fits: builtIn.attributeTypes), at: place,
        notes: [.init("the type is given here", at: subject.place(of: .type))])
    }
    if transformer.reverse == nil, attribute.exportedKeyPath != nil {
      findings.report(.oneWayTransformer(name, of: subject.name), at: place)
    }
  }
}
