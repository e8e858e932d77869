extension PlanBuilder {
  /// Gives the layouts their alternate identities (M27). Their spaces follow those of the identities.
  mutating func addAlternates() {
    var spaces: [[Int]: Int] = [:]
    for entity in entities where !entity.alternates.isEmpty {
      let layout = layouts[entity.index]
      let alternates = entity.alternates.map { alternate in
        var view = layout
        let table = layout.table
        let key = [alternate.owner, alternate.number]
        view.identitySpace = spaces[key] ?? tables[table].identitySpaces + tables[table].alternateSpaces
        if spaces.updateValue(view.identitySpace, forKey: key) == nil { tables[table].alternateSpaces += 1 }
        view.identityCount = alternate.slots.count
        view.identitySlots = memory.place(alternate.slots)
        view.hasOwner = alternate.slots.contains { entity.properties[$0].relationship != nil }
        return view
      }
      layouts[entity.index].alternates = memory.place(alternates)
      layouts[entity.index].alternateCount = alternates.count
    }
  }
}
