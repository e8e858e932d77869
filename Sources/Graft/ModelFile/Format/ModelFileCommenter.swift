/// Adds comments to a model file that the program wrote, and formats the whole file again. ``ModelFilePatch`` changes files that people
/// edit, and leaves their layout unchanged.
///
///     var commenter = try ModelFileCommenter(source)
///     commenter.comment(["Guess: always digits."], at: ["entities", "Hero", "attributes", "age"])
///
/// The result has the layout of ``ModelFileFormatter``.
package struct ModelFileCommenter {
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
    document.root = Self.commented(document.root, path[...], comments)
  }

  /// Returns an item with comments before an item nested in it. A path has as many keys as a model file has levels.
  private static func commented(
    _ item: LayoutItem, _ path: ArraySlice<String>, _ comments: [LayoutComment]
  ) -> LayoutItem {
    var item = item
    guard let key = path.first else {
      item.lead(with: comments)
      return item
    }
    guard var list = item.value.list,
      let index = list.items.firstIndex(where: { UTF8Key($0.key?.name ?? "") == UTF8Key(key) })
    else { return item }
    list.items[index] = commented(list.items[index], path.dropFirst(), comments)
    item.value = LayoutNode(list)
    item.value.tookSeveralLines = true
    return item
  }
}
