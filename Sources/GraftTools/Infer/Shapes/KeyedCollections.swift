import Graft

/// Finds objects whose keys are data: `{"4": {"name": "Agility"}, "9": {"name": "Diving"}}`.
struct KeyedCollections {
  let table: ShapeTable

  /// Makes a collection of each such object in and below a shape. Expected O(number of shapes).
  func find(from root: Int) {
    /// The shapes to look at, each with the keys of the enclosing collections.
    var work: [(number: Int, outer: [String])] = [(root, [])]
    let indexes = KeyIndexes(table, root)
    while let (number, outer) = work.popLast() {
      let shape = table[number]
      if shape.objects > 0 {
        if isSquare(shape) {
          table.makeKeyed(shape)
          if let row = shape.keyed { table.makeKeyed(table[row]) }
        } else if isKeyed(shape) || isRepeated(shape, outer) || indexes.isIndexed(shape) {
          table.makeKeyed(shape)
        } else {
          // The elements of a document are what it is about.
          let isInDocument = shape.parent.map(table.find) == table.find(root)
          let isElementOfDocument = isInDocument && (shape.isElement || table[root].keyed.map(table.find) == number)
          shape.hasFreeKeys =
            shape.parent != nil && !isElementOfDocument && (hasFreeKeys(shape) || indexes.isIndex(shape))
        }
      }
      let inner = shape.keyed == nil ? outer : Array((outer + [shape.key]).suffix(8))
      for number in shape.members + [shape.element, shape.keyed].compactMap(\.self) { work.append((number, inner)) }
    }
  }

  /// Whether an object is a table of scalars whose rows and columns have the same keys: `{"rome": {"oslo": 2006}, "oslo": {"rome": 2006}}`.
  private func isSquare(_ shape: SampleShape) -> Bool {
    let rows = table.members(shape)
    guard shape.keyed == nil, shape.arrays == 0, shape.scalars == 0, rows.count > 1,
      rows.allSatisfy({ $0.objects > 0 && $0.arrays == 0 && $0.scalars == 0 && $0.keyed == nil })
    else { return false }
    let cells = rows.flatMap(table.members)
    let keys = Set(rows.map(\.key))
    return cells.count >= rows.count && Set(cells.map(\.key)).isSubset(of: keys)
      && cells.allSatisfy { $0.objects == 0 && $0.arrays == 0 }
  }

  /// Whether objects in a collection have another collection under the same key: `"parts": {"a": {"parts": {"b": {}}}}`.
  private func isRepeated(_ shape: SampleShape, _ outer: [String]) -> Bool {
    let members = table.members(shape)
    // An element has the key of its collection.
    return !shape.isElement && outer.contains(shape.key) && shape.arrays == 0 && shape.scalars == 0 && !members.isEmpty
      && members.allSatisfy { $0.scalars == 0 && $0.arrays == 0 } && members.contains { $0.objects > 0 }
  }

  /// Keys of objects whose keys are data, if all values are text.
  private static let free: Set<String> = [
    "labels", "annotations", "tags", "headers", "dependencies", "engines", "env", "metadata", "scripts", "translations",
  ]

  /// Whether the key of an object is one under which objects usually have free keys.
  func isNamedAsFree(_ shape: SampleShape) -> Bool {
    !shape.isElement && KeyNames.lowercaseWords(shape.key).last.map(Self.free.contains) == true
  }

  /// Whether most objects have keys that no other object has, with scalars of one kind as values: `"tags": {"amenity": "cafe"}`.
  func hasFreeKeys(_ shape: SampleShape) -> Bool {
    let members = table.members(shape)
    guard shape.arrays == 0, shape.scalars == 0, !members.isEmpty, !isOfResource(shape),
      members.allSatisfy({ $0.objects == 0 && $0.arrays == 0 })
    else { return false }
    guard members.allSatisfy({ $0.texts.count == $0.present }) else {
      let areOfOneKind =
        members.allSatisfy { $0.booleans == $0.present } || members.allSatisfy { $0.numbers.count == $0.present }
      return areOfOneKind && areKeysRare(shape, members)
    }
    if isNamedAsFree(shape) {
      // If several objects have an ID here, its keys are properties.
      return shape.objects < 2
        || !members.contains { $0.present == shape.objects && InnerIdentityFinder.isLikely([shape.key, $0.key]) }
    }
    // An object that may be empty has no properties of its own.
    if shape.empties > 0, !shape.isElement, members.allSatisfy({ $0.present < shape.objects }) { return true }
    return areKeysRare(shape, members)
  }

  /// Whether an object has the attributes of a resource of JSON:API: their keys belong to its type.
  private func isOfResource(_ shape: SampleShape) -> Bool {
    guard shape.key == "attributes", let parent = shape.parent.map({ table[$0] }) else { return false }
    return ["type", "id"].allSatisfy { parent.memberNumbers[UTF8Key($0)] != nil }
  }

  private func areKeysRare(_ shape: SampleShape, _ members: [SampleShape]) -> Bool {
    if shape.memberNumbers.keys.contains(where: { Self.identifiers.contains($0.text) }) { return false }
    let occurrences = members.reduce(0) { $0 + $1.present + $1.nulls }
    // If there are a hundred keys and each object has only a few, the keys are data, even if several objects have the same key.
    if members.count >= 20, 10 * occurrences <= members.count * shape.objects { return true }
    let alone = members.count { $0.present + $0.nulls == 1 }
    // Each object may have one key, which no other object has. Three objects could be an email, a phone and a fax.
    let areMany =
      members.count > shape.objects
      || members.count == shape.objects && alone == members.count && shape.objects > 3
    guard shape.objects >= 3, areMany else { return false }
    return 3 * occurrences <= members.count * shape.objects && 2 * alone >= members.count
  }

