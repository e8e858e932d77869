/// Finds places in a JSON text: the value under some keys, or the path of a byte offset. For preparation and for messages;
/// nothing here is on the fast path.
enum JSONLocator {
  enum Place {
    case value(UnsafePointer<UInt8>)
    /// The value, or that of a key on the way to it, is null: this one.
    case null(UnsafePointer<UInt8>)
    case absent
  }

  /// The value under `keys` in the object at the scanner's position. A fault of syntax on the way counts as absent: whoever
  /// reads the object meets it again and reports it.
  static func find(_ keys: [String], in scanner: JSONScanner) -> Place {
    var scanner = scanner
    var scratch = ScratchText()
    defer { scratch.free() }
    for key in keys {
      guard scanner.peek == UInt8(ascii: "{") else { return .absent }
      guard (try? member(Array(key.utf8), &scanner, &scratch)) == true else { return .absent }
      if scanner.peek == UInt8(ascii: "n") { return .null(scanner.position) }
    }
    return .value(scanner.position)
  }

  /// Moves the scanner to the value of a member of the object it stands at.
  private static func member(
    _ key: [UInt8], _ scanner: inout JSONScanner, _ scratch: inout ScratchText
  ) throws(JSONSyntaxError) -> Bool {
    try scanner.descend()
    scanner.position += 1
    scanner.skipWhitespace()
    if scanner.peek == UInt8(ascii: "}") { return false }
    repeat {
      guard scanner.peek == UInt8(ascii: "\"") else { return false }
      let raw = try scanner.scanString()
      let isWanted = scanner.text(of: raw, in: &scratch).elementsEqual(key)
      try scanner.expectColon()
      if isWanted { return true }
      try scanner.skipValue()
    } while try scanner.continues(before: UInt8(ascii: "}"))
    return false
  }

  /// The JSON path (D7) of the value, or the key, that begins at an offset or holds it: `$.powers[0].id`.
  static func path(to offset: Int, in bytes: UnsafeBufferPointer<UInt8>, maxDepth: Int) -> String {
    struct Level {
      var isObject: Bool
      var index = 0
      var key: String?
    }
    var scanner = JSONScanner(bytes, maxDepth: maxDepth)
    var scratch = ScratchText()
    defer { scratch.free() }
    var levels: [Level] = []
    func path() -> String {
      levels.reduce("$") {
        $0 + ($1.isObject ? $1.key.map(JSONPathText.member) ?? "" : JSONPathText.element($1.index))
      }
    }
    func readKey() throws(JSONSyntaxError) {
      levels[levels.count - 1].key = nil
      guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key") }
      let raw = try scanner.scanString()
      levels[levels.count - 1].key = String(decoding: scanner.text(of: raw, in: &scratch), as: UTF8.self)
      if scanner.offset > offset { throw scanner.failure(.textAfterEnd) }
      try scanner.expectColon()
    }
    do {
      try scanner.beginText()
      while true {
        if scanner.offset >= offset { return path() }
        let byte = scanner.peek
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          let isObject = byte == UInt8(ascii: "{")
          try scanner.descend()
          scanner.position += 1
          scanner.skipWhitespace()
          if scanner.peek == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            if scanner.offset >= offset { return path() }
            scanner.position += 1
            scanner.ascend()
          } else {
            levels.append(Level(isObject: isObject))
            if isObject { try readKey() }
            continue
          }
        } else {
          try scanner.skipValue()
          if scanner.offset > offset { return path() }
        }
        while let level = levels.last {
          if try scanner.continues(before: level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            levels[levels.count - 1].index += 1
            if level.isObject { try readKey() }
            break
          }
          levels.removeLast()
          scanner.ascend()
        }
        if levels.isEmpty { return "$" }
      }
    } catch {
      // The fault itself is what stopped the scanner: the path so far is the path of the fault.
      return path()
    }
  }
}
