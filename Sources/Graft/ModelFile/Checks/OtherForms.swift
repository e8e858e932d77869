extension ModelChecker {
  /// Checks values that are read as null: scalars and empty containers, each once (M20).
  func checkNulls(_ nulls: [JSON], _ source: DescriptionSource, _ owner: String) {
    var seen: [JSON] = []
    for (element, value) in nulls.enumerated() {
      let reason: String? =
        switch value {
        case _ where element == ModelLimits.nulls: "it lists more than \(ModelLimits.nulls) values"
        case .null: "null always means null"
        case .array(let elements) where !elements.isEmpty: "an array that is not empty cannot mean null"
        case .object(let object) where !object.isEmpty: "an object that is not empty cannot mean null"
        case _ where seen.contains(value): "it lists \(FoundPhrase.of(value)) twice"
        default: nil
        }
      seen.append(value)
      guard let reason else { continue }
      findings.report(
        .misplacedForm(ModelFileKey.JSONNulls.rawValue, of: owner, reason),
        at: source.place(of: .JSONNulls, element: element))
      // The number is limited, because each value of a payload is compared with all of these values.
      if element == ModelLimits.nulls { return }
    }
  }

  /// Checks that dictionaries can be references to objects (M21).
  func checkReferences(_ subject: RelationshipSubject) {
    if subject.relationship.hasReferences { checkIdentified(.JSONReferences, subject) }
  }

  /// Checks that the key paths of an identifier match the destination's identity (M24).
  func checkIdentifierKeyPaths(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard !relationship.identifierKeyPaths.isEmpty, relationship.source.isReadable(.toMany),
      relationship.source.isReadable(.destination),
      let destination = index.entity(named: relationship.destinationName), index.knowsAllProperties(of: destination)
    else { return }
    func report(_ reason: String, _ element: Int? = nil) {
      findings.report(
        .wrongIdentifierPaths(subject.name, reason),
        at: relationship.source.place(of: .JSONKeyPath, element: element), notes: [declaration(of: destination)])
    }
    if relationship.isToMany { return report("it is a to-many, whose identifiers are in an array") }
    if !relationship.keyPathAliases.isEmpty { return report("it has aliases, which could only be single keys") }
    if let entity = identified(by: relationship.name, in: subject.entityNumber) {
      return report("it identifies objects of \(entity.name.quoted), so it must have one key path")
    }
    if let inverse = relationship.inverseName, identified(by: inverse, in: destination) != nil {
      return report("objects of \(relationship.destinationName.quoted) are identified inside their owner")
    }
    let identity = index.lineage(destination).reversed().flatMap { index.entities[$0].identityAttributes }
    if identity.isEmpty { return report("\(relationship.destinationName.quoted) has no identity") }
    let names = relationship.identifierKeyPaths.map(\.name)
    for (element, part) in relationship.identifierKeyPaths.enumerated() {
      if names[..<element].contains(part.name) { return report("\(part.name.quoted) occurs twice", element) }
      if part.keyPath.isKeyWord || part.keyPath.reservedWord != nil {
        return report("only ordinary keys may be in the key path of \(part.name.quoted)", element)
      }
      if part.name == RelationshipDescription.typeName {
        guard let mapper = mapper(of: destination) else {
          return report("\(relationship.destinationName.quoted) has no 'entityMapper', so it has no type", element)
        }
        let owners = index.lineage(destination).lazy.map { self.index.entities[$0] }
        if let attribute = owners.flatMap(\.attributes).first(where: {
          identity.contains($0.name) && $0.importedKeyPath == mapper.keyPath
        }) {
          return report("\(attribute.name.quoted) is the type, so '@type' is not needed", element)
        }
      } else if !identity.contains(part.name) {
        return report(
          "\(part.name.quoted) does not identify objects of \(relationship.destinationName.quoted); "
            + "\(identity.map(\.quoted).joined(separator: ", ")) \(identity.count == 1 ? "does" : "do")", element)
      }
    }
    if let missing = identity.first(where: { !names.contains($0) }) {
      report("it has no key path for \(missing.quoted), which also identifies objects")
    }
  }

  private func mapper(of entity: Int) -> EntityDescription.Mapper? {
    index.lineage(entity).lazy.compactMap { self.index.entities[$0].entityMapper }.first
  }
}

extension RelationshipDescription {
  /// The name of the part of an identifier that is the key of the destination's mapper.
  static let typeName = "@type"
}

extension ModelFinding {
  static func wrongIdentifierPaths(_ relationship: String, _ reason: String) -> Self {
    Self(.wrongIdentifierPaths, "the key paths of \(relationship.quoted) do not make an identifier: \(reason)")
  }
}
