/// The end of a payload: links that waited, orphans, validation (D1, M6, I9).
extension PayloadImporter {
  /// Decides what is decided when everything is known; nothing is read after it.
  mutating func finish() throws(JSONSyntaxError) {
    resolveDeferrals()
    if deferrals.hasWaiting { resolveRoots() }
    for list in wholeLists { deleteMissing(list) }
    deleteOrphans()
    try runHooks()
    editor.dropRequiredLinksToDeleted { [state = editor.state] in state.pointee.deletedInUnit($0) }
    validateTouched()
    if isSingle, roots.count > 1 { refuseMany(rootEntity) }
  }

  // MARK: Unknown identifiers

  private mutating func resolveDeferrals() {
    for link in deferrals.links {
      let (journaled, replaced) = (editor.state.pointee.journal.count, editor.state.pointee.replacedVectors)
      resolve(link)
      if editor.state.pointee.journal.count != journaled || editor.state.pointee.replacedVectors != replaced {
        editor.row(link.place.table, link.place.row)[0] |= RowHeader.changed
      }
    }
  }

  private mutating func resolve(_ link: Deferrals.Link) {
    let base = editor.row(link.place.table, link.place.row)
    // While a stream was open, objects may have been deleted by hand.
    if base[0] & RowHeader.deleted != 0 { return }
    let entity = plan.entities[RowHeader.entity(base[0])]
    let slot = layouts[entity.index].slots + link.place.slot
    guard let relationship = entity.properties[link.place.slot].relationship else { return }
    editor.offset = link.offset
    guard !link.isNull else {
      editor.clear(slot, link.place.table, link.place.row, base)
      return
    }
    var known: [UInt32] = []
    for row in deferrals.rows(of: link) {
      if !Deferrals.isWaiting(row) {
        if editor.row(slot.pointee.destinationTable, row)[0] & RowHeader.deleted == 0 { known.append(row) }
        continue
      }
      let identifier = deferrals.identifier(row)
      if identifier.isSkipped {
        if let row = rowOfSkipped(identifier, slot) { known.append(row) }
      } else if let found = fullObject(identifier) {
        let header = editor.row(layouts[identifier.entity].table, found)[0]
        let target = checked(found, header, is: slot.pointee.destination, at: identifier.offset)
        if let target { known.append(target) }
      } else if relationship.unresolvedRule == .deny {
        refuseUnresolved(identifier, entity, link.place.slot, relationship)
      } else {
        skipped.append(skip(of: identifier))
      }
    }
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

  /// The objects of skipped dictionaries that were not there yet.
  private mutating func resolveRoots() {
    roots = roots.compactMap { row in
      Deferrals.isWaiting(row) ? rowOfSkipped(deferrals.identifier(row), nil) : row
    }
  }

  /// The full object with an identity; placeholders are not known (D1).
  private func fullObject(_ identifier: Deferrals.Identifier) -> UInt32? {
    guard let row = row(of: identifier) else { return nil }
    return editor.row(layouts[identifier.entity].table, row)[0] & RowHeader.placeholder == 0 ? row : nil
  }

  /// The object with an identity.
  func row(of identifier: Deferrals.Identifier) -> UInt32? {
    let layout = layouts[identifier.entity]
    var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
    for (index, value) in deferrals.values(of: identifier).enumerated() {
      bySlot[layout.identitySlots[index]] = value
    }
    return lookUp(identifier.entity, bySlot)
  }

  /// What the report says of an identifier that nobody knows: `Power(99)`, in the payload's own words.
  private func skip(of identifier: Deferrals.Identifier) -> Skip {
    // Only a report of details tells which one it is.
    var name = ""
    if let text = identifier.text {
      let value = try? JSONBuilder.json(text)
      let words = GraphNames.text(value?.arrayValue ?? [value ?? .null])
      name = "\(plan.entities[identifier.entity].name)(\(words))"
    }
    return Skip(entity: identifier.entity, name: name, offset: identifier.offset)
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
      delete(table, orphan.row) { _ in "an orphan" }
    }
    editor.state.pointee.orphans.truncate(to: 0)
  }

