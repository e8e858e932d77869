/// The alternate identities of a model's entities (M27).
struct AlternateLayouts {
  /// For each entity, its layout with the space and slots of each alternate identity in place of those of the identity.
  private(set) var views: [Int: [EntityLayout]] = [:]
  /// For each table, the number of spaces of alternate identities, which are numbered after the identity spaces.
  private(set) var spaceCounts: [Int]

  init(_ entities: [EntityPlan], _ layouts: [EntityLayout], _ tables: [TablePlan], _ memory: KeptMemory) {
    spaceCounts = Array(repeating: 0, count: tables.count)
    var spaces: [[Int]: Int] = [:]
    for entity in entities where !entity.alternates.isEmpty {
      views[entity.index] = entity.alternates.map { alternate in
        var view = layouts[entity.index]
        let key = [alternate.owner, alternate.number]
        let space = spaces[key] ?? tables[view.table].identitySpaces + spaceCounts[view.table]
        if spaces.updateValue(space, forKey: key) == nil { spaceCounts[view.table] += 1 }
        view.identity.space = space
        view.identity.count = alternate.slots.count
        view.identity.slots = memory.place(alternate.slots)
        view.identity.hasOwner = alternate.slots.contains { entity.properties[$0].relationship != nil }
        return view
      }
    }
  }
}
