extension ModelChecker {
  /// Checks the indexes of an entity (M28).
  func checkIndexes(_ entity: EntityDescription, _ number: Int) {
    guard !entity.indexes.isEmpty else { return }
    // The same index of an ancestor is in the same table.
    var known: [[UTF8Key]: SourcePlace] = [:]
    for ancestor in index.lineage(number).dropFirst() {
      for index in index.entities[ancestor].indexes { known[index.key] = index.source.place() }
    }
    for index in entity.indexes {
      guard checkProperties(of: index, entity, number) else { continue }
      if let first = known.updateValue(index.source.place(), forKey: index.key) {
        findings.report(
          .repeatedIndex(index.properties, of: entity.name), at: index.source.place(),
          notes: [.init("it is given here first", at: first)])
      } else {
        checkNeed(for: index, entity, number)
      }
    }
  }

  /// - Returns: whether all properties can be indexed.
  private func checkProperties(of index: EntityDescription.Index, _ entity: EntityDescription, _ number: Int) -> Bool {
    if index.properties.isEmpty {
      findings.report(.emptyIndex(of: entity.name), at: index.source.place())
      return false
    }
    var isUsable = true
    var seen: [UTF8Key: SourcePlace] = [:]
    for (element, name) in index.properties.enumerated() {
      let place = index.source.place(of: .indexes, element: element)
      if let first = seen.updateValue(place, forKey: UTF8Key(name)) {
        findings.report(
          .repeatedIndexProperty(name, of: entity.name), at: place, notes: [.init("it is given here first", at: first)])
        isUsable = false
      } else if !checkProperty(name, entity, number, place) {
        isUsable = false
      }
    }
    return isUsable
  }

  private func checkProperty(_ name: String, _ entity: EntityDescription, _ number: Int, _ place: SourcePlace) -> Bool {
    func refuse(_ reason: String, at declaration: SourcePlace) -> Bool {
      findings.report(
        .unusableIndex(name, of: entity.name, reason), at: place,
        notes: [.init("\(name.quoted) is declared here", at: declaration)])
      return false
    }
    switch index.property(named: name, of: number) {
    case nil:
      guard index.knowsAllProperties(of: number) else { return false }
      let names = index.attributeNames(of: number) + toOneNames(of: number)
      findings.report(.unknownIndexProperty(name, of: entity.name), at: place, near: names)
      return false
    case (let owner, .relationship(let position))?:
      let relationship = index.entities[owner].relationships[position]
      return relationship.isToMany
        ? refuse("it is a to-many relationship", at: relationship.source.place(of: .toMany)) : true
    case (let owner, .attribute(let position))?:
      let attribute = index.entities[owner].attributes[position]
      if attribute.isList { return refuse("it is a list", at: attribute.source.place(of: .list)) }
      guard attribute.source.isReadable(.type) else { return false }
      return attribute.type == .json ? refuse("it is of type 'json'", at: attribute.source.place(of: .type)) : true
    }
  }

  /// Checks that the store does not have the index anyway.
  private func checkNeed(for declared: EntityDescription.Index, _ entity: EntityDescription, _ number: Int) {
    let identity = index.lineage(number).reversed().flatMap { index.entities[$0].identityAttributes }
    if identity.prefix(declared.properties.count).elementsEqual(declared.properties) {
      findings.report(
        .redundantIndex(declared.properties, of: entity.name, "the identity of its objects is always indexed"),
        at: declared.source.place())
    } else if declared.properties.count == 1,
      case .relationship? = index.property(named: declared.properties[0], of: number)?.property
    {
      findings.report(
        .redundantIndex(declared.properties, of: entity.name, "a to-one relationship is always indexed"),
        at: declared.source.place())
    }
  }

  private func toOneNames(of entity: Int) -> [String] {
    index.lineage(entity).flatMap { index.entities[$0].relationships }.filter { !$0.isToMany }.map(\.name)
  }
}

extension EntityDescription.Index {
  fileprivate var key: [UTF8Key] { properties.map(UTF8Key.init) }
}
