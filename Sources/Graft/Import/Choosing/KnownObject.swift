/// The object that a dictionary describes, looked up before the dictionary is read, because a skipped dictionary is treated as
/// the identifier of its object (D13).
///
/// Errors in the values read for this lookup are reported only if the dictionary is read.
struct KnownObject {
  /// The row, if the object is known.
  private(set) var row: UInt32?
  /// Whether the program specified the object (I23).
  private var isGiven = false
  private var aside = FaultLog.Aside()
  private var stop: JSONSyntaxError?
  private let context: ManagedObjectContext
  private let log: FaultLog

  /// Looks for the object of the dictionary at the reader's position. Values of the dictionary that have already been read are not read
  /// again.
  init(
    _ object: inout ChosenObject, _ opening: PayloadReader.Opening, _ reader: inout PayloadReader, _ log: FaultLog
  ) {
    context = log.context
    self.log = log
    let layout = context.model.plan.layouts[object.entity]
    guard layout.identity.space >= 0 else { return }
    if let identity = object.identity {
      var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
      for (slot, cell) in identity.values where slot < layout.slotCount { bySlot[slot] = cell }
      row = reader.finder.find(object.entity, bySlot)
      return
    }
    let entity = object.entity
    let ahead = put(aside: &reader) { reader throws(JSONSyntaxError) in
      try reader.readIdentity(of: entity, key: opening.key, field: opening.field)
    }
    object.identity = ahead??.identity
    row = ahead??.row
  }

  /// Makes the dictionary describe the given object, regardless of the dictionary's identity.
  mutating func aim(at row: UInt32) { (self.row, isGiven) = (row, true) }

  /// Reads an attribute of the dictionary at the reader's position, and keeps the value for the object. Returns nil if the identity
  /// cannot be read.
  mutating func read(
    _ slot: Int, _ object: inout ChosenObject, _ opening: PayloadReader.Opening, _ reader: inout PayloadReader
  ) -> Cell? {
    guard object.identity != nil || isGiven, stop == nil else { return nil }
    if let known = object.identity?.values.first(where: { $0.slot == slot }) { return known.cell }
    let entity = object.entity
    let cell = put(aside: &reader) { reader throws(JSONSyntaxError) in
      try reader.readAttributeAhead(slot, of: entity, key: opening.key, field: opening.field) ?? .absent
    }
    if let cell { object.identity?.values.append((slot, cell)) }
    return cell
  }

  /// Looks for the object again, because the dictionary marks the object as deleted. If several objects have the alternate identity,
  /// the dictionary may refer to a different object (M27).
  mutating func findDeleted(_ object: ChosenObject, _ opening: PayloadReader.Opening, _ reader: inout PayloadReader) {
    guard context.model.plan.layouts[object.entity].alternateCount > 0 else { return }
    let ahead = put(aside: &reader) { reader throws(JSONSyntaxError) in
      try reader.readIdentity(
        of: object.entity, key: opening.key, field: opening.field, isDeletion: true, known: object.identity)
    }
    row = ahead??.row
  }

  /// Calls a closure that reads values, and keeps the faults in those values separately.
  private mutating func put<Value>(
    aside reader: inout PayloadReader, _ read: (inout PayloadReader) throws(JSONSyntaxError) -> Value
  ) -> Value? {
    let (result, found) = log.aside(limit: reader.options.limits.errors) {
      Result { () throws(JSONSyntaxError) in try read(&reader) }
    }
    aside.faults += found.faults
    aside.cause = aside.cause ?? found.cause
    switch result {
    case .success(let value): return value
    case .failure(let error):
      stop = error
      return nil
    }
  }

  /// Whether something is wrong with the values that were read.
  var isFaulty: Bool { !aside.faults.isEmpty }

  /// Records the errors in the values that were read, because the dictionary is read.
  func record() throws(JSONSyntaxError) {
    log.take(aside)
    if let stop { throw stop }
    if isFaulty { try log.stopIfFull() }
  }

  /// Returns the replacement for the dictionary if it is skipped. An object that is unknown, or is a placeholder, is looked up again when
  /// the payload ends.
  func standIn(
    _ object: ChosenObject, _ opening: PayloadReader.Opening, _ reader: inout PayloadReader
  ) -> UInt32? {
    if isFaulty { return nil }
    let table = context.model.plan.layouts[object.entity].table
    if let row {
      let header = context.state.row(table, row).header
      if !header.isPlaceholder {
        guard reader.finder.isKind(header.entity, of: opening.entity) else { return nil }
        reader.finder.noteIdentified(table, row)
        return row
      }
    }
    let identity = context.model.plan.entities[object.entity].identitySlots
    guard !identity.isEmpty, let ahead = object.identity?.values.prefix(identity.count),
      ahead.map(\.slot) == identity,
      ahead.allSatisfy({ $0.cell.tag == .word || $0.cell.tag == .text || $0.cell.tag == .row })
    else { return nil }
    return reader.finder.wait(for: object.entity, ahead.map(\.cell), at: reader.offset, nil, isSkipped: true)
  }
}
