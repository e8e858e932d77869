/// The keys of a list in order, with its sections, and the steps that turn it into its next state.
///
///     removed     keys that are no longer in the list
///     displaced   keys that are no longer between their neighbors: moved one at a time; the other keys stay
///     inserted    keys that were not in the list
///     updated     keys that stay, and whose objects changed
///
/// Each step is recorded with the places that are valid at that step. Displaced keys that have not been moved yet are at their old
/// places, and comparisons skip them.
struct ResultArrangement {
  /// The order and the sections of the list's keys.
  struct Order {
    /// Whether a key comes before another key. Two keys never compare equal.
    var precedes: (Int64, Int64) -> Bool
    /// The value that determines the section of a key; nil for lists without sections.
    var section: ((Int64) -> AttributeValue?)?
    /// The ID of a key's object.
    var id: (Int64) -> ManagedObjectID
  }

  /// The changes to the keys of a list.
  struct Update {
    var removed: [Int64] = []
    var inserted: [Int64] = []
    /// Keys that remain in the list, but whose places may have changed.
    var checked: [Int64] = []
    /// Keys whose objects changed, if the keys remain in the list.
    var updated: [Int64] = []
  }

  private(set) var keys = OrderedKeys()
  private(set) var sections: ResultSections?
  /// In a context with a store, the keys of rows that are not in the store; nil in a context without a store.
  private var unstored: Set<Int64>?
  private var steps: [ResultChanges.Step] = []

  /// The maximum number of keys to move. If more are displaced, they are removed and inserted, because moves are then no longer
  /// informative.
  private static let mostMoves = 512

  init() {}

  /// Creates the arrangement of keys that are already in order.
  init(_ keys: [Int64], sections: ResultSections?, hasStore: Bool) {
    self.keys = OrderedKeys(keys)
    self.sections = sections
    unstored = hasStore ? Set(keys.filter { $0 < 0 }) : nil
  }

  /// The keys of rows that no store has.
  var unstoredKeys: [Int64] { unstored.map { $0.filter { keys.contains($0) } } ?? keys.all }

  /// Renames keys. The order stays the same.
  mutating func rename(_ names: [(old: Int64, new: Int64)]) {
    keys.rename(names)
    if unstored != nil { unstored = Set(unstoredKeys + names.map(\.new).filter { $0 < 0 }) }
  }

  /// Applies an update.
  ///
  /// - Returns: the steps, in the order in which to apply them to the previous list.
  mutating func apply(_ update: Update, _ order: Order) -> [ResultChanges.Step] {
    steps = []
    for key in update.removed { remove(key) }
    var displaced = displaced(update.checked, order)
    var inserted = update.inserted
    if displaced.count > ResultArrangement.mostMoves {
      inserted = displaced + inserted
      for key in displaced { remove(key) }
      displaced = []
    }
    var waiting = Set(displaced)
    for key in displaced { move(key, &waiting, order) }
    for key in inserted { insert(key, order) }
    let new = Set(inserted)
    for key in update.updated where !new.contains(key) {
      if let position = keys.position(of: key) { steps.append(.updated(order.id(key), at: place(position))) }
    }
    defer { steps = [] }
    return steps
  }

  /// The place of a position.
  func place(_ position: Int) -> ResultPlace {
    sections?.place(of: position) ?? ResultPlace(position: position, section: 0, item: position)
  }

  // MARK: Displaced keys

  /// The keys that must be moved so that the other keys are in order.
  private func displaced(_ checked: [Int64], _ order: Order) -> [Int64] {
    let all = Set(checked)
    var displaced: Set<Int64> = []
    var found: [Int64] = []
    var queue = checked.filter { keys.contains($0) }
    while let key = queue.popLast() {
      if displaced.contains(key) { continue }
      let before = keys.key(before: key) { displaced.contains($0) }
      let after = keys.key(after: key) { displaced.contains($0) }
      if before.map({ order.precedes($0, key) }) ?? true, after.map({ order.precedes(key, $0) }) ?? true,
        isInSection(key, order)
      {
        continue
      }
      displaced.insert(key)
      found.append(key)
      if displaced.count > ResultArrangement.mostMoves { return checked.filter { keys.contains($0) } }
      // The neighbors of the displaced key are now next to each other.
      queue += [before, after].compactMap(\.self).filter { all.contains($0) }
    }
    return found
  }

