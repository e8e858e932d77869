extension ModelChecker {
  /// Checks that the value transformers of an attribute are known, match each other and the attribute's type, and have a reverse if
  /// the attribute is exported (M9, T8).
  func checkValueTransformers(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    var known: [ValueTransformer] = []
    for (element, name) in attribute.transformerNames.enumerated() {
      let place = subject.place(of: .JSONTransformerName, element: element)
      guard
        let transformer = transformer(
          name, of: "attribute \(subject.name.quoted)", at: place, near: candidates(for: name, of: attribute))
      else { return }
      if case .split? = transformer.builtIn {
        let isSpread = attribute.keyPath?.isThroughArrays == true
        guard element > 0 || !attribute.isList || isSpread else { continue }
        let reason =
          !attribute.isList
          ? "it makes a list: add \"list\": true"
          : isSpread
            ? "a key path through arrays already collects the elements" : "it must be the first transformer"
        findings.report(.misplacedForm(name, of: subject.name.quoted, reason), at: place)
        return
      }
      known.append(transformer)
    }
    checkChain(known, attribute.source, subject.name)
    // The result of a closure is known only when it runs.
    if let last = known.last, let builtIn = last.builtIn, attribute.source.isReadable(.type),
      !builtIn.attributeTypes.contains(attribute.type)
    {
      findings.report(
        .unfitTransformer(last.name, of: subject.name, attribute.type, fits: builtIn.attributeTypes),
        at: subject.place(of: .JSONTransformerName, element: attribute.transformerNames.count - 1),
        notes: [.init("the type is given here", at: subject.place(of: .type))])
    }
    if let oneWay = known.first(where: { $0.reverse == nil || $0.builtIn == .lastPathSegment }),
      attribute.exportedKeyPath != nil
    {
      findings.report(
        .oneWayTransformer(oneWay.name, of: subject.name), at: subject.place(of: .JSONTransformerName))
    }
  }

  /// Checks the value transformers of a relationship's identifiers (M26).
  func checkIdentifierTransformers(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard !relationship.transformerNames.isEmpty else { return }
    var known: [ValueTransformer] = []
    for (element, name) in relationship.transformerNames.enumerated() {
      let place = relationship.source.place(of: .JSONTransformerName, element: element)
      guard
        let transformer = transformer(
          name, of: "relationship \(subject.name.quoted)", at: place, near: transformers.valueTransformerNames)
      else { return }
      known.append(transformer)
    }
    checkChain(known, relationship.source, subject.name)
    if !relationship.identifierKeyPaths.isEmpty {
      findings.report(
        .misplacedForm(
          ModelFileKey.JSONTransformerName.rawValue, of: subject.name.quoted,
          "each value of its identifier has a key of its own"),
        at: subject.place(of: .JSONTransformerName))
    }
    checkIdentified(.JSONTransformerName, subject)
    if let oneWay = known.first(where: { $0.reverse == nil }), relationship.exportedKeyPath != nil,
      relationship.representation == .identifier
    {
      findings.report(
        .oneWayTransformer(oneWay.name, of: subject.name), at: subject.place(of: .JSONTransformerName))
    }
  }

  /// Checks that the destination of a relationship that reads identifiers has an identity.
  func checkIdentified(_ key: ModelFileKey, _ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard relationship.source.isReadable(.destination),
      let destination = index.entity(named: relationship.destinationName), !index.mayHaveIdentity(destination)
    else { return }
    findings.report(
      .misplacedForm(
        key.rawValue, of: subject.name.quoted,
        "it is about identifiers, but \(relationship.destinationName.quoted) has no identity"),
      at: subject.place(of: key), notes: [declaration(of: destination)])
  }

  /// Finds a transformer, or reports that there is none.
  private func transformer(
    _ name: String, of owner: String, at place: SourcePlace, near names: @autoclosure () -> [String]
  ) -> ValueTransformer? {
    let isShort = name.utf8.count <= NameRules.longest
    if isShort, let transformer = transformers.valueTransformer(named: name) { return transformer }
    if let reason = isShort ? transformers.fault(ofValueTransformerNamed: name) : nil {
      // A malformed name of a built-in transformer is always an error.
      findings.report(.malformedTransformer(name, of: owner, reason), at: place)
    } else {
      findings.report(
        .unknownTransformer(name, of: owner, unregisteredNames), at: place, near: names())
    }
    return nil
  }

  /// Returns the transformers that the name of a single transformer could mean: the transformers that fit the type, unless the name is near
  /// another name.
  private func candidates(for name: String, of attribute: AttributeDescription) -> [String] {
    let all = transformers.valueTransformerNames
    guard attribute.transformerNames.count == 1, attribute.source.isReadable(.type),
      Suggestion.nearest(to: name, among: all) == nil
    else { return all }
    return all.filter { candidate in
      guard let builtIn = BuiltInTransformer(named: candidate) else { return true }
      if case .split = builtIn { return attribute.isList }
      return builtIn.attributeTypes.contains(attribute.type)
    }
  }

  /// Checks that each transformer can read the result of the previous transformer. The types that closures take and return are known only
  /// when they run.
  private func checkChain(_ chain: [ValueTransformer], _ source: DescriptionSource, _ name: String) {
    for (first, second) in zip(chain, chain.dropFirst()) {
      guard let output = first.builtIn?.jsonOutput, let input = second.builtIn?.jsonInput, output != input else {
        continue
      }
      findings.report(
        .unfitChain(first.name, output.rawValue, second.name, input.rawValue, of: name),
        at: source.place(of: .JSONTransformerName))
      return
    }
  }
}
