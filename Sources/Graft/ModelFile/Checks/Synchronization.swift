extension ModelChecker {
  /// Checks the synchronization keys of an entity (M17).
  func checkSynchronization(_ entity: EntityDescription, _ number: Int) {
    let keys: [ModelFileKey] = [.modificationAttribute, .deletedWhen]
    for key in keys where entity.declares(key) && !index.mayHaveIdentity(number) {
      findings.report(.synchronizationWithoutIdentity(key, of: entity.name), at: entity.source.place(of: key))
    }
    if let name = entity.modificationAttribute { checkModificationAttribute(name, of: entity, number) }
    checkModificationIdentity(entity, number)
    if let mark = entity.deletedWhen { check(mark, of: entity) }
  }

  private func checkModificationAttribute(_ name: String, of entity: EntityDescription, _ number: Int) {
    let place = entity.source.place(of: .modificationAttribute)
    func refuse(_ reason: String, at declaration: SourcePlace) {
      findings.report(
        .unusableModificationAttribute(name, of: entity.name, reason), at: place,
        notes: [.init("\(name.quoted) is declared here", at: declaration)])
    }
    switch index.property(named: name, of: number) {
    case nil:
      guard index.knowsAllProperties(of: number) else { return }
      findings.report(
        .unknownModificationAttribute(name, of: entity.name), at: place, near: index.attributeNames(of: number))
    case (let owner, .relationship(let position))?:
      refuse("it is a relationship", at: index.entities[owner].relationships[position].source.place())
    case (let owner, .attribute(let position))?:
      let attribute = index.entities[owner].attributes[position]
      if attribute.isList {
        refuse("it is a list; expected a date or a number", at: attribute.source.place(of: .list))
      } else if attribute.source.isReadable(.type), !attribute.type.tellsVersions {
        refuse(
          "values of type '\(attribute.type.rawValue)' have no order; expected a date or a number",
          at: attribute.source.place(of: .type))
      } else if attribute.keyPath == nil, attribute.source.isReadable(.JSONKeyPath) {
        refuse("it has no 'JSONKeyPath', so no payload contains it", at: attribute.source.place())
      } else if attribute.direction == .export {
        refuse("it is only exported", at: attribute.source.place(of: .JSONDirection))
      }
    }
  }

  /// Checks that the modification attribute is not part of an identity, which never changes.
  private func checkModificationIdentity(_ entity: EntityDescription, _ number: Int) {
    let lineage = index.lineage(number).map { index.entities[$0] }
    guard let name = lineage.lazy.compactMap(\.modificationAttribute).first else { return }
    // Each conflict is reported once, at the entity that declares the modification attribute or the identity.
    let isOwn = entity.modificationAttribute != nil
    let owners = isOwn ? lineage : [entity]
    for owner in owners {
      guard let element = owner.identityAttributes.firstIndex(of: name) else { continue }
      let identity = owner.source.place(of: .identityAttributes, element: element)
      findings.report(
        .unusableModificationAttribute(name, of: entity.name, "it identifies the object, so it never changes"),
        at: isOwn ? entity.source.place(of: .modificationAttribute) : identity,
        notes: isOwn ? [.init("the identity is declared here", at: identity)] : [])
    }
  }

  private func check(_ mark: EntityDescription.DeletionMark, of entity: EntityDescription) {
    let place = mark.source.place(of: .JSONKeyPath)
    checkLength(of: mark.keyPath, place, { "'deletedWhen' of entity \(entity.name.quoted)" })
    checkAnnotation(in: mark.keyPath, place, isWritten: true, { "'deletedWhen' of entity \(entity.name.quoted)" })
    if mark.keyPath.isThroughArrays {
      findings.report(
        .misplacedBrackets(
          mark.keyPath, of: "'deletedWhen' of entity \(entity.name.quoted)", "it compares one value, not several"),
        at: place)
    }
    if let word = mark.keyPath.reservedWord { findings.report(.deletionKeyWord(word, of: entity.name), at: place) }
    switch mark.value {
    case .string, .number, .boolean: break
    case .null, .array, .object:
      findings.report(.unusableDeletionMark(of: entity.name), at: mark.source.place(of: .equals))
    }
  }
}

extension EntityDescription {
  fileprivate func declares(_ key: ModelFileKey) -> Bool {
    key == .modificationAttribute ? modificationAttribute != nil : deletedWhen != nil
  }
}

extension AttributeType {
  /// Whether a greater value is newer (M17).
  package var tellsVersions: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .float, .double, .decimal, .date: true
    case .boolean, .string, .binary, .uuid, .uri, .json: false
    }
  }
}
