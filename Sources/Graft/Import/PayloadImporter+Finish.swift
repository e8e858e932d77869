/// The end of a payload: links that waited, orphans, validation (D1, M6, I9).
extension PayloadImporter {
  /// Decides what is decided when everything is known; nothing is read after it.
  mutating func finish() throws(JSONSyntaxError) {
    resolveDeferrals()
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
      let journaled = editor.state.pointee.journal.count
      resolve(link)
      if editor.state.pointee.journal.count != journaled {
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
      if let found = fullObject(identifier) {
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

  /// The full object with an identity; placeholders are not known (D1).
  private func fullObject(_ identifier: Deferrals.Identifier) -> UInt32? {
    let layout = layouts[identifier.entity]
    var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
    for (index, value) in deferrals.values(of: identifier).enumerated() {
      bySlot[layout.identitySlots[index]] = value
    }
    guard let row = lookUp(identifier.entity, bySlot) else { return nil }
    return editor.row(layout.table, row)[0] & RowHeader.placeholder == 0 ? row : nil
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
      let isMentioned = header & RowHeader.described != 0 && RowHeader.epoch(header) == state.pointee.epoch
      guard header & (RowHeader.deleted | RowHeader.placeholder) == 0, !isMentioned,
        isKind(RowHeader.entity(header), of: list.entity),
        !identified.contains(RowPlace(table: layout.table, row: row)), list.isDoomed(layout.table, row)
      else { continue }
      delete(layout.table, row) { plan in
        "'\(GraphNames(state, plan).name(layout.table, row))', which the payload does not mention,"
      }
      if faults.count >= 4 * options.limits.errors { return }
    }
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
      var failures = validator.failures(base)
      if failures.isEmpty, let context, !plan.entities[RowHeader.entity(base[0])].validations.isEmpty,
        !refused.contains(where: { $0.table == table && $0.row == touch.row })
      {
        failures = validator.failures(of: context.object(table, touch.row))
      }
      for failure in failures {
        if let slot = failure.slot, refused.contains(SlotPlace(table: table, row: touch.row, slot: slot)) { continue }
        let fault = locate(failure, touch, base, isFromHook: index >= firstHookTouch)
        // The value was refused by a rule of its own: that it is missing now is no news.
        if failure.isMissing, fault.missing.isEmpty, isRefused(at: fault.offset) { continue }
        if let error = failure.cause, cause == nil { cause = error }
        record(fault)
        if faults.count >= 4 * options.limits.errors { return }
      }
    }
  }

  /// Where later pieces must bring what is missing so far: identifiers that wait, and objects that lack a required value.
  func unsettled(sinceIdentifier firstIdentifier: Int, touch firstTouch: Int) -> [Int] {
    var offsets = deferrals.identifiers[firstIdentifier...].map(\.offset)
    let validator = RowValidator(plan: plan, reader: RowReader(editor.state))
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
    faults.contains { $0.offset == offset && ($0.code == "no-json" || $0.code == "unresolved-identifier") }
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
      var isExplained = false
      if let path = property?.keyPath, !path.isObjectKey, !path.isElementValue {
        isExplained = explainMissing(path, entity, inObjectAt: offset, &fault)
        if fault.suggestion != nil, fault.asks?.key == nil {
          fault.asks?.key = source[.JSONKeyPath] == nil ? nil : .JSONKeyPath
        }
      }
      if !isExplained, faults.last?.offset != offset, isForeign(offset, entity) {
        fault.remarks.append(
          "the payload holds nothing that '\(entity.name)' is read from; where its objects stand deeper, 'at' says so")
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

  /// Whether an object is the whole payload, and holds none of the entity's keys.
  private func isForeign(_ offset: Int, _ entity: EntityPlan) -> Bool {
    guard shelf.isWholePayload(offset), var reader = shelf.scanner(at: offset) else { return false }
    reader.position += 1
    reader.skipWhitespace()
    guard reader.peek != UInt8(ascii: "}") else { return false }
    return entity.properties.indices.allSatisfy { valuePlace($0, entity, inObjectAt: offset) == nil }
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
