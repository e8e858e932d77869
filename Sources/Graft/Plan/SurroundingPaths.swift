/// The key paths that begin with `@parent` or `@root`, from the perspective of the objects that read them and of the objects that enclose
/// them (M19). The first key of each path is omitted.
///
///     Order ── lines ──▶ Line, which reads "@parent.id" and "@root.meta.page"
///
///     Line     parent: id                 root: meta.page
///     Order                               root: meta.page      known: id, meta.page
struct SurroundingPaths {
  /// The values that the objects of the entity read from their enclosing object.
  private(set) var parent: [JSONKeyPath] = []
  /// The values that these objects, and all objects that can be inside them, read from the document.
  private(set) var root: [JSONKeyPath] = []
  /// The values that other objects read from an object of the entity: the readers are objects directly inside it and, if it is the
  /// document, all objects.
  private(set) var known: [JSONKeyPath] = []

  /// Resolves the paths of all entities. Expected time in proportion to the model, for each path that begins with `@root`.
  static func resolve(_ entities: [EntityPlan], _ numbers: [String: Int]) {
    let paths = entities.map { entity in
      entity.properties.filter { $0.direction != .export }
        .flatMap { [$0.keyPath].compactMap(\.self) + $0.keyPathAliases }.filter { $0.surroundings != nil }
    }
    guard paths.contains(where: { !$0.isEmpty }) else { return }
    let containers = containers(entities, numbers)
    var readers: [[String]: [Int]] = [:]
    for (number, own) in paths.enumerated() {
      for path in own {
        let keys = Array(path.keys.dropFirst())
        guard !keys.isEmpty else { continue }
        if path.surroundings == .root {
          readers[keys, default: []].append(number)
          continue
        }
        let inner = JSONKeyPath(keys: keys)
        if !entities[number].surroundings.parent.contains(inner) { entities[number].surroundings.parent.append(inner) }
        for container in containers[number].sorted() { entities[container].surroundings.addKnown(inner) }
      }
    }
    for (keys, numbers) in readers.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let path = JSONKeyPath(keys: keys)
      var met = Set(numbers)
      var next = numbers
      while let number = next.popLast() {
        entities[number].surroundings.root.append(path)
        entities[number].surroundings.addKnown(path)
        for container in containers[number] where met.insert(container).inserted { next.append(container) }
      }
    }
  }

  private mutating func addKnown(_ path: JSONKeyPath) {
    if !known.contains(path) { known.append(path) }
  }

  /// Returns, for each entity, the entities whose objects can directly contain its objects.
  private static func containers(_ entities: [EntityPlan], _ numbers: [String: Int]) -> [Set<Int>] {
    var containers = Array(repeating: Set<Int>(), count: entities.count)
    for entity in entities {
      for property in entity.properties {
        // A value that is read from outside the object is an identifier, so it contains no objects.
        guard let path = property.importedKeyPath, path.surroundings == nil,
          let name = property.relationship?.destinationName, let destination = numbers[name]
        else { continue }
        for inner in entities[destination].concreteAndSubentities { containers[inner].insert(entity.index) }
      }
    }
    return containers
  }
}
