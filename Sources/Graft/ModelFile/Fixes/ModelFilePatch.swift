/// Changes members of a model file and leaves every other byte unchanged, including layout, comments and the order of keys. Use it for
/// files that people edit.
///
///     var patch = try ModelFilePatch(source)
///     patch.set("optional", true, at: ["entities", "Hero", "attributes", "age"])
///     patch.append(["gone"], to: ["entities", "Hero", "attributes", "state", "enum"])
///
/// Additions are laid out like their neighbors: on the same line, or on separate lines. Each change reads the text again.
package struct ModelFilePatch {
  private let name: String
  private var bytes: [UInt8]
  private var tree: ModelFileTree

  /// Reads a model file. Only its syntax must be valid.
  package init(_ source: SourceText) throws(ModelError) {
    name = source.name
    bytes = source.bytes
    tree = try ModelFile.tree(of: source)
  }

  /// The text of the changed file.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Changing

  /// Adds a member to an object, or replaces its value. Missing objects on the path are added.
  package mutating func set(_ key: String, _ value: JSON, at path: [String]) {
    guard let node = node(at: path[...]) else {
      var depth = path.count
      while node(at: path[..<depth]) == nil { depth -= 1 }
      let rest = path[(depth + 1)...].reversed().reduce(JSON.object([key: value])) { .object([$1: $0]) }
      return set(path[depth], rest, at: Array(path[..<depth]))
    }
    let role = path.reduce(LayoutRole.level(.model)) { $0.role(ofMember: $1) }
    let item = LayoutItem(
      key: LayoutKey(name: key, text: NameFix.literal(key)),
      value: LayoutNode(value, as: role.role(ofMember: key), depth: path.count + 1))
    guard let members = node.members else { return spellOut(node, adding: item) }
    if let known = members.first(where: { UTF8Key($0.key) == UTF8Key(key) }) {
      let text = lines(of: LayoutItem(value: item.value), indentation(at: known.keyRange.offset))
      return apply([SourceEdit(replacing: known.value.range, with: text)])
    }
    guard let anchor = anchor(for: key, among: members, role) else { return fill(node, with: item) }
    let isApart = role.setsItemsApart && item.value.oneLine == nil && hasBlankLines(between: members)
    let after = anchor.keyRange.offset..<end(of: anchor.value)
    insert([item], after: after, isApart: isApart)
  }

  /// Changes the type of an attribute, which may be in the short form.
  package mutating func set(_ type: AttributeType, of attribute: String, at path: [String]) {
    let value = JSON.string(type.rawValue)
    if node(at: (path + [attribute])[...])?.members == nil { return set(attribute, value, at: path) }
    set(ModelFileKey.type.rawValue, value, at: path + [attribute])
  }

  /// Adds elements to the array at a path.
  package mutating func append(_ values: [JSON], to path: [String]) {
    guard let array = node(at: path[...]), let elements = array.elements else { return }
    let items = values.map { LayoutItem(value: LayoutNode(text: JSONWriter.text(of: $0))) }
    guard let last = elements.last else {
      let text = JSONWriter.text(of: .array(values))
      return apply([SourceEdit(replacing: array.range, with: text)])
    }
    insert(items, after: last.range.offset..<end(of: last))
  }

  /// Removes a member of the object at a path, with its line if nothing else is on it. Comments are kept.
  package mutating func remove(_ key: String, at path: [String]) {
    guard let members = node(at: path[...])?.members,
      let index = members.firstIndex(where: { UTF8Key($0.key) == UTF8Key(key) })
    else { return }
    let member = members[index]
    let (start, close) = (member.keyRange.offset, end(of: member.value))
    let next = skipTrivia(from: close)
    if next < bytes.count, bytes[next] == UInt8(ascii: ",") {
      let rest = bytes[(next + 1)...].prefix { $0 == 0x20 || $0 == 0x09 }.endIndex
      let isAlone = isFirst(start) && (rest == bytes.count || bytes[rest] == 0x0A || bytes[rest] == 0x0D)
      let comma = next == close ? [] : [SourceEdit(replacing: SourceRange(offset: next, length: 1), with: "")]
      let end = next == close ? rest : close
      return apply([edit(removing: start..<end, withLine: isAlone && next == close)] + comma)
    }
    // For the last member, the comma before it is also removed.
    guard index > 0 else { return apply([edit(removing: start..<close)]) }
    let comma = skipTrivia(from: end(of: members[index - 1].value))
    if bytes[comma + 1..<start].allSatisfy({ $0 <= 0x20 }) { return apply([edit(removing: comma..<close)]) }
    apply([edit(removing: comma..<comma + 1), edit(removing: start..<close, withLine: isFirst(start))])
  }

  private func edit(removing range: Range<Int>, withLine: Bool = false) -> SourceEdit {
    let start = withLine ? max(0, lineStart(range.lowerBound) - newline.utf8.count) : range.lowerBound
    return SourceEdit(replacing: SourceRange(offset: start, length: range.upperBound - start), with: "")
  }

  /// Replaces the text of a range, such as a comment.
  package mutating func replace(_ range: Range<Int>, with text: String) {
    apply([SourceEdit(replacing: SourceRange(offset: range.lowerBound, length: range.count), with: text)])
  }

  /// Adds a key to the short form of an attribute, which is only its type.
  private mutating func spellOut(_ node: ModelFileNode, adding item: LayoutItem) {
    guard node.text != nil, let added = item.value.oneLine else { return }
    let type = String(decoding: bytes[node.range.offset..<end(of: node)], as: UTF8.self)
    let text = "{ \(NameFix.literal(ModelFileKey.type.rawValue)): \(type), \(item.start)\(added) }"
    apply([SourceEdit(replacing: node.range, with: text)])
  }

  /// Adds the first member to an empty object.
  private mutating func fill(_ node: ModelFileNode, with item: LayoutItem) {
    let outer = indentation(at: node.range.offset)
    let close = end(of: node) - 1
    let inside = bytes[node.range.offset + 1..<close]
    if inside.allSatisfy({ $0 <= 0x20 }) {
      let text =
        item.value.oneLine.map { "{ \(item.start)\($0) }" }
        ?? "{\(newline)\(outer)\(unit)\(lines(of: item, outer + unit))\(newline)\(outer)}"
      return apply([SourceEdit(replacing: node.range, with: text)])
    }
    // The comments in it are kept before the member.
    let text = "\(newline)\(outer)\(unit)\(lines(of: item, outer + unit))\(newline)\(outer)"
    apply([SourceEdit(inserting: text, at: close)])
  }

  /// Inserts items after another item.
  ///
  /// - Parameter isApart: whether a blank line precedes each item.
  private mutating func insert(_ items: [LayoutItem], after anchor: Range<Int>, isApart: Bool = false) {
    let next = skipTrivia(from: anchor.upperBound)
    let hasComma = next < bytes.count && bytes[next] == UInt8(ascii: ",")
    guard isFirst(anchor.lowerBound) else {
      let texts = items.map { ", " + lines(of: $0, indentation(at: anchor.lowerBound)) }
      return apply([SourceEdit(inserting: texts.joined(), at: anchor.upperBound)])
    }
    let indent = indentation(at: anchor.lowerBound)
    let place = endOfLine(from: hasComma ? next + 1 : anchor.upperBound)
    let texts = items.map { "\(newline)\(isApart ? newline : "")\(indent)\(lines(of: $0, indent))" }
    let added = texts.joined(separator: ",") + (hasComma ? "," : "")
    let comma = hasComma ? [] : [SourceEdit(inserting: ",", at: anchor.upperBound)]
    apply(comma + [SourceEdit(inserting: added, at: place)])
  }

  private mutating func apply(_ edits: [SourceEdit]) {
    let changed = SourceText(name: name, bytes: SourceText(name: name, bytes: bytes).applying(edits))
    guard let read = try? ModelFile.tree(of: changed) else { return }
    (bytes, tree) = (changed.bytes, read)
  }

  // MARK: Finding

  private func node(at path: ArraySlice<String>) -> ModelFileNode? {
    var node = tree.root
    for key in path {
      guard let next = node.members?.first(where: { UTF8Key($0.key) == UTF8Key(key) }) else { return nil }
      node = next.value
    }
    return node
  }

  private func end(of node: ModelFileNode) -> Int { node.range.offset + node.range.length }

  /// Returns the member after which a new key is inserted: the preceding member in the formatter's order, or the last member.
  private func anchor(
    for key: String, among members: [ModelFileMember], _ role: LayoutRole
  ) -> ModelFileMember? {
    let keys = members.map(\.key) + [key]
    let items = keys.map { LayoutItem(key: LayoutKey(name: $0, text: ""), value: LayoutNode(text: "")) }
    let order = role.ordered(items).compactMap(\.key?.name)
    guard let index = order.firstIndex(of: key), index > 0 else { return members.last }
    return members.first { $0.key == order[index - 1] } ?? members.last
  }

  /// Returns the offset of the first byte, from an offset onward, that is neither white space nor in a comment.
  private func skipTrivia(from offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count {
      if let comment = comment(at: offset) {
        offset = comment.offset + comment.length
      } else if bytes[offset] <= 0x20 {
        offset += 1
      } else {
        break
      }
    }
    return offset
  }

  private func comment(at offset: Int) -> SourceRange? { tree.comments.first { $0.offset == offset } }

  /// Returns the end of the comments on the rest of an offset's line, if there is nothing else; otherwise the offset.
  private func endOfLine(from offset: Int) -> Int {
    var (place, end) = (offset, offset)
    while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D {
      if let comment = comment(at: place) {
        place = comment.offset + comment.length
        end = place
      } else if bytes[place] == 0x20 || bytes[place] == 0x09 {
        place += 1
      } else {
        break
      }
    }
    return end
  }

  /// Returns whether only white space precedes an offset on its line.
  private func isFirst(_ offset: Int) -> Bool {
    lineStart(offset) > 0 && bytes[lineStart(offset)..<offset].allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  private func lineStart(_ offset: Int) -> Int { bytes[..<offset].lastIndex { $0 == 0x0A }.map { $0 + 1 } ?? 0 }

  private func indentation(at offset: Int) -> String {
    let line = bytes[lineStart(offset)...].prefix { $0 == 0x20 || $0 == 0x09 }
    return String(decoding: line, as: UTF8.self)
  }

  private func hasBlankLines(between members: [ModelFileMember]) -> Bool {
    zip(members, members.dropFirst()).contains { first, second in
      let between = bytes[end(of: first.value)..<second.keyRange.offset]
      return between.split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst().dropLast()
        .contains { $0.allSatisfy { $0 <= 0x20 } }
    }
  }

  // MARK: Writing

  private var newline: String {
    bytes.firstIndex(of: 0x0D).map { bytes.dropFirst($0 + 1).first == 0x0A } == true ? "\r\n" : "\n"
  }

  /// The indentation of the file, determined by its first indented line.
  private var unit: String {
    var start = 0
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      let indent = indentation(at: end + 1)
      if !indent.isEmpty { return indent.hasPrefix("\t") ? "\t" : indent }
      start = end + 1
    }
    return "  "
  }

  /// Returns the text of an item as the formatter would write it, with the file's indentation on further lines.
  private func lines(of item: LayoutItem, _ indent: String) -> String {
    if let text = item.value.oneLine, text.utf8.count + indent.utf8.count < LayoutWriter.width {
      return item.start + text
    }
    let unit = unit
    let lines = LayoutWriter.text(of: (root: item, closing: [])).split(separator: "\n", omittingEmptySubsequences: true)
    return lines.enumerated().map { number, line in
      let depth = line.prefix { $0 == " " }.count / 2
      return number == 0 ? String(line) : indent + String(repeating: unit, count: depth) + line.drop { $0 == " " }
    }.joined(separator: newline)
  }
}
