import Graft

/// A site of objects in the samples: a member, or the elements of an array or of a keyed collection.
struct ObjectSite {
  /// The number of its shape.
  let shape: Int
  /// The words of the key of this site, in lower case, the last one in the singular.
  let words: [String]
  /// Whether one object can have many of them.
  let isElement: Bool
  /// Whether they are the values of an object whose keys are data.
  let isKeyed: Bool
  /// The sites that contain this one, innermost last.
  let ancestors: [Int]
  /// The key from the innermost of them to this site.
  let key: String
  /// The words of that key, or of the name of the root, as written.
  let label: [String]
  /// The name that the user gave, or that was derived from the file.
  var rootName: String?
  var isNamedByUser = false

  var name: String { words.joined(separator: " ") }
}

/// Collects the sites below the roots of the samples, outermost first.
struct ObjectSiteFinder {
  let table: ShapeTable
  private(set) var sites: [ObjectSite] = []
  /// Keys of lists that are named after the containing object.
  static let pages: Set<String> = ["results", "records", "nodes", "data"]
  /// Keys of lists whose objects are named after the object that contains the list, if that object is a page.
  private static let contents: Set<String> = [
    "items", "values", "entries", "elements", "rows", "docs", "objects", "content",
  ]

  /// Keys of objects that are named after the containing object, if it contains nothing else: `"author": {"data": {...}}`.
  private static let wrapped: Set<String> = ["data", "node", "item", "value", "object", "result", "record", "entity"]

  init(_ table: ShapeTable) { self.table = table }

  /// Whether an object contains only the object at a key, and descriptions of the response.
  private func isWrapper(_ shape: SampleShape, of key: String) -> Bool {
    Self.wrapped.contains(key.lowercased()) && shape.elementKey == nil && !shape.isElement
      && table.members(shape).allSatisfy { member in
        member.key == key || ResponseWords.descriptions.contains(member.key.lowercased())
          || member.objects == 0 && member.arrays == 0 && PageForm.isRemark(member.key)
      }
  }

  /// Whether an object has a list that is named after it.
  private func hasPage(_ shape: SampleShape) -> Bool {
    table.keyedMembers(shape).contains { member in
      Self.isPageList(member.key, in: shape, table) && member.shape.element.map { table[$0].objects > 0 } == true
    }
  }

  /// Whether the objects of a list are named after the object that contains it.
  static func isPageList(_ key: String, in shape: SampleShape, _ table: ShapeTable) -> Bool {
    pages.contains(key.lowercased())
      || contents.contains(key.lowercased()) && PageForm(table).isPage(shape)
  }

  mutating func find(from root: SampleRoot) {
    var work: [(shape: Int, key: String, outer: String, isElement: Bool, isKeyed: Bool, ancestors: [Int])] = [
      (root.shape, root.name, root.name, root.isList, false, [])
    ]
    var next = 0
    while next < work.count {
      let (number, key, outer, isElement, isKeyed, ancestors) = work[next]
      next += 1
      let shape = table[number]
      var inner = ancestors
      if ObjectSiteFinder.isSite(shape) {
        var words = KeyNames.lowercaseWords(key)
        if let last = words.popLast() { words.append(KeyNames.singular(last)) }
        var label = KeyNames.words(key)
        // The object that contains the list of items is their page.
        if !isElement, next > 1, hasPage(shape) {
          words.append("page")
          label = [KeyNames.entityName(label), "Page"]
        }
        inner = Array((ancestors + [sites.count]).suffix(8))
        sites.append(
          ObjectSite(
            shape: number, words: words, isElement: isElement, isKeyed: isKeyed, ancestors: ancestors, key: shape.key,
            label: label, rootName: next == 1 ? root.entityName : nil,
            isNamedByUser: next == 1 && root.isNamedByUser))
      }
      for member in table.keyedMembers(shape) {
        let isWrapped = next > 1 && member.shape.objects > 0 && isWrapper(shape, of: member.key)
        work.append((member.shape.number, isWrapped ? key : member.key, key, false, false, inner))
      }
      if let passage = Passage(shape, table) {
        work.append((passage.node.number, key == "edges" ? outer : key, key, true, false, inner))
      } else if let element = shape.element {
        // The elements of "results" inside "items" are items.
        let isPage =
          shape.parent.map { Self.isPageList(key, in: table[$0], table) } ?? false && outer != root.name && outer != key
        work.append((element, isPage ? outer : key, outer, true, false, inner))
      }
      if let keyed = shape.keyed { work.append((keyed, key, outer, true, true, inner)) }
    }
  }

  /// Whether the objects of a shape can become objects of an entity, or a group of properties.
  static func isSite(_ shape: SampleShape) -> Bool {
    shape.objects > 0 && shape.keyed == nil && shape.arrays == shape.emptyArrays && !shape.members.isEmpty
      && !shape.hasFreeKeys
  }
}

/// The start of the objects of an entity in a sample.
struct SampleRoot {
  /// The shape of the objects.
  var shape: Int
  /// The name of the entity, or the key of the objects.
  var name: String
  /// Whether it is a key.
  var isKey = false
  var isNamedByUser: Bool
  /// Whether the samples hold several of the objects.
  var isList: Bool
  /// The number of the sample, and the key path under which it has the objects.
  var sample: Int
  var keys: [String]

  var entityName: String? { isKey ? nil : name }
}
