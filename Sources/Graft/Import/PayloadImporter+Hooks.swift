/// Hooks of managed-object classes: what happens before a dictionary is read and when the payload is (see
/// ``ImportObserving``).
extension PayloadImporter {
  /// Asks the class of an object whether the dictionary at the scanner's position is read, and tells the object that it
  /// will be. False: it is to be passed over.
  ///
  /// - Parameter readsAhead: whether an object that is there already is looked for.
  mutating func receive(
    _ entity: Int, key: UnsafeBufferPointer<UInt8>?, readsAhead: Bool = true
  ) throws(JSONSyntaxError) -> Bool {
    guard let context, let type = context.model.classes[entity] as? any ImportObserving.Type else { return true }
    let start = offset
    var reader = scanner
    let payload = try JSONBuilder.build(&reader, &scratch, JSONTree.self)
    do {
      guard try type.shouldImport(payload) else {
        skipped.append(Skip(entity: entity, name: plan.entities[entity].name, offset: start))
        isPassedOver = true
        return false
      }
    } catch {
      refuseHook("shouldImport", error, entity, at: start)
      return false
    }
    if readsAhead, let row = try knownRow(entity, key: key) {
      let table = layouts[entity].table
      let header = editor.row(table, row)[0]
      if header & RowHeader.placeholder == 0, let object = context.object(table, row) as? any ImportObserving {
        do {
          try object.willImport(payload)
        } catch {
          refuseHook("willImport", error, entity, at: start)
          return false
        }
      }
    }
    // A transformer's text is gone when the payload ends.
    if !outerInputs.isEmpty { innerPayloads[frames.count] = payload }
    return true
  }

  /// The row of the object that the dictionary at the scanner's position describes, if it is there already.
  private mutating func knownRow(
    _ entity: Int, key: UnsafeBufferPointer<UInt8>?
  ) throws(JSONSyntaxError) -> UInt32? {
    guard layouts[entity].identitySpace >= 0 else { return nil }
    guard let prefilled else { return try readIdentityAhead(entity, key: key) }
    var bySlot = Array(repeating: Cell.absent, count: layouts[entity].slotCount)
    for (slot, cell) in prefilled { bySlot[slot] = cell }
    return lookUp(entity, bySlot)
  }

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
    context.isInHook = true
    defer { context.isInHook = false }
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
        try object.didImport(payload)
      } catch {
        refuseHook("didImport", error, entity, at: mention.offset)
        if faults.count >= options.limits.errors { return }
      }
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
    record(
      ImportFault(
        offset: start, code: "hook-failed", message: "'\(hook)' of '\(entity.name)' failed: \(error)",
        asks: (entity.description.source, nil, "'\(entity.name)' is declared here")))
  }
}
