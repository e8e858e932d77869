/// The end of a payload: links that waited, orphans, validation (D1, M6, I9).
extension PayloadImporter {
  mutating func finish() {
    resolveDeferrals()
    deleteOrphans()
    validateTouched()
  }

  // MARK: Unknown identifiers

  private mutating func resolveDeferrals() {
    guard deferrals.hasLinks else { return }
    for link in deferrals.waitingLinks {
      let journaled = editor.state.pointee.journal.count
      resolve(link)
      if editor.state.pointee.journal.count != journaled {
        editor.row(link.place.table, link.place.row)[0] |= RowHeader.changed
      }
    }
  }

  private mutating func resolve(_ link: Deferrals.Link) {
    let base = editor.row(link.place.table, link.place.row)
    let entity = plan.entities[RowHeader.entity(base[0])]
    let slot = layouts[entity.index].slots + link.place.slot
    guard let relationship = entity.properties[link.place.slot].relationship else { return }
    var known: [UInt32] = []
    for row in link.rows {
      if !Deferrals.isWaiting(row) {
        known.append(row)
        continue
      }
      let identifier = deferrals.identifier(row)
      if let found = fullObject(identifier, destination: slot.pointee.destination) {
        known.append(found)
      } else if relationship.unresolvedRule == .deny {
        refuseUnresolved(identifier, entity, link.place.slot, relationship)
      }
    }
    editor.offset = link.offset
    if slot.pointee.kind == .toOne {
      if let row = known.first { editor.setToOne(UInt64(row) + 1, slot, link.place.table, link.place.row, base) }
      return
    }
    var met = Set<UInt32>()
    known.removeAll { !met.insert($0).inserted }
    known.withUnsafeBufferPointer { rows in
      var nothing: UInt32 = 0
      withUnsafePointer(to: &nothing) { none in
        editor.setToMany(
          rows.baseAddress ?? none, rows.count, union: slot.pointee.isUnion, slot, link.place.table, link.place.row,
          base)
      }
    }
  }

  /// The full object with an identity; placeholders are not known (D1).
  private mutating func fullObject(_ identifier: Deferrals.Identifier, destination: Int) -> UInt32? {
    let layout = layouts[identifier.entity]
    var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
    for (index, value) in identifier.values.enumerated() { bySlot[layout.identitySlots[index]] = value }
    guard let row = lookUp(identifier.entity, bySlot) else { return nil }
    let header = editor.row(layout.table, row)[0]
    guard header & RowHeader.placeholder == 0 else { return nil }
    return checked(row, header, is: destination, at: identifier.offset)
  }

  private mutating func refuseUnresolved(
    _ identifier: Deferrals.Identifier, _ entity: EntityPlan, _ slot: Int, _ relationship: RelationshipDescription
  ) {
    record(
      ImportFault(
        offset: identifier.offset, code: "unresolved-identifier",
        message:
          "no '\(relationship.destinationName)' has this identifier, and '\(entity.name).\(relationship.name)' takes known objects only",
        asks: (relationship.source, .unresolvedRule, "'\(relationship.name)' says \"unresolvedRule\": \"deny\" here")))
  }

  // MARK: Orphans

  private mutating func deleteOrphans() {
    // Deleting one may leave others without an owner: they join at the end of the list.
    var next = 0
    while next < editor.state.pointee.orphans.count {
      let orphan = editor.state.pointee.orphans[next]
      next += 1
      let table = Int(orphan.table)
      let base = editor.row(table, orphan.row)
      guard base[0] & RowHeader.deleted == 0 else { continue }
      guard isEmpty(orphan, base) else { continue }
      editor.offset = orphan.offset
      do throws(GraphEditor.Denial) {
        try editor.delete(table, orphan.row)
      } catch {
        let denier = editor.row(error.table, error.row)
        let entity = plan.entities[RowHeader.entity(denier[0])]
        let property = entity.properties[error.slot]
        record(
          ImportFault(
            offset: orphan.offset, code: "deletion-denied",
            message: "an orphan cannot be deleted: '\(entity.name).\(property.name)' still leads to objects",
            asks: (property.source, .deleteRule, "'\(property.name)' says \"deleteRule\": \"deny\" here")))
      }
    }
    editor.state.pointee.orphans.truncate(to: 0)
  }

  private func isEmpty(_ orphan: GraphState.Orphan, _ base: UnsafeMutablePointer<UInt64>) -> Bool {
    base[Int(orphan.word)] & orphan.mask == 0
  }

  // MARK: Validation

