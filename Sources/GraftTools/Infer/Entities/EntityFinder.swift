import Graft

/// Determines which sites have objects of the same entity, and what identifies them.
///
/// Two sites belong together if their keys have the same name, or if their objects have the same identities and agree, or if one
/// repeats the other inside itself. They never do if objects with one identity would contradict each other.
struct EntityFinder {
  let table: ShapeTable
  let sites: [ObjectSite]
  private var keys = IdentityKeys()
  private var groups: [EntityGroup] = []
  private var groupOfSite: [Int: EntityGroup] = [:]
  private var byName: [String: [EntityGroup]] = [:]
  private var byKey: [String: [EntityGroup]] = [:]
  private let test: IdentityTest
  /// The keys of tables such as `areaNames`, by the name of their items.
  private let tables: [String: Set<ValueHash>]
  private let refutations: Refutations
  /// Whether keys may identify objects within their owner.
  private let hasOwnedIdentities: Bool
  /// The keys of the objects of each site, by its shape, before shapes are merged: all keys, and the keys whose names identify objects.
  private var allKeys: [Int: Set<UTF8Key>] = [:]
  private var strongKeys: [Int: [String]] = [:]

  /// With more groups than this, a site is compared only with groups of its name and groups that contain it.
  private static let mostCompared = 200
  /// The number of objects of each site that decide whether two sites belong together.
  private static let mostRows = 2_000
  /// The number of objects with different values that shows that a key such as "email" identifies them, although none occurs
  /// twice.
  private static let manyRows = 25

  init(
    _ table: ShapeTable, _ sites: [ObjectSite], tables: [String: Set<ValueHash>], _ refutations: Refutations,
    hasOwnedIdentities: Bool
  ) {
    self.table = table
    self.sites = sites
    self.tables = tables
    self.refutations = refutations
    self.hasOwnedIdentities = hasOwnedIdentities
    test = IdentityTest(table: table)
    for site in sites { keys.note(table[site.shape], site, table) }
    keys.note(tables.keys)
    for site in sites {
      let shape = table[site.shape]
      allKeys[site.shape] = Set(shape.memberNumbers.keys)
      strongKeys[site.shape] = table.members(shape).filter { member in
        keys.strength(of: member.key, for: [site.name])?.strength == .strong && IdentityKeys.isUsable(member)
      }.map(\.key)
    }
  }

  /// Returns the groups in the order of their first sites.
  mutating func find() -> [EntityGroup] {
    let typed = TypedIdentityFinder(table: table, sites: sites).find()
    var typedGroups: [Int: EntityGroup] = [:]
    for (number, site) in sites.enumerated() {
      if let index = typed.firstIndex(where: { $0.sites.contains(number) }) {
        let group = typedGroups[index] ?? EntityGroup(site)
        if typedGroups.updateValue(group, forKey: index) == nil {
          group.typeKey = typed[index].typeKey
          group.types = typed[index].types
          group.identity = (typed[index].key, .strong, IdentityFacts())
          groups.append(group)
        } else {
          group.sites.append(site)
        }
        groupOfSite[number] = group
        continue
      }
      if let group = home(of: site) { group.sites.append(site) } else { groups.append(EntityGroup(site)) }
      guard let group = groups.last(where: { $0.sites.last?.shape == site.shape }) else { continue }
      groupOfSite[number] = group
      file(site, group)
    }
    unite()
    for group in groups { decide(group) }
    mergeShapes()
    for group in groups where group.target == nil { decide(group) }
    return groups.filter { $0.target == nil }
  }

  private mutating func file(_ site: ObjectSite, _ group: EntityGroup) {
    func add(_ name: String, _ list: inout [String: [EntityGroup]]) {
      if !(list[name] ?? []).contains(where: { $0 === group }) { list[name, default: []].append(group) }
    }
    add(site.name, &byName)
    if let name = site.rootName { add(KeyNames.lowercaseWords(name).joined(separator: " "), &byName) }
    for member in table.members(table[site.shape]) where IdentityKeys.prefix(of: member.key) != nil {
      add(member.key, &byKey)
    }
  }

  // MARK: Belonging together

