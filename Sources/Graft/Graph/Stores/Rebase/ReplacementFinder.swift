/// Finds the rows that other contexts inserted with the identities of rows that they deleted. To users, such an object is the same as
/// before, so changes to it, references to it and its deletion in this context apply to the new row.
struct ReplacementFinder {
  private let schema: StoreSchema
  private let base: any StoreSnapshot
  private let next: any StoreSnapshot
  /// Whether any row may have been deleted.
  private let mayLoseAny: Bool
  private let deleted: [Int: Set<Int64>]
  /// The former contents of the deleted rows.
  private var rows: [StoredPlace: StoredRow] = [:]
  /// The deleted rows, by the owners inside which they are identified.
  private var members: [StoredPlace: [StoredPlace]] = [:]
  /// For each deleted row, the rows of the later version that have one of its identities. For each row of the later version, the number of
  /// such deleted rows.
  private var candidates: [StoredPlace: Set<StoredPlace>] = [:]
  private var claims: [StoredPlace: Int] = [:]
  private var found: [StoredPlace: StoredPlace] = [:]
  /// The rows that were found by an alternate identity.
  private var alternates: Set<StoredPlace> = []

  /// - Parameters:
  ///   - own: the changes, in terms of the base.
  ///   - log: the changes that other contexts wrote between the two versions.
  /// - Returns: the new rows by the old rows, for all rows that the changes depend on.
  static func find(
    _ own: OwnChanges, _ schema: StoreSchema, _ policy: ConflictPolicy, _ log: StoreLog, base: any StoreSnapshot,
    next: any StoreSnapshot
  ) throws(StoreError) -> [StoredPlace: StoredPlace] {
    if !log.isIncomplete, log.deleted.allSatisfy({ $0.value.isEmpty }) { return [:] }
    var finder = ReplacementFinder(schema, log, base, next)
    try finder.readRows(finder.deletedThere(finder.named(own)))
    // An owner must be found before the objects that are identified inside it.
    var places = Set(finder.rows.keys)
    while !places.isEmpty { places = try finder.search(places) }
    try finder.dropKnown()
    // With contextWins, a row that receives all values of the context would lose the identity that other contexts gave it.
    if policy == .contextWins {
      for place in finder.alternates where own.updated[place]?.columns.isEmpty == false { finder.found[place] = nil }
    }
    return finder.found
  }

  private init(_ schema: StoreSchema, _ log: StoreLog, _ base: any StoreSnapshot, _ next: any StoreSnapshot) {
    (self.schema, self.base, self.next) = (schema, base, next)
    mayLoseAny = log.isIncomplete
    deleted = log.deleted.mapValues { Set($0) }
  }

  // MARK: Deleted rows

  /// The rows that the changes refer to, directly or through the rows and lists that they change.
  private func named(_ own: OwnChanges) throws(StoreError) -> Set<StoredPlace> {
    var named = own.places(schema).union(own.edited.map(\.owner))
    for (table, places) in Dictionary(grouping: own.deleted.union(own.updated.keys), by: \.table) {
      let ids = places.map(\.id).sorted()
      for (_, row) in try base.rows(in: table, ids: ids).contents(schema) {
        named.formUnion(schema.tables[table].targets(in: row))
      }
      for (number, link) in schema.links.enumerated() {
        var pairs: [StoredLink] = []
        if link.ownerTable == table { pairs += try base.links(in: number, ofOwners: ids) }
        if link.memberTable == table { pairs += try base.links(in: number, ofMembers: ids) }
        named.formUnion(pairs.map { StoredPlace(table: link.ownerTable, id: $0.owner) })
        named.formUnion(pairs.map { StoredPlace(table: link.memberTable, id: $0.member) })
      }
    }
    let lists = Dictionary(grouping: own.edited.union(own.orders.keys).filter { $0.owner.id > 0 }, by: \.members)
    for (members, lists) in lists {
      let table = schema.memberTable(of: members)
      for (_, ids) in try base.lists(members, Set(lists.map(\.owner.id)).sorted(), schema) {
        named.formUnion(ids.map { StoredPlace(table: table, id: $0) })
      }
    }
    return named.filter { $0.id > 0 }
  }

