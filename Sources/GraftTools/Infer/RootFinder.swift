import Graft

/// Finds where the objects are in a sample: the document, its elements, or the parts of an envelope.
///
///     {"meta": {...}, "heroes": [...]}        the elements of "heroes"
struct RootFinder {
  let table: ShapeTable
  /// The number of documents that share the shape.
  let documents: Int
  /// The keys that the entity of a model reads, if there is one.
  var known = KnownKeys()
  /// The keys that each entity reads in the model to be updated.
  var entities: [KnownKeys] = []

  /// Returns the roots of a document.
  func roots(_ number: Int, sample: Int, keys: [String], name: String, isNamedByUser: Bool) -> [SampleRoot] {
    let shape = table[number]
    if let part = list(shape, isPart: false) {
      return [
        SampleRoot(shape: part, name: name, isNamedByUser: isNamedByUser, isList: true, sample: sample, keys: keys)
      ]
    }
    guard shape.objects > 0, !shape.members.isEmpty || shape.arrays > 0 else { return [] }
    let isItself = known.describe(table.members(shape).map(\.key)) && !PageForm(table).isListing(shape)
    if shape.objects == documents, !isItself {
      let parts = isEnvelope(shape) ? parts(shape, sample: sample, keys: keys) : []
      if !isNamedByUser, !parts.isEmpty { return parts }
      let named = isNamedByUser ? part(named: name, of: parts, shape, sample: sample, keys: keys) : nil
      if var part = named {
        part.name = name
        part.isKey = false
        part.isNamedByUser = true
        if parts.contains(where: { $0.keys == part.keys }) { return parts.map { $0.keys == part.keys ? part : $0 } }
        let others = self.parts(shape, sample: sample, keys: keys).filter { $0.isList && $0.keys != part.keys }
        return [part] + others
      }
      // The named objects are missing from this sample: the model reads all objects in it as objects of other entities.
      if isNamedByUser, !parts.isEmpty, parts.allSatisfy({ isOther($0, than: name) }) { return parts }
    }
    return [
      SampleRoot(
        shape: shape.number, name: name, isNamedByUser: isNamedByUser, isList: shape.objects > documents,
        sample: sample,
        keys: keys)
    ]
  }

  /// The part of a document that a name from the user refers to: the objects that a model has under this name, the only part, the list with
  /// this name, the part under a key such as "data", or the only list.
  ///
  ///     Ticket={"tickets": [...], "users": [...]}                   "tickets"
  ///     Item={"version": 1, "title": "News", "items": [...]}        "items", if they have IDs, and the enclosing object has none
  private func part(
    named name: String, of parts: [SampleRoot], _ document: SampleShape, sample: Int, keys: [String]
  ) -> SampleRoot? {
    if let origin = known.origin {
      let own = parts.filter { $0.name == origin.entity.name && !$0.isKey }
      if own.count == 1 { return own[0] }
    }
    let parts = parts.filter { !isOther($0, than: name) }
    let lists = parts.filter(\.isList)
    if let list = lists.first(where: { $0.isKey && isPlural($0.name, of: name) }) { return list }
    if keys.isEmpty, !hasID(document, of: name),
      let list = list(named: name, in: document, sample: sample, keys: keys, depth: 3),
      !isAlike(document, table[list.shape])
    {
      return list
    }
    if let main = MainPart.find(among: parts, depth: keys.count) { return main }
    return parts.count == 1 ? parts[0] : lists.count == 1 ? lists[0] : nil
  }

  /// Whether the model reads the objects of a part as objects of another entity.
  private func isOther(_ part: SampleRoot, than name: String) -> Bool { !part.isKey && part.name != name }

  private func isPlural(_ key: String, of name: String) -> Bool {
    let words = KeyNames.lowercaseWords(key)
    return words.dropLast() + words.suffix(1).map(KeyNames.singular) == KeyNames.lowercaseWords(name)
  }

  /// Whether objects have a key that identifies objects of any kind, or objects with the given name.
  private func hasID(_ objects: SampleShape, of name: String = "") -> Bool {
    table.members(objects).contains {
      IdentityKeys.isGeneric($0.key) || IdentityKeys.prefix(of: $0.key) == KeyNames.lowercaseWords(name)
    }
  }

