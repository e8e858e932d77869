import Graft

// Kinds of objects that a mapper does not list, or that have properties of another kind.
extension ModelUpdate {
  /// Adds a sub-entity for each kind that the mapper of an entity does not list, and to each kind the properties of others that its
  /// objects have as well.
  mutating func addKinds(_ samples: [ModelInference.Sample]) {
    var finder = KindFinder(facts)
    for part in inferred.parts {
      guard let entity = facts.entity(part.entityName), let value = samples[part.sample].value(at: part.keys) else {
        continue
      }
      finder.visit(value, entity)
    }
    var names = Set(model.entities.map(\.name) + inferred.description.entities.map(\.name))
    for (key, found) in finder.kinds.sorted(by: { ($0.key.owner, $0.key.value) < ($1.key.owner, $1.key.value) }) {
      guard let owner = facts.entity(key.owner), let mapper = owner.entityMapper else { continue }
      let listed = mapper.cases.first { $0.value == key.value }.flatMap { facts.entity($0.entityName) }
      // 'otherwise' says what becomes of other kinds.
      if listed == nil, mapper.otherwise != nil { continue }
      // A property of a sub-entity must not have the name or the key path of an inherited one.
      let relatives = listed.map(facts.family) ?? facts.lineage(owner)
      let properties = properties(among: found, of: facts.family(owner), besides: relatives)
      if properties.attributes.isEmpty, properties.relationships.isEmpty { continue }
      if let listed {
        add(properties, to: listed)
      } else {
        add(properties, as: key.value, of: owner, &names)
      }
    }
  }

  /// Properties of one kind that another one gets.
  private typealias Properties = (attributes: [AttributeDescription], relationships: [RelationshipDescription])

  private mutating func add(_ properties: Properties, to kind: EntityDescription) {
    let place = ["entities", kind.name]
    for attribute in properties.attributes {
      editor.set(attribute.name, ModelFileWriter.json(of: attribute, model.keyStrategy), at: place + ["attributes"])
      changes.append("new attribute '\(kind.name).\(attribute.name)'")
    }
    for relationship in properties.relationships {
      editor.set(
        relationship.name, ModelFileWriter.json(of: relationship, model.keyStrategy), at: place + ["relationships"])
      changes.append("new relationship '\(kind.name).\(relationship.name)'")
    }
  }

  private mutating func add(
    _ properties: Properties, as value: String, of owner: EntityDescription, _ names: inout Set<String>
  ) {
    var name = KeyNames.entityName(ofKind: value, of: owner.name)
    while !names.insert(name).inserted { name += "2" }
    var kind = EntityDescription(name)
    kind.parentName = owner.name
    (kind.attributes, kind.relationships) = properties
    editor.set(name, ModelFileWriter.json(of: kind, model.keyStrategy), at: ["entities"])
    editor.set(value, .string(name), at: ["entities", owner.name, "entityMapper", "entities"])
    changes.append("new entity '\(name)', for objects of the kind \"\(value.escapedForDisplay())\"")
  }

  /// The properties that some keys have in the entities of a hierarchy, but not in those that are related to a kind.
  private func properties(
    among keys: Set<String>, of hierarchy: [EntityDescription], besides relatives: [EntityDescription]
  ) -> Properties {
    let others = hierarchy.filter { other in !relatives.contains { $0.name == other.name } }
    var paths = relatives.flatMap { keyPaths(of: $0) }
    var names = relatives.reduce(into: Set<String>()) { $0.formUnion(ownPropertyNames($1)) }
    func isNew(_ name: String, _ path: JSONKeyPath?) -> Bool {
      guard let path, !path.isKeyWord, keys.contains(keysAlong(path)[0]),
        !paths.contains(where: { overlaps(path, $0) }),
        names.insert(name).inserted
      else { return false }
      paths.append(path)
      return true
    }
    // Objects of the other kind may break its rules.
    let attributes = others.flatMap(\.attributes).filter { isNew($0.name, $0.keyPath) }.map { other in
      var copy = other
      copy.isOptional = true
      copy.validation = AttributeValidation()
      return copy
    }
    let relationships = others.flatMap(\.relationships).filter { isNew($0.name, $0.keyPath) }.map { other in
      // The objects at the other end have an inverse already.
      var copy = other.withoutInverse
      (copy.isOptional, copy.minCount, copy.maxCount) = (true, nil, nil)
      return copy
    }
    return (attributes, relationships)
  }
}

/// Finds which keys the objects of each kind have in samples.
private struct KindFinder {
  /// The entity with the mapper, and the value of its key.
  struct Kind: Hashable {
    var owner: String
    var value: String
  }

  private let facts: ModelFacts
  private(set) var kinds: [Kind: Set<String>] = [:]

  init(_ facts: ModelFacts) { self.facts = facts }

  mutating func visit(_ value: JSON, _ declared: EntityDescription) {
    if let elements = value.arrayValue {
      for element in elements { visit(element, declared) }
      return
    }
    guard let object = value.objectValue else { return }
    if facts.isKeyed(declared), object.allSatisfy({ $0.value.objectValue != nil }) {
      for member in object { visit(object: member.value, declared) }
    } else {
      visit(object: value, declared)
    }
  }

  private mutating func visit(object: JSON, _ declared: EntityDescription) {
    var entity = declared
    if let owner = facts.lineage(declared).first(where: { $0.entityMapper != nil }), let mapper = owner.entityMapper,
      let value = object.value(under: mapper.keyPath.keys)?.discriminator
    {
      kinds[Kind(owner: owner.name, value: value), default: []].formUnion((object.objectValue ?? [:]).map(\.key))
      entity = facts.entity(of: declared, forKind: value)
    }
    for relationship in facts.relationships(entity) {
      guard let path = relationship.keyPath, !path.isKeyWord, !path.isThroughArrays,
        let inner = object.value(under: path.keys), let destination = facts.entity(relationship.destinationName)
      else { continue }
      visit(inner, destination)
    }
  }
}

extension JSON {
  /// The value under some keys, one inside another.
  fileprivate func value(under keys: [String]) -> JSON? { keys.reduce(Optional(self)) { $0?[$1] } }
}
