import Graft

/// The keys that may identify objects, judged by their names.
struct IdentityKeys {
  /// The strength of a name as evidence.
  enum Strength: Int, Comparable {
    /// Names such as "name", which identify objects only where they are seen to do so.
    case weak
    /// Names such as "email", which identify objects unless a sample contradicts this.
    case medium
    /// Names such as "heroId" that belong to another entity.
    case foreign
    /// Names such as "countryId" of several kinds of objects, none of which is a country. They identify objects only where they are seen
    /// to do so.
    case shared
    /// Names such as "id" and "heroId" of a hero.
    case strong

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// For each key that ends in "id", the names of the sites that have it.
  private var owners: [String: Set<String>] = [:]
  /// The names of all sites and tables.
  private var names: Set<String> = []

  private static let generic: [String] = [
    "id", "_id", "@id", "uuid", "guid", "gid", "identifier", "oid", "objectid", "pk", "sha", "bomref", "spdxid",
  ]
  private static let medium: Set<String> = [
    "uid", "email", "emailaddress", "mail", "username", "login", "screenname", "slug", "handle", "isbn", "sku",
    "ean", "code",
    "url", "uri", "href", "permalink", "hash", "iban", "iata", "iso",
  ]
  private static let weak: Set<String> = ["name", "title", "label", "fullname"]

  mutating func note(_ tables: some Sequence<String>) { names.formUnion(tables) }

  mutating func note(_ shape: SampleShape, _ site: ObjectSite, _ table: ShapeTable) {
    names.insert(site.name)
    for member in table.members(shape) where IdentityKeys.prefix(of: member.key) != nil {
      owners[member.key, default: []].insert(site.name)
    }
  }

  /// Whether a key identifies objects of any kind by its name alone.
  static func isGeneric(_ key: String) -> Bool {
    let plain = KeyNames.lowercaseWords(key).joined()
    return generic.contains { $0 == key.lowercased() || $0 == plain }
  }

  /// The words of a key besides "id": `hero` for `heroId` and `idHero`. nil if the key does not contain "id", or contains nothing else.
  static func prefix(of key: String) -> [String]? {
    let words = KeyNames.idLast(KeyNames.lowercaseWords(key))
    guard words.count > 1, let last = words.last, ["id", "uuid", "guid", "identifier"].contains(last) else {
      return nil
    }
    return Array(words.dropLast())
  }

  /// The rank of a key among keys that identify objects by name alone, and its strength for a kind of objects.
  func strength(of key: String, for names: [String]) -> (strength: Strength, rank: Int)? {
    let words = KeyNames.lowercaseWords(key)
    let plain = words.joined()
    if let rank = Self.generic.firstIndex(where: { $0 == key.lowercased() || $0 == plain }) { return (.strong, rank) }
    if let prefix = Self.prefix(of: key) {
      let joined = prefix.joined(separator: " ")
      let matches = names.contains { $0 == joined || $0.hasPrefix(joined) && joined.count > 2 }
      let isShared = (owners[key] ?? []).count > 1 && !self.names.contains(joined)
      return matches ? (.strong, 20) : (isShared ? .shared : .foreign, 30)
    }
    if let last = words.last, words.count > 1, ["number", "no", "code", "key"].contains(last),
      names.contains(words.dropLast().joined(separator: " "))
    {
      return (.medium, 40)
    }
    if Self.medium.contains(plain) { return (.medium, 50) }
    if Self.weak.contains(plain) { return (.weak, 60) }
    return nil
  }

  /// Whether the values of a member can be compared as identities: integers, or strings that are not long.
  static func isUsable(_ shape: SampleShape) -> Bool {
    guard shape.present == shape.scalars, shape.booleans == 0, !shape.occursTwice else { return false }
    // A "gid" that is a number identifies a group.
    if shape.numbers.count > 0 { return shape.texts.count == 0 && shape.numbers.areIntegers && shape.key != "gid" }
    return shape.texts.count > 0 && !shape.texts.distinct.contains { $0.isEmpty || $0.utf8.count > 200 }
  }
}
