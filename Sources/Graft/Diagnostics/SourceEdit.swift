/// A change to text: a range of bytes and its replacement.
///
///     SourceEdit(replacing: range, with: "\"Team\"")
///     SourceEdit(inserting: ",", at: offset)
package struct SourceEdit: Sendable, Hashable {
  /// The range of bytes that are replaced; empty for an insertion.
  package var range: SourceRange
  /// The replacement; empty for a removal.
  package var text: String

  package init(replacing range: SourceRange, with text: String) {
    self.range = range
    self.text = text
  }

  package init(inserting text: String, at offset: Int) {
    self.init(replacing: SourceRange(offset: offset, length: 0), with: text)
  }
}

extension SourceText {
  /// Returns the bytes of the text after a change.
  ///
  /// - Parameter edits: the edits, in any order. Edits at the same offset are applied in the given order. Edits must not overlap.
  package func applying(_ edits: [SourceEdit]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + edits.reduce(0) { $0 + $1.text.utf8.count })
    var position = 0
    for edit in SourceEdit.ordered(edits) where edit.range.offset >= position {
      result += bytes[position..<min(edit.range.offset, bytes.count)]
      result += edit.text.utf8
      position = min(edit.range.offset + edit.range.length, bytes.count)
    }
    return result + bytes[position...]
  }
}

extension SourceEdit {
  /// Returns edits sorted by their offsets. Edits at the same offset keep their order.
  package static func ordered(_ edits: [SourceEdit]) -> [SourceEdit] {
    edits.enumerated().sorted { ($0.element.range.offset, $0.offset) < ($1.element.range.offset, $1.offset) }
      .map(\.element)
  }
}
