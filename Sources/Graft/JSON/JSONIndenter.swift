/// Formats compact JSON for reading: one member or element per line, indented by two spaces. The text may arrive in pieces.
struct JSONIndenter {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// Whether the last byte opened an array or object, which may be empty.
  private var isOpening = false

  /// Returns valid compact JSON as ``JSONWriter`` would write the same value.
  static func indented(_ compact: [UInt8]) -> [UInt8] {
    var indenter = JSONIndenter()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(compact.count * 2)
    compact.withUnsafeBytes { indenter.append($0, to: &bytes) }
    return bytes
  }

  /// Appends a piece of valid compact JSON, formatted.
  mutating func append(_ compact: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    for byte in compact {
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
      let wasOpening = isOpening
      isOpening = false
      switch byte {
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if !wasOpening { breakLine(&bytes) }
        bytes.append(byte)
        continue
      default:
        if wasOpening { breakLine(&bytes) }
        bytes.append(byte)
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        isOpening = true
      case UInt8(ascii: ","): breakLine(&bytes)
      case UInt8(ascii: ":"): bytes.append(UInt8(ascii: " "))
      default: isInString = byte == UInt8(ascii: "\"")
      }
    }
  }

  private func breakLine(_ bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}
