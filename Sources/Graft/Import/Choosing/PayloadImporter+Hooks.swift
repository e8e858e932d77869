/// Hooks of managed-object classes: what happens before a dictionary is read and when the payload is (see
/// ``ImportObserving``).
extension PayloadImporter {
  /// Asks the class of an object whether the dictionary at the scanner's position is read, and tells the object that it
  /// will be. False: it is skipped.
  ///
  /// - Parameter declared: the entity whose objects are expected here.
  mutating func receive(
    _ entity: Int, declared: Int, key: UnsafeBufferPointer<UInt8>?
  ) throws(JSONSyntaxError) -> Bool {
    guard let context, let type = context.model.classes[entity] as? any ImportObserving.Type else { return true }
    let start = offset
    var reader = scanner
    let payload = try JSONBuilder.build(&reader, &scratch, JSONTree.self)
    let known = readKnown(entity, key: key)
    let table = layouts[entity].table
    var stored: ManagedObject?
    if let row = known.row, editor.row(table, row)[0] & RowHeader.placeholder == 0 {
      stored = context.object(table, row)
    }
    do {
      let isWanted = try activity.run(.shouldImport(entity: entity)) {
        try type.shouldImport(payload, updating: stored)
      }
      if activity.pointee.refusedCall != nil { recordRefusedCall(at: start) }
      guard isWanted else {
        skipped.append(Skip(entity: entity, name: plan.entities[entity].name, offset: start))
        isPassedOver = true
        passedOverRow = known.faults.isEmpty ? mention(of: known.row, entity, declared, at: start) : nil
        return false
      }
    } catch {
      refuseHook("shouldImport", error, entity, at: start)
      return false
    }
    for fault in known.faults { record(fault) }
    if cause == nil { cause = known.cause }
    if let stop = known.stop { throw stop }
    if !known.faults.isEmpty { try stopIfEnough() }
    if let stored = stored as? any ImportObserving {
      do {
        try activity.run(.willImport(entity: entity)) { try stored.willImport(payload) }
        if activity.pointee.refusedCall != nil { recordRefusedCall(at: start) }
      } catch {
        refuseHook("willImport", error, entity, at: start)
        return false
      }
    }
    // A transformer's text is gone when the payload ends.
    if !outerInputs.isEmpty { innerPayloads[frames.count] = payload }
    return true
  }

  /// The object that a dictionary describes, and what is wrong with its identity values. That counts only if the dictionary is
  /// read.
  private struct Known {
    var row: UInt32?
    var faults: [ImportFault]
    var cause: (any Error)?
    var stop: JSONSyntaxError?
  }

  /// Looks for the object that the dictionary at the scanner's position describes.
  private mutating func readKnown(_ entity: Int, key: UnsafeBufferPointer<UInt8>?) -> Known {
    guard layouts[entity].identitySpace >= 0 else { return Known(faults: []) }
    if let prefilled {
      var bySlot = Array(repeating: Cell.absent, count: layouts[entity].slotCount)
      for (slot, cell) in prefilled { bySlot[slot] = cell }
      return Known(row: lookUp(entity, bySlot), faults: [])
    }
    let outer = (faults: faults, cause: cause, position: scanner.position, depth: scanner.depth)
    (faults, cause) = (FaultList(limit: options.limits.errors), nil)
    var known = Known(faults: [])
    do throws(JSONSyntaxError) {
      known.row = try readIdentityAhead(entity, key: key)
    } catch {
      known.stop = error
      prefilled = nil
      (scanner.position, scanner.depth) = (outer.position, outer.depth)
    }
    (known.faults, known.cause) = (faults.faults, cause)
    (faults, cause) = (outer.faults, outer.cause)
    return known
  }

  // MARK: Skipped dictionaries

  /// The object of a dictionary that is skipped: the dictionary counts as its identifier (D13). An object that is not there yet,
  /// or is a placeholder, is looked up again when the payload ends.
  private mutating func mention(of row: UInt32?, _ entity: Int, _ declared: Int, at start: Int) -> UInt32? {
    if let row, editor.row(layouts[entity].table, row)[0] & RowHeader.placeholder == 0 {
      guard isKind(RowHeader.entity(editor.row(layouts[entity].table, row)[0]), of: declared) else { return nil }
      if notesIdentified { identified.insert(RowPlace(table: layouts[entity].table, row: row)) }
      return row
    }
    let identity = plan.entities[entity].identitySlots
    guard !identity.isEmpty, let prefilled, prefilled.map(\.0) == identity,
      prefilled.allSatisfy({ $0.1.tag == .word || $0.1.tag == .text })
    else { return nil }
    return wait(for: entity, prefilled.map(\.1), at: start, nil, isSkipped: true)
  }

