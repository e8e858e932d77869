/// Records the effects of the payloads of a run, for the report at its end (I12, D10).
struct ImportRecorder {
  private let plan: Plan
  private var statuses: RowStatuses
  private var deleted: [Int]
  private var skipped: [Int]
  private var unknownKeys: [ImportReport.UnknownKey] = []
  private var unknownKeyPlaces: [UnknownKeyCounts.Place: Int] = [:]
  private var details = ReportDetails()
  private var faultyElements: [ImportReport.FaultyElement] = []
  private var faults: FaultList?
  private var mostWarnings = 0
  /// The store of the context, whose object numbers remain valid when rows are removed from memory.
  weak var binding: StoreBinding?
  /// The generation of the row numbers; nil if no row number has been recorded yet.
  var generation: RowGeneration?

  init(_ plan: Plan) {
    self.plan = plan
    statuses = RowStatuses(tableCount: plan.tables.count)
    deleted = Array(repeating: 0, count: plan.entities.count)
    skipped = deleted
  }

  /// Follows the rows that moved since the last payload, because the context may be used between the batches of a stream.
  mutating func follow() {
    guard let held = generation, held.isOver else { return }
    generation = held.forEachMove { moves in
      statuses.move(moves)
      details.move(moves)
    }
  }

  /// Adds a payload that has been imported; the import's transaction is still open.
  mutating func note(_ outcome: ImportOutcome, _ state: Reference<GraphState>, _ shelf: PieceShelf) {
    for skip in outcome.skips { skipped[skip.entity] += 1 }
    for (entity, count) in outcome.nulls.counts { skipped[entity] += count }
    if let binding { binding.attempt { () throws(StoreError) in try binding.loadListsOfDeleted() } }
    let changes = NetChanges(state)
    let recalled = recall(state)
    // An object that was loaded from a store between two changes is among the touched objects twice.
    var gone = Set<RowPlace>()
    for touch in state.pointee.touched.elements {
      let table = Int(touch.table)
      let header = state.row(table, touch.row).header
      let isNew = state.isNewInUnit(table, touch.row)
      if header.isDeleted {
        if binding != nil, !gone.insert(RowPlace(table: table, row: touch.row)).inserted { continue }
        let status = statuses[table, touch.row]
        statuses.clear(table, touch.row)
        // An object that was inserted and deleted in one run is not reported.
        if !isNew, status != .inserted, status != .placeholder {
          let former = changes.formerHeaders[RowPlace(table: table, row: touch.row)] ?? header
          deleted[statuses.formerEntity(table, touch.row) ?? former.entity] += 1
        }
      } else if isNew {
        statuses.note(
          header.isPlaceholder ? .placeholder : .inserted, table, touch.row, header.entity)
      } else if header.isDescribed || header.isChanged {
        let place = RowPlace(table: table, row: touch.row)
        let former = changes.formerHeaders.isEmpty ? header : changes.formerHeaders[place] ?? header
        if former.isPlaceholder, !header.isPlaceholder {
          statuses.note(.filled, table, touch.row, header.entity)
        } else if changes.isUpdated(place, header) {
          statuses.note(.updated, table, touch.row, header.entity)
        } else if header.isDescribed {
          statuses.note(.unchanged, table, touch.row, header.entity)
        }
      }
    }
    for (place, former) in changes.formerHeaders where former.entity != state.row(place.table, place.row).entity {
      statuses.noteFormerEntity(former.entity, place.table, place.row)
    }
    for place in changes.narrowed {
      let header = state.row(place.table, place.row).header
      statuses.note(.updated, place.table, place.row, header.entity)
    }
    if outcome.options.reportsDetails { details.note(outcome, state, shelf, plan, came: recalled) }
  }

  /// Recalls what the run did to objects whose rows were removed.
  ///
  /// - Returns: the objects that were inserted in the run.
  private mutating func recall(_ state: Reference<GraphState>) -> Set<RowPlace> {
    guard let binding else { return [] }
    var came = Set<RowPlace>()
    for touch in state.pointee.touched.elements {
      let table = Int(touch.table)
      guard state.row(table, touch.row).isStored else { continue }
      let status = statuses.recall(table, touch.row, id: binding.id(table, touch.row))
      if status == .inserted || status == .placeholder { came.insert(RowPlace(table: table, row: touch.row)) }
    }
    return came
  }

  /// Notes the numbers that the rows of a payload have in the store, after the store has been written.
  mutating func noteStored(_ state: Reference<GraphState>) {
    guard let binding else { return }
    for touch in state.pointee.touched.elements {
      let table = Int(touch.table)
      guard state.row(table, touch.row).isStored else { continue }
      statuses.identify(table, touch.row, as: binding.id(table, touch.row))
    }
  }