  private func isInSection(_ key: Int64, _ order: Order) -> Bool {
    guard let sections, let position = keys.position(of: key) else { return true }
    return sections.values[sections.place(of: position).section] == order.section?(key)
  }

  // MARK: Steps

  private mutating func remove(_ key: Int64) {
    guard let position = keys.position(of: key) else { return }
    let place = place(position)
    keys.remove(key)
    sections?.removeObject(from: place.section)
    steps.append(.deleted(at: place))
    removeIfEmpty(place.section)
  }

  private mutating func removeIfEmpty(_ section: Int) {
    guard let sections, sections.counts[section] == 0 else { return }
    self.sections?.removeSection(at: section)
    steps.append(.sectionDeleted(at: section))
  }

  private mutating func insert(_ key: Int64, _ order: Order) {
    let spot = spot(key, skipping: [], order)
    let place = enter(key, spot, order)
    if key < 0 { unstored?.insert(key) }
    steps.append(.inserted(order.id(key), at: place))
  }

  private mutating func move(_ key: Int64, _ waiting: inout Set<Int64>, _ order: Order) {
    guard let position = keys.position(of: key) else { return }
    var old = place(position)
    keys.remove(key)
    waiting.remove(key)
    sections?.removeObject(from: old.section)
    let spot = spot(key, skipping: waiting, order)
    let new = enter(key, spot, order)
    if spot.isNewSection, spot.section <= old.section {
      old = ResultPlace(position: old.position, section: old.section + 1, item: old.item)
    }
    steps.append(.moved(order.id(key), from: old, to: new))
    removeIfEmpty(old.section)
  }

  /// Adds a key at a spot. If the section of the key is new, the section is added first.
  private mutating func enter(_ key: Int64, _ spot: Spot, _ order: Order) -> ResultPlace {
    if spot.isNewSection {
      sections?.insertSection(order.section?(key), at: spot.section)
      steps.append(.sectionInserted(at: spot.section))
    }
    keys.insert(key, at: spot.position)
    guard sections != nil else {
      return ResultPlace(position: spot.position, section: 0, item: spot.position)
    }
    let item = spot.position - (sections?.start(of: spot.section) ?? 0)
    sections?.addObject(to: spot.section)
    return ResultPlace(position: spot.position, section: spot.section, item: item)
  }

  /// The place where a key belongs.
  private struct Spot {
    var position: Int
    var section = 0
    var isNewSection = false
  }

  private func spot(_ key: Int64, skipping waiting: Set<Int64>, _ order: Order) -> Spot {
    let position = keys.position(where: { order.precedes(key, $0) }, skipping: { waiting.contains($0) })
    guard let sections, let section = order.section else { return Spot(position: position) }
    let value = section(key)
    let before = neighbor(position - 1, -1, waiting)
    let after = neighbor(position, 1, waiting)
    let last = before.map { sections.place(of: $0).section }
    let next = after.map { sections.place(of: $0).section }
    if let before, let last, sections.values[last] == value { return Spot(position: before + 1, section: last) }
    if let after, let next, sections.values[next] == value { return Spot(position: after, section: next) }
    let first = last.map { $0 + 1 } ?? 0
    // A section between the two neighbors is empty, or contains only keys that are waiting to be moved.
    if let between = sections.section(value, in: first..<max(first, next ?? sections.count)) {
      return Spot(position: sections.start(of: between), section: between)
    }
    return Spot(position: sections.start(of: first), section: first, isNewSection: true)
  }

  /// The next position, beginning at the given position, whose key is not waiting to be moved.
  private func neighbor(_ position: Int, _ step: Int, _ waiting: Set<Int64>) -> Int? {
    var position = position
    while (0..<keys.count).contains(position) {
      if waiting.isEmpty || !waiting.contains(keys.key(at: position)) { return position }
      position += step
    }
    return nil
  }
}
