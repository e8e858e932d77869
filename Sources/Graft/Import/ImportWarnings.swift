/// Finds probable mistakes at the end of a successful import (I19).
struct ImportWarnings {
  let plan: Plan
  let state: Reference<GraphState>
  let log: FaultLog
  let shelf: PieceShelf
  private let options: ImportOptions

  init(_ context: ManagedObjectContext, _ log: FaultLog, _ shelf: PieceShelf, _ options: ImportOptions) {
    plan = context.model.plan
    state = context.state
    self.log = log
    self.shelf = shelf
    self.options = options
  }

  /// Returns all probable mistakes, without their locations.
  func list(_ keys: KeySamples, _ merger: inout ObjectMerger) -> FaultList {
    var list = FaultList(limit: options.limits.errors)
    guard log.suspicions.isWanted else { return list }
    addSkipped(&list)
    addStrangers(&list)
    addKeys(keys, &list)
    addContradictions(&merger, &list)
    var lostLinks = LostLinks(state, plan, shelf, log.suspicions)
    lostLinks.add(to: &list, &merger)
    addEmptyReferences(&list)
    UnlistedValues(state, plan, shelf).add(to: &list, &merger)
    ListOrder(state, plan, shelf, log.suspicions).add(to: &list)
    return list
  }

  // MARK: Objects that a mapper skips

  /// The maximum number of discriminator values with their own warning. All further values share one warning.
  private static let mostSkippedValues = 5

  private func addSkipped(_ list: inout FaultList) {
    var told: [String: Set<String>] = [:]
    for var fault in log.suspicions.skipped {
      let (mapper, value) = (fault.finding.expectation, fault.finding.found ?? "")
      if told[mapper, default: []].count < ImportWarnings.mostSkippedValues {
        told[mapper, default: []].insert(value)
      } else if told[mapper]?.contains(value) != true {
        fault.finding.isKindOfItsValue = false
      }
      list.append(fault)
    }
  }

  // MARK: Objects without any mapped key

  private func addStrangers(_ list: inout FaultList) {
    for (number, offsets) in log.suspicions.strangers.sorted(by: { $0.key < $1.key }) {
      let entity = plan.entities[number]
      if plan.groups[plan.layouts[number].group].count == 0 {
        for offset in offsets { list.append(ImportFault(.entityWithoutKeys(entity), at: offset)) }
        continue
      }
      for offset in offsets {
        let members = shelf.members(ofObjectAt: offset, most: 1000)
        // An empty object is a valid object of an entity without identity.
        if members.isEmpty, plan.layouts[number].identity.space < 0 { continue }
        var finding = ImportFinding.noMappedKey(entity, found: members.map(\.key))
        if shelf.isWholePayload(offset),
          let found = shelf.inspect(valueAt: offset, { EnvelopeSearch.result(for: entity, plan, in: $0) }),
          let remark = ImportFinding.envelopeRemark(found, entity, options.words)
        {
          finding.remarks.append(remark)
        }
        list.append(ImportFault(finding, at: offset))
      }
    }
  }

  // MARK: Keys that are almost mapped

  private func addKeys(_ samples: KeySamples, _ list: inout FaultList) {
    for (number, keys) in samples.byEntity.sorted(by: { $0.key < $1.key }) where !keys.unmapped.isEmpty {
      let entity = plan.entities[number]
      for (key, slot) in samples.absent(number, plan) {
        guard let near = keys.unmapped.first(where: { NearKey.isNear($0.key, key) }) else { continue }
        let property = slot < 0 ? nil : entity.properties[slot]
        if slot >= 0, isSet(slot, number) { continue }
        list.append(
          ImportFault(
            .nearUnmappedKey(near.key, absent: key, entity, property), at: near.offset, length: near.length))
      }
    }
  }

  /// Returns whether an object of the payload has a value that must have come from some key.
  private func isSet(_ slot: Int, _ entity: Int) -> Bool {
    guard !plan.entities[entity].defaults.contains(where: { $0.0 == slot }) else { return false }
    let layout = plan.layouts[entity]
    return state.pointee.touched.elements.contains { touch in
      guard Int(touch.table) == layout.table else { return false }
      let row = state.row(Int(touch.table), touch.row)
      return row.entity == entity && row.isSet(layout.slots[slot])
    }
  }

  // MARK: Dictionaries with one identity

  /// Adds warnings for dictionaries of one object that contradict each other. A different value is not a contradiction if the
  /// earlier dictionary does not contain it, because it was already in the graph or is a default.
  private func addContradictions(_ merger: inout ObjectMerger, _ list: inout FaultList) {
    let differences = log.suspicions.differences
    guard !differences.isEmpty else { return }
    var firsts: [RowPlace: Int] = [:]
    for touch in state.pointee.touched.elements where touch.offset >= 0 {
      let place = RowPlace(table: Int(touch.table), row: touch.row)
      if firsts[place] == nil { firsts[place] = touch.offset }
    }
    var earlier: [SlotPlace: Int] = [:]
    for difference in differences {
      let slot = SlotPlace(table: difference.place.table, row: difference.place.row, slot: difference.slot)
      defer { earlier[slot] = difference.offset }
      if difference.isLaterState { continue }
      let first = earlier[slot] ?? merger.firstDictionary(difference.place) ?? firsts[difference.place]
      guard let first, first != difference.offset else { continue }
      add(difference, after: first, &list)
    }
  }

  private func add(_ difference: Suspicions.Difference, after first: Int, _ list: inout FaultList) {
    let entity = plan.entities[difference.entity]
    // A dictionary cannot contradict a value that it does not contain.
    guard let former = shelf.ownValue(of: difference.slot, entity, plan, inObjectAt: first),
      let old = shelf.found(at: former), old.phrase != "null",
      let place = shelf.ownValue(of: difference.slot, entity, plan, inObjectAt: difference.offset),
      let new = shelf.found(at: place)
    else { return }
    let subject = ImportFinding.Subject(entity: entity, property: entity.properties[difference.slot])
    if let counts = difference.counts {
      // If the list has since gained or lost objects, it is no longer the list that the earlier dictionary gave.
      guard shelf.elementCount(at: former) == counts.old else { return }
      let (old, new) = (ImportFinding.listPhrase(counts.old), ImportFinding.listPhrase(counts.new))
      var fault = ImportFault(.contradiction(subject, old: old, new: new), at: place)
      fault.notes = [ImportFault.Note(words: "the earlier list is", offset: former)]
      list.append(fault)
      return
    }
    // If another object took the link in between, the link is reported as lost.
    if old.phrase == new.phrase, shelf.json(at: former) == shelf.json(at: place) { return }
    let others = ["an array": "another array", "an object": "another object"]
    let phrase = old.phrase == new.phrase ? others[new.phrase] ?? "another value" : new.phrase
    list.append(ImportFault(.contradiction(subject, old: old.phrase, new: phrase), at: place, length: new.length))
  }
}
