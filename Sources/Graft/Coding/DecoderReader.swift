/// Reads all that a decoder holds. Generic over what it makes of it: ``JSON``, or dictionaries and arrays for an import.
///
/// A decoder does not say what it holds: it can only be asked for a string, a number and so on until it agrees. What stood
/// under a key last is asked for first, since payloads repeat themselves. It does not recurse, so depth costs no stack (I15).
struct DecoderReader<Tree: DecodedTree> {
  /// The deepest nesting that is read. An import refuses what is deeper than its own limit (I15).
  private var deepest: Int { JSONBuilder.deepest }

  /// A container that is being read.
  private enum Frame {
    case array(any UnkeyedDecodingContainer, made: [Tree.Value], last: DecodedKind)
    /// The keys that are left, the current one last.
    case object(KeyedDecodingContainer<DecodedKey>, keys: [DecodedKey], made: [String: Tree.Value])
  }

  private var frames: [Frame] = []
  /// What stood under a key last.
  private var kinds: [String: DecodedKind] = [:]

  mutating func read(_ decoder: any Decoder) throws -> Tree.Value {
    var root = DecodedRoot(decoder: decoder)
    var kind = DecodedKind.object
    var result = try open(value(&root, &kind))
    while let top = frames.popLast() {
      switch top {
      case .array(let container, var made, var last):
        if let done = result { made.append(done) }
        guard !container.isAtEnd else {
          result = Tree.array(made)
          continue
        }
        var place = DecodedElement(container: container)
        let found = try value(&place, &last)
        frames.append(.array(place.container, made: made, last: last))
        result = try open(found)
      case .object(let container, var keys, var made):
        if let done = result, let key = keys.popLast() { made[key.stringValue] = done }
        guard let key = keys.last else {
          result = Tree.object(made)
          continue
        }
        var place = DecodedMember(container: container, key: key)
        let found = try value(&place, &kinds[key.stringValue, default: .string])
        frames.append(.object(container, keys: keys, made: made))
        result = try open(found)
      }
    }
    return result ?? Tree.scalar(.null)
  }

  /// Gives a scalar; opens an array or object and gives nil.
  private mutating func open(_ found: DecodedValue) throws -> Tree.Value? {
    switch found {
    case .scalar(let value): return Tree.scalar(value)
    case .array(let container):
      try checkDepth(container.codingPath)
      frames.append(.array(container, made: [], last: .string))
    case .object(let container):
      try checkDepth(container.codingPath)
      frames.append(.object(container, keys: container.allKeys, made: [:]))
    }
    return nil
  }

  private func checkDepth(_ path: [any CodingKey]) throws {
    guard frames.count >= deepest else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: path, debugDescription: "arrays and objects are nested deeper than \(deepest)"))
  }

  /// Asks a place what it holds: first for the kind that is likely, which becomes the kind that was found.
  private func value(_ place: inout some DecodedPlace, _ kind: inout DecodedKind) throws -> DecodedValue {
    if try place.isNull() { return .scalar(.null) }
    var corrupted: (any Error)?
    for candidate in [kind] + DecodedKind.allCases {
      do {
        guard let found = try place.value(as: candidate) else { continue }
        kind = candidate
        return found
      } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
        // Another type is no news.
      } catch {
        // What is no value of its own type is told as the decoder words it, unless it is one of another type.
        if corrupted == nil { corrupted = error }
      }
    }
    throw corrupted
      ?? DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: place.codingPath, debugDescription: "this is no value that JSON has"))
  }
}
