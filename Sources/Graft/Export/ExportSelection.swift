/// The properties of an entity that the options select, and the requested order of their keys.
struct ExportSelection {
  let entity: EntityPlan
  let options: ExportOptions

  /// A step, or a group with its contents.
  private struct Item {
    var step: ExportStep
    var inner: [Item] = []
    var close: ExportStep?

    var flat: [ExportStep] { [step] + inner.flatMap(\.flat) + (close.map { [$0] } ?? []) }
  }

  /// Whether a property is written. Identity attributes are always written. Other properties are written if the nearest entity with an
  /// entry in the options lists them.
  func isChosen(_ slot: Int) -> Bool {
    if options.properties.isEmpty || entity.identitySlots.contains(slot) { return true }
    var candidate: EntityPlan? = entity
    while let described = candidate {
      if let chosen = options.properties[described.name] { return chosen.contains(entity.properties[slot].name) }
      candidate = described.parent
    }
    return true
  }

  /// Sorts the steps by their keys, if that is requested.
  func arranged(_ all: [ExportStep]) -> [ExportStep] {
    if !options.sortsKeys { return all }
    var place = 0
    return items(all, &place).flatMap(\.flat)
  }

  private func items(_ all: [ExportStep], _ place: inout Int) -> [Item] {
    var items: [Item] = []
    while place < all.count, all[place].action != .closeGroup {
      var item = Item(step: all[place])
      place += 1
      if item.step.action == .openGroup {
        item.inner = self.items(all, &place)
        item.close = all[place]
        place += 1
      }
      items.append(item)
    }
    // Steps without a key are last.
    let keyless = items.firstIndex { $0.step.prefix.count == 0 } ?? items.count
    items[..<keyless].sort { $0.step.key.lexicographicallyPrecedes($1.step.key) }
    return items
  }
}