  private func home(of site: ObjectSite) -> EntityGroup? {
    // Objects to which the user assigns the same name are one entity.
    if site.isNamedByUser {
      let namesake = groups.first { $0.sites.contains { $0.isNamedByUser && $0.rootName == site.rootName } }
      if let namesake { return namesake }
    }
    let names = allKeys[site.shape] ?? []
    func fits(_ group: EntityGroup, isNamesake: Bool = false, _ isLikely: (Set<UTF8Key>) -> Bool) -> Bool {
      if group.typeKey != nil { return false }
      if group.sites.count > Self.mostCompared { return group.sites.contains { $0.name == site.name } }
      return isLikely(keys(of: group)) && agrees(site, group, isNamesake: isNamesake)
    }
    for group in byName[site.name] ?? [] {
      // A file may be named after the list in it.
      let isInside = site.ancestors.first.map { groupOfSite[$0] === group } ?? false
      let isInFile = isInside && site.ancestors.first.map { !sites[$0].isNamedByUser } ?? false
      // The user may call a movie a title, and the movie may contain alternative titles. Their objects lack its ID.
      if isInside, !hasStrongKey(of: group, names) { continue }
      func isLikely(_ others: Set<UTF8Key>) -> Bool {
        let shared = names.intersection(others).count
        return isInFile ? 5 * shared >= 3 * names.union(others).count : 3 * shared >= min(names.count, others.count)
      }
      if fits(group, isNamesake: true, isLikely) { return group }
    }
    for ancestor in site.ancestors.reversed() {
      // A member that repeats itself inside, such as children, has objects of its owner's entity.
      guard let group = groupOfSite[ancestor], names.contains(UTF8Key(site.key)) else { continue }
      if fits(group, { 5 * names.intersection($0).count >= 3 * names.union($0).count }) { return group }
    }
    for key in strongKeys[site.shape] ?? [] {
      for group in byKey[key] ?? [] where IdentityKeys.prefix(of: key) != nil {
        if group.sites.contains(where: { isStrong(key, $0) }),
          fits(group, { 2 * names.intersection($0).count >= min(names.count, $0.count) })
        {
          return group
        }
      }
    }
    for start in site.words.indices.dropFirst() {
      for group in byName[site.words[start...].joined(separator: " ")] ?? [] {
        if fits(group, { 2 * names.intersection($0).count >= names.count && sharesIdentity(site, group, $0) }) {
          return group
        }
      }
    }
    guard groups.count <= Self.mostCompared else { return nil }
    for group in groups {
      if fits(group, { isSame(site, names, group, $0) }) { return group }
    }
    return nil
  }

  /// Whether objects have a key that identifies the first objects of a group, or the group has no such key.
  private func hasStrongKey(of group: EntityGroup, _ keys: Set<UTF8Key>) -> Bool {
    let strong = strongKeys[group.sites[0].shape] ?? []
    return strong.isEmpty || strong.contains { keys.contains(UTF8Key($0)) }
  }

  /// Whether two sites with different names hold the same kind of objects.
  private func isSame(
    _ site: ObjectSite, _ names: Set<UTF8Key>, _ group: EntityGroup, _ others: Set<UTF8Key>
  ) -> Bool {
    let shared = names.intersection(others).count
    let shape = table[site.shape]
    if group.typeKey != nil { return false }
    let strongKeys = strongKeys[site.shape] ?? []
    guard let strong = strongKeys.first(where: { others.contains(UTF8Key($0)) }) else {
      // All pages have one form, regardless of what they list.
      return strongKeys.isEmpty && names == others && names.count >= 3
        && !PageForm(table).isPage(shape)
    }
    if PersonWords.isPerson(site), group.sites.contains(where: PersonWords.isPerson) {
      return 3 * shared >= 2 * min(names.count, others.count)
    }
    let shapes = group.sites.map { table[$0.shape] }
    let isDistinctive = test.areDistinctive(strong, in: [shape])
    // Objects that have only their identity are mentions of known ones.
    if names.count == 1, others.count > 1, isDistinctive {
      return test.values(of: strong, in: [shape]).isSubset(of: test.values(of: strong, in: shapes))
    }
    guard shared >= 2, 2 * shared >= min(names.count, others.count) else { return false }
    // A name may have the same small number in two tables by chance, such as a priority and a severity.
    let enough = shared > 2 || isDistinctive || site.isElement && group.hasList ? 1 : Self.manyAgreements
    if test.comparison(of: strong, [shape], shapes, most: Self.mostRows).agreements >= enough { return true }
    guard names == others else { return false }
    // Objects that share many keys are of one kind, as are objects that refer to each other, or have the same noun.
    return names.count >= Self.manyKeys || group.sites.contains { $0.words.last == site.words.last }
      || refer(shape, to: shapes, strong) || shapes.contains { refer($0, to: [shape], strong) }
  }