  /// The given rows that other contexts deleted.
  private func deletedThere(_ places: Set<StoredPlace>) throws(StoreError) -> Set<StoredPlace> {
    guard mayLoseAny else { return places.filter { deleted[$0.table]?.contains($0.id) == true } }
    var deletedPlaces: Set<StoredPlace> = []
    for (table, places) in Dictionary(grouping: places, by: \.table) {
      let there = Set(try next.rows(in: table, ids: places.map(\.id).sorted()).headers.map(\.id))
      deletedPlaces.formUnion(places.filter { !there.contains($0.id) })
    }
    return deletedPlaces
  }

  /// Reads the rows, and the rows of their owners that are also deleted.
  private mutating func readRows(_ deletedPlaces: Set<StoredPlace>) throws(StoreError) {
    var deletedPlaces = deletedPlaces
    while !deletedPlaces.isEmpty {
      var owners: Set<StoredPlace> = []
      for (table, places) in Dictionary(grouping: deletedPlaces, by: \.table) {
        let layout = schema.tables[table]
        let columns = Set(layout.identities.flatMap(\.columns))
        for (place, row) in try base.rows(in: table, ids: places.map(\.id).sorted()).contents(schema) {
          rows[place] = row
          for owner in columns.compactMap({ layout.target(of: $0, in: row) }) {
            owners.insert(owner)
            members[owner, default: []].append(place)
          }
        }
      }
      deletedPlaces = try deletedThere(owners.filter { rows[$0] == nil })
    }
  }

  // MARK: Replacements

  /// Searches for the replacements for the given rows whose owners are known.
  ///
  /// - Returns: the rows that are identified by the rows that were found.
  private mutating func search(_ places: Set<StoredPlace>) throws(StoreError) -> Set<StoredPlace> {
    var next: Set<StoredPlace> = []
    let wanted = Dictionary(grouping: places.filter { found[$0] == nil }, by: \.table)
    for (table, places) in wanted.sorted(by: { $0.key < $1.key }) {
      for (number, identity) in schema.tables[table].identities.enumerated() {
        for (place, holder) in try holders(of: places.sorted(), table, number) {
          if candidates[place, default: []].insert(holder).inserted { claims[holder, default: 0] += 1 }
          if identity.isAlternate { alternates.insert(place) }
        }
      }
      // An object is replaced by the only row that has one of its identities, unless this row also has an identity of another object.
      for place in places {
        guard let holders = candidates[place], holders.count == 1, let holder = holders.first, claims[holder] == 1
        else { continue }
        found[place] = holder
        next.formUnion(members[place] ?? [])
      }
    }
    return next
  }

  /// The rows of the later version that have an identity of old rows.
  private func holders(
    of places: [StoredPlace], _ table: Int, _ number: Int
  ) throws(StoreError) -> [StoredPlace: StoredPlace] {
    let layout = schema.tables[table]
    let identity = layout.identities[number]
    var wanted: [[StoreValue]: StoredPlace] = [:]
    var values = StoredValues(columnCount: identity.columns.count)
    for place in places {
      // An alternate identity is compared only if there is no other identity (M27).
      guard let row = rows[place], identity.entities.contains(row.entity),
        !identity.isAlternate || !layout.isIdentified(row),
        let key = layout.key(of: row, identity.columns, owner: { rows[$0] == nil ? $0 : found[$0] })
      else { continue }
      wanted[key] = place
      values.append(key, identity.columns.map { layout.columns[$0].content })
    }
    if values.count == 0 { return [:] }
    var holders: [StoredPlace: StoredPlace] = [:]
    for (holder, row) in try next.rows(in: table, identity: number, values: values).contents(schema) {
      guard let key = layout.key(of: row, identity.columns, owner: { $0 }), let place = wanted[key],
        // An object of another entity is a different object.
        row.entity == rows[place]?.entity
      else { continue }
      holders[place] = holder
    }
    return holders
  }

  /// Drops the rows that already exist in the base; other contexts gave them the identity of a deleted row.
  private mutating func dropKnown() throws(StoreError) {
    for (table, pairs) in Dictionary(grouping: found, by: \.key.table) {
      let known = Set(try base.rows(in: table, ids: pairs.map(\.value.id).sorted()).headers.map(\.id))
      if known.isEmpty { continue }
      for (place, holder) in pairs where known.contains(holder.id) { found[place] = nil }
    }
  }
}
