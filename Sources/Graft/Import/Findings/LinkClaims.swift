/// Links of one import to objects whose inverse is a to-one, so that only the last of several links remains (I22).
///
///     [{"id": "a1", "genres": [7, 8]}, {"id": "a2", "genres": [8]}]        'Genre.album' of 8 is a1, and then a2
///
/// The first links of an import are looked at: a wrong inverse shows early, and memory stays bounded.
struct LinkClaims {
  /// A link that another one took away.
  struct Loss {
    var target: RowPlace
    /// The row that lost the link.
    var owner: UInt32
    /// The entity and the slot of the relationship that took it.
    var entity: Int
    var slot: Int
    /// The dictionaries of the owner that lost the link, and of the one that took it.
    var first: Int
    var second: Int
  }

  private struct Target: Hashable {
    var place: RowPlace
    /// The cell of the inverse.
    var cell: Int
  }

  private struct Claim {
    var owner: UInt32
    var offset: Int
  }

  private var claims: [Target: Claim] = [:]
  private(set) var losses: [Loss] = []
  private(set) var isWatching: Bool

  private static let most = 65_536
  private static let mostLosses = 10_000

  init(isWanted: Bool) { isWatching = isWanted }

  /// Notes that a row is about to be linked to others.
  @inline(never)
  mutating func note(
    _ targets: some Sequence<UInt32>, of owner: UInt32, in entity: Int, _ number: Int, _ state: Reference<GraphState>,
    at offset: Int
  ) {
    let slot = state.layouts[entity].slots[number]
    let table = slot.destinationTable
    for row in targets {
      let target = Target(place: RowPlace(table: table, row: row), cell: slot.inverseCell)
      if let claim = claims.updateValue(Claim(owner: owner, offset: offset), forKey: target), claim.owner != owner,
        state.row(table, row)[slot.inverseCell] == UInt64(claim.owner) + 1
      {
        losses.append(
          Loss(
            target: target.place, owner: claim.owner, entity: entity, slot: number, first: claim.offset, second: offset)
        )
      }
    }
    if claims.count >= LinkClaims.most || losses.count >= LinkClaims.mostLosses { isWatching = false }
  }
}
