/// Calls the hooks of managed-object classes before a dictionary is read (see ``ImportObserving``).
struct HookCaller {
  enum Answer {
    case wanted
    case skipped(standIn: UInt32?)
    /// The fault is recorded.
    case refused
  }

  let context: ManagedObjectContext
  let log: FaultLog

  init(_ context: ManagedObjectContext, _ log: FaultLog) {
    self.context = context
    self.log = log
  }

  /// The object that a dictionary describes, and what is wrong with its identity values. That counts only if the dictionary is
  /// read.
  private struct Known {
    var row: UInt32?
    var aside = FaultLog.Aside()
    var stop: JSONSyntaxError?
  }

  /// Asks the class of an object whether the dictionary at the scanner's position is read, and tells the object that it will be.
  func receive(
    _ opening: PayloadReader.Opening, _ object: inout ChosenObject, _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) -> Answer {
    let entity = object.entity
    guard let type = context.model.classes[entity] as? any ImportObserving.Type else { return .wanted }
    let start = reader.offset
    let payload = try reader.readValueAhead().value
    let known = readKnown(&object, opening, &reader)
    let table = context.model.plan.layouts[entity].table
    var stored: ManagedObject?
    if let row = known.row, context.state.pointee.row(table, row)[0] & RowHeader.placeholder == 0 {
      stored = context.object(table, row)
    }
    do {
      let isWanted = try context.activity.run(.shouldImport(entity: entity)) {
        try type.shouldImport(payload, updating: stored)
      }
      log.recordRefusedCall(at: start)
      guard isWanted else {
        let row = known.aside.faults.isEmpty ? standIn(known.row, object, opening, &reader) : nil
        return .skipped(standIn: row)
      }
    } catch {
      log.refuseHook("shouldImport", error, entity, at: start)
      return .refused
    }
    log.take(known.aside)
    if let stop = known.stop { throw stop }
    if !known.aside.faults.isEmpty { try log.stopIfFull() }
    if let stored = stored as? any ImportObserving {
      do {
        try context.activity.run(.willImport(entity: entity)) { try stored.willImport(payload) }
        log.recordRefusedCall(at: start)
      } catch {
        log.refuseHook("willImport", error, entity, at: start)
        return .refused
      }
    }
    // A transformer's text is gone when the payload ends.
    if !reader.texts.isPayload { object.payload = payload }
    return .wanted
  }

  /// Returns what takes the place of the dictionary at the scanner's position, which is skipped without asking a hook.
  func standIn(
    for object: inout ChosenObject, _ opening: PayloadReader.Opening, _ reader: inout PayloadReader
  ) -> UInt32? {
    let known = readKnown(&object, opening, &reader)
    return known.aside.faults.isEmpty ? standIn(known.row, object, opening, &reader) : nil
  }

  /// Looks for the object that the dictionary at the scanner's position describes.
  private func readKnown(
    _ object: inout ChosenObject, _ opening: PayloadReader.Opening, _ reader: inout PayloadReader
  ) -> Known {
    let layout = context.model.plan.layouts[object.entity]
    guard layout.identitySpace >= 0 else { return Known() }
    if let identity = object.identity {
      var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
      for (slot, cell) in identity.values { bySlot[slot] = cell }
      return Known(row: reader.finder.lookUp(object.entity, bySlot))
    }
    let entity = object.entity
    let (found, aside) = log.aside(limit: reader.options.limits.errors) {
      Result { () throws(JSONSyntaxError) in try reader.readIdentity(of: entity, key: opening.key) }
    }
    switch found {
    case .success(let ahead):
      object.identity = ahead?.identity
      return Known(row: ahead?.row, aside: aside)
    case .failure(let error): return Known(aside: aside, stop: error)
    }
  }

  /// What takes the place of a dictionary that is skipped: it counts as its object's identifier (D13). An object that is unknown,
  /// or is a placeholder, is looked up again when the payload ends.
  private func standIn(
    _ row: UInt32?, _ object: ChosenObject, _ opening: PayloadReader.Opening, _ reader: inout PayloadReader
  ) -> UInt32? {
    let table = context.model.plan.layouts[object.entity].table
    if let row {
      let header = context.state.pointee.row(table, row)[0]
      if header & RowHeader.placeholder == 0 {
        guard reader.finder.isKind(RowHeader.entity(header), of: opening.entity) else { return nil }
        reader.finder.noteIdentified(table, row)
        return row
      }
    }
    let identity = context.model.plan.entities[object.entity].identitySlots
    guard !identity.isEmpty, let ahead = object.identity, ahead.values.map(\.slot) == identity,
      ahead.values.allSatisfy({ $0.cell.tag == .word || $0.cell.tag == .text })
    else { return nil }
    return reader.finder.wait(for: object.entity, ahead.values.map(\.cell), at: reader.offset, nil, isSkipped: true)
  }
}
