/// Finds the rows that others inserted with the identities of rows that they deleted. To users, such an object is the same as before, and
/// what refers to it refers to the new row.
struct ReplacementFinder {
  private let schema: StoreSchema
  private let base: any StoreSnapshot
  private let next: any StoreSnapshot
  /// The deleted rows, as they were.
  private var rows: [StoredPlace: StoredRow] = [:]
  private var found: [StoredPlace: StoredPlace] = [:]
  /// The contents of the new rows.
  private var contents: [StoredPlace: StoredRow] = [:]

  /// - Parameter gone: rows of the base that the later version does not have.
  /// - Returns: the new row of each, if it has one, and the contents of these.
  static func find(
    _ gone: Set<StoredPlace>, _ schema: StoreSchema, base: any StoreSnapshot, next: any StoreSnapshot
  ) throws(StoreError) -> (rows: [StoredPlace: StoredPlace], contents: [StoredPlace: StoredRow]) {
    var finder = ReplacementFinder(schema: schema, base: base, next: next)
    try finder.readRows(gone)
    // An owner must be found before what is identified inside it.
    var known = -1
    while finder.found.count > known, finder.found.count < finder.rows.count {
      known = finder.found.count
      try finder.search()
    }
    return (finder.found, finder.contents)
  }

  private init(schema: StoreSchema, base: any StoreSnapshot, next: any StoreSnapshot) {
    (self.schema, self.base, self.next) = (schema, base, next)
  }

  /// Reads the rows, and those of their owners that are deleted as well.
  private mutating func readRows(_ gone: Set<StoredPlace>) throws(StoreError) {
    var gone = gone
    while !gone.isEmpty {
      var owners: Set<StoredPlace> = []
      for (table, places) in Dictionary(grouping: gone, by: \.table) {
        let layout = schema.tables[table]
        let columns = Set(layout.identities.flatMap(\.columns))
        for (place, row) in try base.rows(in: table, ids: places.map(\.id).sorted()).contents(schema) {
          rows[place] = row
          owners.formUnion(columns.compactMap { layout.target(of: $0, in: row) })
        }
      }
      gone = []
      for (table, places) in Dictionary(grouping: owners.filter { rows[$0] == nil }, by: \.table) {
        let there = Set(try next.rows(in: table, ids: places.map(\.id).sorted()).headers.map(\.id))
        gone.formUnion(places.filter { !there.contains($0.id) })
      }
    }
  }

  /// Searches for the rows whose owners are known.
  private mutating func search() throws(StoreError) {
    for (table, places) in Dictionary(grouping: rows.keys.filter { found[$0] == nil }, by: \.table)
      .sorted(by: { $0.key < $1.key })
    {
      var alternates: [StoredPlace: Set<StoredPlace>] = [:]
      for (number, identity) in schema.tables[table].identities.enumerated() {
        for (place, holder) in try holders(of: places.sorted(), table, number) {
          if identity.isAlternate { alternates[place, default: []].insert(holder) } else { found[place] = holder }
        }
      }
      // Two objects with a part of its identities are both others.
      for (place, holders) in alternates where holders.count == 1 { found[place] = holders.first }
    }
  }

  /// The new rows with an identity of old ones.
  private mutating func holders(
    of places: [StoredPlace], _ table: Int, _ number: Int
  ) throws(StoreError) -> [StoredPlace: StoredPlace] {
    let layout = schema.tables[table]
    let identity = layout.identities[number]
    var wanted: [[StoreValue]: StoredPlace] = [:]
    var values = StoredValues(columnCount: identity.columns.count)
    for place in places {
      // An alternate identity counts if there is no other (M27).
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
      guard let key = layout.key(of: row, identity.columns, owner: { $0 }), let place = wanted[key] else { continue }
      holders[place] = holder
      contents[holder] = row
    }
    return holders
  }
}
