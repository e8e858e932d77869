/// What takes part in JSON, and what leads where, for the checks that give advice. Made once, in linear time.
struct ModelUses {
  /// Entities to which a mapped relationship leads, not those that inherit from them.
  private(set) var destinations: Set<Int> = []
  /// Entities that a mapper lists.
  private(set) var mapperTargets: Set<Int> = []
  /// How many mapped relationships lead into each hierarchy, by its root.
  private(set) var relationshipCounts: [Int: Int] = [:]
  /// The roots of the hierarchies in which something tells objects apart.
  private(set) var rootsWithIdentity: Set<Int> = []
  private var isMapped: [Bool]
  private var isKeptOut: [Bool]
  private let entities: [EntityDescription]

  init(_ index: ModelIndex) {
    entities = index.entities
    isMapped = entities.map(\.isMapped)
    isKeptOut = entities.map(\.isKeptOut)
    spread(&isMapped, index)
    spread(&isKeptOut, index)
    for (number, entity) in entities.enumerated() {
      if !entity.identityAttributes.isEmpty { rootsWithIdentity.insert(index.roots[number]) }
      for line in entity.entityMapper?.cases ?? [] {
        if let target = index.entity(named: line.entityName) { mapperTargets.insert(target) }
      }
      for relationship in entity.relationships where relationship.keyPath != nil {
        guard let destination = index.entity(named: relationship.destinationName) else { continue }
        destinations.insert(destination)
        relationshipCounts[index.roots[destination], default: 0] += 1
      }
    }
  }

  /// What is true of an entity is true of its ancestors and sub-entities, but not of its siblings.
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

  /// Whether the entity declares, inherits or passes on a property with a key path.
  func isMapped(_ entity: Int) -> Bool { isMapped[entity] }

  /// Whether the entity has no key paths, and no `"JSONKeyPath": null` shows that this is meant.
  func isUnmapped(_ entity: Int) -> Bool { !isMapped[entity] && !isKeptOut[entity] }

  /// Whether the entity itself declares properties.
  func hasProperties(_ entity: Int) -> Bool {
    !entities[entity].attributes.isEmpty || !entities[entity].relationships.isEmpty
  }
}

extension EntityDescription {
  /// Whether a property that is declared here has a key path.
  fileprivate var isMapped: Bool {
    attributes.contains { $0.keyPath != nil } || relationships.contains { $0.keyPath != nil }
  }

  /// Whether the file keeps a property that is declared here out of JSON, with `null`.
  fileprivate var isKeptOut: Bool {
    attributes.contains { $0.keyPath == nil && $0.source[.JSONKeyPath] != nil }
      || relationships.contains { $0.keyPath == nil && $0.source[.JSONKeyPath] != nil }
  }
}