  /// Whether an object is probably of the same kind as the objects in its list: most of its values are under keys that they have, or they
  /// also have such a list.
  private func isAlike(_ document: SampleShape, _ elements: SampleShape) -> Bool {
    let members = table.members(document)
    let values = members.filter { $0.objects == 0 && $0.arrays == 0 }
    let shared = values.count { elements.memberNumbers[UTF8Key($0.key)] != nil }
    return 2 * shared > values.count
      || members.contains { list($0) == elements.number && elements.memberNumbers[UTF8Key($0.key)] != nil }
  }

  /// The only list of objects with IDs under a key with the given name, at the given depth.
  private func list(
    named name: String, in shape: SampleShape, sample: Int, keys: [String], depth: Int
  ) -> SampleRoot? {
    var found: [SampleRoot] = []
    for member in table.members(shape) where !member.occursTwice {
      let path = keys + [member.key]
      if let part = list(member), isPlural(member.key, of: name), hasID(table[part]) {
        found.append(
          SampleRoot(
            shape: part, name: member.key, isKey: true, isNamedByUser: false, isList: true, sample: sample, keys: path))
      } else if depth > 1, member.objects > 0, member.arrays == 0, !hasID(member),
        let inner = list(named: name, in: member, sample: sample, keys: path, depth: depth - 1)
      {
        found.append(inner)
      }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// A description of a document without objects, and advice.
  ///
  /// - Parameter hasKeys: whether a key path was given.
  func words(of number: Int, hasKeys: Bool) -> String {
    let shape = table[number]
    let element = shape.element.map { table[$0] }
    let found: String
    let advice: String
    if shape.arrays > 0, let element, element.objects > 0, element.members.isEmpty {
      found = "objects without keys"
      advice = "give a sample whose objects have keys"
    } else if shape.arrays > 0, (element?.present ?? 0) == 0 {
      found = "an array without elements"
      advice = "give a sample with at least one object"
    } else if shape.arrays > 0 {
      found = "an array of \(element.map(RootFinder.kinds) ?? "values")"
      advice =
        (element?.arrays ?? 0) > 0
        ? "give a sample whose objects are in one array"
        : "give a sample with the objects that these values identify"
    } else if shape.objects > 0 {
      found = "an object without keys"
      advice = "give a sample whose objects have keys"
    } else if shape.present == 0 {
      found = shape.nulls > 0 ? "null" : "nothing"
      advice = "give a sample with at least one object"
    } else {
      found = RootFinder.kinds(shape)
      advice = "give a sample that is an object or an array"
    }
    return "\(found); \(hasKeys ? "correct '--at', or \(advice)" : advice)"
  }

  private static func kinds(_ shape: SampleShape) -> String {
    let kinds = [
      ("numbers", shape.numbers.count), ("strings", shape.texts.count), ("booleans", shape.booleans),
      ("arrays", shape.arrays),
    ].filter { $0.1 > 0 }.map(\.0)
    return kinds.isEmpty ? "nulls" : kinds.joined(separator: " and ")
  }

  /// The elements of a list of objects; nil for other values. In an envelope, the list contains only objects.
  private func list(_ shape: SampleShape, isPart: Bool = true) -> Int? {
    if let keyed = shape.keyed { return table.find(keyed) }
    guard shape.arrays > 0, shape.objects == 0, let element = shape.element.map({ table[$0] }), element.objects > 0,
      !element.members.isEmpty || element.keyed != nil, !isPart || element.scalars == 0 && element.arrays == 0
    else {
      return nil
    }
    return element.number
  }

  private func isEnvelope(_ shape: SampleShape) -> Bool {
    let members = table.members(shape)
    let values = members.filter { $0.scalars > 0 }
    // {"type": "FeatureCollection", "features": [...]}
    let isGeoJSON = members.contains { $0.key == "features" && list($0) != nil }
    let keys = values.map(\.key).filter { !isGeoJSON || $0 != "type" }
    let isListing = members.contains { list($0) != nil } && PageForm(table).isListing(shape)
    if isListing { return true }
    guard PageForm.areRemarks(keys) || isEnvelopeOfKnown(members) else { return false }
    // {"info": {"name": "a"}, "releases": {"1.0": ...}}: the keys of the map identify releases of this document only.
    // {"tags": {"color": "red"}, "items": [...]}: an object with free keys is a value, not an object of an entity.
    let records = members.filter(isRecord)
    let isObjectItself =
      !records.isEmpty && members.contains { $0.keyed != nil } || records.contains(where: \.hasFreeKeys)
    if members.contains(where: { list($0) != nil }) { return !isObjectItself }
    return values.isEmpty && members.contains { $0.objects > 0 }
  }

  /// Whether an object has a list of objects of the entity that the user named, and is not itself such an object.
  private func isEnvelopeOfKnown(_ members: [SampleShape]) -> Bool {
    guard let name = known.origin?.entity.name, !known.describe(members.map(\.key)) else { return false }
    return members.contains { list($0).map { knownEntity(table[$0]) == name } ?? false }
  }

  /// The only entity of the model that reads most keys of the given objects, and can identify them.
  private func knownEntity(_ objects: SampleShape) -> String? {
    entities.entity(readingMostOf: table.members(objects).map { JSONKeyPath(keys: [$0.key]) })
  }

  /// Whether a part of an envelope describes the response.
  private func isDescription(_ member: SampleShape) -> Bool {
    let key = member.key.lowercased()
    guard ResponseWords.descriptions.contains(key) else { return false }
    if ResponseWords.wrappers.contains(key), hasList(member, depth: 3) { return false }
    return !ResponseWords.ambiguous.contains(key) || member.objects == 0 || PageForm(table).isAboutResponse(member)
  }

  /// Whether a part of an envelope is a single object.
  private func isRecord(_ member: SampleShape) -> Bool {
    member.objects > 0 && member.keyed == nil && !member.members.isEmpty && !isDescription(member)
  }

  /// The key paths of objects and arrays of a document that no root contains.
  func unreadPaths(of number: Int, under keys: [String], _ roots: [SampleRoot]) -> [JSONKeyPath] {
    let isPage = isEnvelope(table[number])
    return table.members(table[number]).flatMap { member -> [JSONKeyPath] in
      // It does not matter if the number of the page and similar values are lost.
      let isRemark = isPage ? PageForm.mayBeRemark(member.key) : PageForm.isRemark(member.key)
      guard member.objects > 0 || member.arrays > 0 || !isRemark else { return [] }
      let path = keys + [member.key]
      let around = roots.filter { root in
        zip(root.keys, path).allSatisfy { $0 == $1 || $0 == $1 + JSONKeyPath.brackets }
      }
      if around.isEmpty { return [JSONKeyPath(keys: path)] }
      return around.contains { $0.keys.count <= path.count } ? [] : unreadPaths(of: member.number, under: path, around)
    }
  }

  private func hasList(_ shape: SampleShape, depth: Int) -> Bool {
    table.members(shape).contains { member in
      list(member) != nil || Passage(member, table) != nil || depth > 1 && hasList(member, depth: depth - 1)
    }
  }

  /// The name of a list's elements: the elements of "results" inside "companies" are companies.
  private func name(ofListAt path: [String], in shape: SampleShape) -> String {
    let (key, outer) = (path[path.count - 1], path.count > 1 ? path[path.count - 2] : "")
    let isPage = ObjectSiteFinder.isPageList(key, in: shape, table)
    let isWrapper =
      outer.count < 2 || ResponseWords.wrappers.contains(outer.lowercased())
      || ["data", "result", "payload"].contains(outer.lowercased())
    return isPage && !isWrapper ? outer : key
  }

  private func parts(_ shape: SampleShape, sample: Int, keys: [String]) -> [SampleRoot] {
    var parts: [SampleRoot] = []
    // The other members of a listing describe the list.
    let isListing = PageForm(table).isListing(shape)
    for member in table.members(shape) where !isListing || list(member) != nil || Passage(member, table) != nil {
      let path = keys + [member.key]
      guard path.count <= 4, !isDescription(member), !member.occursTwice else { continue }
      if let passage = Passage(member, table), Passage.canFollow(path) {
        parts.append(
          SampleRoot(
            shape: passage.node.number, name: member.key == "edges" ? shape.key : member.key, isKey: true,
            isNamedByUser: false, isList: true, sample: sample,
            keys: path.dropLast() + ["\(member.key)\(JSONKeyPath.brackets)", passage.key]))
      } else if let part = list(member) {
        let known = knownEntity(table[part])
        parts.append(
          SampleRoot(
            shape: part, name: known ?? name(ofListAt: path, in: shape), isKey: known == nil,
            isNamedByUser: known != nil,
            isList: true, sample: sample, keys: path))
      } else if member.objects > 0, !member.members.isEmpty {
        let inner = isEnvelope(member) ? self.parts(member, sample: sample, keys: path) : []
        parts +=
          inner.isEmpty
          ? [
            SampleRoot(
              shape: member.number, name: member.key, isKey: true, isNamedByUser: false, isList: false, sample: sample,
              keys: path)
          ] : inner
      }
    }
    return parts
  }
}
