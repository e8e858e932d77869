extension ModelChecker {
  /// Checks that exports of the entity of a mapper's `otherwise` contain a value that selects it (M9, M15).
  ///
  /// The mapper writes no value for an entity that it does not list. An attribute with the same key path keeps the value of the
  /// payload. An object of the mapper's own entity does not require such a value.
  func checkFallback(_ entity: EntityDescription, _ number: Int, _ uses: ModelUses) {
    guard uses.isMapped(number), let mapper = entity.entityMapper, case .entity(let name)? = mapper.otherwise,
      let target = index.entity(named: name), target != number,
      !mapper.cases.contains(where: { $0.entityName == name })
    else { return }
    let isKept = index.lineage(target).contains { ancestor in
      index.entities[ancestor].attributes.contains { $0.exportedKeyPath == mapper.keyPath }
    }
    if isKept { return }
    findings.report(.oneWayFallback(name, mapper.keyPath), at: entity.source.place(of: .otherwise))
  }
}
