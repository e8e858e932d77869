#if canImport(Observation)
  public import Observation
#endif

/// Reports reads and changes of a context to the `Observation` framework, so that views are updated (C2).
///
/// A registrar per object would cost memory per object. Calling a registrar takes longer than reading an attribute, even without
/// observers. Observation is therefore enabled per context, and all rows share a fixed number of registrars:
///
///     row 5 of table 0 --\
///     row 1029 of ..    ---> registrar 5:  slot 0, slot 1, ... , state        1,024 registrars, a key path for each slot
///
/// If two objects share a registrar, a view may be updated too often, but never too rarely. Imports report nothing while they
/// run. When an import has ended, the journal contains its changes, and each pair of registrar and slot is notified once.
final class ObservationHub {
  /// A property of a row.
  struct Spot: Hashable {
    var table: Int
    var row: UInt32
    var slot: Int

    /// Represents, instead of a slot, the entity of the object and whether it is deleted or a placeholder.
    static let state = -1
    /// Represents all slots.
    static let everything = -2
  }

  /// The part of a table that a list depends on.
  enum Extent: Int {
    /// The removal of objects.
    case removals
    /// The set of existing objects.
    case members
    /// The set of existing objects, and all their values.
    case everything

    static let count = everything.rawValue + 1
  }

  /// This flag is accessed through a pointer, because every read of an attribute checks it.
  private let isOn = Reference(to: false)

  /// Whether observation is enabled.
  @inline(__always) var isInUse: Bool { isOn.pointee }

  /// The feed of the context's live lists and values; nil if there are none.
  private(set) var results: (any ChangeFeed)?

  /// Returns the feed of live lists and values. The closure creates the feed for the first list or value.
  func feed<Feed: ChangeFeed>(_ make: () -> Feed) -> Feed {
    if let feed = results as? Feed { return feed }
    let feed = make()
    results = feed
    return feed
  }

  /// Brings live lists and values up to date after the graph has changed.
  func settleResults() {
    guard let results else { return }
    results.settle()
    if results.isIdle {
      results.end()
      self.results = nil
    }
  }

  #if canImport(Observation)
    /// The framework's registrar, at a fixed address because only the framework knows its layout.
    private final class Registrar {
      let registrar = ObservationRegistrar()
    }

    private static let registrarCount = 1024
    private let slotCount: Int
    private let pathCount: Int
    private let subject = ObservedSlots()
    private let extents = Registrar()
    // The registrars, which are created when observation is first enabled.
    private var registrars: [Registrar?] = []
    private var paths: [KeyPath<ObservedSlots, Void>] = []

    /// - Parameters:
    ///   - slotCount: the maximum number of slots of an entity.
    ///   - tableCount: the number of tables.
    init(slotCount: Int, tableCount: Int) {
      self.slotCount = slotCount
      pathCount = max(slotCount, tableCount * Extent.count) + 1
    }

    deinit { isOn.free() }

    func setInUse(_ isInUse: Bool) {
      isOn.pointee = isInUse
      guard isInUse, registrars.isEmpty else { return }
      registrars = Array(repeating: nil, count: ObservationHub.registrarCount)
      paths = (0..<pathCount).map { \ObservedSlots.[$0] }
    }

    private func registrar(of table: Int, _ row: UInt32) -> Int {
      (Int(truncatingIfNeeded: row) &+ table &* 389) & (ObservationHub.registrarCount - 1)
    }

    private func path(_ table: Int, _ extent: Extent) -> KeyPath<ObservedSlots, Void> {
      paths[table * Extent.count + extent.rawValue]
    }

    private func path(ofSlot slot: Int) -> Int { slot == Spot.state ? slotCount : slot }

    // MARK: Reading

    /// Reports that a property of a row is read.
    @inline(__always)
    func noteRead(_ table: Int, _ row: UInt32, _ slot: Int) {
      if isInUse { access(table, row, slot) }
    }

    @inline(never)
    private func access(_ table: Int, _ row: UInt32, _ slot: Int) {
      let number = registrar(of: table, row)
      let registrar = registrars[number] ?? Registrar()
      if registrars[number] == nil { registrars[number] = registrar }
      registrar.registrar.access(subject, keyPath: paths[path(ofSlot: slot)])
    }

    /// Reports that an object is read as a whole.
    func noteObject(_ table: Int, _ row: UInt32, slots: Int) {
      for slot in Spot.state..<slots { access(table, row, slot) }
    }

    /// Reports that a list of a table's objects is read.
    func noteExtent(_ table: Int, _ extent: Extent) {
      if isInUse { extents.registrar.access(subject, keyPath: path(table, extent)) }
    }

    /// Reports a read of the context's changes since its last commit, or of whether there are any changes.
    func noteChangesRead() {
      if isInUse { extents.registrar.access(subject, keyPath: paths[pathCount - 1]) }
    }

    // MARK: Changing

    func willChange(_ spots: [Spot]) { forEach(spots) { $0.registrar.willSet(subject, keyPath: $1) } }

    func didChange(_ spots: [Spot]) {
      forEach(spots) { $0.registrar.didSet(subject, keyPath: $1) }
      if isInUse { settleResults() }
    }

    /// Reports that properties have changed.
    func change(_ spots: [Spot]) {
      forEach(spots) { tell($0, $1) }
      settleResults()
    }

    /// Reports that other contexts or processes inserted, changed or deleted objects, which need not be in memory.
    ///
    /// - Parameters:
    ///   - tables: the tables of the objects.
    ///   - removals: the tables from which objects were deleted.
    func changeExtents(_ tables: Set<Int>, removals: Set<Int>) {
      guard isInUse else { return }
      for table in tables {
        if removals.contains(table) { tell(extents, path(table, .removals)) }
        tell(extents, path(table, .members))
        tell(extents, path(table, .everything))
      }
    }