  /// Adds unmapped keys of a piece while its bytes are available.
  mutating func noteUnknownKeys(_ found: UnknownKeyCounts, _ shelf: PieceShelf) {
    guard !found.all.isEmpty else { return }
    var new: [(place: UnknownKeyCounts.Place, occurrence: UnknownKeyCounts.Occurrence)] = []
    for (place, occurrence) in found.all {
      if let index = unknownKeyPlaces[place] {
        unknownKeys[index].count += occurrence.count
      } else if unknownKeys.count + new.count < UnknownKeyCounts.most {
        new.append((place, occurrence))
      }
    }
    let spots = shelf.spots(of: new.map(\.occurrence.offset))
    for (place, occurrence) in new {
      unknownKeyPlaces[place] = unknownKeys.count
      let spot = spots[occurrence.offset]
      let key = String(decoding: place.key, as: UTF8.self)
      let entity = plan.entities[place.entity]
      let owner = EntityPlan.owner(near: key, among: [entity] + entity.sharingEntities.map { plan.entities[$0] })
      unknownKeys.append(
        ImportReport.UnknownKey(
          key: key, entityName: owner.name,
          count: occurrence.count, path: spot?.path ?? "$", line: spot?.line, sourceName: spot?.sourceName ?? ""))
    }
  }

  /// The state that reading a piece again must not change.
  struct Checkpoint {
    fileprivate var unknownKeys: [ImportReport.UnknownKey]
    fileprivate var unknownKeyPlaces: [UnknownKeyCounts.Place: Int]
  }

  func checkpoint() -> Checkpoint { Checkpoint(unknownKeys: unknownKeys, unknownKeyPlaces: unknownKeyPlaces) }

  mutating func rewind(to checkpoint: Checkpoint) {
    unknownKeys = checkpoint.unknownKeys
    unknownKeyPlaces = checkpoint.unknownKeyPlaces
  }

  /// Adds the elements that a tolerant import skipped.
  mutating func note(_ faulty: SkippedElements, _ options: ImportOptions) {
    guard faulty.count > 0 else { return }
    faultyElements += faulty.elements
    note(faulty.faults, [:], options)
  }

  /// Adds probable mistakes, with their locations.
  ///
  /// - Parameter counts: the number of errors of each kind, if there are more than the given errors.
  mutating func note(_ placed: [ImportFault], _ counts: [String: Int], _ options: ImportOptions) {
    mostWarnings = max(1, options.limits.errors)
    if faults == nil { faults = FaultList(limit: mostWarnings) }
    faults?.append(contentsOf: placed)
    var kept: [String: Int] = [:]
    for fault in placed { kept[fault.finding.kind, default: 0] += 1 }
    for (kind, count) in counts { faults?.count(kind, more: count - kept[kind, default: 0]) }
  }

  /// Returns the report of everything so far.
  func report(_ state: Reference<GraphState>) -> ImportReport {
    if generation?.isOver == true {
      var current = self
      current.follow()
      return current.report(state)
    }
    let none = Array(repeating: 0, count: plan.entities.count)
    var statuses = statuses
    let reports = details.reports(state, plan, &statuses)
    // An array indexed by status, because a dictionary would be queried for each row.
    var counts = Array(repeating: none, count: RowStatuses.Status.allCases.count)
    statuses.forEach { table, row, status in counts[Int(status.rawValue)][state.row(table, row).entity] += 1 }
    statuses.forEachGone { entity, status, count in counts[Int(status.rawValue)][entity] += count }
    func byName(_ counts: [Int]) -> [String: Int] {
      var named: [String: Int] = [:]
      for (entity, count) in counts.enumerated() where count > 0 { named[plan.entities[entity].name] = count }
      return named
    }
    func byName(_ status: RowStatuses.Status) -> [String: Int] { byName(counts[Int(status.rawValue)]) }
    var report = ImportReport()
    report.inserted = byName(.inserted)
    report.updated = byName(.updated)
    report.unchanged = byName(.unchanged)
    report.placeholders = byName(.placeholder)
    report.filled = byName(.filled)
    for detail in reports where detail.outcome == .unlinked { report.unlinked[detail.entityName, default: 0] += 1 }
    report.deleted = byName(deleted)
    report.skipped = byName(skipped)
    report.unknownKeys = unknownKeys
    report.details = reports
    report.faultyElements = faultyElements
    if let faults { report.warnings += FaultReporter.warnings(faults, limit: mostWarnings) }
    report.entityNames = plan.entities.map(\.name)
    return report
  }
}

/// The report of a stream in progress. If a transaction is rolled back between the stream's batches, whatever was
/// recorded in that transaction is also discarded.
final class StreamRecorder: UnitFollower {
  private var recorder: ImportRecorder?
  private let plan: Plan

  init(_ plan: Plan) {
    self.plan = plan
    recorder = ImportRecorder(plan)
  }

  /// Imports a piece. Transactions of its hooks are part of the piece, so they neither save nor restore what is recorded.
  func recording<Result>(
    _ body: (inout ImportRecorder?) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    var current = recorder
    recorder = nil
    defer { recorder = current }
    return try body(&current)
  }

  func report(_ state: Reference<GraphState>) -> ImportReport { recorder?.report(state) ?? ImportReport() }

  func checkpoint() -> () -> Void { { [recorder] in self.recorder = recorder } }
  func forget() { recorder = ImportRecorder(plan) }
}
