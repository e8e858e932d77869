/// The facts that a context knows about its store without reading it.
struct StoreKnowledge {
  /// The entities whose objects are all in memory.
  private var wholeEntities: Set<Int> = []
  /// Entities whose objects were requested, so their insertions are reported.
  private(set) var shownTables: Set<Int> = []
  /// Hashes of identities that no row of the store has in the version that is shown, except perhaps rows in memory.
  private var absent: Set<UInt64> = []
  /// The number of identities of each table that were looked up individually.
  private var lookUps: [Int]

  init(_ plan: Plan) { lookUps = plan.tables.map { _ in 0 } }

  mutating func noteShown(_ table: Int) { shownTables.insert(table) }

  /// Whether all objects of the given number of entities are in memory.
  func isWhole(_ entityCount: Int) -> Bool { wholeEntities.count == entityCount }

  /// Whether all objects of an entity are in memory.
  func hasAll(of entity: Int) -> Bool { wholeEntities.contains(entity) }

  mutating func noteAll(of entities: some Sequence<Int>) { wholeEntities.formUnion(entities) }

  /// Notes that other contexts may have inserted objects of the given entities.
  mutating func forgetAll(of entities: some Sequence<Int>) { wholeEntities.subtract(entities) }

  /// Notes that rows in memory were removed.
  mutating func forgetRows() {
    wholeEntities = []
    forgetAbsent()
    lookUps = lookUps.map { _ in 0 }
  }

  // MARK: Identities

  /// Whether it is known that the store does not have an identity.
  func lacks(_ layout: EntityLayout, _ hash: UInt64) -> Bool { absent.contains(StoreKnowledge.key(layout, hash)) }

  mutating func noteAbsent(_ layout: EntityLayout, _ hash: UInt64) { absent.insert(StoreKnowledge.key(layout, hash)) }

  /// Discards the record of identities that the store does not have, because another version is shown, or because rows that are part of
  /// identities have moved (M12).
  mutating func forgetAbsent() { absent.removeAll(keepingCapacity: true) }

  private static func key(_ layout: EntityLayout, _ hash: UInt64) -> UInt64 {
    hash ^ UInt64(layout.table &* 31 &+ layout.identity.space) &* 0x9E37_79B9_7F4A_7C15
  }

  /// Counts an identity that is looked up individually.
  ///
  /// - Returns: the number of such lookups in the table if it is a power of two and at least 64, because loading all rows may then be
  ///   better; otherwise nil.
  mutating func noteLookUp(_ table: Int) -> Int? {
    lookUps[table] += 1
    let count = lookUps[table]
    return count >= 64 && count & (count - 1) == 0 ? count : nil
  }

  mutating func forgetLookUps(_ table: Int) { lookUps[table] = 0 }
}
