import Graft

/// The declarations of a model, with inheritance resolved (M8). This is all that the reference importer knows about the model.
struct ReferenceModel {
  final class Property {
    let name: String
    let isOptional: Bool
    let attribute: AttributeDescription?
    let relationship: RelationshipDescription?
    /// The key path, then its aliases; empty if imports do not read the property (M7, M16).
    let paths: [JSONKeyPath]
    /// The known key of a property that is only exported, which imports do not read (M16).
    let ignoredPath: JSONKeyPath?

    init(_ attribute: AttributeDescription) {
      (name, isOptional, self.attribute, relationship) = (attribute.name, attribute.isOptional, attribute, nil)
      let isRead = attribute.direction != .export
      paths = attribute.keyPath.map { isRead ? [$0] + attribute.keyPathAliases : [] } ?? []
      ignoredPath = isRead ? nil : attribute.keyPath
    }

    init(_ relationship: RelationshipDescription) {
      (name, isOptional, attribute) = (relationship.name, relationship.isOptional, nil)
      self.relationship = relationship
      let isRead = relationship.direction != .export
      paths = relationship.keyPath.map { isRead ? [$0] + relationship.keyPathAliases : [] } ?? []
      ignoredPath = isRead ? nil : relationship.keyPath
    }
  }

  final class Entity {
    let name: String
    let isAbstract: Bool
    /// The entity's lineage, from the entity itself to the root.
    let lineage: [Int]
    /// The properties, inherited properties first.
    let properties: [Property]
    let relationships: [RelationshipDescription]
    let identity: [String]
    /// Other attributes that identify objects (M27).
    let alternates: [[String]]
    /// Whether relationships to owners are among the identity attributes (M12).
    let hasOwner: Bool
    /// The topmost ancestor with the same identity. Objects with equal identities are the same object only within one such ancestor (M8).
    let space: Int
    let mapper: EntityDescription?
    /// The synchronization keys (M17). Without an identity, there is no modification attribute.
    let modification: String?
    let mark: EntityDescription.DeletionMark?
    /// The dictionary transformer that applies to the entity, and the entity that declares the transformer.
    let transformer: (owner: Int, name: String)?
    /// The property that reads an object's key or element (M11).
    let key: Property?
    let element: Property?
    /// Whether an element that is not an object is always the `@value` of an object (M23).
    var readsElements: Bool { key == nil && element != nil }
    /// The keys that lead to the entity's properties, to the discriminators of its mappers, and to its deletion mark.
    private(set) var paths: [[String]]
    /// The entities whose objects can be directly inside this entity's objects.
    fileprivate var contained: Set<Int> = []
    private let byName: [String: Property]

    init(_ number: Int, _ all: [EntityDescription], _ lineages: [[Int]], _ identity: (Int) -> [String]) {
      lineage = lineages[number]
      name = all[number].name
      isAbstract = all[number].isAbstract
      properties = lineage.reversed().flatMap { ancestor in
        all[ancestor].attributes.map { Property($0) } + all[ancestor].relationships.map { Property($0) }
      }
      relationships = properties.compactMap(\.relationship)
      self.identity = identity(number)
      alternates = lineage.reversed().flatMap { all[$0].alternateIdentities.map(\.properties) }
      hasOwner = relationships.contains { identity(number).contains($0.name) }
      space = lineage.last { identity($0) == identity(number) }!
      mapper = lineage.first { all[$0].entityMapper != nil || all[$0].entityMapperName != nil }.map { all[$0] }
      modification = self.identity.isEmpty ? nil : lineage.lazy.compactMap { all[$0].modificationAttribute }.first
      mark = lineage.lazy.compactMap { all[$0].deletedWhen }.first
      let owner = lineage.first { all[$0].dictionaryTransformerName != nil }
      transformer = owner.map { ($0, all[$0].dictionaryTransformerName!) }
      key = properties.first { $0.paths.contains(where: \.isObjectKey) }
      element = properties.first { $0.paths.contains(where: \.isElementValue) }
      paths =
        properties.flatMap(\.paths).filter { !$0.isKeyWord }.map(\.keys)
        + properties.compactMap { $0.ignoredPath?.keys }
        + lineage.compactMap { all[$0].entityMapper?.keyPath.keys } + (mark.map { [$0.keyPath.keys] } ?? [])
      byName = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0) })
    }

    func property(_ name: String) -> Property? { byName[name] }

    /// The keys that lead from the surroundings of the objects to their values (M19).
    fileprivate func outside(_ surroundings: JSONKeyPath.Surroundings) -> [[String]] {
      properties.flatMap(\.paths).filter { $0.surroundings == surroundings }.map { Array($0.keys.dropFirst()) }
    }

    fileprivate func learn(_ keys: [[String]]) { paths += keys.filter { !paths.contains($0) } }
  }

  let entities: [Entity]
  let numbers: [String: Int]

  init(_ description: ModelDescription) {
    let all = description.entities
    let numbers = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
    func lineage(_ number: Int) -> [Int] {
      [number] + (all[number].parentName.map { lineage(numbers[$0]!) } ?? [])
    }
    func identity(_ number: Int) -> [String] {
      lineage(number).reversed().flatMap { all[$0].identityAttributes }.reduce(into: []) {
        if !$0.contains($1) { $0.append($1) }
      }
    }
    self.numbers = numbers
    let lineages = all.indices.map(lineage)
    entities = all.indices.map { Entity($0, all, lineages, identity) }
    for entity in entities {
      for property in entity.properties {
        guard let relationship = property.relationship, let path = property.paths.first, path.surroundings == nil else {
          continue
        }
        let destination = numbers[relationship.destinationName]!
        entity.contained.formUnion(entities.indices.filter { lineages[$0].contains(destination) })
      }
    }
    for (number, entity) in entities.enumerated() {
      for inner in entity.contained { entity.learn(entities[inner].outside(.parent)) }
      var reached: Set = [number]
      while true {
        let more = reached.union(reached.flatMap { entities[$0].contained })
        if more == reached { break }
        reached = more
      }
      for inner in reached { entity.learn(entities[inner].outside(.root)) }
    }
  }

  /// Whether the objects of a relationship are identified inside the object that has the relationship (M12).
  func isOwning(_ relationship: RelationshipDescription) -> Bool {
    relationship.inverseName.map { entities[numbers[relationship.destinationName]!].identity.contains($0) } ?? false
  }

  /// Whether the identifier of an entity's object is an array. An object that is identified only by its owner has the owner's identifier.
  func hasArrayIdentifier(_ entity: Int) -> Bool {
    let identity = entities[entity].identity
    if identity.count != 1 { return identity.count > 1 }
    return entities[entity].property(identity[0])?.relationship.map { hasArrayIdentifier(numbers[$0.destinationName]!) }
      ?? false
  }

  /// Whether two entities are the same, or the first inherits from the second.
  func inherits(_ entity: Int, from other: Int) -> Bool { entities[entity].lineage.contains(other) }
}
