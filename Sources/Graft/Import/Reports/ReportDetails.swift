/// The effects on each object, for reports with details (I12).
///
/// The previous state of an object is kept when it first changes; its current state is read when the report is created. A report
/// therefore covers the whole run, except changes that a later payload reversed.
struct ReportDetails {
  private typealias Outcome = ImportReport.ObjectReport.Outcome

  /// The location of an event, for reading and for sorting.
  private struct Origin {
    var payload: Int
    var offset: Int
    var path: String
    var line: Int?
    var sourceName: String
  }

  /// An object of a relationship.
  private struct Link {
    var place: RowPlace
    /// The object's name, if it cannot be determined later.
    var name: String?
  }

  /// The previous value of a property.
  private enum Former {
    case attribute(JSON)
    case links([Link])
  }

  /// An object that was affected.
  private struct Record {
    /// The row; nil if it was removed.
    var place: RowPlace?
    var origin: Origin
    /// Whether the object was inserted in this run.
    var isNew = false
    var isDeleted = false
    /// Whether a dictionary describes the object.
    var isDescribed = false
    /// Whether one of the object's dictionaries, or a hook, changed it.
    var isChanged = false
    /// Whether the object is always reported, because it did more than gain links through an inverse.
    var isTold = false
    var formerName = ""
    var formerHeader = RowHeader(entity: 0)
    /// The object's entity when a payload last changed the object.
    var entity = 0
    /// The previous values of the object's properties, by slot.
    var former: [Int: Former] = [:]
  }

  private struct Skipped {
    var name: String
    var entity: Int
    var origin: Origin
  }

  private var records: [Record] = []
  private var skipped: [Skipped] = []
  /// The index of each row's record.
  private var indexes: [RowPlace: Int] = [:]
  private var payloads = 0
  /// Objects without identity and, for each, the object with equal contents that represents both in relationships.
  private var representatives: [RowPlace: RowPlace] = [:]

  // MARK: Rows that move

  mutating func move(_ moves: RowMoves) {
    func moved(_ place: RowPlace) -> RowPlace? {
      moves.row(place.table, place.row).map { RowPlace(table: place.table, row: $0) }
    }
    for index in records.indices {
      for (slot, former) in records[index].former {
        guard case .links(let links) = former else { continue }
        records[index].former[slot] = .links(
          links.map { link in
            if link.place.row == .max { return link }
            return moved(link.place).map { Link(place: $0, name: link.name) }
              ?? Link(place: RowPlace(table: link.place.table, row: .max), name: link.name ?? formerName(link.place))
          })
      }
    }
    var kept: [RowPlace: Int] = [:]
    for (place, index) in indexes {
      records[index].place = moved(place)
      if let new = records[index].place { kept[new] = index }
    }
    indexes = kept
    let pairs = representatives.compactMap { place, representative in
      moved(place).flatMap { place in moved(representative).map { (place, $0) } }
    }
    representatives = Dictionary(pairs) { first, _ in first }
  }

  private func formerName(_ place: RowPlace) -> String? {
    indexes[place].flatMap { records[$0].isNew ? nil : records[$0].formerName }
  }

  private func representative(_ place: RowPlace) -> RowPlace { representatives[place] ?? place }

  private func representative(_ row: UInt32, _ slot: SlotPlan) -> UInt32 {
    representatives.isEmpty ? row : representative(RowPlace(table: slot.destinationTable, row: row)).row
  }

  // MARK: A payload

