extension ModelChecker {
  /// Checks that no two key paths of an entity name the same value, and that no key path passes through the value of another key path.
  /// Aliases and inherited properties are included. Keys are compared by their bytes (M9).
  ///
  /// The paths of an entity and its ancestors form a tree of keys. An entity's paths are removed once its sub-entities are
  /// done, so the paths of siblings never meet.
  func checkKeyPathCollisions() {
    var tree = KeyPathTree()
    var planted: [[Int]] = []

    func plant(_ path: JSONKeyPath, _ owner: KeyPathOwner) {
      // `@key`, `@value` and `@index` are not keys of the object, and `@parent` and `@root` start outside it. Paths through arrays
      // may share them.
      guard path.reservedWord == nil, path.keys.count <= Self.mostKeys else { return }
      var path = path
      if path.isThroughArrays {
        // Several properties may read an array, but a property that is written must be the only one.
        guard owner.aliasElement == nil, isWritten(owner), let keys = path.segments.first, !keys.contains("") else {
          return
        }
        path = JSONKeyPath(keys: keys)
      }
      let (node, met) = tree.plant(path, owner)
      planted[planted.count - 1].append(node)
      guard let met else { return }
      let finding: ModelFinding =
        switch met.relation {
        case .same: .collidingKeyPaths(path, name(owner), name(met.owner))
        case .inside: .nestedKeyPaths(path, of: name(owner), inside: name(met.owner))
        case .around: .enclosingKeyPath(path, of: name(owner), around: name(met.owner))
        }
      let place = place(met.owner)
      findings.report(
        finding, at: self.place(owner), notes: [.init("the key path of \(name(met.owner))", at: place)])
    }

    func plantAll(_ path: JSONKeyPath?, _ aliases: [JSONKeyPath], _ owner: KeyPathOwner) {
      if let path { plant(path, owner) }
      for (element, alias) in aliases.enumerated() { plant(alias, owner.alias(element)) }
    }

    index.walkHierarchies { entity in
      planted.append([])
      let description = index.entities[entity]
      // Properties are accessed by position, because their descriptions are expensive to copy.
      let (attributes, relationships) = (description.attributes, description.relationships)
      for position in attributes.indices {
        let owner = KeyPathOwner(entity: entity, property: .attribute(position))
        plantAll(attributes[position].keyPath, attributes[position].keyPathAliases, owner)
      }
      // Other properties may also read the values of an identifier (M24).
      for position in relationships.indices where relationships[position].identifierKeyPaths.isEmpty {
        let owner = KeyPathOwner(entity: entity, property: .relationship(position))
        plantAll(relationships[position].keyPath, relationships[position].keyPathAliases, owner)
      }
      // A discriminator may also be an attribute's value. It must then be a value, not an object with further keys.
      if let mapper = description.entityMapper {
        plant(mapper.keyPath, KeyPathOwner(entity: entity, property: nil))
      }
      // Likewise, the value of a deletion mark may also be an attribute's value.
      if let mark = description.deletedWhen {
        plant(mark.keyPath, KeyPathOwner(entity: entity, property: nil, isMark: true))
      }
    } leave: { _ in
      for node in planted.removeLast().reversed() { tree.uproot(node) }
    }
  }

  private func isWritten(_ owner: KeyPathOwner) -> Bool {
    let entity = index.entities[owner.entity]
    return switch owner.property {
    case .attribute(let position)?: entity.attributes[position].direction != .import
    case .relationship(let position)?: entity.relationships[position].direction != .import
    case nil: true
    }
  }

  /// Returns the owner of a key path in the form used in messages.
  private func name(_ owner: KeyPathOwner) -> String {
    let entity = index.entities[owner.entity]
    return switch owner.property {
    case .attribute(let position)?: "\(entity.name).\(entity.attributes[position].name)".quoted
    case .relationship(let position)?: "\(entity.name).\(entity.relationships[position].name)".quoted
    case nil: owner.isMark ? "'deletedWhen' of \(entity.name.quoted)" : "the mapper of \(entity.name.quoted)"
    }
  }

  private func place(_ owner: KeyPathOwner) -> SourcePlace {
    let entity = index.entities[owner.entity]
    let source =
      switch owner.property {
      case .attribute(let position)?: entity.attributes[position].source
      case .relationship(let position)?: entity.relationships[position].source
      case nil: owner.isMark ? entity.deletedWhen?.source ?? entity.source : entity.source
      }
    guard let element = owner.aliasElement else { return source.place(of: .JSONKeyPath) }
    return source.place(of: .JSONKeyPathAliases, element: element)
  }
}

/// The owner of a key path: a property, or the mapper or `deletedWhen` of an entity.
struct KeyPathOwner {
  var entity: Int
  /// The property, or nil for the mapper and `deletedWhen`.
  var property: ModelIndex.Property?
  /// Whether the owner is `deletedWhen`.
  var isMark = false
  /// The index of the alias, or nil for the key path itself.
  var aliasElement: Int?

  func alias(_ element: Int) -> Self { Self(entity: entity, property: property, aliasElement: element) }
}

/// A tree of the keys in key paths.
///
///     "name", "image.url", "image.size"
///
///     root ─┬─ name (a path ends here)
///           └─ image ─┬─ url (a path ends here)
///                     └─ size (a path ends here)
struct KeyPathTree {
  /// The relation of a new path to an existing one.
  enum Relation { case same, inside, around }

  private struct Edge: Hashable {
    var parent: Int
    var key: UTF8Key
  }

  private struct Node {
    var parent: Int
    /// The owners of paths that end here and of paths that continue from here, latest last.
    var ends: [KeyPathOwner] = []
    var passes: [KeyPathOwner] = []
  }

  private var nodes = [Node(parent: -1)]
  private var edges: [Edge: Int] = [:]

  /// Adds a path.
  ///
  /// - Returns: the node where the path ends, and an existing path with which it conflicts, if there is one.
  mutating func plant(
    _ path: JSONKeyPath, _ owner: KeyPathOwner
  ) -> (node: Int, met: (relation: Relation, owner: KeyPathOwner)?) {
    var met: (relation: Relation, owner: KeyPathOwner)?
    var node = 0
    for (depth, key) in path.keys.enumerated() {
      let edge = Edge(parent: node, key: UTF8Key(key))
      if let next = edges[edge] {
        node = next
      } else {
        edges[edge] = nodes.count
        node = nodes.count
        nodes.append(Node(parent: edge.parent))
      }
      let isLast = depth == path.keys.count - 1
      if !isLast {
        if met == nil, let other = nodes[node].ends.first { met = (.inside, other) }
        nodes[node].passes.append(owner)
      } else {
        // The discriminator may be the value of a property.
        let others = nodes[node].ends.filter { $0.property != nil && owner.property != nil }
        if met == nil, let other = others.first { met = (.same, other) }
        if met == nil, let other = nodes[node].passes.first { met = (.around, other) }
        nodes[node].ends.append(owner)
      }
    }
    return (node, met)
  }

  /// Removes the path that was most recently added at a node.
  mutating func uproot(_ node: Int) {
    nodes[node].ends.removeLast()
    var node = nodes[node].parent
    while node > 0 {
      nodes[node].passes.removeLast()
      node = nodes[node].parent
    }
  }
}