  /// The minimum number of agreements between small objects of one kind.
  private static let manyAgreements = 3
  /// The minimum number of common keys of objects of one kind, if nothing else shows that they are of one kind.
  private static let manyKeys = 6

  /// Whether a key such as "parent_id" has identities of other objects.
  private func refer(_ shape: SampleShape, to others: [SampleShape], _ identity: String) -> Bool {
    let known = test.values(of: identity, in: others)
    return table.members(shape).contains { member in
      member.key != identity && IdentityKeys.prefix(of: member.key) != nil && IdentityKeys.isUsable(member)
        && !test.values(of: member.key, in: [shape]).isDisjoint(with: known)
    }
  }

  /// Unites groups whose objects have the same identities and agree, which a later site may show.
  private mutating func unite() {
    guard groups.count <= Self.mostCompared else { return }
    var index = groups.count - 1
    while index > 0 {
      let group = groups[index]
      let home = groups[..<index].first { other in
        guard group.typeKey == nil, other.typeKey == nil else { return false }
        let others = keys(of: other)
        return group.sites.contains { isSame($0, allKeys[$0.shape] ?? [], other, others) }
          && group.sites.allSatisfy { agrees($0, other, isNamesake: false) }
      }
      if let home {
        home.sites += group.sites
        groups.remove(at: index)
        for (number, other) in groupOfSite where other === group { groupOfSite[number] = home }
      }
      index -= 1
    }
  }

  private func sharesIdentity(_ site: ObjectSite, _ group: EntityGroup, _ others: Set<UTF8Key>) -> Bool {
    let members = table.members(table[site.shape]).filter { others.contains(UTF8Key($0.key)) }
    if (strongKeys[site.shape] ?? []).contains(where: { others.contains(UTF8Key($0)) }) { return true }
    // A mention by name: all its values are known, and each belongs to one object.
    return members.contains { member in
      guard keys.strength(of: member.key, for: [site.name]) != nil, IdentityKeys.isUsable(member) else { return false }
      let shapes = group.sites.map { table[$0.shape] }
      let facts = test.facts(of: member.key, in: shapes, most: Self.mostRows)
      guard facts.contradictions == 0, facts.identifiesMost else { return false }
      return test.values(of: member.key, in: [table[site.shape]])
        .isSubset(of: test.values(of: member.key, in: shapes))
    }
  }

  /// Whether no identity that each has on its own is lost when they are combined, and no member is a value in one and an object in the
  /// other.
  ///
  /// - Parameter isNamesake: whether their keys have the same name. If not, they must share their identity.
  private func agrees(_ site: ObjectSite, _ group: EntityGroup, isNamesake: Bool) -> Bool {
    let shape = table[site.shape]
    let shapes = group.sites.prefix(16).map { table[$0.shape] }
    for member in table.members(shape) {
      let others = shapes.compactMap { $0.memberNumbers[UTF8Key(member.key)].map { table[$0] } }
      guard !others.isEmpty else { continue }
      for other in others where !areAlike(member, other) { return false }
      guard isStrong(member.key, site) else { continue }
      // Objects with one ID that differ in most of what they share are of two kinds.
      let compared = test.comparison(of: member.key, [shape], Array(shapes), most: Self.mostRows)
      let most = isNamesake ? 2 : 4
      if most * compared.contradictions > compared.agreements + compared.contradictions { return false }
      // Objects that share only the ID, and each have keys of their own, are also of two kinds.
      if isNamesake, compared.agreements == 0, haveOnlyInCommon(member.key, shape, shapes),
        !test.values(of: member.key, in: [shape]).isDisjoint(with: test.values(of: member.key, in: Array(shapes)))
      {
        return false
      }
      func isIdentity(_ shapes: [SampleShape]) -> Bool {
        test.facts(of: member.key, in: shapes, most: Self.mostRows).identifiesMost
      }
      let alone = [isIdentity([shape]), isIdentity(shapes)]
      guard isNamesake ? alone == [true, true] : alone.contains(true) else { continue }
      if !isIdentity(shapes + [shape]) { return false }
    }
    return true
  }

