extension ModelChecker {
  /// Checks that an attribute's `JSONDirection` does not contradict its other keys (M16).
  func checkDirection(_ subject: AttributeSubject, in number: Int) {
    let attribute = subject.attribute
    let (source, place) = (attribute.source, subject.place(of: .JSONDirection))
    guard attribute.direction != .both else { return }
    checkDirection(attribute.direction, attribute.keyPath, attribute.keyPathAliases, source, subject.name)
    if let entity = identified(by: attribute.name, in: number) {
      findings.report(
        .misplacedDirection(subject.name, "it identifies objects of '\(entity.name)', so it is both read and written"),
        at: place, notes: [.init("the identity is given here", at: entity.source.place(of: .identityAttributes))])
    }
    guard attribute.direction == .export else { return }
    if !attribute.isOptional, attribute.defaultValue == nil, source.isReadable(.default) {
      findings.report(.missingDefault(subject.name), at: place)
    }
    if let path = attribute.keyPath, let entity = mapper(reading: path, near: number) {
      findings.report(
        .misplacedDirection(subject.name, "the mapper of '\(entity.name)' reads its key path"), at: place,
        notes: [.init("the mapper is given here", at: entity.source.place(of: .entityMapper))])
    }
  }

  /// Checks that a relationship's `JSONDirection` does not contradict its other keys (M16).
  func checkDirection(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard relationship.direction != .both else { return }
    checkDirection(
      relationship.direction, relationship.keyPath, relationship.keyPathAliases, relationship.source, subject.name)
    if relationship.direction == .export, relationship.representation == .none {
      findings.report(
        .misplacedDirection(subject.name, "with \"JSONRepresentation\": \"none\", it is not written"),
        at: subject.place(of: .JSONDirection))
    }
  }

  private func checkDirection(
    _ direction: JSONDirection, _ path: JSONKeyPath?, _ aliases: [JSONKeyPath], _ source: DescriptionSource,
    _ name: String
  ) {
    let place = source.place(of: .JSONDirection)
    guard let path else {
      guard source.isReadable(.JSONKeyPath) else { return }
      return findings.report(.misplacedDirection(name, "without a 'JSONKeyPath', it is not part of JSON"), at: place)
    }
    if let word = path.reservedWord {
      let isOnlyRead = word == "@index" || JSONKeyPath.Surroundings(rawValue: word) != nil
      let use = isOnlyRead ? "only read" : "both read and written"
      findings.report(.misplacedDirection(name, "the key path \(word.quoted) is \(use)"), at: place)
    }
    if direction == .export, !aliases.isEmpty {
      findings.report(
        .misplacedDirection(name, "its 'JSONKeyPathAliases' are only read"), at: place,
        notes: [.init("they are given here", at: source.place(of: .JSONKeyPathAliases))])
    }
  }

  /// Checks that a new object can get a value for a required attribute that exports omit (M9, M16).
  func checkUnexportedAttribute(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard attribute.direction == .import, !attribute.isOptional, attribute.defaultValue == nil else { return }
    findings.report(.unexportedAttribute(subject.name), at: subject.place(of: .JSONDirection))
  }

  /// Returns an entity whose identity contains a property of another entity, or of itself.
  func identified(by property: String, in owner: Int) -> EntityDescription? {
    index.entities.indices.first { number in
      index.inherits(number, from: owner) && index.entities[number].identityAttributes.contains(property)
    }
    .map { index.entities[$0] }
  }

  /// Returns an entity in the same line of inheritance whose mapper reads a key path.
  private func mapper(reading path: JSONKeyPath, near owner: Int) -> EntityDescription? {
    index.entities.indices.first { number in
      index.entities[number].entityMapper?.keyPath.keys == path.keys
        && (index.inherits(number, from: owner) || index.inherits(owner, from: number))
    }
    .map { index.entities[$0] }
  }
}
