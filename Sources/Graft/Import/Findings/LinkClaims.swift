/// Links of one import that other links take away, because the inverse of the relationship is a to-one relationship (I22).
///
///     [{"id": "a1", "genres": [7, 8]}, {"id": "a2", "genres": [8]}]        'Genre.album' of 8 is a1, and then a2
///
/// Whether the dictionary of the first owner claims the link is determined at the end. Nothing is recorded for links that are kept.
struct LinkClaims {
  /// A link that another link took away.
  struct Loss {
    var target: RowPlace
    /// The row that lost the link.
    var owner: RowPlace
    /// The entity and the slot of the relationship that lost the link. Another owner took the link through the same relationship,
    /// or the object itself took it through the inverse.
    var entity: Int
    var slot: Int
    /// The offset of the dictionary that took the link.
    var offset: Int
    /// The inverse, if a value of the object itself contradicts the owner.
    var inverse: Inverse?
  }

  struct Inverse {
    var entity: Int
    var slot: Int
  }

  private(set) var losses: [Loss] = []
  /// Whether links that other links take away are still recorded.
  private(set) var isWatching: Bool
  /// Whether links that an object's own value takes away are still recorded. Most of these are updates, which must not use up the limit for
  /// other links.
  private(set) var isWatchingValues: Bool
  /// The number of losses caused by objects' own values, in total and for each row that lost links.
  private var valueLosses = 0
  private var lossesOfOwners: [RowPlace: Int] = [:]

  private static let mostLosses = 10_000
  private static let mostLossesOfOwner = 100

  init(isWanted: Bool) {
    isWatching = isWanted
    isWatchingValues = isWanted
  }

  /// Examines a relationship that a value of the payload is about to change. The change may be made only at the end of the payload, and may
  /// leave the relationship empty.
  ///
  /// - Parameter rows: the rows that the value names.
  mutating func look(
    atChangeOf place: RowPlace, in entity: Int, _ number: Int, to rows: some Collection<UInt32>,
    _ state: Reference<GraphState>, at offset: Int
  ) {
    guard isWatching || isWatchingValues else { return }
    let slot = state.layouts[entity].slots + number
    guard slot.pointee.inverse >= 0, !slot.pointee.isOwning, !slot.pointee.isIdentity else { return }
    if isWatching, !slot.pointee.inverseSlot.isToMany {
      look(at: rows, from: place.row, in: entity, number, state, at: offset)
    }
    if isWatchingValues, !slot.pointee.isUnion, state.row(place.table, place.row)[slot] != 0 {
      look(atLossesOf: place, in: entity, number, to: rows, state, at: offset)
    }
  }

  /// Examines rows to which a row is about to be linked.
  @inline(__always)
  mutating func look(
    at targets: some Sequence<UInt32>, from owner: UInt32, in entity: Int, _ number: Int,
    _ state: Reference<GraphState>,
    at offset: Int
  ) {
    let slot = state.layouts[entity].slots + number
    let table = slot.pointee.destinationTable
    for row in targets {
      let former = state.row(table, row)[slot.pointee.inverseSlot.words.cell]
      if former == 0 || former == UInt64(owner) + 1 { continue }
      note(RowPlace(table: table, row: row), UInt32(truncatingIfNeeded: former - 1), entity, number, state, offset)
    }
  }

  /// Examines the rows that a row is about to lose because its own value does not name them.
  ///
  /// - Parameter rows: the rows that the value names.
  mutating func look(
    atLossesOf target: RowPlace, in entity: Int, _ number: Int, to rows: some Collection<UInt32>,
    _ state: Reference<GraphState>, at offset: Int
  ) {
    let slot = state.layouts[entity].slots + number
    let former =
      slot.pointee.kind == .toOne
      ? [state.row(target.table, target.row).toOne(slot.pointee)].compactMap(\.self)
      : state.row(target.table, target.row).links(slot.pointee)
    let kept = Set(rows)
    for row in former where !kept.contains(row) {
      let owner = RowPlace(table: slot.pointee.destinationTable, row: row)
      guard state.row(owner.table, row).header.isDescribed(in: state.pointee.importEpoch) else { continue }
      lossesOfOwners[owner, default: 0] += 1
      if lossesOfOwners[owner, default: 0] > LinkClaims.mostLossesOfOwner { continue }
      losses.append(
        Loss(
          target: target, owner: owner, entity: slot.pointee.destination, slot: slot.pointee.inverse, offset: offset,
          inverse: Inverse(entity: entity, slot: number)))
      valueLosses += 1
    }
    if valueLosses >= LinkClaims.mostLosses { isWatchingValues = false }
  }

  /// Records a link that is taken from a row, if this import describes the row.
  @inline(never)
  private mutating func note(
    _ target: RowPlace, _ former: UInt32, _ entity: Int, _ number: Int, _ state: Reference<GraphState>, _ offset: Int
  ) {
    let owner = RowPlace(table: state.layouts[entity].table, row: former)
    let header = state.row(owner.table, owner.row).header
    guard header.isDescribed(in: state.pointee.importEpoch) else { return }
    losses.append(Loss(target: target, owner: owner, entity: entity, slot: number, offset: offset))
    if losses.count - valueLosses >= LinkClaims.mostLosses { isWatching = false }
  }
}