  /// Whether the objects of a shape and the objects of other shapes have only one key in common, and each have more keys.
  private func haveOnlyInCommon(_ key: String, _ shape: SampleShape, _ others: [SampleShape]) -> Bool {
    let mine = Set(shape.memberNumbers.keys)
    return mine.count > 1
      && others.allSatisfy { other in
        other.memberNumbers.count > 1 && mine.intersection(other.memberNumbers.keys) == [UTF8Key(key)]
      }
  }

  private func areAlike(_ left: SampleShape, _ right: SampleShape) -> Bool {
    if left.present == 0 || right.present == 0 { return true }
    func kinds(_ shape: SampleShape) -> [Bool] {
      [shape.objects > 0, shape.arrays > 0, shape.booleans > 0, shape.numbers.count > 0, shape.texts.count > 0]
    }
    return zip(kinds(left), kinds(right)).contains { $0 && $1 }
  }

  private func isStrong(_ key: String, _ site: ObjectSite) -> Bool { strongKeys[site.shape]?.contains(key) ?? false }

  /// The keys of the objects of a group.
  private func keys(of group: EntityGroup) -> Set<UTF8Key> {
    if group.sites.count == 1 { return allKeys[group.sites[0].shape] ?? [] }
    return group.sites.reduce(into: []) { $0.formUnion(allKeys[$1.shape] ?? []) }
  }

  // MARK: Identities

  /// Chooses the identity of a group, and whether it is an entity at all.
  private func decide(_ group: EntityGroup) {
    var seen: Set<Int> = []
    let shapes = group.sites.map { table[$0.shape] }.filter { seen.insert($0.number).inserted }
    if let typeKey = group.typeKey, let key = group.identity?.key {
      let facts = test.facts(of: typeKey, key, in: shapes)
      group.identity?.facts = facts
      if facts.isMostlyConsistent, !isRefuted(key, shapes) { return }
      group.typeKey = nil
    }
    group.identity = nil
    group.ownedKey = nil
    group.refuted = nil
    group.unconfirmed = nil
    var candidates: [(key: String, strength: IdentityKeys.Strength, rank: Int)] = []
    for key in Set(shapes.flatMap { $0.memberNumbers.keys }).map(\.text) {
      let members = shapes.compactMap { $0.memberNumbers[UTF8Key(key)].map { table[$0] } }
      guard members.count == shapes.count, let strength = keys.strength(of: key, for: group.names),
        // Extended JSON writes a value as an object: {"$oid": "5d50"}.
        !key.hasPrefix("$"), members.allSatisfy(IdentityKeys.isUsable),
        Set(members.map { $0.numbers.count > 0 }).count == 1,
        !isRefuted(key, shapes)
      else { continue }
      // The key of a table of names identifies another entity.
      if let prefix = IdentityKeys.prefix(of: key), let table = tables[prefix.joined(separator: " ")],
        test.values(of: key, in: shapes).isSubset(of: table)
      {
        continue
      }
      if isOfOthers(key, group, shapes) { continue }
      // The first of "id" and "ID".
      candidates.append((key, strength.strength, 2 * strength.rank + (key == key.lowercased() ? 0 : 1)))
    }
    if shapes.allSatisfy({ $0.elementKey != nil }), !isRefuted("@key", shapes) {
      candidates.append(("@key", .strong, 199))
    }
    candidates.sort { ($1.strength, $0.rank, $0.key) < ($0.strength, $1.rank, $1.key) }
    for candidate in candidates {
      // Two samples may have the same objects at different times.
      let facts = test.facts(of: candidate.key, in: shapes, comparesSamples: false)
      let isAccepted =
        switch candidate.strength {
        case .strong:
          candidate.key == "@key" ? facts.isMostlyConsistent && isShared(group, facts) : facts.identifiesMost
        case .medium:
          facts.isConsistent && (facts.isConfirmed || facts.repeats == 0 && facts.rows >= Self.manyRows)
        case .foreign: false
        case .shared: facts.contradictions == 0 && facts.identifiesMost && facts.isConfirmed
        case .weak: facts.isConsistent && (facts.isConfirmed || isHeading(candidate.key, group, shapes, facts))
        }
      if isAccepted {
        if isOwned(group, shapes, candidate.key, facts) {
          group.ownedKey = candidate.key
        } else {
          group.identity = (candidate.key, candidate.strength, facts)
        }
        break
      }
      if candidate.strength >= .shared, facts.missing == 0, facts.contradictions > 0 || candidate.strength == .strong,
        group.refuted == nil
      {
        group.refuted = (candidate.key, facts)
      }
      if candidate.strength == .medium || candidate.strength == .foreign && facts.repeats == 0, facts.isConsistent,
        group.unconfirmed == nil
      {
        group.unconfirmed = candidate.key
      }
    }
    group.isPart = isPart(group, shapes)
  }

