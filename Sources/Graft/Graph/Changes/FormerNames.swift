/// The names of objects before the changes that a history records.
final class FormerNames {
  private let state: Reference<GraphState>
  private let plan: Plan
  private let reader: RowReader
  private let history: RowHistory
  /// Returns whether an object that is already deleted is counted when objects without an identity are numbered.
  private let isCounted: (RowPlace) -> Bool
  /// The name that was computed last. The members of a long list request the name of their common owner in sequence.
  private var last: (place: RowPlace, name: String)?
  /// The numbers of objects without an identity, by table and row; computed on first use.
  private var numbers: [Int: [UInt32: Int]] = [:]

  init(
    _ state: Reference<GraphState>, _ plan: Plan, _ history: RowHistory,
    countingDeleted isCounted: @escaping (RowPlace) -> Bool
  ) {
    self.state = state
    self.plan = plan
    self.history = history
    self.isCounted = isCounted
    reader = RowReader(state)
  }

  func name(_ place: RowPlace) -> String {
    if let last, last.place == place { return last.name }
    let name = computedName(place)
    last = (place, name)
    return name
  }

  private func computedName(_ place: RowPlace) -> String {
    let (entity, identity) = history.withImage(of: place) {
      (plan.entities[$0.before.entity], reader.identityJSON($0.before))
    }
    return GraphNames.name(entity, identity) { number(place) }
  }

  /// Returns whether the object had an identity.
  func hasIdentity(_ place: RowPlace) -> Bool {
    history.withImage(of: place) { image in
      let layout = state.layouts[image.before.entity]
      return layout.identity.count > 0
        && (0..<layout.identity.count).allSatisfy {
          let slot = layout.slots[layout.identity.slots[$0]]
          return image.before.isSet(slot)
        }
    }
  }

  /// Returns the number of an object among the objects of its entity that had no identity, in insertion order.
  private func number(_ place: RowPlace) -> Int {
    if numbers[place.table] == nil {
      var counts: [Int: Int] = [:]
      var known: [UInt32: Int] = [:]
      for row in 0..<history.rowsWithHistory(place.table) where !history.isNew(place.table, row) {
        let other = RowPlace(table: place.table, row: row)
        history.withImage(of: other) { image in
          guard !image.before.isDeleted || isCounted(other), reader.identityJSON(image.before) == nil
          else { return }
          counts[image.before.entity, default: 0] += 1
          known[row] = counts[image.before.entity]
        }
      }
      numbers[place.table] = known
    }
    return numbers[place.table]?[place.row] ?? 0
  }
}
