/// Validates, at the end of a payload, the rows that it touched (I9, D6), and locates the errors in the payload.
struct ImportValidator {
  let context: ManagedObjectContext
  let log: FaultLog
  let shelf: PieceShelf
  let options: ImportOptions
  /// Slots whose value was rejected. Their missing value has already been reported.
  let refused: Set<SlotPlace>
  /// The objects that the payload marks as deleted.
  private let marked: MarkedObjects?
  private let validator: RowValidator
  private let missing: MissingValues
  private let lostOwners: LostOwners

  init(
    _ context: ManagedObjectContext, _ log: FaultLog, _ shelf: PieceShelf, _ options: ImportOptions,
    refused: Set<SlotPlace>, marked: MarkedObjects? = nil
  ) {
    self.context = context
    self.log = log
    self.shelf = shelf
    self.options = options
    self.refused = refused
    self.marked = marked
    validator = RowValidator(context)
    missing = MissingValues(log: log, shelf: shelf, options: options)
    lostOwners = LostOwners(context, shelf, marked)
  }

  private var plan: Plan { context.model.plan }

  /// - Parameter firstHookTouch: the index of the first row that was touched by hooks.
  func validate(_ mentions: inout Mentions, firstHookTouch: Int) {
    let state = context.state
    if context.binding != nil {
      context.loadToValidate(state.pointee.touched.elements.map { RowPlace(table: Int($0.table), row: $0.row) })
    }
    let touched = state.pointee.touched
    // The names are created only once, because objects without identity must be counted for them.
    lazy var names = GraphNames(state, plan)
    for index in 0..<touched.count {
      let touch = touched[index]
      let table = Int(touch.table)
      let row = state.row(table, touch.row)
      let layout = plan.layouts + row.entity
      if row.isNotValidated {
        if layout.pointee.identity.hasOwner {
          let lost = validator.lostOwners(ofPlaceholder: row)
          if !lost.isEmpty { record(lost, touch, &mentions, names, isFromHook: index >= firstHookTouch) }
        }
        continue
      }
      let words = state.tables[table].presenceWords
      if !layout.pointee.reading.hasRules, validator.isComplete(row, layout, words: words) { continue }
      var failures = validator.failures(row, names)
      if failures.isEmpty, !plan.entities[row.entity].validations.isEmpty,
        !isRefused(table, touch.row, slotCount: layout.pointee.slotCount)
      {
        failures = validator.failures(of: context.object(table, touch.row))
      }
      // A validation made a call that is not allowed, which is reported at the object.
      log.recordRefusedCall(at: mentions.offsets(table, touch.row).first ?? max(0, touch.offset))
      if !failures.isEmpty { record(failures, touch, &mentions, names, isFromHook: index >= firstHookTouch) }
      if log.list.isOverfull { return }
    }
  }

  private func record(
    _ failures: [ValidationFinding], _ touch: GraphState.Touch, _ mentions: inout Mentions, _ names: GraphNames,
    isFromHook: Bool
  ) {
    let table = Int(touch.table)
    var located: [ImportFault] = []
    var elements: [Int: ElementPlaces] = [:]
    for failure in failures {
      if let slot = failure.slot, refused.contains(SlotPlace(table: table, row: touch.row, slot: slot)) { continue }
      // The object that the rejected identifier names is unknown, and may have the value.
      if failure.isMissing, hasRefusedIdentity(touch) { continue }
      // If two objects have the same value, the one that a dictionary describes or a hook changed is wrong.
      if let other = failure.other, !isFromHook, isDescribed(table, other), !isDescribed(table, touch.row) { continue }
      let fault: ImportFault
      if let slot = failure.slot, let element = failure.element {
        let places = elements[slot] ?? places(of: failures, slot, touch, &mentions)
        elements[slot] = places
        if let place = places.elements[element] {
          let entity = entity(of: touch)
          var invalid = ImportFault(
            .invalid(failure, entity, entity.properties[slot]), at: place.offset, length: place.length)
          invalid.isShared = places.isShared
          fault = invalid
        } else {
          fault = locate(failure, touch, &mentions, names, isFromHook: isFromHook)
        }
      } else {
        fault = locate(failure, touch, &mentions, names, isFromHook: isFromHook)
      }
      // The value violated one of its own rules, so it is not also reported as missing.
      if failure.isMissing, fault.missing.isEmpty, log.isRefused(at: fault.offset) { continue }
      log.note(failure.cause)
      located.append(fault)
    }
    if !located.isEmpty { record(located, of: touch, names) }
  }

