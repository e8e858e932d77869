/// The steps of an entity that the options select, in the requested order.
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

  func steps(of all: [ExportStep]) -> [ExportStep] {
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
      // Without the value that selects its entity, an object would be read as one of another entity.
      // Without its `@value`, it would be read with another one (M23).
      if item.step.slot < 0 || item.step.action == .shared || item.step.discriminator != nil || isChosen(item.step.slot)
      {
        items.append(item)
      }
    }
    guard options.sortsKeys else { return items }
    // Those without a key are last.
    let keyless = items.firstIndex { $0.step.action == .shared || $0.step.action == .reference } ?? items.count
    items[..<keyless].sort { $0.step.key.lexicographicallyPrecedes($1.step.key) }
    return items
  }

  /// Identity attributes are always written; of the others those that the nearest named entity lists.
  private func isChosen(_ slot: Int) -> Bool {
    if entity.identitySlots.contains(slot) { return true }
    var candidate: EntityPlan? = entity
    while let described = candidate {
      if let chosen = options.properties[described.name] { return chosen.contains(entity.properties[slot].name) }
      candidate = described.parent
    }
    return true
  }
}
