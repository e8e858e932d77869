/// Finds the objects of an entity in a payload that is an object around them (I19).
///
///     {"data": {"page": 1, "items": [{"id": 7, "name": "Ada"}]}}        data.items: the elements have keys of 'Person'
///     {"edges": [{"node": {"id": 7, "name": "Ada"}}]}                   edges[].node
///     {"data": {"7": {"name": "Ada"}, "8": {"name": "Bob"}}}            data: the values have keys of 'Person'
struct EnvelopeSearch {
  /// Where the objects probably are.
  struct Result {
    /// The key paths of objects and arrays.
    var paths: [[String]] = []
    /// The keys of the object whose values the objects are, if there are several; empty for the payload itself.
    var collection: [String]?
  }

  private let mapped: Set<String>
  private var found = Result()
  private var visited = 0

  private static let mostObjects = 1_000
  private static let mostKeys = 1_000
  /// More than any service nests. Each level is read again for the levels around it.
  private static let mostDepth = 64

  /// Returns where the objects probably are: the shortest key paths to values with mapped keys. If there are none, returns the only
  /// path into the payload; otherwise, the keys whose values may contain the objects.
  ///
  /// - Parameters:
  ///   - entity: the entity of the objects.
  ///   - scanner: a scanner at the payload's object.
  static func result(for entity: EntityPlan, _ plan: Plan, in scanner: JSONScanner) -> Result {
    let keys = entity.concreteAndSubentities.flatMap { other in
      let entity = plan.entities[other]
      return (entity.properties.flatMap { [$0.keyPath].compactMap(\.self) + $0.keyPathAliases } + entity.discriminators)
        .compactMap(\.keys.first)
    }
    var search = EnvelopeSearch(mapped: Set(keys))
    var level: [(keys: [String], value: Int)] = [([], scanner.offset)]
    for _ in 0..<mostDepth where search.isEmpty && !level.isEmpty {
      level = level.flatMap { search.look(at: $0.value, $0.keys, scanner) }
    }
    return search.isEmpty ? Result(paths: search.onlyWay(scanner)) : search.found
  }

  private var isEmpty: Bool { found.paths.isEmpty && found.collection == nil }

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
    let members = EnvelopeSearch.members(at: offset, scanner)
    if isCollection(members, scanner) {
      found.collection = keys
      return []
    }
    for member in members where member.isContainer {
      let path = keys + [member.key]
      if isMapped(member.value, scanner), EnvelopeSearch.canBeWritten(path) { found.paths.append(path) }
      if let element = EnvelopeSearch.firstElement(at: member.value, scanner) {
        inner.append((keys + [member.key + JSONKeyPath.brackets], element))
      } else {
        inner.append((path, member.value))
      }
    }
    return inner
  }

  /// Whether a key path leads to the value: brackets have no meaning in a path that is written as an array of keys.
  private static func canBeWritten(_ path: [String]) -> Bool {
    guard path.contains(where: { $0.hasSuffix(JSONKeyPath.brackets) }) else { return true }
    return !path.contains { $0.isEmpty || $0.contains(".") }
  }

  /// Whether the values of an object are the objects: objects with the same mapped keys, several or one under a number.
  private func isCollection(_ members: [JSONLocator.Member], _ scanner: JSONScanner) -> Bool {
    guard let first = members.first, members.count > 1 || first.key.utf8.allSatisfy(NumberText.isDigit) else {
      return false
    }
    let keys = mappedKeys(ofObjectAt: first.value, scanner)
    return !keys.isEmpty && members.allSatisfy { mappedKeys(ofObjectAt: $0.value, scanner) == keys }
  }

  /// The mapped keys of an object; empty for another value.
  private func mappedKeys(ofObjectAt offset: Int, _ scanner: JSONScanner) -> Set<String> {
    let members = JSONLocator.members(in: EnvelopeSearch.moved(scanner, to: offset), most: EnvelopeSearch.mostKeys)
    return mapped.intersection(members.map(\.key))
  }

  /// The offset of the first element of an array, if it is an object; nil for another value.
  private static func firstElement(at offset: Int, _ scanner: JSONScanner) -> Int? {
    var reader = moved(scanner, to: offset)
    guard reader.peek == UInt8(ascii: "[") else { return nil }
    reader.advance()
    reader.skipWhitespace()
    return reader.peek == UInt8(ascii: "{") ? reader.offset : nil
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
      let containers = EnvelopeSearch.members(at: offset, scanner).filter {
        $0.isContainer && !EnvelopeSearch.isArrayOfArrays($0.value, scanner)
      }
      guard containers.count == 1 else { return path.isEmpty ? containers.map { [$0.key] } : [path] }
      path.append(containers[0].key)
      offset = containers[0].value
    }
    return [path]
  }

  /// The members of an object whose keys can be shown as they are, and have no other meaning in a key path.
  private static func members(at offset: Int, _ scanner: JSONScanner) -> [JSONLocator.Member] {
    JSONLocator.members(in: moved(scanner, to: offset), most: mostKeys).filter {
      $0.key == $0.key.escapedForDisplay() && !$0.key.hasSuffix(JSONKeyPath.brackets)
    }
  }

  /// Whether a value is an array of arrays, which no key path reads.
  private static func isArrayOfArrays(_ offset: Int, _ scanner: JSONScanner) -> Bool {
    var reader = moved(scanner, to: offset)
    guard reader.peek == UInt8(ascii: "[") else { return false }
    reader.advance()
    reader.skipWhitespace()
    return reader.peek == UInt8(ascii: "[")
  }

  private static func moved(_ scanner: JSONScanner, to offset: Int) -> JSONScanner {
    var reader = scanner
    reader.advance(offset - scanner.offset)
    return reader
  }
}
