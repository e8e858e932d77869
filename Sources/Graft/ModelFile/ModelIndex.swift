/// The entities of a model, indexed by name and arranged in hierarchies, for the checks.
///
/// Any description can be indexed, because a parent that is unknown or would close a cycle is ignored.
struct ModelIndex {
  /// A property of an entity, by its index in the description.
  enum Property {
    case attribute(Int)
    case relationship(Int)
  }

  /// The maximum number of ancestors of an entity.
  static let mostAncestors = 64

  let entities: [EntityDescription]
  /// The names that the model lists as removed, and their locations.
  let removed: [String]
  let removedSource: DescriptionSource
  /// The number of each entity, by name. If two entities have the same name, or names that look the same, this is the number of the first
  /// such entity.
  private(set) var numbers: [String: Int] = [:]
  /// The parent of each entity.
  private(set) var parents: [Int?]
  /// The entities whose parent is ignored because they would be their own ancestors, each with its chain.
  private(set) var cycles: [[Int]] = []
  /// The entities whose parent is ignored because they have too many ancestors, without their descendants.
  private(set) var tooDeep: [Int] = []
  /// The root of each entity's hierarchy.
  private(set) var roots: [Int]
  /// The entities, each directly followed by its sub-entities.
  private(set) var depthFirst: [Int] = []
  /// Whether each entity, or one of its sub-entities, can have objects.
  private(set) var hasConcrete: [Bool]
  /// Whether each entity, or one of its sub-entities, declares an identity.
  private var declaresIdentity: [Bool]
  /// The properties that each entity declares, by name. If two properties have the same name, the first property is used.
  private(set) var properties: [[String: Property]] = []

  /// The indices of each entity and of its last sub-entity in ``depthFirst``.
  private var spans: [(first: Int, last: Int)]

  init(_ model: ModelDescription) {
    entities = model.entities
    removed = model.removed
    removedSource = model.removedSource
    let count = entities.count
    parents = Array(repeating: nil, count: count)
    roots = Array(0..<count)
    hasConcrete = entities.map { !$0.isAbstract }
    declaresIdentity = entities.map {
      !$0.identityAttributes.isEmpty || $0.source[.identityAttributes] != nil || $0.source[.identityAttribute] != nil
    }
    spans = Array(repeating: (0, 0), count: count)
    numberEntities()
    cutCycles()
    orderDepthFirst()
    properties = entities.indices.map(declaredProperties)
  }

  // MARK: Building

  private mutating func numberEntities() {
    numbers.reserveCapacity(entities.count)
    for (number, entity) in entities.enumerated() where NameRules.fault(inEntityName: entity.name) == nil {
      if numbers[entity.name] == nil { numbers[entity.name] = number }
    }
    for (number, entity) in entities.enumerated() {
      parents[number] = entity.parentName.flatMap { self.entity(named: $0) }
    }
  }

  private mutating func cutCycles() {
    // 0: not seen; 1: on the current path to the root; 2: known to have a root.
    var states = [UInt8](repeating: 0, count: entities.count)
    for start in entities.indices {
      var way: [Int] = []
      var next: Int? = start
      while let entity = next, states[entity] == 0 {
        states[entity] = 1
        way.append(entity)
        next = parents[entity]
      }
      if let entity = next, states[entity] == 1, let first = way.firstIndex(of: entity) {
        // Report the cycle from the entity that is first in the file.
        let cycle = Array(way[first...])
        let least = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
        let chain = Array(cycle[least...] + cycle[..<least])
        cycles.append(chain)
        parents[chain[0]] = nil
      }
      for entity in way { states[entity] = 2 }
    }
  }

  private mutating func orderDepthFirst() {
    var children: [[Int]] = Array(repeating: [], count: entities.count)
    for (entity, parent) in parents.enumerated() { if let parent { children[parent].append(entity) } }
    var open = entities.indices.reversed().filter { parents[$0] == nil }.map { (entity: $0, depth: 0, isCut: false) }
    while let (entity, level, wasCut) = open.popLast() {
      var (depth, isCut) = (level, wasCut)
      if depth > Self.mostAncestors {
        if !isCut { tooDeep.append(entity) }
        parents[entity] = nil
        (depth, isCut) = (0, true)
      }
      if let parent = parents[entity] { roots[entity] = roots[parent] }
      spans[entity] = (depthFirst.count, depthFirst.count)
      depthFirst.append(entity)
      open += children[entity].reversed().map { ($0, depth + 1, isCut) }
    }
    // Sub-entities follow their parents. In reverse order, each is complete before its parent uses it.
    for entity in depthFirst.reversed() {
      guard let parent = parents[entity] else { continue }
      spans[parent].last = max(spans[parent].last, spans[entity].last)
      if hasConcrete[entity] { hasConcrete[parent] = true }
      if declaresIdentity[entity] { declaresIdentity[parent] = true }
    }
  }

