/// A list of objects that follows the changes of its context: the core of ``LiveResults``.
///
///     ResultFeed --changed rows--> pending keys --settle--> ResultArrangement --steps--> observers
///
/// Only changed objects, and objects whose condition or order reads a changed object, are tested. If a list in a context with a store
/// shows only a page, the page is read again instead, because only the keys of the page are known.
final class ResultList {
  let context: ManagedObjectContext
  let rows: ResultRows
  private var dependencies: ResultDependencies
  /// The tables of related objects that the list reads, and of objects whose IDs its condition contains.
  private var related: Set<Int>
  /// The related tables, and the table of the list's own objects.
  private var tables: Set<Int>
  /// The tables of the owners that identify the list's objects.
  private let ownerTables: Set<Int>
  /// All keys of the list; in a context with a store, the keys of the page.
  private var whole = ResultArrangement()
  /// The keys of the page, if the list shows only a page and the context has no store.
  private var page: ResultArrangement?
  private var pending = PendingKeys()
  private var observers = ResultObservers<ResultChanges>()
  private var isSettling = false
  /// The error of the last attempt to bring the list up to date; nil if the attempt succeeded.
  private(set) var failure: StoreError?
  /// A closure that is called when the list has changed.
  private var didChange: (ResultChanges) -> Void = { _ in }

  init(_ context: ManagedObjectContext, _ query: ResultQuery) throws(StoreError) {
    self.context = context
    rows = ResultRows(context, query)
    dependencies = ResultDependencies(query.condition, query.order, table: query.table, context)
    dependencies.addOwners(of: query.entity)
    ownerTables = Set(dependencies.ownerWays.map(\.table))
    related = dependencies.tables.union(query.renewal?.tables ?? [])
    tables = related.union([query.table])
    context.follow(self)
    let keys = try rows.keys(isPage: isPageOfStore)
    whole = try arrangement(of: keys)
    if query.isPage, !isPageOfStore { page = try arrangement(of: pageKeys) }
    try context.throwReadFailure()
  }

  deinit { observers.finish() }

  private func arrangement(of keys: [Int64]) throws(StoreError) -> ResultArrangement {
    ResultArrangement(keys, sections: try rows.sections(of: keys), hasStore: context.binding != nil)
  }

  private var query: ResultQuery { rows.query }
  private var state: Reference<GraphState> { context.state }
  private var isPageOfStore: Bool { context.binding != nil && query.isPage }

  /// The keys that are shown, with their sections.
  var shown: ResultArrangement { page ?? whole }

  var shownCount: Int { page?.keys.count ?? whole.keys.count }

  func shownKey(at position: Int) -> Int64 { page?.keys.key(at: position) ?? whole.keys.key(at: position) }

  func shownKeys(_ positions: Range<Int>) -> [Int64] { page?.keys.keys(positions) ?? whole.keys.keys(positions) }

  var ids: [ManagedObjectID] {
    let keys = shownKeys(0..<shownCount)
    rows.load(keys)
    return keys.map { rows.id(of: $0) }
  }

  /// The number of objects that are loaded together.
  static let pageSize = 128

  /// The object at a position. It is loaded together with its neighbors.
  func object<Object: ManagedObject>(at position: Int, as type: Object.Type) -> Object {
    let key = shownKey(at: position)
    if context.row(ofKey: key, query.table).map({ state.row(query.table, $0).isFault }) ?? true {
      let start = position / ResultList.pageSize * ResultList.pageSize
      rows.load(shownKeys(start..<min(start + ResultList.pageSize, shownCount)))
    }
    return rows.object(of: key, as: type)
  }

  // MARK: Observers

  func updates() -> AsyncStream<ResultChanges> {
    refresh()
    return observers.add()
  }

  func onChange(_ body: @escaping (ResultChanges) -> Void) { didChange = body }

  // MARK: Applying changes

  /// Applies the changes since the last call.
  func refresh() {
    context.hub.results?.collect()
    settle()
  }

  private func update() throws(StoreError) -> [ResultChanges.Step] {
    if try rows.renew() {
      dependencies = ResultDependencies(rows.condition, query.order, table: query.table, context)
      dependencies.addOwners(of: query.entity)
      related.formUnion(dependencies.tables)
      tables.formUnion(related)
      pending.noteEverything()
    }
    let changed = try changedKeys()
    if pending.isEverything || isPageOfStore || changed.count > max(256, whole.keys.count) {
      return try read(changed)
    }
    var update = ResultArrangement.Update()
    rows.load(changed)
    // The keys are processed in a fixed order, regardless of the hash seeds.
    for key in changed.sorted() {
      switch (whole.keys.contains(key), try rows.isIncluded(key)) {
      case (true, true): update.checked.append(key)
      case (true, false): update.removed.append(key)
      case (false, true): update.inserted.append(key)
      case (false, false): break
      }
    }
    update.updated = update.checked
    let steps = whole.apply(update, order)
    return page == nil ? steps : turnPage(changed)
  }