  /// Deletes a row at the editor's place in the payload, or says which relationship denies it.
  private mutating func delete(_ table: Int, _ row: UInt32, _ what: (_ plan: Plan) -> String) {
    do throws(GraphEditor.Denial) {
      try editor.delete(table, row)
    } catch {
      let denier = editor.row(error.table, error.row)
      let entity = plan.entities[RowHeader.entity(denier[0])]
      let property = entity.properties[error.slot]
      record(
        ImportFault(
          offset: editor.offset, code: "deletion-denied",
          message: "\(what(plan)) cannot be deleted: '\(entity.name).\(property.name)' still leads to objects",
          asks: (property.source, .deleteRule, "'\(property.name)' says \"deleteRule\": \"deny\" here")))
    }
  }

  // MARK: Whole lists

  /// Deletes the objects of a list's entity that the payload does not mention.
  private mutating func deleteMissing(_ list: WholeList) {
    let state = editor.state
    let layout = layouts[list.entity]
    editor.offset = list.offset
    for row in 0..<UInt32(state.pointee.tables[layout.table].firstNewRow) {
      let header = editor.row(layout.table, row)[0]
      let isMentioned = header & RowHeader.described != 0 && RowHeader.epoch(header) == state.pointee.importEpoch
      guard header & (RowHeader.deleted | RowHeader.placeholder) == 0, !isMentioned,
        isKind(RowHeader.entity(header), of: list.entity),
        !identified.contains(RowPlace(table: layout.table, row: row)),
        activity.run(.deleteWhere(entity: list.entity), { list.isDoomed(layout.table, row) })
      else { continue }
      delete(layout.table, row) { plan in
        "'\(GraphNames(state, plan).name(layout.table, row))', which the payload does not mention,"
      }
      if faults.isOverfull { return }
    }
    if activity.pointee.refusedCall != nil { recordRefusedCall(at: list.offset) }
  }

  private func isEmpty(_ orphan: GraphState.Orphan, _ base: UnsafeMutablePointer<UInt64>) -> Bool {
    base[Int(orphan.word)] & orphan.mask == 0
  }

  // MARK: Validation

  private mutating func validateTouched() {
    let touched = editor.state.pointee.touched
    guard let context else { return }
    let validator = RowValidator(context)
    for index in 0..<touched.count {
      let touch = touched[index]
      let table = Int(touch.table)
      let base = editor.row(table, touch.row)
      if base[0] & (RowHeader.placeholder | RowHeader.deleted) != 0 { continue }
      let layout = layouts + RowHeader.entity(base[0])
      let words = editor.state.pointee.tables[table].presenceWords
      if !layout.pointee.hasRules, validator.isComplete(base, layout, words: words) { continue }
      var failures = validator.failures(base)
      if failures.isEmpty, !plan.entities[RowHeader.entity(base[0])].validations.isEmpty,
        !isRefused(table, touch.row, slotCount: layout.pointee.slotCount)
      {
        failures = validator.failures(of: context.object(table, touch.row))
      }
      if activity.pointee.refusedCall != nil { recordRefusedCall(at: touch) }
      var located: [ImportFault] = []
      for failure in failures {
        if let slot = failure.slot, refused.contains(SlotPlace(table: table, row: touch.row, slot: slot)) { continue }
        let fault = locate(failure, touch, base, isFromHook: index >= firstHookTouch)
        // The value was refused by a rule of its own: that it is missing now is no news.
        if failure.isMissing, fault.missing.isEmpty, isRefused(at: fault.offset) { continue }
        if let error = failure.cause, cause == nil { cause = error }
        located.append(fault)
      }
      recordFaults(located, of: plan.entities[RowHeader.entity(base[0])])
      if faults.isOverfull { return }
    }
  }

  /// Records what is wrong with one object: one fault if the object is another one altogether.
  private mutating func recordFaults(_ found: [ImportFault], of entity: EntityPlan) {
    guard let first = found.first else { return }
    if let foreign = foreignObject(found, entity, at: first.offset) { return record(foreign) }
    for var fault in found {
      if !fault.missing.isEmpty, fault.suggestion == nil, faults.last?.offset != fault.offset,
        let remark = envelopeRemark(inObjectAt: fault.offset, entity)
      {
        fault.remarks.append(remark)
      }
      record(fault)
    }
  }

  /// A validation called what it must not: that is told where the object stands.
  private mutating func recordRefusedCall(at touch: GraphState.Touch) {
    recordRefusedCall(at: descriptions(of: touch).first ?? max(0, touch.offset))
  }

  private func isRefused(_ table: Int, _ row: UInt32, slotCount: Int) -> Bool {
    !refused.isEmpty && (0..<slotCount).contains { refused.contains(SlotPlace(table: table, row: row, slot: $0)) }
  }

