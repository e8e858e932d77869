#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Converts values from Swift code (a default, a setter, a transformer's result) to cells.
enum CellEncoder {
  /// The maximum number of bytes of a string in a snapshot file. Setters refuse longer strings. Databases have their own limits, which a
  /// commit reports.
  static let longestText = 1 << 30 - 1

  /// Returns the cell of a value in a slot, or nil if the slot cannot hold the value exactly. `keep` must keep the
  /// cell's bytes alive for as long as the cell is used.
  static func cell(
    for value: AttributeValue, in slot: SlotPlan, keep: ([UInt8]) -> LentBytes
  ) -> Cell? {
    func text(_ bytes: [UInt8]) -> Cell? { bytes.count <= longestText ? .text(keep(bytes)) : nil }
    if let type = slot.elementType { return list(value, of: type, slot.element).flatMap(text) }
    switch (slot.kind, value) {
    case (.integer, .integer(let value)): return slot.range.contains(value) ? .integer(value) : nil
    case (.float, .float(let value)): return value.isFinite ? .double(Double(value)) : nil
    case (.float, .double(let value)):
      let nearest = Float(value)
      return nearest.isFinite ? .double(Double(nearest)) : nil
    case (.float, .integer(let value)): return Float(exactly: value).map { .double(Double($0)) }
    case (.double, .double(let value)): return value.isFinite ? .double(value) : nil
    case (.double, .float(let value)): return value.isFinite ? .double(Double(value)) : nil
    case (.double, .integer(let value)): return Double(exactly: value).map { .double($0) }
    case (.boolean, .boolean(let value)): return .boolean(value)
    case (.date, .date(let value)): return value.storedMicroseconds.map { .integer($0) }
    case (.string, .string(let value)): return text(Array(value.utf8))
    case (.decimal, .decimal(let value)): return DecimalText.canonical(value).flatMap(text)
    case (.decimal, .integer(let value)): return text(Array(String(value).utf8))
    case (.binary, .binary(let value)): return text(Array(value))
    case (.uuid, .uuid(let value)): return text(CellEncoder.bytes(of: value))
    case (.uri, .uri(let value)): return text(Array(value.absoluteString.utf8))
    // In a payload, null represents nil.
    case (.json, .json(.null)): return .null
    case (.json, let value):
      let bytes = Array(JSONWriter.text(of: value.jsonValue).utf8)
      return JSONBuilder.isReadable(bytes) ? text(bytes) : nil
    default: return nil
    }
  }

  /// Returns the text that is stored for a list (M13), or nil if a list of the type cannot hold the value exactly.
  private static func list(_ value: AttributeValue, of type: AttributeType, _ slot: SlotPlan) -> [UInt8]? {
    guard case .list(let elements)? = try? value.converted(toListOf: type) else { return nil }
    var scratch = ScratchText()
    defer { scratch.free() }
    var text = ListText()
    for element in elements {
      guard let cell = cell(for: element, in: slot, keep: { scratch.copy($0) }) else { return nil }
      text.append(cell, slot.kind)
      scratch.reset()
    }
    // The list may be one level too deep, even if its elements are not.
    return type != .json || JSONBuilder.isReadable(text.closed) ? text.closed : nil
  }

  static func bytes(of value: UUID) -> [UInt8] { withUnsafeBytes(of: value.uuid) { Array($0) } }
}