  /// Reads the list again.
  private func read(_ changed: Set<Int64>) throws(StoreError) -> [ResultChanges.Step] {
    let keys = try rows.keys(isPage: isPageOfStore)
    let isChanged = pending.changesAll ? nil : changed
    let steps = rearrange(&whole, keys, isChanged)
    return page == nil ? steps : turnPage(isChanged)
  }

  /// Brings the page up to date with the whole list.
  private func turnPage(_ changed: Set<Int64>?) -> [ResultChanges.Step] {
    guard var page else { return [] }
    let steps = rearrange(&page, pageKeys, changed)
    self.page = page
    return steps
  }

  private var pageKeys: [Int64] {
    let first = min(query.offset, whole.keys.count)
    return whole.keys.keys(first..<min(whole.keys.count, context.end(query.limit, first)))
  }

  /// - Parameter changed: the keys whose objects have changed; nil for all.
  private func rearrange(
    _ arrangement: inout ResultArrangement, _ keys: [Int64], _ changed: Set<Int64>?
  ) -> [ResultChanges.Step] {
    let ranks = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    var update = ResultArrangement.Update()
    update.removed = arrangement.keys.all.filter { ranks[$0] == nil }
    update.inserted = keys.filter { !arrangement.keys.contains($0) }
    update.checked = keys.filter { arrangement.keys.contains($0) }
    update.updated = changed.map { changed in update.checked.filter { changed.contains($0) } } ?? update.checked
    if isSectionedOrChanged(update) { rows.load(query.isSectioned ? keys : update.inserted + update.updated) }
    var order = order
    order.precedes = { (ranks[$0] ?? 0) < (ranks[$1] ?? 0) }
    return arrangement.apply(update, order)
  }

  private func isSectionedOrChanged(_ update: ResultArrangement.Update) -> Bool {
    query.isSectioned || !update.inserted.isEmpty || !update.updated.isEmpty
  }

  private var order: ResultArrangement.Order {
    let rows = rows
    return ResultArrangement.Order(
      precedes: { rows.precedes($0, $1) }, section: query.isSectioned ? { rows.section(of: $0) } : nil,
      id: { rows.id(of: $0) })
  }

  // MARK: Affected objects

  /// The keys of objects that changed, or that depend on data that changed.
  private func changedKeys() throws(StoreError) -> Set<Int64> {
    var keys = pending.keys(of: query.table)
    for way in dependencies.ownerWays { keys.formUnion(try keysOfParts(of: pending.owners[way.table] ?? [], by: way)) }
    if pending.isEverything { return keys }
    for way in dependencies.ways {
      // For example, if a hero joins a publisher, the values that the list reads for the publisher's other heroes do not change.
      let changed = pending.keys(of: way.table, isListOnly: way.readsMembers)
      if changed.isEmpty { continue }
      // If a member joins or leaves, its owner's list has changed.
      if !way.readsValues, way.hops.last?.hasInverse == true { continue }
      guard way.hasInverses else {
        // A deleted row may no longer be in memory, so the objects that were related to it cannot be found.
        pending.noteEverything()
        keys.formUnion(try readers(of: changed, by: way))
        continue
      }
      keys.formUnion(origins(of: changed, by: way))
    }
    keys.formUnion(try referringToWritten())
    return keys
  }

  /// The keys of objects whose ID contains the ID of an owner.
  private func keysOfParts(of owners: Set<Int64>, by way: ResultDependencies.Way) throws(StoreError) -> Set<Int64> {
    if owners.isEmpty { return [] }
    return way.hasInverses ? origins(of: owners, by: way) : try readers(of: owners, by: way)
  }

  /// The keys of objects from which a way leads to the given rows. The relationships of the way have inverses.
  private func origins(of changed: Set<Int64>, by way: ResultDependencies.Way) -> Set<Int64> {
    var keys: Set<Int64> = []
    for key in changed {
      guard let row = context.row(ofKey: key, way.table) else { continue }
      let origins = ResultDependencies.origins(of: row, by: way, state)
      keys.formUnion(origins.map { state.key(of: RowPlace(table: query.table, row: $0)) })
    }
    return keys
  }

