import Graft

/// Names the entities that were found.
struct EntityNames {
  let sites: [ObjectSite]
  private var used: Set<String> = []

  init(_ sites: [ObjectSite]) { self.sites = sites }

  /// Takes a name that no entity has yet; a number is added if one has it.
  mutating func take(_ name: String) -> String {
    var unique = name
    var number = 2
    while !used.insert(unique.lowercased()).inserted {
      unique = "\(name)\(number)"
      number += 1
    }
    return unique
  }

  /// Lets another entity take a name.
  mutating func release(_ name: String) { used.remove(name.lowercased()) }

  /// Returns the names of groups, in order.
  mutating func names(of groups: [EntityGroup]) -> [String] {
    let wanted = groups.map(EntityNames.name)
    // A name that the user gave is kept, even if another entity has it.
    var given: [Int: String] = [:]
    for (index, group) in groups.enumerated() where group.sites.contains(where: \.isNamedByUser) {
      given[index] = take(wanted[index])
    }
    var counts: [String: Int] = [:]
    for name in wanted { counts[name.lowercased(), default: 0] += 1 }
    var names: [String] = []
    for (index, (group, name)) in zip(groups, wanted).enumerated() {
      if let given = given[index] {
        names.append(given)
        continue
      }
      let isTaken = counts[name.lowercased(), default: 0] > 1 || used.contains(name.lowercased())
      // Two kinds of objects with the same name are distinguished by their owners.
      let owner = group.sites[0].ancestors.last.flatMap { ancestor in
        zip(groups, names).enumerated().first { $0.1.0.sites.contains { $0.shape == sites[ancestor].shape } }
      }
      guard isTaken, let owner else {
        names.append(take(name))
        continue
      }
      // The name of the owner may contain the name of its own owner, which is not needed twice.
      let short = wanted[owner.offset] + name
      let isFree = counts[short.lowercased()] == nil && !used.contains(short.lowercased())
      names.append(take(isFree ? short : owner.element.1 + name))
    }
    return names
  }

  /// Names of keys for objects of any type.
  private static let general: Set<String> = [
    "data", "included", "element", "entry", "item", "result", "object", "thing", "payload", "response", "resource",
  ]

  private static func name(_ group: EntityGroup) -> String {
    guard group.typeKey != nil, !group.sites.contains(where: \.isNamedByUser) else { return plainName(group) }
    let name = plainName(group)
    let isTaken = group.types.contains { TypedIdentity.entityName($0) == name }
    return isTaken || general.contains(name.lowercased()) ? "Resource" : name
  }

  private static func plainName(_ group: EntityGroup) -> String {
    if let site = group.sites.first(where: \.isNamedByUser), let name = site.rootName { return name }
    if let identity = group.identity, let prefix = IdentityKeys.prefix(of: identity.key) {
      let joined = prefix.joined(separator: " ")
      // Several roles share an identity such as "humanID", after which the entity is named.
      if !group.names.contains(where: { $0.hasPrefix(joined) }), Set(group.names).count > 1 {
        return KeyNames.entityName(Array(KeyNames.words(identity.key).dropLast()))
      }
    }
    if let site = group.sites.first(where: { $0.words.count == 1 && PersonWords.general.contains($0.words[0]) }) {
      return KeyNames.entityName(site.label)
    }
    if Set(group.names).count > 1, group.sites.allSatisfy(PersonWords.isPerson) { return "Person" }
    let site = group.sites[0]
    return site.rootName ?? KeyNames.entityName(site.label)
  }
}
