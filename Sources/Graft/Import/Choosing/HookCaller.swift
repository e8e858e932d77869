/// Calls the hooks of managed-object classes before a dictionary is read (see ``ImportObserving``).
struct HookCaller {
  enum Answer {
    case wanted
    case skipped(standIn: UInt32?)
    /// The dictionary is refused; the fault is recorded.
    case refused
  }

  let context: ManagedObjectContext
  let log: FaultLog

  init(_ context: ManagedObjectContext, _ log: FaultLog) {
    self.context = context
    self.log = log
  }

  /// Asks the class of an object whether to read the dictionary at the scanner's position and, if so, notifies the object.
  ///
  /// - Parameter known: the object that the dictionary describes, if it has been looked up.
  func receive(
    _ opening: PayloadReader.Opening, _ object: inout ChosenObject, _ known: KnownObject?, _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) -> Answer {
    let entity = object.entity
    guard let type = context.model.classes[entity] as? any ImportObserving.Type else { return .wanted }
    let start = reader.offset
    let payload = try reader.readValueAhead().value
    let known = known ?? KnownObject(&object, opening, &reader, log)
    let table = context.model.plan.layouts[entity].table
    var stored: ManagedObject?
    if let row = known.row, !context.state.row(table, row).isPlaceholder {
      stored = context.object(table, row)
    }
    do {
      let isWanted = try context.activity.run(.shouldImport(entity: entity)) {
        try type.shouldImport(payload, updating: stored)
      }
      log.recordRefusedCall(at: start)
      guard isWanted else { return .skipped(standIn: known.standIn(object, opening, &reader)) }
    } catch {
      log.refuseHook("shouldImport", error, entity, at: start)
      return .refused
    }
    try known.record()
    if let stored = stored as? any ImportObserving {
      do {
        try context.activity.run(.willImport(entity: entity)) { try stored.willImport(payload) }
        log.recordRefusedCall(at: start)
      } catch {
        log.refuseHook("willImport", error, entity, at: start)
        return .refused
      }
    }
    // The text that a transformer returned is released when the payload ends.
    if !reader.texts.isPayload { object.payload = payload }
    return .wanted
  }
}
