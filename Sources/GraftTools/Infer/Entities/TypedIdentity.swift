import Graft

/// Objects whose IDs are unique only within a type: the type and the ID together identify them.
///
///     {"type": "people", "id": "1"}, {"type": "comments", "id": "1"}         two objects
struct TypedIdentity {
  let typeKey: String
  let key: String
  /// The types of the objects that show this.
  let types: Set<String>
  /// The numbers of the sites that have such objects.
  var sites: Set<Int>
}

extension TypedIdentity {
  /// The name of the entity for the objects of a type: `people` and `crm.person` become `Person`.
  static func entityName(_ type: String) -> String {
    let last = type.split { ".:/#".contains($0) }.last.map(String.init) ?? type
    return KeyNames.entityName(KeyNames.words(last))
  }
}

/// Finds objects whose IDs are unique only within a type.
///
/// That is so if one list has two types with the same ID, if references have the type next to the ID, as members of relations in
/// OpenStreetMap do, and wherever a format defines it: JSON:API has `attributes` or `relationships` in addition to both keys, FHIR has
/// `resourceType`, and Django fixtures have `model` and `pk`.
struct TypedIdentityFinder {
  let table: ShapeTable
  let sites: [ObjectSite]

  private static let typeKeys = ["type", "_type", "@type", "resourceType", "model", "kind"]
  /// Other keys whose values are types if one ID occurs with two of them.
  private static let typeWords: Set<String> = ["type", "typename", "kind", "class"]
  private static let keys = ["id", "_id", "pk", "@id"]
  private static let mostTypes = 100

  func find() -> [TypedIdentity] {
    var found: [TypedIdentity] = []
    for typeKey in Self.typeKeys + otherTypeKeys {
      for key in Self.keys {
        let candidates = sites.indices.filter { isCandidate(table[sites[$0].shape], typeKey, key) }
        let seeds = candidates.filter { isTyped(table[sites[$0].shape], typeKey, key) }
        guard let first = seeds.first, let kind = isNumber(first, key) else { continue }
        let types = seeds.reduce(into: Set<String>()) { $0.formUnion(values($1, typeKey)) }
        let members = candidates.filter { site in
          isNumber(site, key) == kind
            && (seeds.contains(site) || isReference(table[sites[site].shape], typeKey, key)
              || !types.isDisjoint(with: values(site, typeKey)))
        }
        found.append(TypedIdentity(typeKey: typeKey, key: key, types: types, sites: Set(members)))
      }
    }
    return found
  }

  private var otherTypeKeys: [String] {
    var seen = Set(Self.typeKeys)
    return sites.flatMap { table.members(table[$0.shape]).map(\.key) }.filter { key in
      KeyNames.lowercaseWords(key).last.map(Self.typeWords.contains) == true && seen.insert(key).inserted
    }
  }

  private func member(_ key: String, _ shape: SampleShape) -> SampleShape? {
    shape.memberNumbers[UTF8Key(key)].map { table[$0] }
  }

  private func values(_ site: Int, _ key: String) -> [String] {
    member(key, table[sites[site].shape])?.texts.distinct ?? []
  }

  private func isNumber(_ site: Int, _ key: String) -> Bool? {
    member(key, table[sites[site].shape]).map { $0.numbers.count > 0 }
  }

  /// Whether all objects have both keys, and the type is one of a few short strings.
  private func isCandidate(_ shape: SampleShape, _ typeKey: String, _ key: String) -> Bool {
    guard let type = member(typeKey, shape), let id = member(key, shape), shape.scalars == 0 else { return false }
    return type.texts.count == type.present && !type.texts.hasMoreDistinct
      && type.texts.distinct.count <= Self.mostTypes
      && type.texts.distinct.allSatisfy { (1...60).contains($0.utf8.count) } && type.present == shape.objects
      && id.present == shape.objects && IdentityKeys.isUsable(id)
  }

  private func isTyped(_ shape: SampleShape, _ typeKey: String, _ key: String) -> Bool {
    if typeKey == "resourceType" || typeKey == "model" && key == "pk" { return true }
    let isResource = ["attributes", "relationships"].contains { member($0, shape)?.objects ?? 0 > 0 }
    if typeKey == "type", key == "id", isResource { return true }
    return hasIDOfTwoTypes(shape, typeKey, key)
      || Self.typeKeys.contains(typeKey) && hasTypedReferences(shape, typeKey, key)
  }

  /// Whether objects elsewhere have one of the types next to a key for a reference, `{"type": "way", "ref": 12}`.
  private func hasTypedReferences(_ shape: SampleShape, _ typeKey: String, _ key: String) -> Bool {
    guard let types = member(typeKey, shape)?.texts.distinct, types.count > 1, let id = member(key, shape) else {
      return false
    }
    return sites.contains { site in
      let other = table[site.shape]
      guard let type = member(typeKey, other), let reference = member("ref", other), other.number != shape.number else {
        return false
      }
      return type.texts.count > 0 && Set(type.texts.distinct).isSubset(of: types) && IdentityKeys.isUsable(reference)
        && (reference.numbers.count > 0) == (id.numbers.count > 0)
    }
  }

  /// Whether objects have only both keys, and perhaps `meta`, because they refer to other objects.
  private func isReference(_ shape: SampleShape, _ typeKey: String, _ key: String) -> Bool {
    typeKey == "type" && key == "id" && table.members(shape).allSatisfy { ["type", "id", "meta"].contains($0.key) }
  }

  private func hasIDOfTwoTypes(_ shape: SampleShape, _ typeKey: String, _ key: String) -> Bool {
    guard let type = member(typeKey, shape), let id = member(key, shape), type.texts.distinct.count > 1 else {
      return false
    }
    // In another sample, the object may have a different type.
    struct Mention: Hashable {
      var id: ValueHash
      var sample: Int
    }
    var types: [Mention: ValueHash] = [:]
    for row in 0..<shape.rows.count {
      let cells = shape.rows[row]
      func value(_ number: Int) -> ValueHash? { cells.first { table.find(Int($0.member)) == number }?.hash }
      guard let type = value(type.number), let id = value(id.number) else { continue }
      let mention = Mention(id: id, sample: table.sample(ofObject: shape.rows.ids[row]))
      if let known = types[mention], known != type { return true }
      types[mention] = type
    }
    return false
  }
}
