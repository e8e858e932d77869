/// Changes a model file and lays it out anew, comments included. For files that the program wrote itself: ``ModelFilePatch`` leaves the
/// layout of a file that people edit unchanged.
///
///     var editor = try ModelFileEditor(source)
///     try editor.add("age", "integer64", at: ["entities", "Hero", "attributes"])
///     editor.comment(["Guess: always digits."], at: ["entities", "Hero", "attributes", "age"])
///
/// The result has the layout of ``ModelFileFormatter``. Only this type can add comments.
package struct ModelFileEditor {
  private var document: (root: LayoutItem, closing: [LayoutComment])

  /// Reads a model file. Only its syntax must be valid.
  package init(_ source: SourceText) throws(ModelError) {
    let tree = try ModelFile.tree(of: source)
    var reader = LayoutReader(source.bytes, tree)
    document = reader.document()
  }

  /// The text of the changed file.
  package var text: String { LayoutWriter.text(of: document) }

  /// Puts a comment on separate lines before a member, after its existing comments. An empty path is the whole model.
  package mutating func comment(_ lines: [String], at path: [String]) {
    let comments = lines.map { LayoutComment(lines: ["// " + $0]) }
    edit(path) { $0.lead(with: comments) }
  }

  /// Adds a member to an object, or replaces its value. The object is added if it is missing.
  package mutating func set(_ key: String, _ value: JSON, at path: [String]) {
    for depth in path.indices where !has(Array(path[...depth])) { set(path[depth], [:], at: Array(path[..<depth])) }
    let role = role(at: path)
    let node = LayoutNode(value, as: role.role(ofMember: key), depth: path.count + 1)
    edit(path) { item in
      guard var list = item.value.list ?? LayoutNode.emptyObject(item.value, role) else { return }
      if let index = list.items.firstIndex(where: { UTF8Key($0.key?.name ?? "") == UTF8Key(key) }) {
        list.items[index].value = node
      } else {
        list.items.append(LayoutItem(key: LayoutKey(name: key, text: JSONWriter.text(of: .string(key))), value: node))
      }
      list.items = role.ordered(list.items)
      item.value = LayoutNode(list)
    }
  }

  /// Returns whether the file has a member.
  package func has(_ path: [String]) -> Bool {
    var item = document.root
    for key in path {
      guard let next = item.value.list?.items.first(where: { UTF8Key($0.key?.name ?? "") == UTF8Key(key) }) else {
        return false
      }
      item = next
    }
    return true
  }

  private func role(at path: [String]) -> LayoutRole { path.reduce(.level(.model)) { $0.role(ofMember: $1) } }

  private mutating func edit(_ path: [String], _ change: (inout LayoutItem) -> Void) {
    document.root = Self.edited(document.root, path[...], change)
  }

  /// Returns an item with a change to an item nested in it. A path has as many keys as a model file has levels.
  private static func edited(
    _ item: LayoutItem, _ path: ArraySlice<String>, _ change: (inout LayoutItem) -> Void
  ) -> LayoutItem {
    var item = item
    guard let key = path.first else {
      change(&item)
      return item
    }
    guard var list = item.value.list,
      let index = list.items.firstIndex(where: { UTF8Key($0.key?.name ?? "") == UTF8Key(key) })
    else { return item }
    list.items[index] = edited(list.items[index], path.dropFirst(), change)
    item.value = LayoutNode(list)
    item.value.tookSeveralLines = true
    return item
  }
}

extension LayoutNode {
  /// Returns an object for `{}` and for the short form of an attribute, its type; nil for other values.
  fileprivate static func emptyObject(_ node: LayoutNode, _ role: LayoutRole) -> LayoutList? {
    var list = LayoutList(brackets: LayoutList.object, role: role)
    if node.oneLine == "{}" { return list }
    guard let text = node.oneLine, text.hasPrefix("\"") else { return nil }
    list.items = [
      LayoutItem(
        key: LayoutKey(name: ModelFileKey.type.rawValue, text: "\"type\""), value: LayoutNode(text: text))
    ]
    return list
  }
}
