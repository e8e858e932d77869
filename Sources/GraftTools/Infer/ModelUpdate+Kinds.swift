import Graft

// Kinds of objects that a mapper does not list, or that have properties of another kind.
extension ModelUpdate {
  /// The key paths that objects of each kind have in the samples, including those inside nested objects.
  func kinds(in samples: [ModelInference.Sample]) -> [ObjectKind: Set<[String]>] {
    var finder = KindFinder(facts)
    for part in inferred.parts {
      guard let entity = facts.entity(part.entityName), let value = samples[part.sample].value(at: part.keys) else {
        continue
      }
      finder.visit(value, entity)
    }
    return finder.kinds
  }

  /// Adds a sub-entity for each kind that the mapper of an entity does not list, if the entity is abstract, or if objects of the kind have
  /// keys that not all objects of the entity have.
  mutating func addKinds() {
    var names = Set(model.entities.map(\.name) + inferred.description.entities.map(\.name))
    for (kind, keys) in sortedKinds {
      guard let value = kind.value, let owner = facts.entity(kind.owner), let mapper = owner.entityMapper,
        // 'otherwise' determines how other kinds are read.
        mapper.otherwise == nil, mapper.listed(value) == nil,
        owner.isAbstract || keys.contains(where: { isOfKind($0, kind, owner) })
      else { continue }
      var name = KeyNames.entityName(ofKind: value, of: owner.name)
      while !names.insert(name).inserted { name += "2" }
      var entity = EntityDescription(name)
      entity.parentName = owner.name
      newKinds[kind] = entity
      editor.set(name, ModelFileWriter.json(of: entity, model.keyStrategy), at: ["entities"])
      editor.set(value, .string(name), at: ["entities", owner.name, "entityMapper", "entities"])
      changes.append("new entity '\(name)', for objects of the kind \"\(value.escapedForDisplay())\"")
    }
  }

  /// Adds to each kind the properties of other kinds that its objects also have.
  mutating func shareProperties() {
    for (kind, keys) in sortedKinds {
      guard let owner = facts.entity(kind.owner), let entity = entity(of: kind), entity.name != owner.name else {
        continue
      }
      // A property of a sub-entity must not have the name or the key path of an inherited property.
      let properties = properties(among: keys, of: family(owner), besides: family(entity))
      if properties.attributes.isEmpty, properties.relationships.isEmpty { continue }
      let (before, count) = (editor, changes.count)
      add(properties, to: entity)
      // The model may be invalid with them.
      if ModelFile.read(SourceText(name: "<model>", bytes: Array(editor.text.utf8)), transformers: .standard).model
        == nil
      {
        editor = before
        changes.removeSubrange(count...)
      }
    }
  }

  /// Whether a key path is only in objects of other kinds, or in objects that an import skips because the mapper discards their kinds.
  func isOfOthers(_ path: JSONKeyPath, in entity: EntityDescription) -> Bool {
    guard let (owner, found) = kinds(with: path, of: entity), !found.isEmpty else { return false }
    return found.allSatisfy { kind in
      guard let other = self.entity(of: kind) else { return false }
      if other.name == owner.name { return owner.entityMapper?.otherwise == .skip && kind.value != nil }
      return !facts.inherits(other, from: entity) && !facts.inherits(entity, from: other)
    }
  }

  /// The entity that gets a new property: the sub-entity of the only kind whose objects have it, or else the given entity.
  func receiver(of path: JSONKeyPath, in entity: EntityDescription) -> EntityDescription {
    guard let (owner, found) = kinds(with: path, of: entity), let kind = found.first,
      kinds.keys.count(where: { $0.owner == owner.name }) > 1
        || kind.value.flatMap({ owner.entityMapper?.listed($0) }) != nil,
      let only = self.entity(of: kind), facts.inherits(only, from: entity),
      found.allSatisfy({ self.entity(of: $0)?.name == only.name })
    else { return entity }
    return only
  }

  /// The entity that declares the mapper, and the kinds whose objects have a key path.
  private func kinds(
    with path: JSONKeyPath, of entity: EntityDescription
  ) -> (owner: EntityDescription, kinds: [ObjectKind])? {
    guard let owner = facts.lineage(entity).first(where: { $0.entityMapper != nil }), !path.isKeyWord,
      case let keys = keysAlong(path)
    else { return nil }
    return (owner, kinds.filter { $0.key.owner == owner.name && $0.value.contains(keys) }.map(\.key))
  }

