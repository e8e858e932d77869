/// Splits a model file into the pieces to lay out, and determines the owner of each comment:
///
///     // leading, of "Hero"
///     "Hero": { // opening
///       /* leading, of "doc" */ "doc": "…", // trailing, of "doc"
///
///       // closing
///     }, // trailing, of "Hero"
///
/// A comment between a key and its value is placed before the member.
struct LayoutReader {
  private let bytes: [UInt8]
  private let root: ModelFileNode
  /// The comments without an owner so far.
  private var comments: ArraySlice<SourceRange>

  init(_ bytes: [UInt8], _ tree: ModelFileTree) {
    self.bytes = bytes
    root = tree.root
    comments = tree.comments[...]
  }

  /// Reads the whole file: its value, and the comments on separate lines after it.
  mutating func document() -> (root: LayoutItem, closing: [LayoutComment]) {
    let before = gap(from: 0, to: root.range.offset, after: .nothing, before: .item)
    var item = LayoutItem(value: node(root, .level(.model)))
    item.leading = before.free
    item.followsBlankLine = before.endsInBlankLine
    let after = gap(from: root.range.end, to: bytes.count, after: .item, before: .end)
    item.trailing = after.attached
    return (item, after.free)
  }

  // MARK: Values

  private mutating func node(_ node: ModelFileNode, _ role: LayoutRole) -> LayoutNode {
    var layout: LayoutNode
    switch node.kind {
    case .object(let members): layout = object(members, node.range, role)
    case .array(let elements): layout = array(elements, node.range)
    default: return LayoutNode(text: text(node.range))
    }
    layout.tookSeveralLines = bytes[node.range.offset..<node.range.end].contains(where: Self.isNewline)
    return layout
  }

  private mutating func object(_ members: [ModelFileMember], _ range: SourceRange, _ role: LayoutRole) -> LayoutNode {
    var list = LayoutList(brackets: LayoutList.object, role: role)
    read(members.map { ($0.keyRange.offset, $0) }, in: range, into: &list) { reader, member, item in
      item.key = LayoutKey(name: member.key, text: reader.text(member.keyRange))
      let inner = reader.gap(from: member.keyRange.end, to: member.value.range.offset, after: .nothing, before: .item)
      item.lead(with: inner.free)
      item.value = reader.node(member.value, role.role(ofMember: member.key))
      return member.value.range.end
    }
    list.items = role.ordered(list.items)
    return LayoutNode(list)
  }

  private mutating func array(_ elements: [ModelFileNode], _ range: SourceRange) -> LayoutNode {
    var list = LayoutList(brackets: LayoutList.array, role: .data)
    read(elements.map { ($0.range.offset, $0) }, in: range, into: &list) { reader, element, item in
      item.value = reader.node(element, .data)
      return element.range.end
    }
    return LayoutNode(list)
  }

  /// Reads the items of a list and their surrounding comments.
  ///
  /// - Parameter content: reads an item without its surrounding comments, and returns it with its end.
  private mutating func read<Part>(
    _ parts: [(start: Int, part: Part)], in range: SourceRange, into list: inout LayoutList,
    _ content: (inout LayoutReader, Part, inout LayoutItem) -> Int
  ) {
    var place = range.offset + 1
    for (start, part) in parts {
      let gap = gap(from: place, to: start, after: list.items.isEmpty ? .bracket : .item, before: .item)
      list.attach(gap.attached)
      var item = LayoutItem(value: LayoutNode(text: ""))
      item.leading = gap.free
      item.followsBlankLine = gap.endsInBlankLine
      place = content(&self, part, &item)
      list.items.append(item)
    }
    let last = gap(from: place, to: range.end - 1, after: list.items.isEmpty ? .bracket : .item, before: .end)
    list.attach(last.attached)
    list.closing = last.free
  }

  // MARK: Comments and blank lines

  private enum Before { case nothing, bracket, item }
  private enum After { case item, end }

  /// Reads the comments between two neighbors: the comments that belong to the first neighbor, and the rest.
  private mutating func gap(
    from start: Int, to end: Int, after previous: Before, before next: After
  ) -> (attached: [LayoutComment], free: [LayoutComment], endsInBlankLine: Bool) {
    let firstNewline = bytes[start..<end].firstIndex(where: Self.isNewline) ?? end
    let lastNewline = bytes[start..<end].lastIndex(where: Self.isNewline) ?? start
    var attached: [LayoutComment] = []
    var free: [LayoutComment] = []
    var place = start
    var isBehindComma = false
    while let range = comments.first, range.offset < end {
      comments.removeFirst()
      isBehindComma = isBehindComma || bytes[place..<range.offset].contains(UInt8(ascii: ","))
      var comment = comment(range)
      comment.followsBlankLine = hasBlankLine(place..<range.offset)
      let endsLine = lastNewline >= range.end
      let belongsToPrevious =
        switch previous {
        case .nothing: false
        case .bracket: endsLine
        case .item: endsLine || next == .end || !isBehindComma
        }
      if belongsToPrevious, range.offset <= firstNewline { attached.append(comment) } else { free.append(comment) }
      place = range.end
    }
    return (attached, free, hasBlankLine(place..<end))
  }

  /// Returns whether a range of white space and commas contains a blank line.
  private func hasBlankLine(_ range: Range<Int>) -> Bool {
    var newlines = 0
    for index in range {
      switch bytes[index] {
      case 0x0D where index + 1 < range.upperBound && bytes[index + 1] == 0x0A: continue
      case 0x0A, 0x0D: newlines += 1
      case UInt8(ascii: ","): newlines = 0
      default: continue
      }
      if newlines == 2 { return true }
    }
    return false
  }

  /// Returns a comment without the indentation of its first line, and without trailing spaces.
  private func comment(_ range: SourceRange) -> LayoutComment {
    let lines = lines(bytes[range.offset..<range.end])
    guard lines.count > 1 else { return LayoutComment(lines: lines.map { Self.text($0) }) }
    let lineStart = bytes[..<range.offset].lastIndex(where: Self.isNewline).map { $0 + 1 } ?? 0
    let indentation = bytes[lineStart..<range.offset].prefix(while: Self.isSpace).count
    let rest = lines.dropFirst().map { line in
      line.dropFirst(min(indentation, line.prefix(while: Self.isSpace).count))
    }
    return LayoutComment(lines: ([lines[0]] + rest).map { Self.text($0) })
  }

  private func lines(_ slice: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = slice.startIndex
    for index in slice.indices where Self.isNewline(slice[index]) {
      if slice[index] == 0x0A, index > slice.startIndex, slice[index - 1] == 0x0D {
        start = index + 1
        continue
      }
      lines.append(slice[start..<index])
      start = index + 1
    }
    return lines + [slice[start...]]
  }

  private func text(_ range: SourceRange) -> String {
    String(decoding: bytes[range.offset..<range.end], as: UTF8.self)
  }

  private static func text(_ line: ArraySlice<UInt8>) -> String {
    let end = line.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? line.startIndex
    return String(decoding: line[..<end], as: UTF8.self)
  }

  private static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension SourceRange {
  /// The offset after the last byte of the range.
  fileprivate var end: Int { offset + length }
}
