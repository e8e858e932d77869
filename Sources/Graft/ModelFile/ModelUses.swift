/// The properties in JSON and the targets of mappers and relationships, for the checks that give advice. Computed once, in
/// linear time.
struct ModelUses {
  /// The destinations of mapped relationships, without the entities that inherit from them.
  private(set) var destinations: Set<Int> = []
  /// The entities that mappers list.
  private(set) var mapperTargets: Set<Int> = []
  /// The number of mapped relationships into each hierarchy, by its root.
  private(set) var relationshipCounts: [Int: Int] = [:]
  /// The roots of the hierarchies that contain identity attributes.
  private(set) var rootsWithIdentity: Set<Int> = []
  private var isMapped: [Bool]
  /// Whether something other than a relationship with an inverse has a key path.
  private var isMappedBesidesInverses: [Bool]
  private var isKeptOut: [Bool]
  private let entities: [EntityDescription]

  init(_ index: ModelIndex) {
    entities = index.entities
    isMapped = entities.map(\.isMapped)
    isMappedBesidesInverses = entities.map(\.isMappedBesidesInverses)
    isKeptOut = entities.map(\.isKeptOut)
    spread(&isMapped, index)
    spread(&isMappedBesidesInverses, index)
    spread(&isKeptOut, index)
    for (number, entity) in entities.enumerated() {
      if !entity.identityAttributes.isEmpty { rootsWithIdentity.insert(index.roots[number]) }
      for line in entity.entityMapper?.cases ?? [] {
        if let target = index.entity(named: line.entityName) { mapperTargets.insert(target) }
      }
      if case .entity(let name)? = entity.entityMapper?.otherwise, let target = index.entity(named: name) {
        mapperTargets.insert(target)
      }
      for relationship in entity.relationships where relationship.importedKeyPath != nil {
        guard let destination = index.entity(named: relationship.destinationName) else { continue }
        destinations.insert(destination)
        relationshipCounts[index.roots[destination], default: 0] += 1
      }
    }
  }

  /// Spreads flags of entities to their ancestors and sub-entities, but not to their siblings.
  private func spread(_ flags: inout [Bool], _ index: ModelIndex) {
    var inherited = flags
    for entity in index.depthFirst {
      if let parent = index.parents[entity], inherited[parent] { inherited[entity] = true }
    }
    for entity in index.depthFirst.reversed() {
      if let parent = index.parents[entity], flags[entity] { flags[parent] = true }
    }
    for entity in flags.indices where inherited[entity] { flags[entity] = true }
  }

  /// Returns whether the entity, an ancestor or a sub-entity has a property with a key path.
  func isMapped(_ entity: Int) -> Bool { isMapped[entity] }

  /// Returns whether the entity has no key paths, and no `"JSONKeyPath": null` shows that this is intended.
  func isUnmapped(_ entity: Int) -> Bool { !isMapped[entity] && !isKeptOut[entity] }

  /// Returns whether only relationships with inverses have a key path, and no `"JSONKeyPath": null` shows that this is
  /// intended.
  func isMappedByInverses(_ entity: Int) -> Bool {
    isMapped[entity] && !isMappedBesidesInverses[entity] && !isKeptOut[entity]
  }

  /// Returns whether the entity itself declares properties.
  func hasProperties(_ entity: Int) -> Bool {
    !entities[entity].attributes.isEmpty || !entities[entity].relationships.isEmpty
  }
}

extension EntityDescription {
  /// Whether a property declared here has a key path.
  fileprivate var isMapped: Bool {
    attributes.contains { $0.keyPath != nil } || relationships.contains { $0.keyPath != nil }
  }

  /// Whether an attribute declared here, or a relationship without an inverse, has a key path.
  fileprivate var isMappedBesidesInverses: Bool {
    attributes.contains { $0.keyPath != nil }
      || relationships.contains { $0.keyPath != nil && $0.inverseName == nil }
  }

  /// Whether a property declared here is excluded from JSON with `null`.
  fileprivate var isKeptOut: Bool {
    attributes.contains { $0.keyPath == nil && $0.source[.JSONKeyPath] != nil }
      || relationships.contains { $0.keyPath == nil && $0.source[.JSONKeyPath] != nil }
  }
}