    /// Reports that a commit or a merge has altered the changes since the last commit.
    func changePending() {
      if isInUse { tell(extents, paths[pathCount - 1]) }
    }

    /// Reports that everything may have changed or moved to other rows.
    func changeEverything() {
      guard isInUse else { return }
      for number in 0..<ObservationHub.registrarCount {
        guard let registrar = registrars[number] else { continue }
        for path in 0...slotCount { tell(registrar, paths[path]) }
      }
      for path in 0..<pathCount { tell(extents, paths[path]) }
    }

    private func forEach(_ spots: [Spot], _ body: (Registrar, KeyPath<ObservedSlots, Void>) -> Void) {
      guard isInUse, !spots.isEmpty else { return }
      var tables: Set<Int> = []
      body(extents, paths[pathCount - 1])
      for spot in spots {
        if spot.slot < 0, tables.insert(~spot.table).inserted {
          body(extents, path(spot.table, .removals))
          body(extents, path(spot.table, .members))
        }
        if tables.insert(spot.table).inserted { body(extents, path(spot.table, .everything)) }
        guard let registrar = registrars[registrar(of: spot.table, spot.row)] else { continue }
        if spot.slot == Spot.everything {
          for path in 0...slotCount { body(registrar, paths[path]) }
        } else {
          body(registrar, paths[path(ofSlot: spot.slot)])
        }
      }
    }

    private func tell(_ registrar: Registrar, _ path: KeyPath<ObservedSlots, Void>) {
      registrar.registrar.willSet(subject, keyPath: path)
      registrar.registrar.didSet(subject, keyPath: path)
    }

    // MARK: Reading the journal

    /// Returns the changes since the last commit according to the journal, with one spot per registrar and slot. New rows
    /// are reported once per table.
    func spots(in state: Reference<GraphState>) -> [Spot] {
      guard isInUse else { return [] }
      var spots: [Spot] = []
      var isTold = [UInt64](repeating: 0, count: (ObservationHub.registrarCount * (slotCount + 1) + 63) / 64)
      var isTableTold = Set<Int>()
      for table in 0..<state.tableCount {
        let committed = state.committedRows(table)
        if state.tables[table].rowCount > committed {
          spots.append(Spot(table: table, row: UInt32(committed), slot: Spot.state))
          isTableTold.insert(table)
        }
      }
      for entry in state.pointee.journal.elements {
        guard let spot = spot(of: entry, in: state) else { continue }
        let registrar = registrar(of: entry.table, entry.row)
        guard registrars[registrar] != nil || spot.slot < 0 || isTableTold.insert(entry.table).inserted else {
          continue
        }
        let bit = registrar * (slotCount + 1) + path(ofSlot: spot.slot)
        guard isTold[bit >> 6] & 1 << UInt64(bit & 63) == 0 else { continue }
        isTold[bit >> 6] |= 1 << UInt64(bit & 63)
        spots.append(spot)
      }
      return spots
    }

    /// Returns each property of each row that has changed since the last commit according to the journal.
    func allSpots(in state: Reference<GraphState>) -> Set<Spot> {
      guard isInUse else { return [] }
      return Set(state.pointee.journal.elements.lazy.compactMap { self.spot(of: $0, in: state) })
    }

    private func spot(of entry: JournalEntry, in state: Reference<GraphState>) -> Spot? {
      switch entry.kind {
      case .indexed, .unindexed: return Spot(table: entry.table, row: entry.row, slot: Spot.state)
      default:
        let slot = entry.word == 0 ? Spot.state : entry.word - 1 - state.tables[entry.table].presenceWords
        // A presence bit changes together with its cell. The words after the cells do not belong to any property.
        if entry.word != 0, slot < 0 || entry.word >= state.tables[entry.table].storeWords { return nil }
        return Spot(table: entry.table, row: entry.row, slot: slot)
      }
    }
  #else
    init(slotCount: Int, tableCount: Int) {}
    deinit { isOn.free() }
    func setInUse(_ isInUse: Bool) {}
    func noteRead(_ table: Int, _ row: UInt32, _ slot: Int) {}
    func noteObject(_ table: Int, _ row: UInt32, slots: Int) {}
    func noteExtent(_ table: Int, _ extent: Extent) {}
    func willChange(_ spots: [Spot]) {}
    func didChange(_ spots: [Spot]) {}
    func change(_ spots: [Spot]) { settleResults() }
    func noteChangesRead() {}
    func changePending() {}
    func changeExtents(_ tables: Set<Int>, removals: Set<Int>) {}
    func changeEverything() {}
    func spots(in state: Reference<GraphState>) -> [Spot] { [] }
    func allSpots(in state: Reference<GraphState>) -> Set<Spot> { [] }
  #endif
}

#if canImport(Observation)
  /// The root of the slots' key paths, which the framework uses to distinguish properties.
  private final class ObservedSlots: Observable {
    subscript(number: Int) -> Void { () }
  }

  /// Views and `withObservationTracking` follow the properties that they read, if the context is
  /// ``ManagedObjectContext/isObservable``. This includes changes by setters, imports and rollbacks. After an import, each
  /// object is reported once, when it is complete.
  extension ManagedObject: Observable {}

  /// Views and `withObservationTracking` follow the lists that they fetch, count and search. They are notified of inserted and
  /// deleted objects and, if the list is sorted or filtered, of changed values. See ``ManagedObjectContext/isObservable``.
  extension ManagedObjectContext: Observable {}
#endif
