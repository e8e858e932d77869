extension ModelChecker {
  /// Returns the names of the relationships that can help to identify the objects of an entity, for suggestions (M12).
  func ownerNames(of entity: Int) -> [String] {
    index.lineage(entity).flatMap { index.entities[$0].relationships }.filter { faultOfOwner($0) == nil }.map(\.name)
  }

  /// Returns why a relationship cannot name the owners of the objects that it helps to identify (M12); nil if it can name them.
  func faultOfOwner(_ relationship: RelationshipDescription) -> String? {
    let source = relationship.source
    if relationship.isToMany { return "it is a to-many relationship, and an object has one owner" }
    if relationship.inverseName == nil, source.isReadable(.inverse) {
      return "it has no 'inverse' through which the owner contains the objects"
    }
    if relationship.unresolvedRule != .placeholder {
      return "with \"unresolvedRule\": \"\(relationship.unresolvedRule.rawValue)\", an owner could remain unknown"
    }
    if relationship.direction != .both { return "it has a 'JSONDirection', and identities are both read and written" }
    guard source.isReadable(.destination), let destination = index.entity(named: relationship.destinationName),
      index.knowsAllProperties(of: destination)
    else { return nil }
    let hasIdentity = index.lineage(destination).contains { number in
      let entity = index.entities[number]
      return !entity.identityAttributes.isEmpty || !entity.source.isReadable(.identityAttributes)
        || !entity.source.isReadable(.identityAttribute)
    }
    return hasIdentity ? nil : "its destination \(relationship.destinationName.quoted) has no identity itself"
  }

  /// Checks that no object can be identified inside itself, through any number of owners (M12).
  ///
  ///     Line > Order > Customer          an owner after each arrow
  func checkOwnerCycles() {
    var graph = OwnerGraph(index)
    while let cycle = graph.nextCycle() {
      let entity = index.entities[cycle.entity]
      let chain = cycle.chain.map { index.entities[$0].name }
      let shown = chain.count > 6 ? Array(chain.prefix(3)) + ["…"] + chain.suffix(2) : chain
      findings.report(
        .identityRelationship(
          entity.identityAttributes[cycle.element], of: entity.name,
          "an object would be identified inside itself: \(shown.joined(separator: " > "))"),
        at: entity.source.place(of: .identityAttributes, element: cycle.element))
    }
  }
}

/// For each entity, the owners that its objects are identified inside, including its ancestors' owners. An owner may belong to a sub-entity
/// of the relationship's destination.
private struct OwnerGraph {
  struct Cycle {
    var entity: Int
    /// The index of the relationship among the identity attributes of the entity.
    var element: Int
    /// The entities in the chain; the first entity is also the last.
    var chain: [Int]
  }

  private let index: ModelIndex
  private var children: [[Int]]
  // The states of the nodes. Each entity has two nodes: `entity`, and `count + entity` for the entity with its sub-entities.
  private var states: [UInt8]
  private var next = 0
  private let count: Int

  init(_ index: ModelIndex) {
    self.index = index
    count = index.entities.count
    children = Array(repeating: [], count: count)
    for (entity, parent) in index.parents.enumerated() { if let parent { children[parent].append(entity) } }
    states = Array(repeating: 0, count: count * 2)
  }

  /// Returns the next cycle. Each cycle is found once. Expected linear time for all cycles.
  mutating func nextCycle() -> Cycle? {
    while next < count {
      let start = next
      next += 1
      if states[start] == 0, let cycle = search(from: start) { return cycle }
    }
    return nil
  }

  /// Returns the owners of an entity, with the identity attributes that name them.
  private func edges(_ node: Int) -> [(node: Int, element: Int)] {
    if node >= count { return [(node - count, -1)] + children[node - count].map { (count + $0, -1) } }
    var edges: [(node: Int, element: Int)] = index.parents[node].map { [($0, -1)] } ?? []
    for (element, name) in index.entities[node].identityAttributes.enumerated() {
      guard case (let owner, .relationship(let position))? = index.property(named: name, of: node),
        !index.entities[owner].relationships[position].isToMany,
        let end = index.entity(named: index.entities[owner].relationships[position].destinationName)
      else { continue }
      edges.append((count + end, element))
    }
    return edges
  }

  private mutating func search(from start: Int) -> Cycle? {
    var path: [(node: Int, edges: [(node: Int, element: Int)], next: Int)] = [(start, edges(start), 0)]
    states[start] = 1
    var found: Cycle?
    while let last = path.last {
      guard last.next < last.edges.count else {
        states[last.node] = 2
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let target = last.edges[last.next].node
      if states[target] == 0 {
        states[target] = 1
        path.append((target, edges(target), 0))
      } else if states[target] == 1, found == nil {
        found = cycle(path, to: target)
      }
    }
    return found
  }

  /// Returns the cycle that a path closes, or nil if the cycle contains no owner.
  private func cycle(_ path: [(node: Int, edges: [(node: Int, element: Int)], next: Int)], to target: Int) -> Cycle? {
    guard let first = path.firstIndex(where: { $0.node == target }) else { return nil }
    let way = path[first...]
    guard
      let step = way.first(where: { $0.node < count && $0.edges[$0.next - 1].element >= 0 })
    else { return nil }
    var chain = way.filter { $0.node < count && $0.edges[$0.next - 1].element >= 0 }.map(\.node)
    chain.append(chain[0])
    return Cycle(entity: step.node, element: step.edges[step.next - 1].element, chain: chain)
  }
}
