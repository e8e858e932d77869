/// What happened to which object, for reports that tell it (I12).
struct ReportDetails {
  /// nil for an object that came and went.
  private var told: [ImportReport.ObjectReport?] = []
  /// Where the report of a row stands.
  private var indexes: [RowPlace: Int] = [:]

  private typealias Outcome = ImportReport.ObjectReport.Outcome

  /// An object, what happened to it, and where in the payload.
  private struct Finding {
    var place: RowPlace
    var outcome: Outcome
    var offset: Int
  }

  var reports: [ImportReport.ObjectReport] { told.compactMap(\.self) }

  mutating func move(_ table: Int, _ moves: [UInt32]) {
    var moved: [RowPlace: Int] = [:]
    for (place, index) in indexes {
      if place.table != table {
        moved[place] = index
      } else if moves[Int(place.row)] != .max {
        moved[RowPlace(table: table, row: moves[Int(place.row)])] = index
      }
    }
    indexes = moved
  }

  mutating func move(_ moving: (RowPlace) -> UInt32?) {
    var moved: [RowPlace: Int] = [:]
    for (place, index) in indexes {
      if let row = moving(place) { moved[RowPlace(table: place.table, row: row)] = index }
    }
    indexes = moved
  }

  /// Takes in a payload that has been imported; its unit of work is still open.
  ///
  /// - Returns: the entities of objects that are newly told as unlinked.
  mutating func note(_ importer: PayloadImporter, _ shelf: PieceShelf, _ plan: Plan) -> [Int] {
    let state = importer.editor.state
    let history = RowHistory(state, since: .unit)
    let names = GraphNames(state, plan)
    let findings = findings(importer, history)
    let spots = shelf.spots(of: findings.map(\.offset) + importer.skipped.map(\.offset))
    var unlinked: [Int] = []
    var new: [(offset: Int, report: ImportReport.ObjectReport, place: RowPlace?)] = []
    for finding in findings {
      let header = state.pointee.row(finding.place.table, finding.place.row)[0]
      let entity = plan.entities[RowHeader.entity(header)]
      let changes = history.changes(finding.place).map { report($0, entity, names, state) }
      if let index = indexes[finding.place] {
        merge(finding.outcome, changes, into: index)
        continue
      }
      if finding.outcome == .unlinked { unlinked.append(entity.index) }
      let name = names.name(finding.place.table, finding.place.row)
      let spot = spots[finding.offset]
      new.append(
        (
          finding.offset,
          ImportReport.ObjectReport(
            name: name, entityName: entity.name, outcome: finding.outcome, path: spot?.path ?? "$",
            line: spot?.line, sourceName: spot?.sourceName ?? importer.options.sourceName,
            changes: finding.outcome == .deleted ? [] : changes),
          finding.place
        ))
    }
    for skip in importer.skipped {
      let entity = plan.entities[skip.entity]
      let spot = spots[skip.offset]
      new.append(
        (
          skip.offset,
          ImportReport.ObjectReport(
            name: skip.name, entityName: entity.name, outcome: .skipped, path: spot?.path ?? "$",
            line: spot?.line, sourceName: spot?.sourceName ?? importer.options.sourceName), nil
        ))
    }
    // A nested object is applied before the one around it; in the payload it stands behind its brace.
    for (_, report, place) in new.sorted(by: { $0.offset < $1.offset }) {
      if let place { indexes[place] = told.count }
      told.append(report)
    }
    return unlinked
  }

  /// Everything that happened to an object, but for those that are as they were.
  private func findings(_ importer: PayloadImporter, _ history: RowHistory) -> [Finding] {
    let state = importer.editor.state
    let mentions = ReportDetails.offsets(importer.mentions)
    var findings: [Finding] = []
    var known = Set<RowPlace>()
    for touch in state.pointee.touched.elements {
      let place = RowPlace(table: Int(touch.table), row: touch.row)
      let header = state.pointee.row(place.table, place.row)[0]
      let isNew = Int(touch.row) >= state.pointee.tables[place.table].firstNewRow
      let isDeleted = header & RowHeader.deleted != 0
      let outcome: Outcome?
      if isNew {
        outcome = isDeleted ? nil : header & RowHeader.placeholder != 0 ? .placeholder : .inserted
      } else if isDeleted {
        outcome = .deleted
      } else if header & RowHeader.described != 0 {
        let wasPlaceholder = history.oldHeader(place) & RowHeader.placeholder != 0
        outcome =
          wasPlaceholder && header & RowHeader.placeholder == 0
          ? .filled : header & RowHeader.changed != 0 ? .updated : nil
      } else {
        continue
      }
      known.insert(place)
      if let outcome {
        findings.append(Finding(place: place, outcome: outcome, offset: mentions[place] ?? touch.offset))
      }
    }
    return findings + unlinked(importer, history, mentions, except: known)
  }