  private func declaredProperties(_ entity: Int) -> [String: Property] {
    var properties: [String: Property] = [:]
    let description = entities[entity]
    properties.reserveCapacity(description.attributes.count + description.relationships.count)
    for (index, attribute) in description.attributes.enumerated()
    where attribute.name.utf8.count <= NameRules.longest && properties[attribute.name] == nil {
      properties[attribute.name] = .attribute(index)
    }
    for (index, relationship) in description.relationships.enumerated()
    where relationship.name.utf8.count <= NameRules.longest && properties[relationship.name] == nil {
      properties[relationship.name] = .relationship(index)
    }
    return properties
  }

  // MARK: Looking up

  /// Returns the number of an entity, or nil if the name is unknown. Expected O(1).
  func entity(named name: String) -> Int? { name.utf8.count <= NameRules.longest ? numbers[name] : nil }

  /// Returns a property that an entity declares or inherits, and the entity that declares it. Expected O(ancestors).
  func property(named name: String, of entity: Int) -> (entity: Int, property: Property)? {
    guard name.utf8.count <= NameRules.longest else { return nil }
    for candidate in lineage(entity) {
      if let property = properties[candidate][name] { return (candidate, property) }
    }
    return nil
  }

  /// Returns an entity and its ancestors, the entity first.
  func lineage(_ entity: Int) -> some Sequence<Int> { sequence(first: entity) { parents[$0] } }

  /// Returns whether two entities are the same, or the first inherits from the second. Expected O(1).
  func inherits(_ entity: Int, from ancestor: Int) -> Bool {
    spans[ancestor].first <= spans[entity].first && spans[entity].first <= spans[ancestor].last
  }

  /// Returns whether everything that an entity declares or inherits could be read. Otherwise, a name that is not found may
  /// belong to a property that could not be read.
  func knowsAllProperties(of entity: Int) -> Bool {
    lineage(entity).allSatisfy { candidate in
      let source = entities[candidate].source
      return source.isReadable(.attributes) && source.isReadable(.relationships) && source.isReadable(.parent)
        && (entities[candidate].parentName == nil || parents[candidate] != nil)
    }
  }

  /// Returns whether objects of an entity or of a sub-entity can have an identity. Expected O(ancestors).
  func mayHaveIdentity(_ entity: Int) -> Bool {
    // The flag of an ancestor may come from a sibling, so only the ancestor's own declarations are considered.
    declaresIdentity[entity] || lineage(entity).contains { !entities[$0].identityAttributes.isEmpty }
      || !knowsAllProperties(of: entity)
  }

  /// Returns whether an entity is the first with its name.
  func isFirst(_ entity: Int) -> Bool { self.entity(named: entities[entity].name) == entity }

  /// The names of all entities, for suggestions.
  var entityNames: [String] { entities.map(\.name) }

  /// Returns the names of the attributes of an entity, for suggestions.
  func attributeNames(of entity: Int) -> [String] { lineage(entity).flatMap { entities[$0].attributes.map(\.name) } }

  /// Returns the names of the relationships of an entity, for suggestions.
  func relationshipNames(of entity: Int) -> [String] {
    lineage(entity).flatMap { entities[$0].relationships.map(\.name) }
  }

  /// Walks all hierarchies from the roots down. An entity's sub-entities come between entering and leaving it.
  func walkHierarchies(enter: (Int) -> Void, leave: (Int) -> Void) {
    var open: [Int] = []
    for entity in depthFirst {
      while let last = open.last, parents[entity] != last {
        leave(last)
        open.removeLast()
      }
      enter(entity)
      open.append(entity)
    }
    open.reversed().forEach(leave)
  }
}
