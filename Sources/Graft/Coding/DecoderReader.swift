/// Reads the whole content of a decoder. The reader is generic over the result: ``JSON``, or dictionaries and arrays for an import.
///
/// A decoder does not reveal what it contains, so different types (a string, a number and so on) are tried until one succeeds. The kind
/// last found under the same key is tried first, because payloads are repetitive. Reading is not recursive, so deep nesting uses no stack
/// (I15).
struct DecoderReader<Tree: DecodedTree> {
  /// An open container.
  private struct Frame {
    var array: (any UnkeyedDecodingContainer)?
    var object: KeyedDecodingContainer<DecodedKey>?
    /// The remaining keys of the object, with the current key last.
    var keys: [DecodedKey] = []
    var members: [String: Tree.Value] = [:]
    var elements: [Tree.Value] = []
    /// The kind of the previous element.
    var kind = DecodedKind.object

    var isAtEnd: Bool { array?.isAtEnd ?? keys.isEmpty }

    var whole: Tree.Value { array == nil ? Tree.object(members) : Tree.array(elements) }

    mutating func take(_ value: Tree.Value) {
      if array == nil { members[keys.removeLast().stringValue] = value } else { elements.append(value) }
    }
  }

  private var frames: [Frame] = []
  /// The last kind of value under each key.
  private(set) var kinds: [String: DecodedKind.RawValue]

  init(expecting kinds: [String: DecodedKind.RawValue] = [:]) { self.kinds = kinds }

  mutating func read(_ decoder: any Decoder) throws -> Tree.Value {
    var root = DecodedRoot(decoder: decoder)
    var kind = DecodedKind.object
    var result = try open(DecoderReader.value(&root, &kind))
    while let top = frames.indices.last {
      if let done = result { frames[top].take(done) }
      result = frames[top].isAtEnd ? frames.removeLast().whole : try open(next(top))
    }
    return result ?? Tree.scalar(.null)
  }

  /// Returns the next value of a container.
  private mutating func next(_ top: Int) throws -> DecodedValue {
    if let array = frames[top].array {
      var place = DecodedElement(container: array)
      let found = try DecoderReader.value(&place, &frames[top].kind)
      frames[top].array = place.container
      return found
    }
    guard let object = frames[top].object, let key = frames[top].keys.last else { return .scalar(.null) }
    var place = DecodedMember(container: object, key: key)
    let expected = kinds[key.stringValue].flatMap(DecodedKind.init) ?? .string
    var kind = expected
    let found = try DecoderReader.value(&place, &kind)
    if kind != expected { kinds[key.stringValue] = kind.rawValue }
    return found
  }

  /// Returns a scalar. For an array or object, opens it and returns nil.
  private mutating func open(_ found: DecodedValue) throws -> Tree.Value? {
    switch found {
    case .scalar(let value): return Tree.scalar(value)
    case .integer(let value): return Tree.integer(value)
    case .array(let container):
      try checkDepth(container.codingPath)
      frames.append(Frame(array: container))
    case .object(let container):
      try checkDepth(container.codingPath)
      frames.append(Frame(object: container, keys: container.allKeys))
    }
    return nil
  }

  /// Checks the limit that applies to all decoding. An import also enforces its own limit (I15).
  private func checkDepth(_ path: @autoclosure () -> [any CodingKey]) throws {
    guard frames.count >= JSONBuilder.deepest else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: path(), debugDescription: "arrays and objects are nested deeper than \(JSONBuilder.deepest)"))
  }

  /// Finds the value at a location. Tries the given kind first, then sets it to the kind that was found.
  private static func value(_ place: inout some DecodedPlace, _ kind: inout DecodedKind) throws -> DecodedValue {
    if try place.isNull() { return .scalar(.null) }
    if kind.isLikely, let found = try? place.value(as: kind) { return found }
    var corrupted: (any Error)?
    for candidate in DecodedKind.allCases {
      do {
        guard let found = try place.value(as: candidate) else { continue }
        kind = candidate
        return found
      } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
        // A type mismatch is expected, so the next type is tried.
      } catch {
        // Invalid data is reported with the decoder's error, unless another type succeeds.
        if corrupted == nil { corrupted = error }
      }
    }
    throw corrupted
      ?? DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: place.codingPath, debugDescription: "JSON cannot represent this value"))
  }
}
