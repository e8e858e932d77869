extension ModelChecker {
  /// Checks that there is only one mapper, that it is known, and that the entities it lists can have objects (M3, M9).
  func checkMapper(_ entity: EntityDescription, _ number: Int) {
    if entity.entityMapperName != nil, entity.entityMapper != nil {
      findings.report(
        .conflictingKeys(.entityMapper, .entityMapperName, in: "entity \(entity.name.quoted)"),
        at: entity.source.place(of: .entityMapper),
        notes: [.init("'entityMapperName' is given here", at: entity.source.place(of: .entityMapperName))])
    }
    if let name = entity.entityMapperName, !isKnown(name, { transformers.entityMapper(named: $0) != nil }) {
      findings.report(
        .unknownMapper(name, of: entity.name, unregisteredNames), at: entity.source.place(of: .entityMapperName),
        near: transformers.entityMapperNames)
    }
    if let mapper = entity.entityMapper { check(mapper, of: entity, number) }
  }

  private func check(_ mapper: EntityDescription.Mapper, of entity: EntityDescription, _ number: Int) {
    checkLength(
      of: mapper.keyPath, entity.source.place(of: .JSONKeyPath), { "the mapper of entity \(entity.name.quoted)" })
    checkAnnotation(
      in: mapper.keyPath, entity.source.place(of: .JSONKeyPath), isWritten: true,
      { "the mapper of entity \(entity.name.quoted)" })
    if let word = mapper.keyPath.reservedWord {
      findings.report(.mapperKeyWord(word, of: entity.name), at: entity.source.place(of: .JSONKeyPath))
    }
    if mapper.keyPath.isThroughArrays {
      findings.report(
        .misplacedBrackets(
          mapper.keyPath, of: "the mapper of entity \(entity.name.quoted)", "a mapper reads one value, not several"),
        at: entity.source.place(of: .JSONKeyPath))
    }
    if mapper.cases.isEmpty, entity.source.isReadable(.entities) {
      findings.report(.emptyMapper(entity.name), at: entity.source.place(of: .entities))
    }
    var seen: Set<UTF8Key> = []
    for (element, line) in mapper.cases.enumerated() {
      let place = entity.source.place(of: .entities, element: element)
      if !seen.insert(UTF8Key(line.value)).inserted {
        findings.report(.duplicateDiscriminator(line.value, of: entity.name), at: place)
      }
      checkTarget(line.entityName, of: entity, number, place)
    }
    if case .entity(let name)? = mapper.otherwise {
      checkTarget(name, of: entity, number, entity.source.place(of: .otherwise))
    }
  }

  /// Checks that an entity that a mapper lists can have objects.
  private func checkTarget(_ name: String, of entity: EntityDescription, _ number: Int, _ place: SourcePlace) {
    guard let target = index.entity(named: name) else {
      return findings.report(.unknownMapperTarget(name, of: entity.name), at: place, near: index.entityNames)
    }
    if !index.inherits(target, from: number) {
      // If its parent is unknown, the target may inherit from this entity.
      guard index.knowsAllProperties(of: target) else { return }
      findings.report(
        .mapperTargetOutsideHierarchy(name, of: entity.name), at: place,
        near: concreteNames(in: number), notes: [declaration(of: target)])
    } else if index.entities[target].isAbstract {
      findings.report(
        .abstractMapperTarget(name, of: entity.name), at: place, near: concreteNames(in: number),
        notes: [declaration(of: target)])
    }
  }

  /// Returns the names of the entities that a mapper can choose.
  private func concreteNames(in entity: Int) -> [String] {
    index.entities.indices.filter { index.inherits($0, from: entity) && !index.entities[$0].isAbstract }
      .map { index.entities[$0].name }
  }

  /// Returns a note that shows the declaration of an entity.
  func declaration(of entity: Int) -> ModelFindings.Note {
    .init("\(index.entities[entity].name.quoted) is declared here", at: index.entities[entity].source.place())
  }

  /// Returns whether a registry contains a name. Names that are far too long are not looked up.
  func isKnown(_ name: String, _ lookUp: (String) -> Bool) -> Bool {
    name.utf8.count <= NameRules.longest && lookUp(name)
  }
}