  /// The entity of the objects of a kind; the mapper's entity if it does not list the kind.
  private func entity(of kind: ObjectKind) -> EntityDescription? {
    guard let owner = facts.entity(kind.owner) else { return nil }
    let listed = kind.value.flatMap { owner.entityMapper?.listed($0) }
    return newKinds[kind] ?? listed.flatMap { facts.entity($0.entityName) } ?? owner
  }

  /// Whether a key path belongs only to some kinds: other sub-entities read it, or no other kind has it.
  private func isOfKind(_ keys: [String], _ kind: ObjectKind, _ owner: EntityDescription) -> Bool {
    let path = JSONKeyPath(keys: keys)
    func isRead(by entities: [EntityDescription]) -> Bool {
      entities.contains { keyPaths(of: $0).contains { overlaps(path, $0) } }
    }
    if isRead(by: facts.lineage(owner)) { return false }
    return isRead(by: facts.family(owner))
      || kinds.contains { $0.key.owner == kind.owner && $0.key != kind }
        && !kinds.contains { $0.key.owner == kind.owner && $0.key != kind && $0.value.contains(keys) }
  }

  private var sortedKinds: [(key: ObjectKind, value: Set<[String]>)] {
    kinds.sorted { ($0.key.owner, $0.key.value ?? "") < ($1.key.owner, $1.key.value ?? "") }
  }

  /// Properties of one kind that another kind gets.
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

  /// The properties that read the given keys in the entities of a hierarchy, without the entities related to a kind.
  private func properties(
    among keys: Set<[String]>, of hierarchy: [EntityDescription], besides relatives: [EntityDescription]
  ) -> Properties {
    let others = hierarchy.filter { other in !relatives.contains { $0.name == other.name } }
    var paths = relatives.flatMap { keyPaths(of: $0) + (added[$0.name] ?? []) }
    var names = relatives.reduce(into: Set<String>()) { $0.formUnion(ownPropertyNames($1)) }
    func isNew(_ name: String, _ path: JSONKeyPath?) -> Bool {
      guard let path, !path.isKeyWord, keys.contains(keysAlong(path)),
        !paths.contains(where: { overlaps(path, $0) }),
        names.insert(name).inserted
      else { return false }
      paths.append(path)
      return true
    }
    // Objects of the new kind may violate its rules.
    let attributes = others.flatMap(\.attributes).filter { isNew($0.name, $0.keyPath) }.map { other in
      var copy = other
      copy.isOptional = true
      copy.validation = AttributeValidation()
      return copy
    }
    let relationships = others.flatMap(\.relationships).filter { isNew($0.name, $0.keyPath) }.map { other in
      // The objects at the other end already have an inverse.
      var copy = other.withoutInverse
      (copy.isOptional, copy.minCount, copy.maxCount) = (true, nil, nil)
      return copy
    }
    return (attributes, relationships)
  }
}

/// A kind of objects: the entity with the mapper, and the value of its key; nil for objects without one.
struct ObjectKind: Hashable {
  var owner: String
  private var key: UTF8Key?

  init(owner: String, value: String?) {
    self.owner = owner
    key = value.map { UTF8Key($0) }
  }

  var value: String? { key?.text }
}

/// Finds which keys the objects of each kind have in samples.
private struct KindFinder {
  private let facts: ModelFacts
  private(set) var kinds: [ObjectKind: Set<[String]>] = [:]
  /// The maximum depth of key paths, and the maximum number of key paths for one kind.
  private static let (deepest, most) = (6, 10_000)

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

  private func note(_ object: JSON, under outer: [String], in keys: inout Set<[String]>) {
    for member in object.objectValue ?? [:] where keys.count < Self.most {
      let path = outer + [member.key]
      keys.insert(path)
      if path.count < Self.deepest { note(member.value, under: path, in: &keys) }
    }
  }

  private mutating func visit(object: JSON, _ declared: EntityDescription) {
    var entity = declared
    if let owner = facts.lineage(declared).first(where: { $0.entityMapper != nil }), let mapper = owner.entityMapper {
      let value = object.value(under: mapper.keyPath.keys)?.discriminator
      note(object, under: [], in: &kinds[ObjectKind(owner: owner.name, value: value), default: []])
      if let value { entity = facts.entity(of: declared, forKind: value) }
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