  /// Whether a key contains the IDs of other objects, which its name mentions: a "lineId" in the statuses of lines.
  private func isOfOthers(_ key: String, _ group: EntityGroup, _ shapes: [SampleShape]) -> Bool {
    guard let name = IdentityKeys.prefix(of: key)?.joined(separator: " "), !group.names.contains(name) else {
      return false
    }
    let values = test.values(of: key, in: shapes)
    return groups.contains { other in
      guard other !== group, other.names.contains(name) else { return false }
      let others = other.sites.map { table[$0.shape] }
      let ids = Set(others.flatMap { $0.memberNumbers.keys }).map(\.text).filter(IdentityKeys.isGeneric)
      return ids.contains { values.isSubset(of: test.values(of: $0, in: others)) }
    }
  }

  /// Whether IDs seem to be counted within the containing object: no ID occurs twice in the samples, and a value depends on that object.
  private func isOwned(
    _ group: EntityGroup, _ shapes: [SampleShape], _ key: String, _ facts: IdentityFacts
  ) -> Bool {
    guard hasOwnedIdentities, key != "@key", facts.repeats == 0, group.sites.count == 1, group.sites[0].isElement,
      refutations.reason(.identity, Refutations.ownedIdentity, in: shapes[0].number, table) == nil,
      let owner = owner(of: group.sites[0]), owner.identity != nil || owner.ownedKey != nil
    else { return false }
    return table.members(shapes[0]).contains { $0.key != key && $0.objects == 0 && OwnedValues.areCertain($0.key) }
  }

  /// The group of the object that contains the objects of a site.
  private func owner(of site: ObjectSite) -> EntityGroup? {
    site.ancestors.reversed().lazy.compactMap { groupOfSite[$0] }.first { !$0.isPart }
  }

  /// Whether a model that was tried shows that a key does not identify the objects.
  private func isRefuted(_ key: String, _ shapes: [SampleShape]) -> Bool {
    shapes.contains { refutations.reason(.identity, key, in: $0.number, table) != nil }
  }

  /// Whether a key means the same in different collections: `"1"` may be the first of each. In an object that has an identity, a
  /// key counts within that object, unless the samples show otherwise.
  private func isShared(_ group: EntityGroup, _ facts: IdentityFacts) -> Bool {
    if facts.agreesWhereOthersDiffer || group.sites.contains(where: { $0.ancestors.isEmpty }) { return true }
    let isOwned = group.sites.contains { owner(of: $0)?.identity != nil }
    return !isOwned && !isRecursive(group) && (facts.repeats == 0 || facts.agreements > 0)
  }

  /// Whether the objects of a group have only a name in addition to other objects, so it is the heading of a list.
  ///
  ///     [{"name": "restkit", "users": [...]}, {"name": "others", "users": [...]}]
  private func isHeading(_ key: String, _ group: EntityGroup, _ shapes: [SampleShape], _ facts: IdentityFacts) -> Bool {
    guard facts.rows > 1, facts.missing == 0, !isRecursive(group) else { return false }
    return shapes.allSatisfy { shape in
      let others = table.members(shape).filter { $0.key != key }
      return !others.isEmpty
        && others.allSatisfy { member in
          let elements = (member.element ?? member.keyed).map { table[$0] }
          return member.scalars == 0 && (elements?.objects ?? 0) > 0 && elements?.scalars == 0
        }
    }
  }

