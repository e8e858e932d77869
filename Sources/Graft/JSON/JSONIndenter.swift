/// Formats compact JSON for reading: one member or element per line, indented by two spaces.
enum JSONIndenter {
  /// Returns valid compact JSON as ``JSONWriter`` would write the same value.
  static func indented(_ compact: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(compact.count * 2)
    var depth = 0
    var isInString = false
    var isEscaped = false
    func breakLine() {
      bytes.append(UInt8(ascii: "\n"))
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
    for (place, byte) in compact.enumerated() {
      if isInString {
        bytes.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        bytes.append(byte)
        depth += 1
        // In ASCII, a closing bracket is its opening bracket plus 2.
        if compact[place + 1] != byte + 2 { breakLine() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if compact[place - 1] != byte - 2 { breakLine() }
        bytes.append(byte)
      case UInt8(ascii: ","):
        bytes.append(byte)
        breakLine()
      case UInt8(ascii: ":"):
        bytes.append(byte)
        bytes.append(UInt8(ascii: " "))
      default:
        isInString = byte == UInt8(ascii: "\"")
        bytes.append(byte)
      }
    }
    return bytes
  }
}
