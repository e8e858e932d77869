/// The dictionaries without an identity whose objects were found by alternate identities (M27).
///
///     {"slug": "a", "name": "A"}     finds object 1, which has this slug
///     {"id": 1, "deleted": true}     deletes object 1 when the payload ends (M17), or gives it another slug
///     {"id": 2, "slug": "a"}         has the slug from now on: the first dictionary may describe object 2
///
/// Because the order of a payload must not decide which objects exist (D14), it is ambiguous which object the first dictionary describes.
struct AlternateFinds {
  private struct Find {
    var found: RowFinder.AlternateFind
    var entity: Int
    var offset: Int
  }

  private struct Values: Hashable {
    var space: Int
    var table: Int
    var hash: UInt64
  }

  private var finds: [Find] = []

  mutating func note(_ found: RowFinder.AlternateFind, _ entity: Int, at offset: Int) {
    finds.append(Find(found: found, entity: entity, offset: offset))
  }

  /// Refuses dictionaries whose object is about to be deleted or now has other values, while another object has the values that were used
  /// to find it.
  func refuseAmbiguous(_ finder: RowFinder, _ log: FaultLog) {
    let state = finder.editor.state
    var known: [Values: [UInt32]] = [:]
    for find in finds {
      let alternate = log.plan.layouts[find.entity].alternates[find.found.number]
      let place = RowPlace(table: alternate.table, row: find.found.row)
      func has(_ number: UInt32) -> Bool {
        AlternateIndex.isIdentified(number, by: alternate, state)
          && GraphIdentity.hash(alternate, row: state.row(place.table, number), state.pointee) == find.found.hash
      }
      /// Returns two of the rows that have the values and are not deleted by the payload.
      func keptRows() -> [UInt32] {
        var kept: [UInt32] = []
        _ = AlternateIndex.find(alternate, find.found.hash, state.pointee) { number in
          if !finder.marked.contains(RowPlace(table: place.table, row: number)), has(number) { kept.append(number) }
          return kept.count == 2
        }
        return kept
      }
      let isDeleted = finder.marked.contains(place)
      if !isDeleted, has(place.row) { continue }
      let values = Values(space: alternate.identity.space, table: place.table, hash: find.found.hash)
      let kept = known[values] ?? keptRows()
      known[values] = kept
      guard let other = kept.first(where: { $0 != place.row }) else { continue }
      let names = GraphNames(state, log.plan)
      log.record(
        .ambiguousAlternate(
          log.plan.entities[find.entity], find.found.number, names.name(place.table, place.row), isDeleted: isDeleted,
          other: names.name(place.table, other)), at: find.offset)
    }
  }
}
