#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Compares objects with the values that an import would read (M19).
extension Exporter {
  /// Whether an object already has the value that an import would read for a field.
  mutating func reads(_ found: OutsideValue, _ number: Int, as row: Row) -> Bool {
    let field = source.plan.fields[number]
    let slot = layouts[row.entity].slots[field.slot]
    switch found {
    case .absent: return true
    case .null: return source.graph.isNil(row, field.slot, row.entity)
    case .object, .unknown: return false
    case .value(let json):
      guard slot.kind == .toOne else { return holds(json, number, row) }
      guard let target = reader.target(row, slot) else { return false }
      return identifies(json, reader.row(slot.destinationTable, target), as: slot.destination)
    }
  }

  /// Whether a JSON value identifies an object where an object of the given entity is expected (I4).
  mutating func identifies(_ json: JSON, _ row: Row, as destination: Int) -> Bool {
    let layout = layouts[destination]
    guard source.graph.isFound(row, as: destination) else { return false }
    var parts = [json]
    if layout.identity.count > 1 {
      guard case .array(let elements) = json, elements.count == layout.identity.count else { return false }
      parts = elements
    }
    for (index, part) in parts.enumerated() {
      let slot = layout.slots[layout.identity.slots[index]]
      if slot.kind == .toOne {
        guard let owner = reader.target(row, slot),
          identifies(part, reader.row(slot.destinationTable, owner), as: slot.destination)
        else { return false }
      } else {
        guard layout.identity.fields[index] >= 0, holds(part, layout.identity.fields[index], row) else { return false }
      }
    }
    return true
  }

  /// Whether an object has the value that an import reads for an attribute.
  mutating func holds(_ json: JSON, _ number: Int, _ row: Row) -> Bool {
    let field = source.plan.fields[number]
    let slot = layouts[row.entity].slots[field.slot]
    if slot.kind == .uri, field.transformer < 0, row.isSet(slot), case .string(let text) = json {
      // Compare the stored text, because a `URL` may spell some characters differently from the URI.
      return state.pointee.texts.bytes(row[slot]).elementsEqual(text.utf8)
    }
    let value: AttributeValue?
    do { value = try imported(json, number) } catch {
      noteRefusedCall(in: error)
      return false
    }
    guard let value, row.isSet(slot) else { return value == nil && !row.isSet(slot) }
    var scratch = ScratchText()
    defer { scratch.free() }
    guard let cell = CellEncoder.cell(for: value, in: slot, keep: { scratch.copy($0) }) else { return false }
    guard cell.tag == .text else { return row[slot] == cell.bits }
    return state.pointee.texts.equals(row[slot], cell.bytes)
  }

  /// JSON that an import would refuse.
  private struct UnreadableJSON: Error {}

  /// The value that an import creates from JSON; nil if a transformer returns nil.
  mutating func imported(_ json: JSON, _ number: Int) throws -> AttributeValue? {
    if json.isNull { return nil }
    let field = source.plan.fields[number]
    if field.element >= 0 {
      guard case .array(let elements) = json else { throw UnreadableJSON() }
      return .list(
        try elements.map { element in
          guard let value = try imported(element, field.element) else { throw UnreadableJSON() }
          return value
        })
    }
    if field.transformer >= 0 {
      return try source.context.activity.run(.valueTransformer(index: field.transformer)) {
        try source.plan.transformers[field.transformer].forward(json)
      }
    }
    guard let attribute = source.plan.entities[field.entity].properties[field.slot].attribute else {
      throw UnreadableJSON()
    }
    return try AttributeValue(json: json, type: attribute.type)
  }
}
