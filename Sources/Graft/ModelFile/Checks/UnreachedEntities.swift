extension ModelChecker {
  /// M9: where payloads reach an entity through its parent, something leads from the parent to it.
  ///
  /// A sub-entity is reached by the mapper of an ancestor, by a relationship to it, or, where neither a mapper nor a
  /// relationship leads into its hierarchy, by programs that import it by its name.
  func checkUnreachedEntity(_ entity: EntityDescription, _ number: Int, _ uses: ModelUses) {
    guard let parent = index.parents[number], !entity.isAbstract else { return }
    let lineage = Array(index.lineage(number))
    // What a closure leads to is known only when it runs.
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
