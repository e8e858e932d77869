extension ModelChecker {
  /// M9: value transformers are known, give what the attribute holds, and lead back where export needs them.
  func checkValueTransformer(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard let name = attribute.transformerName else { return }
    let place = subject.place(of: .JSONTransformerName)
    guard let transformer = name.utf8.count <= NameRules.longest ? transformers.valueTransformer(named: name) : nil
    else {
      if let reason = name.utf8.count <= NameRules.longest ? transformers.fault(ofValueTransformerNamed: name) : nil {
        // A built-in one that is written wrongly is wrong for everyone.
        let finding = ModelFinding.malformedTransformer(name, of: subject.name, reason)
        findings.report(finding, at: place)
      } else {
        findings.report(
          .unknownTransformer(name, of: subject.name, unregisteredNames), at: place,
          near: transformers.valueTransformerNames)
      }
      return
    }
    // What a closure gives is only known when it runs.
    if let builtIn = transformer.builtIn, attribute.source.isReadable(.type),
      !builtIn.attributeTypes.contains(attribute.type)
    {
      findings.report(
        .unfitTransformer(name, of: subject.name, attribute.type, fits: builtIn.attributeTypes), at: place,
        notes: [.init("the type is given here", at: subject.place(of: .type))])
    }
    if transformer.reverse == nil, attribute.keyPath != nil {
      findings.report(.oneWayTransformer(name, of: subject.name), at: place)
    }
  }
}