  /// The objects from which relationships lead to rows that other contexts or processes wrote, according to the store.
  private func referringToWritten() throws(StoreError) -> Set<Int64> {
    guard context.binding != nil, !pending.written.isEmpty else { return [] }
    var keys: Set<Int64> = []
    for way in dependencies.ways {
      guard let written = pending.written[way.table] else { continue }
      // To-many relationships may have lost members, and the store cannot find the relationships that lost them.
      if way.path == nil { pending.noteEverything() }
      keys.formUnion(try readers(of: written, by: way))
    }
    return keys
  }

  /// The maximum number of changed rows to search for. If more rows have changed, all objects are treated as changed.
  private static let mostSearched = 10_000

  /// The objects from which a way of to-one relationships leads to one of the given rows. If the way contains a to-many relationship, or
  /// there are too many rows, all objects are treated as changed.
  private func readers(of changed: Set<Int64>, by way: ResultDependencies.Way) throws(StoreError) -> Set<Int64> {
    guard let path = way.path, changed.count <= ResultList.mostSearched else {
      pending.noteReplacement()
      return []
    }
    var found: Set<Int64> = []
    let sorted = changed.sorted()
    // The rows are searched in groups, because a statement has a limited number of parameters.
    let size = context.binding == nil ? sorted.count : 1_000
    for start in stride(from: 0, to: sorted.count, by: size) {
      let part = sorted[start..<min(start + size, sorted.count)].map { StoreValue.integer($0) }
      found.formUnion(
        try ObjectQuery(context, query.entity, .isOne(.id(path), of: part)).unnoted.keys(orderedBy: [], nil, 0))
    }
    return found
  }
}

extension ResultList: ResultFollower {
  func note(_ rows: ChangedRows) {
    pending.note(rows, of: tables, owners: ownerTables)
  }

  func note(_ log: StoreLog) { pending.note(log, table: query.table, read: related) }

  func takeNumbers() {
    guard context.binding != nil else { return }
    rename { key in
      guard key < 0, let row = rows.row(of: key), state.row(query.table, row).isStored else { return key }
      return state.key(of: RowPlace(table: query.table, row: row))
    }
  }

  func follow(_ moves: RowMoves) {
    if moves.replacesAll { pending.noteReplacement() }
    if moves.isRollback { return }
    if case .closedGaps(let table, _) = moves, table != query.table { return }
    rename { key in
      let number = -(key + 1)
      guard key < 0, number <= Int64(UInt32.max) else { return key }
      return moves.knownRow(query.table, UInt32(number)).map { -1 - Int64($0) }
    }
  }

  /// Renames the keys of rows that are not in a store.
  ///
  /// - Parameter name: returns the new key, or nil for a row that no longer exists.
  private func rename(_ name: (Int64) -> Int64?) {
    func renamed(_ arrangement: ResultArrangement) -> [(old: Int64, new: Int64)] {
      let keys = arrangement.unstoredKeys
      var names: [(old: Int64, new: Int64)] = []
      var taken: Set<Int64> = []
      for key in keys {
        let new = name(key)
        if new == key { continue }
        // Two objects may turn out to be the same object, and then have the same new key.
        if let new, !arrangement.keys.contains(new) || new < 0 && name(new) != new, taken.insert(new).inserted {
          names.append((key, new))
        } else {
          names.append((key, pending.goneKey(query.table)))
        }
      }
      return names
    }
    whole.rename(renamed(whole))
    if let page { self.page?.rename(renamed(page)) }
    pending.rename(query.table, name)
  }

  func settle() {
    guard !isSettling else { return }
    isSettling = true
    defer { isSettling = false }
    // An observer of the list may make further changes.
    while !pending.isEmpty {
      do throws(StoreError) {
        let steps = try update()
        pending = pending.emptied
        failure = context.binding?.failure
        if !steps.isEmpty {
          let changes = ResultChanges(steps: steps)
          observers.send(changes)
          didChange(changes)
        }
      } catch {
        // No change has been applied, so the pending changes are kept.
        return failure = error
      }
      // Values that could not be read were treated as absent, so the next call reads the list again.
      if failure != nil { return pending.noteReplacement() }
    }
  }
}

extension ManagedObjectContext {
  /// The row in memory that has a live list's key; nil if there is no such row.
  func row(ofKey key: Int64, _ table: Int) -> UInt32? {
    if key > 0 { return binding?.rowsByID[table][key] }
    let number = -(key + 1)
    return number < Int64(state.tables[table].rowCount) ? UInt32(number) : nil
  }
}

extension RowMoves {
  /// The current number of a row; nil if it was removed, or if this move does not include the row.
  fileprivate func knownRow(_ table: Int, _ row: UInt32) -> UInt32? {
    switch self {
    case .closedGaps(let moved, let rows) where moved == table && Int(row) >= rows.count: nil
    case .replaced(let rows) where Int(row) >= rows[table].count: nil
    default: self.row(table, row)
    }
  }
}