  private func isKeyed(_ shape: SampleShape) -> Bool {
    let members = table.members(shape)
    guard !members.isEmpty, shape.arrays == 0, shape.scalars == 0 else { return false }
    let areObjects = members.allSatisfy { $0.scalars == 0 && $0.arrays == 0 } && members.contains { $0.objects > 0 }
    let keys = members.map(\.key)
    let spellData = DataKeys.areData(keys) || isTranslated(shape) && DataKeys.areLikeLanguages(keys)
    guard areObjects else {
      // Without nested objects, only keys that are certainly data count, and only values of one kind.
      guard spellData && !isListed(shape) || isTable(shape, members) else { return false }
      let kinds = [
        members.contains { $0.texts.count > 0 }, members.contains { $0.numbers.count > 0 },
        members.contains { $0.booleans > 0 }, members.contains { $0.arrays > 0 },
        members.contains { $0.objects > 0 },
      ]
      return kinds.count { $0 } == 1
    }
    if spellData || repeatKeys(members) { return true }
    guard members.count > 1, areAlike(members) else { return false }
    if DataKeys.areDataOfObjects(keys) { return true }
    // The same few keys in every object are properties.
    let occurrences = members.reduce(0) { $0 + $1.objects }
    return members.count >= 8
      || (shape.objects > 1 && occurrences * 2 <= members.count * shape.objects + shape.objects / 2
        && members.allSatisfy { $0.objects < shape.objects })
  }

  /// Whether the keys of an object may be data, although the samples do not show it: each key has an object of the same form, or three or
  /// more have keys in common, and the keys differ between samples, or there are too few samples to tell. The same applies if a plural noun
  /// has one object.
  func mayBeKeyed(_ shape: SampleShape) -> Bool {
    let members = table.members(shape)
    guard shape.parent != nil, shape.keyed == nil, shape.arrays == 0, shape.scalars == 0, !members.isEmpty,
      members.allSatisfy({ $0.objects > 0 && $0.scalars == 0 && $0.arrays == 0 })
    else { return false }
    // There would be several users: {"users": {"ann": {"name": "Ann"}}}.
    if members.count == 1 { return shape.objects == 1 && isPlural(shape.key) }
    let keys = members.map { Set($0.memberNumbers.keys) }
    guard let first = keys.first else { return false }
    let areEqual = first.count > 1 && keys.allSatisfy { $0 == first }
    let common = keys.dropFirst().reduce(first) { $0.intersection($1) }
    guard areEqual || members.count > 2 && !common.isEmpty else { return false }
    let isAlwaysTheSame = members.allSatisfy { $0.objects == shape.objects }
    return isAlwaysTheSame ? members.count > 2 && shape.objects < 3 : true
  }

  /// Whether a key is a plural noun.
  private func isPlural(_ key: String) -> Bool {
    guard let last = KeyNames.lowercaseWords(key).last, last.utf8.count > 4,
      !ResponseWords.descriptions.contains(key.lowercased()), !PropertyFinder.envelopes.contains(key.lowercased()),
      !["settings", "options", "preferences"].contains(last)
    else { return false }
    return KeyNames.singular(last) != last
  }

  /// Whether an object with one member is a table of names, such as `"venueNames": {"PLEYEL": "Salle Pleyel"}`.
  private func isTable(_ shape: SampleShape, _ members: [SampleShape]) -> Bool {
    guard members.count == 1, DataKeys.isData(members[0].key), members[0].key.utf8.count >= 4 else { return false }
    let last = KeyNames.lowercaseWords(shape.key).last ?? ""
    return ["names", "titles", "labels", "descriptions"].contains(last)
  }

  /// Whether objects are elements of an array, such as rows of a table: their keys are the names of columns.
  private func isListed(_ shape: SampleShape) -> Bool {
    shape.isElement && shape.parent.map { table[$0].arrays > 0 } == true
  }

  /// Whether an object has text in several languages.
  private func isTranslated(_ shape: SampleShape) -> Bool {
    let name = KeyNames.lowercaseWords(shape.key).joined()
    return ["translations", "languages", "locales", "localizations", "i18n", "nativename"].contains(name)
  }

  /// Whether each object has the key under which it appears as its identifier: `"users": {"u1": {"id": "u1"}}`.
  private func repeatKeys(_ members: [SampleShape]) -> Bool {
    // A single key must not be a word, such as the name of a property.
    (members.count > 1 || members[0].key.utf8.contains { (48...57).contains($0) }
      || members[0].key.utf8.allSatisfy { (65...90).contains($0) })
      && members.allSatisfy { member in
        let hashes = [ValueHash.string(member.key), ValueHash.key(member.key)]
        return member.rows.count > 0
          && (0..<member.rows.count).allSatisfy { row in
            member.rows[row].contains { cell in
              hashes.contains(cell.hash)
                && KeyNames.lowercaseWords(table[Int(cell.member)].key).last.map(Self.identifiers.contains) == true
            }
          }
      }
  }

  private static let identifiers: Set<String> = ["id", "uuid", "guid", "key", "code", "slug", "symbol"]

  /// Whether the objects under different keys have mostly the same members.
  func areAlike(_ members: [SampleShape]) -> Bool {
    let keys = members.map { Set($0.memberNumbers.keys) }
    guard let first = keys.first, !first.isEmpty else { return false }
    var counts: [UTF8Key: Int] = [:]
    for set in keys { for key in set { counts[key, default: 0] += 1 } }
    let shared = counts.values.filter { $0 * 2 > keys.count }.count
    return shared > 0 && shared * 3 >= counts.count
  }
}
