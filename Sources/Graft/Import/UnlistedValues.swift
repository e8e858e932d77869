/// Finds values that an open `enum` does not list (M14, I19).
struct UnlistedValues {
  private let state: Reference<GraphState>
  private let plan: Plan
  private let shelf: PieceShelf
  private let reader: RowReader

  init(_ state: Reference<GraphState>, _ plan: Plan, _ shelf: PieceShelf) {
    self.state = state
    self.plan = plan
    self.shelf = shelf
    reader = RowReader(state)
  }

  /// Adds a warning for each value that a dictionary of the payload gave, and that the object has at the end.
  func add(to list: inout FaultList, _ merger: inout ObjectMerger) {
    guard plan.features.hasOpenEnums else { return }
    // Several objects may have read the same value from their surroundings.
    var shared: Set<[Int]> = []
    for touch in state.pointee.touched.elements {
      let row = reader.row(Int(touch.table), touch.row)
      if row.isNotValidated { continue }
      let entity = plan.entities[row.entity]
      for rules in entity.rules {
        guard let known = rules.knownValues,
          let value = reader.value(row, plan.layouts[entity.index].slots[rules.slot])
        else { continue }
        let unlisted = value.elements.enumerated().filter { !known.contains($0.element) }
        if unlisted.isEmpty { continue }
        var dictionaries = merger.dictionaries(RowPlace(table: Int(touch.table), row: touch.row))
        if dictionaries.isEmpty, row.isDescribed { dictionaries = [touch.offset] }
        guard let place = place(of: rules.slot, entity, in: dictionaries) else { continue }
        if dictionaries.contains(where: { shelf.surroundingPlaces.place(of: rules.slot, ofObjectAt: $0) == place }),
          !shared.insert([entity.index, rules.slot, place]).inserted
        {
          continue
        }
        let subject = ImportFinding.Subject(entity: entity, property: entity.properties[rules.slot])
        let places = shelf.elements(Set(unlisted.map(\.offset)), ofArrayAt: place)
        for (index, value) in unlisted {
          let offset = places[index]?.offset ?? place
          let length = places[index]?.length ?? shelf.found(at: place)?.length ?? 1
          list.append(ImportFault(.unlistedValue(subject, value), at: offset, length: length))
        }
      }
    }
  }

  /// Returns the location of a property's value in the last dictionary that contains a value for it. If that dictionary is no longer
  /// available, or its key is the value, returns the location of the dictionary.
  private func place(of slot: Int, _ entity: EntityPlan, in dictionaries: [Int]) -> Int? {
    let isOutside = (entity.fields.ofSlot[slot] ?? []).contains {
      let path = entity.path(ofField: plan.fields[$0])
      return path.isKeyWord && path.surroundings == nil
    }
    for offset in dictionaries.reversed() {
      if let place = shelf.value(of: slot, entity, plan, inObjectAt: offset) { return place }
      if isOutside || shelf.scanner(at: offset) == nil { return offset }
    }
    return nil
  }
}
