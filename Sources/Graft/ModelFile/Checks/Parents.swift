extension ModelChecker {
  /// Checks that parents exist and that no entity is its own ancestor (M9).
  func checkParents() {
    for entity in index.entities {
      guard let name = entity.parentName, index.entity(named: name) == nil else { continue }
      findings.report(
        .unknownParent(name, of: entity.name), at: entity.source.place(of: .parent),
        near: index.entityNames.filter { UTF8Key($0) != UTF8Key(entity.name) })
    }
    for cycle in index.cycles {
      let entities = cycle.map { index.entities[$0] }
      let notes = entities.dropFirst().prefix(3).map { entity in
        ModelFindings.Note(
          "\(entity.name.quoted) inherits from \((entity.parentName ?? "").quoted) here",
          at: entity.source.place(of: .parent))
      }
      findings.report(
        .parentCycle(entities.map(\.name) + [entities[0].name]), at: entities[0].source.place(of: .parent), notes: notes
      )
    }
    for number in index.tooDeep {
      let entity = index.entities[number]
      findings.report(
        .tooManyAncestors(entity.name, limit: ModelIndex.mostAncestors), at: entity.source.place(of: .parent))
    }
  }
}
