import Graft

/// The entity that a mapper chooses for an object (I7, D4, M15).
extension PayloadSchema {
  /// Returns the declarative mapper that chooses the entities of an entity's objects; nil if there is none, or if it is a closure.
  func mapper(_ entity: EntityDescription) -> EntityDescription.Mapper? { owner(ofMapperOf: entity)?.entityMapper }

  private func owner(ofMapperOf entity: EntityDescription) -> EntityDescription? {
    facts.lineage(entity).first { $0.entityMapper != nil || $0.entityMapperName != nil }
  }

  /// Returns the requirements for an object, depending on the entity that is chosen for it.
  func choices(of entity: EntityDescription, isKeyed: Bool) -> [JSON] {
    guard let mapper = mapper(entity) else {
      let isUnknown = owner(ofMapperOf: entity) == nil
      return direction == .import && isUnknown && entity.isAbstract && !hasIdentity(entity) ? [false] : []
    }
    var rules = mapper.cases.map { line in
      rule(
        KeyTree(mapper.keyPath, ["enum": .array(discriminators(line.value))], isRequired: true).object,
        line.entityName, entity, isKeyed)
    }
    if case .entity(let name)? = mapper.otherwise { rules.append(rule(unlisted(mapper), name, entity, isKeyed)) }
    guard direction == .import, entity.isAbstract else { return rules }
    // An object that is already known needs no discriminator, but a wrong discriminator contradicts its other mentions.
    if mapper.otherwise == nil { rules.append(["not": unlisted(mapper)]) }
    if !hasIdentity(entity) {
      rules.append(KeyTree(mapper.keyPath, ["type": ["string", "number", "boolean"]], isRequired: true).object)
    }
    return rules
  }

  /// Returns the rule that objects that satisfy a condition belong to a sub-entity.
  private func rule(
    _ condition: JSON, _ name: String, _ entity: EntityDescription, _ isKeyed: Bool
  ) -> JSON {
    guard let target = facts.entity(name) else { return true }
    if target.name == entity.name {
      return entity.isAbstract && direction == .import ? ["not": condition] : true
    }
    // An inherited mapper may name entities that a relationship to this entity cannot lead to.
    guard facts.inherits(target, from: entity) else { return direction == .import ? ["not": condition] : true }
    // Only the mapper of the declared entity is used.
    guard owner(ofMapperOf: target)?.name == owner(ofMapperOf: entity)?.name else { return true }
    return ["if": condition, "then": reference(to: target, isKeyed: isKeyed)]
  }

  /// Returns the schema of the objects with a discriminator that a mapper does not list.
  func unlisted(_ mapper: EntityDescription.Mapper) -> JSON {
    let listed = JSON.array(mapper.cases.flatMap { discriminators($0.value) })
    return KeyTree(
      mapper.keyPath, ["type": ["string", "number", "boolean"], "not": ["enum": listed]], isRequired: true
    ).object
  }

  /// Returns the forms of a discriminator: a string, or a number or boolean with that text.
  private func discriminators(_ value: String) -> [JSON] {
    var values: [JSON] = [.string(value)]
    if let number = JSONNumber(value) { values.append(.number(number)) }
    if value == "true" || value == "false" { values.append(.boolean(value == "true")) }
    return values
  }
}
