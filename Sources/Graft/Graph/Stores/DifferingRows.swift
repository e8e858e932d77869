/// Rows that differ from what the store has, although the context did not change them.
struct DifferingRows {
  /// A row whose values in the slots of a sub-entity are to be loaded.
  struct Narrowed {
    var place: RowPlace
    /// The entity that it had, whose values are in memory.
    var entity: Int
  }

  /// Rows that were loaded with a one-to-one whose other side led elsewhere in memory.
  private(set) var outdated: Set<RowPlace> = []
  /// Rows that became those of a sub-entity.
  private var narrowed: [Narrowed] = []
  /// Rows that were removed among changes, because the store no longer has them.
  private var removed: [RowPlace] = []

  mutating func noteOutdated(_ place: RowPlace) { outdated.insert(place) }

  mutating func noteOutdated(_ places: some Sequence<RowPlace>) { outdated.formUnion(places) }

  /// A row is brought up to date.
  ///
  /// - Returns: whether it was outdated.
  mutating func takeOutdated(_ place: RowPlace) -> Bool { outdated.remove(place) != nil }

  /// All outdated rows are brought up to date.
  mutating func forgetOutdated() { outdated = [] }

  mutating func noteNarrowed(_ row: Narrowed) { narrowed.append(row) }

  /// The narrowed rows, but for those that are not wanted, whose values are now loaded.
  mutating func takeNarrowed(where isWanted: (RowPlace) -> Bool) -> [Narrowed] {
    if narrowed.isEmpty { return [] }
    let wanted = narrowed.filter { isWanted($0.place) }
    narrowed.removeAll { isWanted($0.place) }
    return wanted
  }

  mutating func noteRemoved(_ place: RowPlace) { removed.append(place) }

  /// The removed rows: they do not come back.
  mutating func takeRemoved() -> [RowPlace] {
    defer { removed = [] }
    return removed
  }

  /// The rows of a table moved: `.max` stands for those that are gone.
  mutating func move(_ table: Int, _ moves: [UInt32]) {
    outdated = Set(
      outdated.compactMap { place in
        guard place.table == table else { return place }
        let new = moves[Int(place.row)]
        return new == .max ? nil : RowPlace(table: table, row: new)
      })
    narrowed.removeAll { $0.place.table == table }
    removed = []
  }
}
