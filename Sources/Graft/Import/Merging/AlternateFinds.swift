/// The dictionaries without an identity whose objects alternate identities found (M27), in a payload that marks objects as deleted.
///
///     {"slug": "a", "name": "A"}     is found: object 1, which has this slug
///     {"id": 1, "deleted": true}     deletes object 1 when the payload ends (M17)
///     {"id": 2, "slug": "a"}         has the slug from now on: the first dictionary may describe object 2
///
/// The order of deletions does not matter (D14), so nothing says which object is meant.
struct AlternateFinds {
  private struct Find {
    var place: RowPlace
    var entity: Int
    var offset: Int
  }

  private var finds: [Find] = []

  mutating func note(_ place: RowPlace, _ entity: Int, at offset: Int) {
    finds.append(Find(place: place, entity: entity, offset: offset))
  }

  /// Refuses dictionaries whose object is about to be deleted, while another one has its alternate identity.
  func refuseAmbiguous(_ finder: RowFinder, _ log: FaultLog) {
    let state = finder.editor.state
    for find in finds where finder.marked.contains(find.place) {
      let row = state.row(find.place.table, find.place.row)
      let layout = log.plan.layouts[row.entity]
      for number in 0..<layout.alternateCount {
        guard let other = AlternateIndex.other(like: row, layout.alternates[number], state),
          !finder.marked.contains(RowPlace(table: find.place.table, row: other))
        else { continue }
        let names = GraphNames(state, log.plan)
        log.record(
          .ambiguousAlternate(
            log.plan.entities[find.entity], number, deleted: names.name(find.place.table, find.place.row),
            other: names.name(find.place.table, other)), at: find.offset)
      }
    }
  }
}
