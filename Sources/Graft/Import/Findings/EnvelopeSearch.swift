/// Finds the objects of an entity in a payload that encloses them in another object (I19).
///
///     {"data": {"page": 1, "items": [{"id": 7, "name": "Ada"}]}}        data.items: the elements have keys of 'Person'
///     {"edges": [{"node": {"id": 7, "name": "Ada"}}]}                   edges[].node
///     {"data": {"7": {"name": "Ada"}, "8": {"name": "Bob"}}}            data: the values have keys of 'Person'
struct EnvelopeSearch {
  /// The probable location of the objects.
  struct Result {
    /// The key paths of objects and arrays.
    var paths: [[String]] = []
    /// The path to the object whose members are the objects, if the objects are in a collection by keys; empty for the payload itself.
    var collection: [String]?
  }

  private let mapped: Set<String>
  private var found = Result()
  private var visited = 0

  private static let mostObjects = 1_000
  private static let mostKeys = 1_000
  /// More levels than any service uses. Each level is read once for itself and once for each enclosing level.
  private static let mostDepth = 64

  /// Returns the probable location of the objects: the shortest key paths to values with mapped keys. If there are none, returns the only
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

  /// Searches the members of an object.
  ///
  /// - Returns: the objects found in the members.
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

  /// Returns whether a key path can be written. Brackets have no meaning in a path written as an array of keys.
  private static func canBeWritten(_ path: [String]) -> Bool {
    guard path.contains(where: { $0.hasSuffix(JSONKeyPath.brackets) }) else { return true }
    return !path.contains { $0.isEmpty || $0.contains(".") }
  }

  /// Returns whether the values of an object are the objects: several objects with the same mapped keys, or one object whose key is a
  /// number.
  private func isCollection(_ members: [JSONLocator.Member], _ scanner: JSONScanner) -> Bool {
    guard let first = members.first, members.count > 1 || first.key.utf8.allSatisfy(NumberText.isDigit) else {
      return false
    }
    let keys = mappedKeys(ofObjectAt: first.value, scanner)
    return !keys.isEmpty && members.allSatisfy { mappedKeys(ofObjectAt: $0.value, scanner) == keys }
  }

  /// Returns the mapped keys of an object, or an empty array for any other value.
  private func mappedKeys(ofObjectAt offset: Int, _ scanner: JSONScanner) -> Set<String> {
    let members = JSONLocator.members(in: EnvelopeSearch.moved(scanner, to: offset), most: EnvelopeSearch.mostKeys)
    return mapped.intersection(members.map(\.key))
  }

  /// Returns the offset of the first element of an array if that element is an object, or nil for any other value.
  private static func firstElement(at offset: Int, _ scanner: JSONScanner) -> Int? {
    var reader = moved(scanner, to: offset)
    guard reader.peek == UInt8(ascii: "[") else { return nil }
    reader.advance()
    reader.skipWhitespace()
    return reader.peek == UInt8(ascii: "{") ? reader.offset : nil
  }

  /// Returns whether a value is an object with a mapped key, or an array that begins with such an object.
  private func isMapped(_ offset: Int, _ scanner: JSONScanner) -> Bool {
    var reader = EnvelopeSearch.moved(scanner, to: offset)
    if reader.peek == UInt8(ascii: "[") {
      reader.advance()
      reader.skipWhitespace()
    }
    return JSONLocator.members(in: reader, most: EnvelopeSearch.mostKeys).contains { mapped.contains($0.key) }
  }

  /// Returns the path through objects that each contain exactly one container.
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

  /// Returns the members of an object whose keys can be shown unchanged and have no special meaning in a key path.
  private static func members(at offset: Int, _ scanner: JSONScanner) -> [JSONLocator.Member] {
    JSONLocator.members(in: moved(scanner, to: offset), most: mostKeys).filter {
      $0.key == $0.key.escapedForDisplay() && !$0.key.hasSuffix(JSONKeyPath.brackets)
    }
  }

  /// Returns whether a value is an array of arrays, which no key path reads.
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
