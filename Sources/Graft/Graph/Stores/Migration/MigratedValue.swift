/// The value of an attribute of an earlier version, in its stored form. A conversion could change the value: a `URL` might encode some
/// characters differently, and a `Date` in another century cannot represent microseconds.
struct FormerValue {
  let json: JSON
  let isList: Bool

  /// The value as part of a string: the string itself, or the JSON text of any other value.
  var text: String { json.stringValue ?? JSONWriter.text(of: json) }

  /// The values to add to a list.
  var elements: [JSON] {
    if case .array(let elements) = json { return elements }
    return [json]
  }
}

/// A value that a migration sets for an attribute.
enum MigratedValue {
  case value(AttributeValue)
  /// A value that was read from text. An attribute of URIs or dates stores the text unchanged.
  case text(String, read: AttributeValue)
  case list([MigratedValue])

  var value: AttributeValue {
    switch self {
    case .value(let value), .text(_, let value): value
    case .list(let elements): .list(elements.map(\.value))
    }
  }

  /// Whether the stored text differs from the text of the value.
  private var hasText: Bool {
    switch self {
    case .value: false
    case .text: true
    case .list(let elements): elements.contains(where: \.hasText)
    }
  }

  /// The cell in a slot of URIs or dates; nil if the value has no text that such an attribute can read.
  func cell(in slot: SlotPlan, _ scratch: inout ScratchText) -> Cell? {
    guard hasText else { return nil }
    switch self {
    case .value(let value): return CellEncoder.cell(for: value, in: slot) { scratch.copy($0) }
    case .text(let text, let value):
      let bytes = scratch.copy(Array(text.utf8))
      if slot.kind == .uri, URIText.isValid(bytes) { return .text(bytes) }
      if slot.kind == .date, let date = DateText.microseconds(bytes) { return .integer(date) }
      return CellEncoder.cell(for: value, in: slot) { scratch.copy($0) }
    case .list(let elements):
      guard slot.elementType != nil else { return nil }
      var list = ListText()
      for element in elements {
        guard let cell = element.cell(in: slot.element, &scratch) else { return nil }
        list.append(cell, slot.element.kind)
      }
      return .text(scratch.copy(list.closed))
    }
  }
}

extension ManagedObject {
  /// Sets an attribute by name to the value that a migration chooses; nil removes its value.
  func setValue(_ migrated: MigratedValue?, of name: String) throws(PropertyError) {
    var scratch = ScratchText()
    defer { scratch.free() }
    guard !isGone, let slot = entityPlan.slotNumbers[name],
      let cell = migrated?.cell(in: plan(ofSlot: slot).pointee, &scratch)
    else { return try setValue(migrated?.value, of: name) }
    try context.checkUse("set a property")
    try context.setAttribute(cell, slot, self)
  }
}
