import Graft

extension CoreDataTranslator {
  /// Determines the identity of each entity without annotations for it.
  mutating func identify(
    _ entities: inout [EntityDescription], _ sources: [CoreDataEntity], _ hierarchy: CoreDataHierarchy
  ) {
    if convention == .magicalRecord { identifyAsMagicalRecord(&entities, sources, hierarchy) }
    let mapsAnything = entities.contains { entity in
      entity.attributes.contains { $0.keyPath != nil } || entity.relationships.contains { $0.keyPath != nil }
    }
    for (number, source) in sources.enumerated() where entities[number].identityAttributes.isEmpty {
      identifyByConstraint(&entities, number, source, hierarchy, mapsAnything: mapsAnything)
    }
    addAlternates(&entities, sources, hierarchy)
    removeDefaults(&entities, sources, hierarchy)
  }

  // MARK: MagicalRecord

  /// Uses the identity that relationships to an entity specify or, if there is none, a name such as `heroID` for `Hero`.
  private mutating func identifyAsMagicalRecord(
    _ entities: inout [EntityDescription], _ sources: [CoreDataEntity], _ hierarchy: CoreDataHierarchy
  ) {
    var related: [String: (name: String, relationship: String, tag: XMLTag)] = [:]
    for source in sources {
      for relationship in source.relationships {
        guard let entry = MagicalRecordAnnotations.identity(ofDestination: relationship.userInfo),
          let target = relationship.destinationName
        else { continue }
        if related[target] == nil { related[target] = (entry.value, "\(source.name).\(relationship.name)", entry.tag) }
      }
    }
    for number in entities.indices where entities[number].identityAttributes.isEmpty {
      let entity = entities[number]
      if let found = related[entity.name] {
        entities[number].identityAttributes = [found.name]
        let origin = "as relationship '\(found.relationship)' declares"
        notes.add(.identity([found.name], of: entity.name, from: origin, place(found.tag, "value")))
      } else {
        let name = MagicalRecordAnnotations.usualIdentity(of: entity.name)
        guard hierarchy.attribute(name, of: number) != nil else { continue }
        entities[number].identityAttributes = [name]
        let origin = "MagicalRecord's default"
        notes.add(.identity([name], of: entity.name, from: origin, place(sources[number].tag, "name")))
      }
    }
    takeRelatedBy(&entities, sources, hierarchy)
  }

  /// If a relationship's annotation about its destination became that entity's identity, it is removed. Otherwise it is kept
  /// and reported.
  private mutating func takeRelatedBy(
    _ entities: inout [EntityDescription], _ sources: [CoreDataEntity], _ hierarchy: CoreDataHierarchy
  ) {
    for (number, source) in sources.enumerated() {
      for relationship in source.relationships {
        guard let entry = MagicalRecordAnnotations.identity(ofDestination: relationship.userInfo),
          let position = hierarchy.relationship(relationship.name, of: number)
        else { continue }
        let target = entities[number].relationships[position].destinationName
        let identity = hierarchy.number(of: target).map { entities[$0].identityAttributes } ?? []
        if identity == [entry.value] {
          for key in MagicalRecordAnnotations.identityKeys {
            entities[number].relationships[position].userInfo[key] = nil
          }
        } else {
          let reason =
            identity.isEmpty ? "'\(target)' is not an entity" : "'\(target)' is identified by \(identity.listed())"
          notes.add(.notUsed(entry.key, of: "\(source.name).\(relationship.name)", reason, place(entry.tag, "value")))
        }
      }
    }
  }

  // MARK: Uniqueness constraints

  private mutating func identifyByConstraint(
    _ entities: inout [EntityDescription], _ number: Int, _ source: CoreDataEntity, _ hierarchy: CoreDataHierarchy,
    mapsAnything: Bool
  ) {
    let constraints = source.uniquenessConstraints
    guard let names = constraints.first else { return }
    let entity = entities[number]
    let place =
      source.tag.children(named: "uniquenessConstraints").first.map { self.place($0) }
      ?? self.place(source.tag)
    if constraints.count > 1 {
      let reason = "it has \(constraints.count) constraints, and one of them must be chosen"
      return notes.add(.noIdentity(constraints.map { $0.joined(separator: ", ") }, of: entity.name, reason, place))
    }
    for name in names {
      let reason: String? =
        switch hierarchy.attribute(name, of: number).map({ entities[$0.owner].attributes[$0.position] }) {
        case nil: "'\(name)' is not an attribute"
        case let attribute? where attribute.type == .json:
          "'\(name)' is of type 'json', which cannot identify objects"
        case let attribute? where mapsAnything && attribute.keyPath == nil: "'\(name)' has no key path"
        default: nil
        }
      if let reason { return notes.add(.noIdentity(names, of: entity.name, reason, place)) }
    }
    entities[number].identityAttributes = names
    notes.add(.identity(names, of: entity.name, from: "as its uniqueness constraint declares", place))
  }

  /// Other constraints of an entity that has an identity become alternate identities (M27).
  private mutating func addAlternates(
    _ entities: inout [EntityDescription], _ sources: [CoreDataEntity], _ hierarchy: CoreDataHierarchy
  ) {
    for (number, source) in sources.enumerated() {
      let lineage = hierarchy.lineage(of: number)
      let identity = lineage.reversed().flatMap { entities[$0].identityAttributes }
      if identity.isEmpty { continue }
      for names in source.uniquenessConstraints where !Set(names).isSuperset(of: identity) {
        let isKnown = lineage.flatMap { entities[$0].alternateIdentities }.contains { Set($0.properties) == Set(names) }
        if isKnown { continue }
        let reason = names.compactMap { name -> String? in
          if let (owner, position) = hierarchy.attribute(name, of: number) {
            let isFit = entities[owner].attributes[position].type != .json
            return isFit ? nil : "'\(name)' is of type 'json', which cannot identify objects"
          }
          if let (owner, position) = hierarchy.relationship(name, inheritedBy: number) {
            return entities[owner].relationships[position].isToMany ? "'\(name)' is a to-many relationship" : nil
          }
          return "'\(name)' is not converted"
        }.first
        if let reason {
          notes.add(.noIdentity(names, of: source.name, reason, place(source.tag)))
        } else {
          entities[number].alternateIdentities.append(.init(names))
        }
      }
    }
  }

  // MARK: Defaults

  /// Removes Xcode's default of 0 from numbers that are identities, where it would never be used.
  private mutating func removeDefaults(
    _ entities: inout [EntityDescription], _ sources: [CoreDataEntity], _ hierarchy: CoreDataHierarchy
  ) {
    var removed: [String] = []
    var first: XMLTag?
    for number in entities.indices {
      let names = entities[number].identityAttributes + entities[number].alternateIdentities.flatMap(\.properties)
      for name in names {
        guard let (owner, position) = hierarchy.attribute(name, of: number),
          entities[owner].attributes[position].defaultValue != nil
        else { continue }
        entities[owner].attributes[position].defaultValue = nil
        if first == nil { first = sources[owner].attributes.first { $0.name == name }?.tag }
        removed.append("\(entities[owner].name).\(name)")
      }
    }
    if let first { notes.add(.identityDefaults(removed, place(first, "name"))) }
  }
}