  /// Objects that lost a link and that nothing else happened to.
  private func unlinked(
    _ importer: PayloadImporter, _ history: RowHistory, _ mentions: [RowPlace: Int],
    except known: Set<RowPlace>
  ) -> [Finding] {
    let state = importer.editor.state
    let touched = ReportDetails.offsets(state.pointee.touched)
    var known = known
    var findings: [Finding] = []
    func note(_ place: RowPlace, at offset: Int) {
      guard state.pointee.row(place.table, place.row)[0] & RowHeader.deleted == 0, known.insert(place).inserted else {
        return
      }
      findings.append(Finding(place: place, outcome: .unlinked, offset: offset))
    }
    for place in history.places {
      let header = state.pointee.row(place.table, place.row)[0]
      let layout = state.pointee.layouts[RowHeader.entity(header)]
      let offset = mentions[place] ?? touched[place] ?? 0
      for change in history.changes(place) {
        guard case .links(let old, let new) = change.values else { continue }
        let gone = Set(old).subtracting(new)
        if gone.isEmpty { continue }
        note(place, at: offset)
        // With an inverse, the other side has a history of its own.
        let slot = layout.slots[change.slot]
        if slot.inverse < 0 {
          for row in old where gone.contains(row) {
            note(RowPlace(table: slot.destinationTable, row: row), at: offset)
          }
        }
      }
    }
    return findings
  }

  /// Where each object was mentioned first.
  private static func offsets(_ touches: PlainStack<GraphState.Touch>) -> [RowPlace: Int] {
    let pairs = touches.elements.map { (RowPlace(table: Int($0.table), row: $0.row), $0.offset) }
    return Dictionary(pairs) { first, _ in first }
  }

  /// A later payload of the run says more of an object (D10).
  private mutating func merge(_ outcome: Outcome, _ changes: [ImportReport.PropertyReport], into index: Int) {
    guard var report = told[index] else { return }
    switch (report.outcome, outcome) {
    case (.inserted, .deleted), (.placeholder, .deleted):
      told[index] = nil
      return
    case (.placeholder, .filled): report.outcome = .inserted
    case (.inserted, _), (.placeholder, _), (.filled, .updated), (.filled, .unlinked), (.updated, .unlinked): break
    default: report.outcome = outcome
    }
    if [.updated, .filled, .unlinked].contains(report.outcome) {
      for change in changes {
        if let place = report.changes.firstIndex(where: { $0.name == change.name }) {
          let old = report.changes[place].old
          report.changes[place] = ImportReport.PropertyReport(name: change.name, old: old, new: change.new)
        } else {
          report.changes.append(change)
        }
      }
      report.changes.removeAll { $0.old == $0.new }
    } else {
      report.changes = []
    }
    told[index] = report
  }

  private func report(
    _ change: RowHistory.Change, _ entity: EntityPlan, _ names: GraphNames, _ state: UnsafeMutablePointer<GraphState>
  ) -> ImportReport.PropertyReport {
    let property = entity.properties[change.slot]
    let slot = state.pointee.layouts[entity.index].slots[change.slot]
    func links(_ rows: [UInt32]) -> JSON {
      let found = rows.map { JSON.string(names.name(slot.destinationTable, $0)) }
      return slot.kind == .toOne ? found.first ?? .null : .array(found)
    }
    let (old, new): (JSON, JSON) =
      switch change.values {
      case .attribute(let old, let new): (old?.jsonValue ?? .null, new?.jsonValue ?? .null)
      case .links(let old, let new): (links(old), links(new))
      }
    return ImportReport.PropertyReport(name: property.name, old: old, new: new)
  }
}
