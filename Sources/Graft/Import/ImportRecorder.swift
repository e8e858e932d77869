/// Keeps what the payloads of a run did, for the report at its end (I12, D10).
struct ImportRecorder {
  private let plan: Plan
  /// Nothing in it is read from rows again: they may be gone when the report is asked for.
  private var statuses: RowStatuses
  private var deleted: [Int]
  private var unlinked: [Int]
  private var skipped: [Int]
  private var unknownKeys: [ImportReport.UnknownKey] = []
  private var unknownKeyPlaces: [UnknownKeys.Place: Int] = [:]
  private var details = ReportDetails()

  init(_ plan: Plan) {
    self.plan = plan
    statuses = RowStatuses(tableCount: plan.tables.count, entityCount: plan.entities.count)
    deleted = Array(repeating: 0, count: plan.entities.count)
    unlinked = deleted
    skipped = deleted
  }

  /// Rows moved when gaps were closed.
  mutating func move(_ table: Int, _ moves: [UInt32]) {
    statuses.move(table, moves)
    details.move(table, moves)
  }

  /// Other rows took the place of those there were: what happened to those that are gone is counted and done with.
  mutating func move(_ moving: (RowPlace) -> UInt32?) {
    statuses.move(moving)
    details.move(moving)
  }

  /// Takes in a payload that has been imported; its unit of work is still open.
  mutating func note(_ importer: PayloadImporter, _ shelf: PieceShelf) {
    let state = importer.editor.state
    for skip in importer.skipped { skipped[skip.entity] += 1 }
    if importer.options.reportsDetails {
      let unlinks = details.note(importer, shelf, plan)
      for entity in unlinks { unlinked[entity] += 1 }
    }
    let filled = filledRows(state)
    for touch in state.pointee.touched.elements {
      let table = Int(touch.table)
      let header = state.pointee.row(table, touch.row)[0]
      let isNew = Int(touch.row) >= state.pointee.tables[table].firstNewRow
      if header & RowHeader.deleted != 0 {
        let status = statuses[table, touch.row]
        statuses.clear(table, touch.row)
        // What came and went in one run is nothing.
        if !isNew, status != .inserted, status != .placeholder { deleted[RowHeader.entity(header)] += 1 }
      } else if isNew {
        statuses.note(
          header & RowHeader.placeholder != 0 ? .placeholder : .inserted, table, touch.row, RowHeader.entity(header))
      } else if header & RowHeader.described != 0 {
        let isFilled = !filled.isEmpty && filled.contains(RowPlace(table: table, row: touch.row))
        statuses.note(
          isFilled ? .filled : header & RowHeader.changed != 0 ? .updated : .unchanged, table, touch.row,
          RowHeader.entity(header))
      }
    }
  }

  /// The rows that were placeholders before this payload and are none now. Placeholders that are objects of a sub-entity now
  /// are counted there.
  private mutating func filledRows(_ state: UnsafeMutablePointer<GraphState>) -> Set<RowPlace> {
    var rows = Set<RowPlace>()
    for index in state.pointee.unitJournalStart..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      guard entry.kind == .word, entry.word == 0, entry.old & RowHeader.placeholder != 0 else { continue }
      let header = state.pointee.row(entry.table, entry.row)[0]
      if header & RowHeader.placeholder == 0 { rows.insert(RowPlace(table: entry.table, row: entry.row)) }
      statuses.rename(entry.table, entry.row, RowHeader.entity(header))
    }
    return rows
  }

  /// Takes in keys that a piece has and the model does not map, while its bytes can be asked for.
  mutating func noteUnknownKeys(_ found: UnknownKeys, _ shelf: PieceShelf) {
    guard !found.all.isEmpty else { return }
    var new: [(place: UnknownKeys.Place, occurrence: UnknownKeys.Occurrence)] = []
    for (place, occurrence) in found.all {
      if let index = unknownKeyPlaces[place] {
        unknownKeys[index].count += occurrence.count
      } else if unknownKeys.count + new.count < UnknownKeys.most {
        new.append((place, occurrence))
      }
    }
    let spots = shelf.spots(of: new.map(\.occurrence.offset))
    for (place, occurrence) in new {
      unknownKeyPlaces[place] = unknownKeys.count
      let spot = spots[occurrence.offset]
      unknownKeys.append(
        ImportReport.UnknownKey(
          key: String(decoding: place.key, as: UTF8.self), entityName: plan.entities[place.entity].name,
          count: occurrence.count, path: spot?.path ?? "$", line: spot?.line, sourceName: spot?.sourceName ?? ""))
    }
  }

  /// The report of everything so far.
  var report: ImportReport {
    func byName(_ counts: some Collection<Int>) -> [String: Int] {
      var named: [String: Int] = [:]
      for (entity, count) in counts.enumerated() where count > 0 { named[plan.entities[entity].name] = count }
      return named
    }
    var report = ImportReport()
    report.inserted = byName(statuses.counts(of: .inserted))
    report.updated = byName(statuses.counts(of: .updated))
    report.unchanged = byName(statuses.counts(of: .unchanged))
    report.placeholders = byName(statuses.counts(of: .placeholder))
    report.filled = byName(statuses.counts(of: .filled))
    report.unlinked = byName(unlinked)
    report.deleted = byName(deleted)
    report.skipped = byName(skipped)
    report.unknownKeys = unknownKeys
    report.details = details.reports
    report.entityNames = plan.entities.map(\.name)
    return report
  }
}

/// The report of a stream that is under way: between its batches, the rows that it knows may move or go.
final class StreamRecorder: RowFollower {
  var recorder: ImportRecorder?
  private let plan: Plan

  init(_ plan: Plan) {
    self.plan = plan
    recorder = ImportRecorder(plan)
  }

  var report: ImportReport { recorder?.report ?? ImportReport() }

  func move(_ table: Int, _ moves: [UInt32]) { recorder?.move(table, moves) }
  func move(_ moving: (RowPlace) -> UInt32?) { recorder?.move(moving) }
  func checkpoint() -> () -> Void { { [recorder] in self.recorder = recorder } }
  func forget() { recorder = ImportRecorder(plan) }
}
