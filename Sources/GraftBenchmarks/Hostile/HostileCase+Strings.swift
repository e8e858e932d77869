extension HostileCase {
  private static let megabyte = 1_000_000

  /// Four strings of 1 MB, against many of 100 bytes.
  static func longStrings() -> HostileCase {
    HostileCase(
      name: "strings of 1 MB", entity: "Item",
      hostile: items(4, note: [UInt8](repeating: UInt8(ascii: "x"), count: megabyte)), benign: shortNotes)
  }

  /// The same strings, written as escapes.
  static func longEscapedStrings() -> HostileCase {
    let escapes = Array(#"\u00e9\n\"\ud83d\ude80\\\t"#.utf8)
    let note = [UInt8]((0..<megabyte / escapes.count).map { _ in escapes }.joined())
    return HostileCase(
      name: "strings of 1 MB, all escapes", entity: "Item", hostile: items(4, note: note), benign: shortNotes)
  }

  /// Identifiers of 1 MB that differ only in their last bytes, each occurring twice.
  static func longIdentifiers() -> HostileCase {
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: megabyte)
    return HostileCase(
      name: "identifiers of 1 MB", entity: "Item",
      hostile: Input(4, objects: 2) { index, json in identified(text, index / 2, to: &json) }, benign: shortNotes)
  }

  /// Combining marks that normalization has to reorder repeatedly: 64 identifiers of 64 KB.
  static func combiningMarks() -> HostileCase {
    let marks = marks(bytes: 64_000)
    let letters = [UInt8](repeating: UInt8(ascii: "x"), count: marks.count)
    return HostileCase(
      name: "combining marks in identifiers", entity: "Item",
      hostile: Input(64) { index, json in identified(marks, index, to: &json) },
      benign: Input(64) { index, json in identified(letters, index, to: &json) })
  }

  /// The same marks in unknown keys.
  static func combiningMarksInKeys() -> HostileCase {
    let marks = marks(bytes: 64_000)
    let letters = [UInt8](repeating: UInt8(ascii: "x"), count: marks.count)
    let input = { (key: [UInt8]) in
      Input(64) { index, json in
        json.raw(#"{"id":"\#(100 + index)",""#)
        json.raw(key)
        json.raw(#"":1}"# as StaticString)
      }
    }
    return HostileCase(
      name: "combining marks in unknown keys", entity: "Item", hostile: input(marks), benign: input(letters))
  }

  /// Alternating marks above and below, so that each pair is in the wrong order.
  private static func marks(bytes: Int) -> [UInt8] {
    [UInt8(ascii: "a")] + [UInt8]((0..<bytes / 4).map { _ in Array("\u{301}\u{323}".utf8) }.joined())
  }

  private static func identified(_ text: [UInt8], _ number: Int, to json: inout JSONText) {
    json.raw(#"{"id":""# as StaticString)
    json.raw(text)
    json.raw(#"\#(100 + number)","size":1}"#)
  }

  private static func items(_ count: Int, note: [UInt8]) -> Input {
    Input(count) { index, json in
      json.raw(#"{"id":"\#(1_000_000 + index)","note":""#)
      json.raw(note)
      json.raw(#""}"# as StaticString)
    }
  }

  private static var shortNotes: Input {
    items(4 * megabyte / 130, note: [UInt8](repeating: UInt8(ascii: "x"), count: 100))
  }
}