  /// Adds a payload that has been imported; the import's transaction is still open.
  ///
  /// - Parameter came: the objects that an earlier payload of the run inserted, and whose records were discarded.
  mutating func note(
    _ outcome: ImportOutcome, _ state: Reference<GraphState>, _ shelf: PieceShelf, _ plan: Plan,
    came: Set<RowPlace> = []
  ) {
    payloads += 1
    ReportDetails.loadNamed(state)
    let history = RowHistory(state, since: .unit)
    let deletedEarlier = Set(indexes.filter { records[$1].isDeleted && !records[$1].isNew }.keys)
    let names = FormerNames(state, plan, history) { deletedEarlier.contains($0) }
    var events = events(outcome, state, history)
    for index in events.indices where came.contains(events[index].place) { events[index].isNew = true }
    let skips =
      outcome.skips
      + outcome.nulls.places.map { Skip(entity: $0.entity, name: plan.entities[$0.entity].name, offset: $0.offset) }
    let spots = shelf.spots(of: events.map(\.offset) + skips.map(\.offset))
    func origin(_ offset: Int) -> Origin {
      let spot = spots[offset]
      return Origin(
        payload: payloads, offset: offset, path: spot?.path ?? "$", line: spot?.line,
        sourceName: spot?.sourceName ?? outcome.options.sourceName)
    }
    for event in events where event.isNew { noteNew(event.place, origin(event.offset), state) }
    events.removeAll(where: \.isNew)
    var classes = ContentClasses(state, history)
    for event in events { note(event, origin(event.offset), state, history, names, &classes) }
    classes.forEachRepresented { place, representative in
      // The representative may itself be represented by an object of an earlier payload.
      if representatives[place] == nil { representatives[place] = self.representative(representative) }
    }
    for skip in skips {
      skipped.append(Skipped(name: skip.name, entity: skip.entity, origin: origin(skip.offset)))
    }
  }