  /// Whether objects of a group contain other objects of the group.
  private func isRecursive(_ group: EntityGroup) -> Bool {
    group.sites.contains { site in
      site.ancestors.contains { ancestor in group.sites.contains { $0.shape == sites[ancestor].shape } }
    }
  }

  /// Whether the objects of a group are too small to be an entity: at a single site, with one object in each owner, and without
  /// an identity.
  private func isPart(_ group: EntityGroup, _ shapes: [SampleShape]) -> Bool {
    let describesOwner =
      group.sites.allSatisfy { Self.descriptions.contains($0.key.lowercased()) }
      && (group.identity.map { $0.strength < .strong || $0.facts.repeats == 0 } ?? true)
    guard group.identity == nil || describesOwner, !group.hasList,
      !group.sites.contains(where: { $0.ancestors.isEmpty })
    else {
      return false
    }
    guard !isRecursive(group) else { return false }
    // The objects of several sites may together show that their keys are data.
    if !group.hasList, shapes.allSatisfy({ $0.hasFreeKeys || KeyedCollections(table: table).hasFreeKeys($0) }) {
      return true
    }
    // Objects that were merged from several owners are not a part of one of them.
    guard !group.isMerged, shapes.allSatisfy({ $0.blanks.isEmpty }) else { return false }
    if describesOwner || group.sites.allSatisfy({ PropertyFinder.envelopes.contains($0.key.lowercased()) }) {
      return true
    }
    return shapes.allSatisfy { shape in
      let members = table.members(shape)
      let values = members.count { $0.objects == 0 && $0.arrays == 0 }
      let lists = members.count { member in
        member.arrays > 0 && Passage(member, table) == nil && (member.element.map { table[$0].objects > 0 } ?? false)
      }
      return values <= 12 && (lists == 0 || values < 2 || PageForm(table).isPage(shape))
    }
  }

  /// The keys of parts whose values, such as an ID, belong to the containing object.
  private static let descriptions: Set<String> = ["metadata", "sys", "attributes"]

  // MARK: Merging

  /// Merges the shapes of each entity. Their members are also merged, as are the groups of these members.
  private func mergeShapes() {
    for group in groups where !group.isPart {
      dropMixedSites(of: group)
      group.isMerged = Set(group.sites.map(\.shape)).count > 1
      for site in group.sites.dropFirst() { table.merge(site.shape, into: group.sites[0].shape) }
    }
    var owners: [Int: EntityGroup] = [:]
    for group in groups {
      for site in group.sites {
        let number = table.find(site.shape)
        guard var other = owners[number] else {
          owners[number] = group
          continue
        }
        while let target = other.target { other = target }
        var mine = group
        while let target = mine.target { mine = target }
        guard other !== mine else { continue }
        other.sites += mine.sites
        other.isMerged = other.isMerged || mine.isMerged
        mine.target = other
      }
    }
  }

  /// Leaves out sites that have values other than objects, unless these values identify objects of the group. Such a site would turn the
  /// other sites into values of several kinds.
  private func dropMixedSites(of group: EntityGroup) {
    let mixed = group.sites.filter { table[$0.shape].fullScalars > 0 }
    guard !mixed.isEmpty else { return }
    let shapes = group.sites.map { table[$0.shape] }
    let known = group.typeKey == nil ? group.identity.map { test.values(of: $0.key, in: shapes) } ?? [] : []
    let fitting = mixed.filter { isIdentifiers($0, known) }
    group.hasIdentifiers = !fitting.isEmpty
    let rest = group.sites.filter { site in
      table[site.shape].fullScalars == 0 || fitting.contains { $0.shape == site.shape }
    }
    if !rest.isEmpty { group.sites = rest }
  }

  /// Whether the values at a site that are not objects identify known objects.
  private func isIdentifiers(_ site: ObjectSite, _ known: Set<ValueHash>) -> Bool {
    let shape = table[site.shape]
    guard shape.booleans == 0, (shape.numbers.count > 0) != (shape.texts.count > 0) else { return false }
    let values: Set<ValueHash>
    if shape.isElement {
      values = Set(shape.items.hashes)
    } else {
      let owner = shape.parent.map { table[$0] }
      values = owner.map { test.values(of: shape.key, in: [$0]) } ?? []
    }
    return values.contains(where: known.contains)
  }
}