  private mutating func validateTouched() {
    let touched = editor.state.pointee.touched
    let reader = RowReader(editor.state)
    let validator = RowValidator(plan: plan, reader: reader)
    for index in 0..<touched.count {
      let touch = touched[index]
      let table = Int(touch.table)
      let base = editor.row(table, touch.row)
      if base[0] & (RowHeader.placeholder | RowHeader.deleted) != 0 { continue }
      let layout = layouts + RowHeader.entity(base[0])
      let words = editor.state.pointee.tables[table].presenceWords
      if !layout.pointee.hasRules, validator.isComplete(base, layout, words: words) { continue }
      for failure in validator.failures(base) {
        if refused.contains(SlotPlace(table: table, row: touch.row, slot: failure.slot)) { continue }
        let fault = locate(failure, touch, base)
        // The value was refused by a rule of its own: that it is missing now is no news.
        if failure.isMissing, fault.missing.isEmpty, isRefused(at: fault.offset) { continue }
        record(fault)
        if faults.count >= 4 * options.limits.errors { return }
      }
    }
  }

  private func isRefused(at offset: Int) -> Bool {
    faults.contains { $0.offset == offset && ($0.code == "no-json" || $0.code == "unresolved-identifier") }
  }

  /// Finds the place of a value that a dictionary of this payload gave, or should have given.
  private func locate(
    _ failure: RowValidator.Failure, _ touch: GraphState.Touch, _ base: UnsafeMutablePointer<UInt64>
  ) -> ImportFault {
    let entity = plan.entities[RowHeader.entity(base[0])]
    let property = entity.properties[failure.slot]
    var fault = ImportFault(
      offset: touch.offset, code: failure.code, message: failure.message,
      asks: (
        property.source, property.source[failure.key] == nil ? nil : failure.key,
        property.attribute != nil && property.keyPath == nil
          ? "'\(property.name)' is declared here without a 'JSONKeyPath', so no payload can give it"
          : "'\(property.name)' is declared here"
      ))
    var dictionaries: [Int] = []
    for index in 0..<mentions.count where mentions[index].table == touch.table && mentions[index].row == touch.row {
      dictionaries.append(mentions[index].offset)
    }
    let isDescribed = base[0] & RowHeader.described != 0
    if dictionaries.isEmpty, isDescribed { dictionaries = [touch.offset] }
    for offset in dictionaries.reversed() {
      if let place = valuePlace(failure.slot, entity, inObjectAt: offset) {
        fault.offset = place
        fault.length = valueLength(at: place)
        if failure.isMissing, property.relationship?.isToMany == false, scanner.start[place] != UInt8(ascii: "n") {
          fault.message += " (what this names is unknown, or another object took it later)"
        }
        return fault
      }
    }
    if let offset = dictionaries.first {
      fault.offset = offset
      if let path = property.keyPath, !path.isObjectKey, !path.isElementValue { fault.missing = path.keys }
      if faults.last?.offset != offset, isForeign(offset, entity) {
        fault.remarks.append(
          "the payload holds nothing that '\(entity.name)' is read from; where its objects stand deeper, 'at' says so")
      }
    } else {
      let name = GraphNames(editor.state, plan).name(Int(touch.table), touch.row)
      fault.message += " (\(name) was changed from the other side)"
    }
    return fault
  }

  /// Whether an object is the whole payload, and holds none of the entity's keys.
  private func isForeign(_ offset: Int, _ entity: EntityPlan) -> Bool {
    guard outerInputs.isEmpty else { return false }
    let text = UnsafeBufferPointer(start: scanner.start, count: scanner.end - scanner.start)
    let tokens = text.lazy.filter { $0 > 0x20 }
    guard text.firstIndex(where: { $0 > 0x20 }) == offset, tokens.dropFirst().first != UInt8(ascii: "}") else {
      return false
    }
    return entity.properties.indices.allSatisfy { valuePlace($0, entity, inObjectAt: offset) == nil }
  }

  private func valuePlace(_ slot: Int, _ entity: EntityPlan, inObjectAt offset: Int) -> Int? {
    guard outerInputs.isEmpty, offset >= 0, offset < scanner.end - scanner.start else { return nil }
    var reader = scanner
    reader.position = scanner.start + offset
    reader.depth = 0
    for field in entity.fieldsOfSlot[slot] ?? [] {
      let path = entity.path(ofField: fields[field])
      if path.isObjectKey || path.isElementValue { continue }
      switch JSONLocator.find(path.keys, in: reader) {
      case .value(let place), .null(let place): return place - scanner.start
      case .absent: continue
      }
    }
    return nil
  }

  private func valueLength(at offset: Int) -> Int {
    var reader = scanner
    reader.position = scanner.start + offset
    reader.depth = 0
    try? reader.skipValue()
    return max(1, reader.offset - offset)
  }
}