  /// Loads the objects that are reported but that the import itself did not need: objects that lost a link, the previous objects of
  /// to-one relationships, and all members of changed lists.
  private static func loadNamed(_ state: Reference<GraphState>) {
    guard state.pointee.source != nil else { return }
    var named = Set(state.pointee.touched.elements.map { RowPlace(table: Int($0.table), row: $0.row) })
    var lists: [RowPlace: Set<Int>] = [:]
    for index in state.unitJournalStart..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      let layout = state.layouts[state.row(entry.table, entry.row).entity]
      let number = entry.word - 1 - state.tables[entry.table].presenceWords
      guard number >= 0, number < layout.slotCount, case let slot = layout.slots[number] else { continue }
      if slot.kind == .toMany {
        lists[RowPlace(table: entry.table, row: entry.row), default: []].insert(number)
      } else if slot.kind == .toOne, entry.kind == .word, entry.old != 0 {
        named.insert(RowPlace(table: slot.destinationTable, row: UInt32(truncatingIfNeeded: entry.old - 1)))
      }
    }
    for place in named.sorted() { state.loadRow(place.table, place.row) }
    for (place, slots) in lists.sorted(by: { $0.key < $1.key }) {
      let row = state.row(place.table, place.row)
      if !row.isLoaded { continue }
      for slot in slots.sorted() { state.loadList(row, state.layouts[row.entity].slots[slot]) }
    }
  }

  /// A row that a payload inserted or may have changed, and the location of the cause.
  private struct Event {
    var place: RowPlace
    var offset: Int
    var isNew = false
  }

  private func events(_ outcome: ImportOutcome, _ state: Reference<GraphState>, _ history: RowHistory) -> [Event] {
    let mentions = ReportDetails.offsets(outcome.mentions)
    let touched = ReportDetails.offsets(state.pointee.touched)
    var events: [Event] = []
    var known = Set<RowPlace>()
    for touch in state.pointee.touched.elements {
      let place = RowPlace(table: Int(touch.table), row: touch.row)
      let header = state.row(place.table, place.row).header
      let isNew = history.isNew(place.table, place.row)
      let isDeleted = header.isDeleted
      guard isNew ? !isDeleted : isDeleted || (header.isDescribed || header.isChanged) else { continue }
      guard isNew || history.hasEntries(place) || history.linkedToDeleted[place] != nil, known.insert(place).inserted
      else { continue }
      events.append(Event(place: place, offset: mentions[place] ?? touch.offset, isNew: isNew))
    }
    for place in history.places where known.insert(place).inserted {
      let deleted = history.linkedToDeleted[place].flatMap { touched[$0] }
      events.append(Event(place: place, offset: mentions[place] ?? touched[place] ?? deleted ?? 0))
    }
    return events
  }

  /// Returns the offset of the first mention of each object.
  private static func offsets(_ touches: PlainStack<GraphState.Touch>) -> [RowPlace: Int] {
    let pairs = touches.elements.map { (RowPlace(table: Int($0.table), row: $0.row), max(0, $0.offset)) }
    return Dictionary(pairs) { first, _ in first }
  }

  private mutating func noteNew(_ place: RowPlace, _ origin: Origin, _ state: Reference<GraphState>) {
    indexes[place] = records.count
    records.append(Record(place: place, origin: origin, isNew: true, isTold: true))
  }

  /// Keeps the previous state of a row, unless it is known from an earlier payload.
  private mutating func note(
    _ event: Event, _ origin: Origin, _ state: Reference<GraphState>, _ history: RowHistory,
    _ names: FormerNames, _ classes: inout ContentClasses
  ) {
    let place = event.place
    let header = state.row(place.table, place.row).header
    let isDeleted = header.isDeleted
    let layout = state.layouts[header.entity]
    let known = indexes[place]
    if let known, records[known].isNew {
      records[known].isDeleted = isDeleted
      return
    }
    let knownSlots = known.map { records[$0].former } ?? [:]
    let formerHeader = history.oldHeader(place)
    if formerHeader.isDeleted { return }
    let reader = RowReader(state)
    let isNewEntity = header.entity != formerHeader.entity || header.isPlaceholder != formerHeader.isPlaceholder
    var isTold = isDeleted || isNewEntity
    let isCurrent = header.epoch == state.pointee.importEpoch
    let isDescribed = isCurrent && header.isDescribed
    isTold = isTold || isDescribed
    let former = history.withImage(of: place) { image in
      history.changes(image) { knownSlots[$0] != nil }.map { change -> (Int, Former) in
        let slot = layout.slots[change.slot]
        let values = classes.represented(change.values, slot)
        isTold = isTold || !values.isSame(slot) && !values.isMereGain(slot)
        switch change.values {
        case .attribute: return (change.slot, .attribute(reader.storedJSON(image.before, slot)))
        case .links(let old, _):
          return (
            change.slot, .links(old.map { link(RowPlace(table: slot.destinationTable, row: $0), history, names) })
          )
        }
      }
    }
    guard known != nil || isDeleted || isNewEntity || !former.isEmpty else { return }
    let index = known ?? records.count
    if known == nil {
      indexes[place] = index
      records.append(
        Record(place: place, origin: origin, formerName: names.name(place), formerHeader: formerHeader))
    }
    if isTold, !records[index].isTold {
      records[index].origin = origin
      records[index].isTold = true
    }
    records[index].isDeleted = isDeleted
    records[index].isDescribed = records[index].isDescribed || isDescribed
    records[index].isChanged = records[index].isChanged || isCurrent && header.isChanged
    records[index].entity = header.entity
    records[index].former.merge(former) { known, _ in known }
  }

  private func link(_ place: RowPlace, _ history: RowHistory, _ names: FormerNames) -> Link {
    // The name of an untouched object with an identity can still be determined later.
    let isNamed = history.hasEntries(place) || !names.hasIdentity(place)
    return Link(place: place, name: formerName(place) ?? (isNamed ? names.name(place) : nil))
  }

  // MARK: The report

  /// The reports of objects, in the order in which they are found.
  private struct Reports {
    let state: Reference<GraphState>
    let plan: Plan
    let names: GraphNames
    private var found: [(report: ImportReport.ObjectReport, origin: Origin)] = []
    /// The rows of objects that still exist.
    var rows = Set<RowPlace>()

    init(_ state: Reference<GraphState>, _ plan: Plan) {
      self.state = state
      self.plan = plan
      names = GraphNames(state, plan)
    }

    func name(_ place: RowPlace) -> String { names.name(place.table, place.row) }

    mutating func add(
      _ name: String, _ entity: Int, _ outcome: Outcome, _ origin: Origin,
      _ changes: [ImportReport.PropertyReport] = [], formerName: String? = nil
    ) {
      found.append(
        (
          ImportReport.ObjectReport(
            name: name, previousName: formerName == name ? nil : formerName, entityName: plan.entities[entity].name,
            outcome: outcome, path: origin.path, line: origin.line, sourceName: origin.sourceName, changes: changes),
          origin
        ))
    }

    /// The reports in the order of the payloads. A nested object is applied before its enclosing object, but follows the latter's
    /// opening brace. The effects of a dictionary on its own object come before its effects on other objects.
    var sorted: [ImportReport.ObjectReport] {
      func rank(_ outcome: Outcome) -> Int { outcome == .skipped ? 2 : outcome == .unlinked ? 1 : 0 }
      return found.indices.sorted { left, right in
        let (one, other) = (found[left], found[right])
        return (one.origin.payload, one.origin.offset, rank(one.report.outcome), left)
          < (other.origin.payload, other.origin.offset, rank(other.report.outcome), right)
      }.map { found[$0].report }
    }
  }

  /// Returns the reports of all objects, in the order of the payloads.
  ///
  /// - Parameter statuses: the statuses of the objects, which are updated to match the details.
  func reports(
    _ state: Reference<GraphState>, _ plan: Plan, _ statuses: inout RowStatuses
  ) -> [ImportReport.ObjectReport] {
    guard !records.isEmpty || !skipped.isEmpty else { return [] }
    var reports = Reports(state, plan)
    for record in records {
      if record.isDeleted {
        // An object that was inserted and deleted in one run is not reported.
        if !record.isNew { reports.add(record.formerName, record.formerHeader.entity, .deleted, record.origin) }
      } else if let place = record.place {
        add(record, at: place, to: &reports, &statuses)
      }
    }
    addUnlinked(to: &reports, statuses)
    for skip in skipped { reports.add(skip.name, skip.entity, .skipped, skip.origin) }
    return reports.sorted
  }

  /// Adds an object that is new, or that existed before and still does.
  private func add(_ record: Record, at place: RowPlace, to reports: inout Reports, _ statuses: inout RowStatuses) {
    let row = reports.state.row(place.table, place.row)
    if record.isNew {
      reports.rows.insert(place)
      return reports.add(
        reports.name(place), row.entity, row.isPlaceholder ? .placeholder : .inserted, record.origin)
    }
    let (changes, isMereGain) = changes(record, row, reports)
    let status = statuses[place.table, place.row]
    let outcome = outcome(record, row.header, changes.isEmpty, isMereGain, isDescribed: status != .none)
    switch outcome {
    case .filled: statuses.replace(place.table, place.row, by: .filled)
    case .updated: statuses.replace(place.table, place.row, by: .updated)
    default:
      let isDescribed = record.isDescribed || status == .unchanged
      statuses.replace(place.table, place.row, by: isDescribed ? .unchanged : .none)
    }
    guard let outcome else { return }
    reports.rows.insert(place)
    reports.add(
      reports.name(place), row.entity, outcome, record.origin, changes, formerName: record.formerName)
  }

  /// Adds the objects that no dictionary described and that lost links without an inverse.
  private func addUnlinked(to reports: inout Reports, _ statuses: RowStatuses) {
    let state = reports.state
    let replaced = Set(
      representatives.compactMap { RowReader(state).isDeleted($0.key.table, $0.key.row) ? nil : $0.value })
    for record in records where !record.isNew {
      // An object with equal contents has the same links.
      if record.isDeleted, let place = record.place, replaced.contains(representative(place)) { continue }
      for link in released(record, state) where statuses[link.place.table, link.place.row] == .none {
        let place = link.place
        guard reports.rows.insert(place).inserted else { continue }
        let row = state.row(place.table, place.row)
        let name = reports.name(place)
        // The object may have gained links to other objects.
        let other = indexes[place].map { records[$0] }
        let gained = other.map { changes($0, row, reports).changes } ?? []
        reports.add(
          name, row.entity, .unlinked, record.origin, gained, formerName: other?.formerName ?? link.name ?? name)
      }
    }
  }

  /// Returns the outcome for an object that existed before and still does, or nil if it is unchanged or merely gained links through
  /// an inverse (D10).
  private func outcome(
    _ record: Record, _ header: RowHeader, _ isSame: Bool, _ isMereGain: Bool, isDescribed: Bool
  ) -> Outcome? {
    if record.formerHeader.isPlaceholder, !header.isPlaceholder { return .filled }
    if record.formerHeader.entity != header.entity { return .updated }
    if isSame || isMereGain && !record.isChanged { return nil }
    return isDescribed || record.isChanged ? .updated : .unlinked
  }

  /// Returns the changed properties, in model order, and whether links were only gained.
  private func changes(
    _ record: Record, _ row: Row, _ reports: Reports
  ) -> (changes: [ImportReport.PropertyReport], isMereGain: Bool) {
    let (state, names) = (reports.state, reports.names)
    let entity = reports.plan.entities[row.entity]
    let reader = RowReader(state)
    var changes: [ImportReport.PropertyReport] = []
    var isMereGain = true
    for (number, former) in record.former.sorted(by: { $0.key < $1.key }) {
      let slot = state.layouts[entity.index].slots[number]
      let property = entity.properties[number]
      let name = property.name
      switch former {
      case .attribute(let old):
        let new = reader.storedJSON(row, slot)
        if ReportDetails.isSame(old, new) { continue }
        isMereGain = false
        changes.append(ImportReport.PropertyReport(name: name, old: property.shown(old), new: property.shown(new)))
      case .links(let links):
        let old = links.map { $0.place.row }
        let new =
          slot.kind == .toOne
          ? reader.targetInMemory(row, slot).map { [$0] } ?? [] : reader.targetsInMemory(row, slot)
        let values = ChangedProperty.Values.links(
          old: old.map { representative($0, slot) }, new: new.map { representative($0, slot) })
        if values.isSame(slot) { continue }
        isMereGain = isMereGain && values.isMereGain(slot)
        // In the order of exports (E8). Removed objects come last.
        let (kept, gone) = (links.filter { $0.place.row != .max }, links.filter { $0.place.row == .max })
        let oldLinks = ReportDetails.sorted(kept, slot, names, \.place) + gone
        let oldNames = oldLinks.map { link in
          JSON.string(link.name ?? formerName(link.place) ?? names.name(link.place.table, link.place.row))
        }
        let newNames = ReportDetails.sorted(new, slot, names) { RowPlace(table: slot.destinationTable, row: $0) }
          .map { JSON.string(names.name(slot.destinationTable, $0)) }
        changes.append(
          slot.kind == .toOne
            ? ImportReport.PropertyReport(name: name, old: oldNames.first ?? .null, new: newNames.first ?? .null)
            : ImportReport.PropertyReport(name: name, old: .array(oldNames), new: .array(newNames)))
      }
    }
    return (changes, isMereGain)
  }

  /// Returns the objects of a relationship in the order of exports: ordered relationships keep their order, and the rest are sorted
  /// by identity (E8).
  private static func sorted<Element>(
    _ elements: [Element], _ slot: SlotPlan, _ names: GraphNames, _ place: (Element) -> RowPlace
  ) -> [Element] {
    if slot.kind == .toOne || slot.isOrdered || elements.count < 2 { return elements }
    let byPlace = Dictionary(elements.map { (place($0), $0) }) { first, _ in first }
    return names.sorted(elements.map { (table: place($0).table, row: place($0).row) }).compactMap {
      byPlace[RowPlace(table: $0.table, row: $0.row)]
    }
  }

  /// Compares numbers by their text, because -0.0 is not 0.0.
  private static func isSame(_ left: JSON, _ right: JSON) -> Bool {
    guard case .number(let one) = left, case .number(let other) = right else { return left == right }
    return one.text == other.text
  }

  /// Returns the objects that lost a link without an inverse, because such links are not recorded in the objects themselves.
  private func released(_ record: Record, _ state: Reference<GraphState>) -> [Link] {
    let reader = RowReader(state)
    var released: [Link] = []
    for (number, former) in record.former.sorted(by: { $0.key < $1.key }) {
      let slot = state.layouts[record.entity].slots[number]
      guard slot.inverse < 0, case .links(let links) = former else { continue }
      var kept = Set<UInt32>()
      if let place = record.place, !record.isDeleted {
        let row = reader.row(place.table, place.row)
        kept = Set(
          slot.kind == .toOne
            ? reader.targetInMemory(row, slot).map { [$0] } ?? [] : reader.targetsInMemory(row, slot))
      }
      for link in links where link.place.row != .max && !kept.contains(link.place.row) {
        if !reader.isDeleted(link.place.table, link.place.row) { released.append(link) }
      }
    }
    return released
  }
}
