/// Finds the objects of an entity in a payload that is an object around them (I19).
///
///     {"data": {"page": 1, "items": [{"id": 7, "name": "Ada"}]}}        data.items: the elements have keys of 'Person'
struct EnvelopeSearch {
  private let mapped: Set<String>
  private var found: [[String]] = []
  private var visited = 0

  private static let mostObjects = 1_000
  private static let mostKeys = 1_000
  private static let mostDepth = 8

  /// Returns the probable key paths of the objects: the shortest ones whose values have mapped keys. If there are none, returns
  /// the only path into the payload; otherwise, the keys whose values may contain the objects.
  ///
  /// - Parameters:
  ///   - entity: the entity of the objects.
  ///   - scanner: a scanner at the payload's object.
  static func keyPaths(to entity: EntityPlan, _ plan: Plan, in scanner: JSONScanner) -> [[String]] {
    let keys = entity.concreteAndSubentities.flatMap { other in
      let entity = plan.entities[other]
      return (entity.properties.flatMap { [$0.keyPath].compactMap(\.self) + $0.keyPathAliases } + entity.discriminators)
        .compactMap(\.keys.first)
    }
    var search = EnvelopeSearch(mapped: Set(keys))
    var level: [(keys: [String], value: Int)] = [([], scanner.offset)]
    for _ in 0..<mostDepth where search.found.isEmpty && !level.isEmpty {
      level = level.flatMap { search.look(at: $0.value, $0.keys, scanner) }
    }
    return search.found.isEmpty ? search.onlyWay(scanner) : search.found
  }

  private init(mapped: Set<String>) { self.mapped = mapped }

  /// Looks at the members of an object.
  ///
  /// - Returns: the objects in it.
  private mutating func look(
    at offset: Int, _ keys: [String], _ scanner: JSONScanner
  ) -> [(keys: [String], value: Int)] {
    visited += 1
    guard visited <= EnvelopeSearch.mostObjects else { return [] }
    var inner: [(keys: [String], value: Int)] = []
    for member in EnvelopeSearch.members(at: offset, scanner) where member.isContainer {
      let path = keys + [member.key]
      if isMapped(member.value, scanner) { found.append(path) }
      inner.append((path, member.value))
    }
    return inner
  }

  /// Whether a value is an object with a mapped key, or an array that begins with one.
  private func isMapped(_ offset: Int, _ scanner: JSONScanner) -> Bool {
    var reader = EnvelopeSearch.moved(scanner, to: offset)
    if reader.peek == UInt8(ascii: "[") {
      reader.advance()
      reader.skipWhitespace()
    }
    return JSONLocator.members(in: reader, most: EnvelopeSearch.mostKeys).contains { mapped.contains($0.key) }
  }

  /// The path through objects that contain one container each.
  private func onlyWay(_ scanner: JSONScanner) -> [[String]] {
    var path: [String] = []
    var offset = scanner.offset
    while path.count < EnvelopeSearch.mostDepth {
      let containers = EnvelopeSearch.members(at: offset, scanner).filter(\.isContainer)
      guard containers.count == 1 else { return path.isEmpty ? containers.map { [$0.key] } : [path] }
      path.append(containers[0].key)
      offset = containers[0].value
    }
    return [path]
  }

  /// The members of an object whose keys can be shown as they are.
  private static func members(at offset: Int, _ scanner: JSONScanner) -> [JSONLocator.Member] {
    JSONLocator.members(in: moved(scanner, to: offset), most: mostKeys).filter { $0.key == $0.key.escapedForDisplay() }
  }

  private static func moved(_ scanner: JSONScanner, to offset: Int) -> JSONScanner {
    var reader = scanner
    reader.advance(offset - scanner.offset)
    return reader
  }
}
