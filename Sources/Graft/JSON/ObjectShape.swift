/// The keys of similar objects, in order. Objects in an array usually have the same keys:
///
///     [{"id": 1, "name": "Batman"}, {"id": 2, "name": "Robin"}, ...]     "id" "name"
///
/// When the keys of an earlier object are expected, bytes are compared, so no string is created for a key, and no key can occur twice.
final class ObjectShape<Tree: JSONTreeMaking> {
  let keys: [String]
  let form: Tree.Form
  /// The keys as JSON text, in sequence, and the end of each key.
  private let text: [UInt8]
  private let ends: [Int]
  /// For each member, the shapes of the objects that are its value or elements of its value.
  private var inner: [ShapeList<Tree>?]

  init(_ keys: [String]) {
    self.keys = keys
    form = Tree.form(keys)
    inner = Array(repeating: nil, count: keys.count)
    var text: [UInt8] = []
    var ends: [Int] = []
    for key in keys {
      text.append(UInt8(ascii: "\""))
      text += key.utf8
      text.append(UInt8(ascii: "\""))
      ends.append(text.count)
    }
    (self.text, self.ends) = (text, ends)
  }

  /// Moves past a key if it belongs to the shape and has no escapes.
  ///
  /// - Parameter index: the number of the key. If the shape has no such key, the result is false.
  @inline(__always)
  func matches(_ scanner: inout JSONScanner, _ index: Int) -> Bool {
    guard index < keys.count else { return false }
    let first = index == 0 ? 0 : ends[index - 1]
    let count = ends[index] - first
    guard scanner.end - scanner.position >= count else { return false }
    let isSame = text.withUnsafeBufferPointer { text in
      sameBytes(scanner.position, text.baseAddress.unsafelyUnwrapped + first, count)
    }
    if isSame { scanner.advance(count) }
    return isSame
  }

  /// Returns whether the first keys are the same as in another shape.
  func begins(like other: ObjectShape, _ count: Int) -> Bool {
    if count == 0 { return true }
    guard count <= keys.count, ends[count - 1] == other.ends[count - 1] else { return false }
    return text[..<ends[count - 1]] == other.text[..<ends[count - 1]]
  }

  func shapes(inside index: Int) -> ShapeList<Tree> {
    if let known = inner[index] { return known }
    let shapes = ShapeList<Tree>()
    inner[index] = shapes
    return shapes
  }
}

/// The shapes of objects at one position, latest first. Only a few are kept, because shapes are of no use if all objects differ.
final class ShapeList<Tree: JSONTreeMaking> {
  private static var most: Int { 4 }
  private static var mostKeys: Int { 64 }

  private var shapes: [ObjectShape<Tree>] = []
  private var isRepeated = false

  var latest: ObjectShape<Tree>? { shapes.first }

  /// Returns the shape that begins with the keys that were read so far and continues as the closure requires.
  func shape(
    like shape: ObjectShape<Tree>, _ count: Int, where goesOn: (ObjectShape<Tree>) -> Bool
  ) -> ObjectShape<Tree>? {
    let index = shapes.firstIndex { $0 !== shape && $0.begins(like: shape, count) && goesOn($0) }
    guard let index else { return nil }
    shapes.swapAt(0, index)
    return shapes[0]
  }

  /// Notes the keys of an object with a different shape. A single object does not justify a shape.
  func note(_ keys: [String]) {
    guard isRepeated else { return isRepeated = true }
    guard shapes.count < Self.most, keys.count <= Self.mostKeys else { return }
    // A quote or an escape in the text of a key would not be read literally.
    guard keys.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C } }) else { return }
    shapes.insert(ObjectShape(keys), at: 0)
  }
}