  /// Records the errors of one object, or only one error if it is an entirely different object.
  private func record(_ found: [ImportFault], of touch: GraphState.Touch, _ names: GraphNames) {
    let entity = entity(of: touch)
    if let foreign = missing.foreignObject(found, entity, at: found[0].offset) { return log.record(foreign) }
    for var fault in found {
      if isMisspelt(fault) { continue }
      fault.finding.subject = subject(fault.finding.subject, touch, names)
      if !fault.missing.isEmpty, fault.finding.suggestion == nil, log.list.last?.offset != fault.offset,
        let remark = missing.envelopeRemark(inObjectAt: fault.offset, entity)
      {
        fault.finding.remarks.append(remark)
      }
      log.record(fault)
    }
  }

  /// Returns whether a dictionary of this payload describes an object.
  private func isDescribed(_ table: Int, _ row: UInt32) -> Bool {
    context.state.row(table, row).header.isDescribed(in: context.state.pointee.importEpoch)
  }

  /// Returns the subject of an error: the name of the object, and its ID if the ID remains valid after the import.
  private func subject(
    _ subject: Diagnostic.Subject?, _ touch: GraphState.Touch, _ names: GraphNames
  ) -> Diagnostic.Subject {
    let (state, table) = (context.state, Int(touch.table))
    var subject = subject ?? Diagnostic.Subject(entityName: entity(of: touch).name)
    subject.objectName = names.name(table, touch.row)
    let hasIdentity = RowReader(state).identity(state.row(table, touch.row)) != nil
    return hasIdentity || !state.isNewInUnit(table, touch.row)
      ? subject.with(object: context.id(table, touch.row)) : subject
  }

  /// Returns whether the value is missing because of a misspelled key that has been reported as an unknown key.
  private func isMisspelt(_ fault: ImportFault) -> Bool {
    guard options.unknownKeys == .error, let shown = fault.shown else { return false }
    return log.list.contains { $0.finding.code == .unknownKey && $0.offset == shown.offset }
  }

  private func hasRefusedIdentity(_ touch: GraphState.Touch) -> Bool {
    !refused.isEmpty
      && entity(of: touch).identitySlots.contains {
        refused.contains(SlotPlace(table: Int(touch.table), row: touch.row, slot: $0))
      }
  }

  private func isRefused(_ table: Int, _ row: UInt32, slotCount: Int) -> Bool {
    !refused.isEmpty && (0..<slotCount).contains { refused.contains(SlotPlace(table: table, row: row, slot: $0)) }
  }

  /// Returns the offsets of touched objects that lack a required value, which later pieces of the payload must supply.
  func incomplete(sinceTouch first: Int) -> [Int] {
    let state = context.state
    return state.pointee.touched.elements[first...].compactMap { touch in
      let row = state.row(Int(touch.table), touch.row)
      if row.isNotValidated { return nil }
      let words = state.tables[Int(touch.table)].presenceWords
      let isComplete = validator.isComplete(row, plan.layouts + row.entity, words: words)
      return isComplete ? nil : touch.offset
    }
  }

  // MARK: Places

  private struct ElementPlaces {
    var elements: [Int: (offset: Int, length: Int)] = [:]
    var isShared = false
  }

  /// Returns whether several objects may have read a value (M19), because the value is outside the dictionary at an offset.
  private func isShared(_ place: Int, _ slot: Int, ofObjectAt offset: Int) -> Bool {
    shelf.surroundingPlaces.place(of: slot, ofObjectAt: offset) == place
  }

  private func entity(of touch: GraphState.Touch) -> EntityPlan {
    plan.entities[context.state.row(Int(touch.table), touch.row).entity]
  }

  /// Returns the offsets of the payload's dictionaries that describe an object.
  private func dictionaries(of touch: GraphState.Touch, _ mentions: inout Mentions) -> [Int] {
    let dictionaries = mentions.offsets(Int(touch.table), touch.row)
    let header = context.state.row(Int(touch.table), touch.row).header
    return dictionaries.isEmpty && header.isDescribed ? [touch.offset] : dictionaries
  }