  /// The row of a skipped dictionary's object, now that the payload has ended; nil if there is none that may be linked.
  func rowOfSkipped(_ identifier: Deferrals.Identifier, _ slot: UnsafeMutablePointer<SlotPlan>?) -> UInt32? {
    guard let row = row(of: identifier) else { return nil }
    let header = editor.row(layouts[identifier.entity].table, row)[0]
    if let slot, !isKind(RowHeader.entity(header), of: slot.pointee.destination) { return nil }
    // A relationship that does not take unknown identifiers takes no placeholder either (D1).
    if slot?.pointee.defersUnknown == true, header & RowHeader.placeholder != 0 { return nil }
    return row
  }

  /// Puts what stands for a skipped dictionary into a list, or among the payload's objects.
  mutating func takePassedOver(_ frame: UnsafeMutablePointer<ImportFrame>?) {
    isPassedOver = false
    guard let row = passedOverRow else { return }
    passedOverRow = nil
    if let frame, frame.pointee.field >= 0 { rows.append(row) } else { roots.append(row) }
  }

  /// What stands for a skipped dictionary in a to-one.
  @inline(never)
  mutating func takePassedOverCell() -> Cell {
    isPassedOver = false
    guard let row = passedOverRow else { return .absent }
    passedOverRow = nil
    return Deferrals.isWaiting(row) ? .deferred(index: deferrals.takeOne(row)) : .row(row)
  }

  // MARK: After the payload

  /// Remembers the dictionary of the object that is being applied, where it cannot be read again.
  @inline(never)
  mutating func keepInnerPayload() {
    if let payload = innerPayloads.removeValue(forKey: frames.count - 1) { keptPayloads[mentions.count] = payload }
  }

  /// Tells objects that they were imported, in payload order. What they change is touched, and so validated.
  mutating func runHooks() throws(JSONSyntaxError) {
    guard plan.hasHooks, faults.isEmpty, let context else { return }
    let state = editor.state
    firstHookTouch = state.pointee.touched.count
    let order = (0..<mentions.count).sorted { (mentions[$0].offset, $0) < (mentions[$1].offset, $1) }
    for index in order {
      let mention = mentions[index]
      let table = Int(mention.table)
      let header = editor.row(table, mention.row)[0]
      let entity = RowHeader.entity(header)
      guard layouts[entity].hasHooks, header & RowHeader.deleted == 0,
        let object = context.object(table, mention.row) as? any ImportObserving
      else { continue }
      let payload = if let kept = keptPayloads[index] { kept } else { try payload(at: mention.offset) }
      let (journaled, touched) = (state.pointee.journal.count, state.pointee.touched.count)
      do {
        let refusals = try activity.run(.didImport(entity: entity)) {
          try context.collectingRefusals { try object.didImport(payload) }
        }
        for refusal in refusals.prefix(max(1, options.limits.errors)) {
          refuseHook("didImport", refusal, entity, at: mention.offset)
        }
      } catch {
        refuseHook("didImport", error, entity, at: mention.offset)
      }
      if activity.pointee.refusedCall != nil { recordRefusedCall(at: mention.offset) }
      if faults.isFull { return }
      noteChanges(since: journaled, touched, at: mention.offset)
    }
  }

  private mutating func payload(at offset: Int) throws(JSONSyntaxError) -> JSON {
    guard var reader = shelf.scanner(at: offset) else {
      preconditionFailure("what hooks are handed is kept until the payload ends")
    }
    return try JSONBuilder.build(&reader, &scratch, JSONTree.self)
  }

  /// What a hook changed counts as changed by the dictionary that it was called for.
  private mutating func noteChanges(since journaled: Int, _ touched: Int, at offset: Int) {
    let state = editor.state
    editor.offset = offset
    for index in journaled..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      let base = editor.row(entry.table, entry.row)
      editor.touch(entry.table, entry.row, base)
      base[0] |= RowHeader.changed
    }
    for index in touched..<state.pointee.touched.count where state.pointee.touched[index].offset < 0 {
      state.pointee.touched[index].offset = offset
    }
  }

  private mutating func refuseHook(_ hook: String, _ error: any Error, _ entity: Int, at start: Int) {
    let entity = plan.entities[entity]
    if cause == nil { cause = error }
    if let words = ProgramClosure.refusal(in: error) {
      recordReentrancy(words, at: start)
      return
    }
    record(
      ImportFault(
        offset: start, code: "hook-failed", message: "'\(hook)' of '\(entity.name)' failed: \(error)",
        asks: (entity.description.source, nil, "'\(entity.name)' is declared here")))
  }
}
