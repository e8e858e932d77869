#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Builds the text that is stored for a list (M13): a JSON array of its elements in stored form, without white space. Equal lists have
/// equal text, unless the members of `json` elements are in different orders.
struct ListText {
  private(set) var bytes = [UInt8(ascii: "[")]

  /// Appends an element that is neither absent nor null.
  mutating func append(_ cell: Cell, _ kind: SlotPlan.Kind) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    StoredForm.append(cell.bits, kind.isText ? cell.bytes : LentBytes(), kind, to: &bytes)
  }

  /// The whole text.
  var closed: [UInt8] { bytes + [UInt8(ascii: "]")] }
}

/// Writes values in their stored form (M5): dates as RFC 3339, binary data as base64.
enum StoredForm {
  static func append(word: UInt64, _ kind: SlotPlan.Kind, to bytes: inout [UInt8]) {
    append(word, LentBytes(), kind, to: &bytes)
  }

  static func append(text: LentBytes, _ kind: SlotPlan.Kind, to bytes: inout [UInt8]) {
    append(0, text, kind, to: &bytes)
  }

  /// - Parameters:
  ///   - word: the value if it is stored as a word.
  ///   - text: the bytes if it is stored as text.
  static func append(
    _ word: UInt64, _ text: LentBytes, _ kind: SlotPlan.Kind, to bytes: inout [UInt8]
  ) {
    switch kind {
    case .integer: bytes.append(contentsOf: String(Int64(bitPattern: word)).utf8)
    case .double: DoubleText.append(Double(bitPattern: word), to: &bytes)
    case .float: DoubleText.append(Float(Double(bitPattern: word)), to: &bytes)
    case .boolean: bytes.append(contentsOf: (word != 0 ? "true" : "false").utf8)
    case .date:
      bytes.append(UInt8(ascii: "\""))
      DateText.append(Int64(bitPattern: word), to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .string, .uri: JSONWriter.append(utf8: text, to: &bytes)
    case .decimal, .json: bytes.append(contentsOf: text)
    case .binary:
      bytes.append(UInt8(ascii: "\""))
      Base64Text.append(text, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .uuid:
      bytes.append(UInt8(ascii: "\""))
      UUIDText.append(text.load(as: UUID.self), to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .toOne, .toMany: break
    }
  }
}