  /// Finds the locations of invalid elements of a list in the last dictionary that contains the list (M13). The list is read only
  /// once, even if many elements are invalid.
  private func places(
    of failures: [ValidationFinding], _ slot: Int, _ touch: GraphState.Touch, _ mentions: inout Mentions
  ) -> ElementPlaces {
    let entity = entity(of: touch)
    let indexes = Set(failures.compactMap { $0.slot == slot ? $0.element : nil })
    for offset in dictionaries(of: touch, &mentions).reversed() {
      guard let list = shelf.value(of: slot, entity, plan, inObjectAt: offset) else { continue }
      return ElementPlaces(
        elements: shelf.elements(indexes, ofArrayAt: list), isShared: isShared(list, slot, ofObjectAt: offset))
    }
    return ElementPlaces()
  }

  /// Finds the location of a value that a dictionary of this payload contains, or should contain.
  private func locate(
    _ failure: ValidationFinding, _ touch: GraphState.Touch, _ mentions: inout Mentions, _ names: GraphNames,
    isFromHook: Bool
  ) -> ImportFault {
    let entity = entity(of: touch)
    let property = failure.slot.map { entity.properties[$0] }
    var fault = ImportFault(.invalid(failure, entity, property), at: touch.offset)
    let dictionaries = dictionaries(of: touch, &mentions)
    for offset in dictionaries.reversed() {
      if let slot = failure.slot, let place = shelf.value(of: slot, entity, plan, inObjectAt: offset) {
        fault.offset = place
        fault.length = valueLength(at: place)
        fault.isShared = isShared(place, slot, ofObjectAt: offset)
        if failure.isMissing, property?.relationship?.isToMany == false, !isNull(at: place) {
          let isDeleted = isDeleted(at: place, property?.relationship, entity, slot)
          fault.finding = isDeleted ? fault.finding.withDeletedObject : fault.finding.withUnknownObject
        }
        return fault
      }
    }
    if let slot = failure.slot, entity.ownerSlots.contains(slot),
      let lost = lostOwners.find(ofObjectsAt: dictionaries, entity, slot, mentions)
    {
      fault.offset = lost.object
      fault.finding = lost.isDeleted ? fault.finding.withDeletedOwner : fault.finding.withReplacedOwner
      if let note = lost.note { fault.notes.append(note) }
    } else if let offset = dictionaries.first {
      fault.offset = offset
      if let outside = property.flatMap({ ($0.keyPathAliases.last ?? $0.importedKeyPath) }), outside.surroundings != nil
      {
        fault.finding.remarks.append(ImportFinding.surroundingsRemark(outside))
      }
      if let path = property?.importedKeyPath, !path.isKeyWord {
        missing.explain(path, entity, inObjectAt: offset, &fault)
        if fault.finding.suggestion != nil, fault.finding.requirement?.key == nil, property?.source[.JSONKeyPath] != nil
        {
          fault.finding.requirement?.key = .JSONKeyPath
        }
      }
    } else {
      let name = names.name(Int(touch.table), touch.row)
      fault.finding =
        marked?.isMark(at: touch.offset) == true && !isFromHook
        ? fault.finding.deletedElsewhere(name) : fault.finding.changedElsewhere(name, isFromHook: isFromHook)
      if failure.slot.map(entity.ownerSlots.contains) == true, let owner = property?.relationship {
        fault.finding.remarks.append(ImportFinding.orphansRemark(owner))
      }
    }
    return fault
  }

  /// Returns whether the payload marks the object of a value (a dictionary or an identifier) as deleted.
  private func isDeleted(
    at offset: Int, _ relationship: RelationshipDescription?, _ entity: EntityPlan, _ slot: Int
  ) -> Bool {
    guard let marked, relationship != nil else { return false }
    if marked.isMark(at: offset) { return true }
    var scratch = ScratchText()
    defer { scratch.free() }
    guard var reader = shelf.scanner(at: offset),
      let value = try? JSONBuilder.build(&reader, &scratch, JSONTree.self)
    else { return false }
    return marked.contains(value, in: plan.layouts[entity.index].slots[slot].destinationTable, RowReader(context.state))
  }

  private func isNull(at offset: Int) -> Bool { shelf.scanner(at: offset)?.peek == UInt8(ascii: "n") }

  private func valueLength(at offset: Int) -> Int {
    guard var reader = shelf.scanner(at: offset) else { return 1 }
    try? reader.skipValue()
    return max(1, reader.offset - offset)
  }
}
