/// Writes JSON values as text, either compact or indented for reading.
///
/// Strings have the fewest escapes that RFC 8259 allows, and numbers keep their text. The writer does not recurse, so deep nesting uses
/// no stack (I15).
package struct JSONWriter {
  /// Whether members are sorted by the bytes of their keys.
  package var sortedKeys = false
  /// Whether each member or element is on its own line, indented by two spaces.
  package var pretty = false

  package init(sortedKeys: Bool = false, pretty: Bool = false) {
    self.sortedKeys = sortedKeys
    self.pretty = pretty
  }

  /// Returns the value as compact text.
  package static func text(of value: JSON) -> String {
    var bytes: [UInt8] = []
    JSONWriter().append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The part of an array or object that has not been written yet.
  private enum Frame {
    case array(IndexingIterator<[JSON]>)
    case object(IndexingIterator<[JSONObject.Member]>)
  }

  /// Writes a value.
  ///
  /// - Returns: false if the output exceeds the limit. In that case, the rest is not written.
  @discardableResult
  package func append(_ value: JSON, to bytes: inout [UInt8], limit: Int = .max) -> Bool {
    var frames: [Frame] = []
    open(value, &frames, &bytes)
    var isFirst = true
    while bytes.count <= limit, let top = frames.popLast() {
      switch top {
      case .array(var elements):
        if let element = elements.next() {
          frames.append(.array(elements))
          separate(isFirst, frames.count, &bytes)
          isFirst = open(element, &frames, &bytes)
        } else {
          close(UInt8(ascii: "]"), isFirst, frames.count, &bytes)
          isFirst = false
        }
      case .object(var members):
        if let member = members.next() {
          frames.append(.object(members))
          separate(isFirst, frames.count, &bytes)
          JSONWriter.append(member.key, to: &bytes)
          bytes.append(UInt8(ascii: ":"))
          if pretty { bytes.append(UInt8(ascii: " ")) }
          isFirst = open(member.value, &frames, &bytes)
        } else {
          close(UInt8(ascii: "}"), isFirst, frames.count, &bytes)
          isFirst = false
        }
      }
    }
    return bytes.count <= limit
  }

  /// Writes a scalar, or opens an array or object and returns true.
  @discardableResult
  private func open(_ value: JSON, _ frames: inout [Frame], _ bytes: inout [UInt8]) -> Bool {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .boolean(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let value): bytes.append(contentsOf: value.text.utf8)
    case .string(let value): JSONWriter.append(value, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      frames.append(.array(elements.makeIterator()))
      return true
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      let members = sortedKeys ? object.members.sorted { UTF8Key.precedes($0.key, $1.key) } : object.members
      frames.append(.object(members.makeIterator()))
      return true
    }
    return false
  }

  private func separate(_ isFirst: Bool, _ depth: Int, _ bytes: inout [UInt8]) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    if pretty { breakLine(depth, &bytes) }
  }

  private func close(_ bracket: UInt8, _ isEmpty: Bool, _ depth: Int, _ bytes: inout [UInt8]) {
    if pretty, !isEmpty { breakLine(depth, &bytes) }
    bytes.append(bracket)
  }

  private func breakLine(_ depth: Int, _ bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}

extension JSONWriter {
  /// Writes a string with its quotes.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    LentBytes.with(text) { append(utf8: $0, to: &bytes) }
  }

  /// Writes the bytes of a string, which must be UTF-8, in quotes.
  package static func append(utf8 text: LentBytes, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for index in 0..<text.count where JSONEscape.isNeeded(text[index]) {
      bytes.append(contentsOf: text.part(start..<index))
      JSONEscape.append(text[index], to: &bytes)
      start = index + 1
    }
    bytes.append(contentsOf: text.rest(from: start))
    bytes.append(UInt8(ascii: "\""))
  }
}
