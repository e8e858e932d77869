import Graft

/// An XML element: its name, attributes, children, and the range of its start tag.
struct XMLTag {
  let name: String
  let attributes: [String: String]
  /// The start tag, from `<` to `>`.
  let range: SourceRange
  var children: [XMLTag] = []

  /// An attribute's value.
  subscript(attribute: String) -> String? { attributes[attribute] }

  /// Returns whether an attribute is true, in the form that Xcode writes.
  func says(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

  /// Returns the child elements with a name.
  func children(named name: String) -> [XMLTag] { children.filter { $0.name == name } }

  /// Returns the range of an attribute's value with its quotes, or of the whole tag if there is no such attribute.
  func place(of attribute: String? = nil, in source: SourceText) -> SourcePlace {
    let bytes = source.bytes[range.offset..<range.offset + range.length]
    let value = attribute.flatMap { XMLTag.value(of: $0, inTag: bytes) }
    return SourcePlace(text: source, range: value.map { SourceRange(offset: $0.lowerBound, length: $0.count) } ?? range)
  }

  /// Finds `name="value"` in the bytes of a start tag. In a tag, a quoted value ends at the same kind of quote.
  private static func value(of name: String, inTag bytes: ArraySlice<UInt8>) -> Range<Int>? {
    var rest = bytes
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let before = rest[..<equals].split(whereSeparator: \.isXMLSpace).last ?? []
      guard let open = rest[equals...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }),
        let close = rest[(open + 1)...].firstIndex(of: rest[open])
      else { return nil }
      if before.elementsEqual(name.utf8) { return open..<close + 1 }
      rest = rest[(close + 1)...]
    }
    return nil
  }
}

extension UInt8 {
  /// Whether the byte is white space in XML.
  var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
