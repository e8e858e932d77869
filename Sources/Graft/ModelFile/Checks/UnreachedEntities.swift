extension ModelChecker {
  /// Checks that payloads that reach an entity through its parent can choose it (M9).
  ///
  /// A sub-entity is reached by the mapper of an ancestor or by a relationship to it. If no mapper and no relationship reaches
  /// its hierarchy, programs are assumed to import it by name.
  func checkUnreachedEntity(_ entity: EntityDescription, _ number: Int, _ uses: ModelUses) {
    guard let parent = index.parents[number], !entity.isAbstract else { return }
    let lineage = Array(index.lineage(number))
    // The result of a closure is known only when it runs.
    guard !uses.mapperTargets.contains(number), !uses.destinations.contains(number),
      !lineage.contains(where: { index.entities[$0].entityMapperName != nil })
    else { return }
    let owner = lineage.first { index.entities[$0].entityMapper != nil }
    guard owner != nil || lineage.dropFirst().contains(where: uses.destinations.contains) else { return }
    findings.report(
      .unreachedEntity(
        entity.name, parent: index.entities[parent].name, mapperOf: owner.map { index.entities[$0].name }),
      at: entity.source.place(),
      notes: owner.map { [.init("the mapper is given here", at: index.entities[$0].source.place(of: .entityMapper))] }
        ?? [])
  }
}