  /// Where later pieces must bring what is missing so far: identifiers that wait, and objects that lack a required value.
  func unsettled(sinceIdentifier firstIdentifier: Int, touch firstTouch: Int) -> [Int] {
    var offsets = deferrals.identifiers[firstIdentifier...].map(\.offset)
    guard let context else { return offsets }
    let validator = RowValidator(context)
    for touch in editor.state.pointee.touched.elements[firstTouch...] {
      let table = Int(touch.table)
      let base = editor.row(table, touch.row)
      if base[0] & (RowHeader.placeholder | RowHeader.deleted) != 0 { continue }
      let words = editor.state.pointee.tables[table].presenceWords
      if !validator.isComplete(base, layouts + RowHeader.entity(base[0]), words: words) { offsets.append(touch.offset) }
    }
    return offsets.filter { $0 >= 0 }.sorted()
  }

  private func isRefused(at offset: Int) -> Bool {
    refusedOffsets.contains(offset)
  }

  /// Finds the place of a value that a dictionary of this payload gave, or should have given.
  private mutating func locate(
    _ failure: RowValidator.Failure, _ touch: GraphState.Touch, _ base: UnsafeMutablePointer<UInt64>, isFromHook: Bool
  ) -> ImportFault {
    let entity = plan.entities[RowHeader.entity(base[0])]
    let property = failure.slot.map { entity.properties[$0] }
    let source = property?.source ?? entity.description.source
    var fault = ImportFault(
      offset: touch.offset, code: failure.code, message: failure.message,
      asks: (
        source, failure.key.flatMap { source[$0] == nil ? nil : $0 },
        property?.attribute != nil && property?.keyPath == nil
          ? "'\(property?.name ?? "")' is declared here without a 'JSONKeyPath', so no payload can give it"
          : "'\(property?.name ?? entity.name)' is declared here"
      ))
    var dictionaries = descriptions(of: touch)
    let isDescribed = base[0] & RowHeader.described != 0
    if dictionaries.isEmpty, isDescribed { dictionaries = [touch.offset] }
    for offset in dictionaries.reversed() {
      if let slot = failure.slot, let place = valuePlace(slot, entity, inObjectAt: offset) {
        fault.offset = place
        fault.length = valueLength(at: place)
        if failure.isMissing, property?.relationship?.isToMany == false, !isNull(at: place) {
          fault.message += " (what this names is unknown, or another object took it later)"
        }
        return fault
      }
    }
    if let offset = dictionaries.first {
      fault.offset = offset
      if let path = property?.keyPath, !path.isObjectKey, !path.isElementValue {
        explainMissing(path, entity, inObjectAt: offset, &fault)
        if fault.suggestion != nil, fault.asks?.key == nil {
          fault.asks?.key = source[.JSONKeyPath] == nil ? nil : .JSONKeyPath
        }
      }
    } else {
      let name = GraphNames(editor.state, plan).name(Int(touch.table), touch.row)
      fault.message += " (\(name) was changed \(isFromHook ? "by 'didImport'" : "from the other side"))"
    }
    return fault
  }

  /// Where the dictionaries stand that describe a row, in payload order. Worked out for all rows when the first one is asked
  /// for: there may be as many faults as dictionaries.
  private mutating func descriptions(of touch: GraphState.Touch) -> [Int] {
    if descriptionPlaces.isEmpty {
      for mention in mentions.elements {
        descriptionPlaces[SlotPlace(table: Int(mention.table), row: mention.row, slot: -1), default: []]
          .append(mention.offset)
      }
    }
    return descriptionPlaces[SlotPlace(table: Int(touch.table), row: touch.row, slot: -1)] ?? []
  }

  private func isNull(at offset: Int) -> Bool { shelf.scanner(at: offset)?.peek == UInt8(ascii: "n") }

  private func valuePlace(_ slot: Int, _ entity: EntityPlan, inObjectAt offset: Int) -> Int? {
    guard let reader = shelf.scanner(at: offset) else { return nil }
    for field in entity.fieldsOfSlot[slot] ?? [] {
      let path = entity.path(ofField: fields[field])
      if path.isObjectKey || path.isElementValue { continue }
      switch JSONLocator.find(path.keys, in: reader) {
      case .value(let place), .null(let place): return place - reader.start
      case .absent: continue
      }
    }
    return nil
  }

  private func valueLength(at offset: Int) -> Int {
    guard var reader = shelf.scanner(at: offset) else { return 1 }
    try? reader.skipValue()
    return max(1, reader.offset - offset)
  }
}
