import Graft

/// Finds objects of a sample that equal objects of an earlier sample.
///
///     monday.json     [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]
///     tuesday.json    [{"id": 1, "name": "A"}, {"id": 2, "name": "C"}]          the first object is repeated
///
/// They are not counted again, so a page that is given twice, or overlaps with another page, does not change the model. Only whole
/// documents and the elements of the outermost arrays are compared: equal parts of two different objects are evidence.
struct RepeatedObjects {
  private struct Place: Hashable {
    var path: ValueHash
    var value: ValueHash
  }
  private var known: Set<Place> = []

  /// Returns the numbers of the repeated objects of a sample, and adds the other objects to the known objects.
  mutating func find(in source: SourceText, isLines: Bool) throws(JSONTextError) -> Set<Int> {
    var pass = Pass(known: known)
    try JSONEventReader.read(source, isLines: isLines) { pass.take($0) }
    known.formUnion(pass.found)
    return pass.repeated
  }

  /// Computes the hashes of the objects of a sample.
  private struct Pass {
    private struct Level {
      let isObject: Bool
      let number: Int?
      let path: ValueHash
      var hash: ValueHash
      var key = ""
    }
    let known: Set<Place>
    private(set) var found: Set<Place> = []
    private(set) var repeated: Set<Int> = []
    private var levels: [Level] = []
    private var objects = OutermostObjects()

    init(known: Set<Place>) { self.known = known }

    mutating func take(_ event: JSONEventReader.Event) {
      switch event {
      case .key(let key): levels[levels.count - 1].key = key
      case .beginObject: open(isObject: true)
      case .beginArray: open(isObject: false)
      case .endObject, .endArray: close()
      case .null: add(.null)
      case .boolean(let value): add(.boolean(value))
      case .number(let text): add(.number(text))
      case .string(let text): add(.string(text))
      }
    }

    private mutating func open(isObject: Bool) {
      let number = objects.open(isObject: isObject)
      let path = levels.last.map { $0.isObject ? $0.path.adding(element: .string($0.key)) : $0.path } ?? .null
      levels.append(
        Level(isObject: isObject, number: number, path: path, hash: .container(isObject: isObject)))
    }

    private mutating func close() {
      guard let level = levels.popLast() else { return }
      objects.close()
      if let number = level.number {
        let place = Place(path: level.path, value: level.hash)
        if known.contains(place) { repeated.insert(number) } else { found.insert(place) }
      }
      add(level.hash)
    }

    private mutating func add(_ hash: ValueHash) {
      let top = levels.count - 1
      guard top >= 0 else { return }
      levels[top].hash =
        levels[top].isObject
        ? levels[top].hash.adding(member: levels[top].key, hash) : levels[top].hash.adding(element: hash)
    }
  }
}

/// Numbers documents, and the objects in arrays that no other element contains, in the order of reading.
struct OutermostObjects {
  private var levels: [(isArray: Bool, isInElement: Bool)] = []
  private var count = 0

  /// Returns the number of an object or array that begins; nil if it has no number.
  mutating func open(isObject: Bool) -> Int? {
    let outer = levels.last
    let isInElement = outer.map { $0.isInElement || $0.isArray } ?? false
    levels.append((!isObject, isInElement))
    guard outer.map({ $0.isArray && !$0.isInElement && isObject }) ?? true else { return nil }
    count += 1
    return count - 1
  }

  mutating func close() { levels.removeLast() }
}
