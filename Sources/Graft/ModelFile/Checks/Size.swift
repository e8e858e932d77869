extension ModelChecker {
  /// Checks that there are no more hierarchies, entities and properties than rows and the journal can number (M9).
  func checkSize() {
    let entities = index.entities
    if entities.count > ModelLimits.entities {
      findings.report(
        .tooManyEntities(entities.count, limit: ModelLimits.entities),
        at: entities[ModelLimits.entities].source.place())
    }
    let roots = entities.indices.filter { index.parents[$0] == nil }
    if roots.count > ModelLimits.hierarchies {
      findings.report(
        .tooManyHierarchies(roots.count, limit: ModelLimits.hierarchies),
        at: entities[roots[ModelLimits.hierarchies]].source.place())
    }
    var counts = entities.map { $0.attributes.count + $0.relationships.count }
    for number in index.depthFirst {
      let inherited = index.parents[number].map { counts[$0] } ?? 0
      counts[number] += inherited
      // If an ancestor already has too many, its sub-entities are not reported.
      if counts[number] > ModelLimits.properties, inherited <= ModelLimits.properties {
        findings.report(
          .tooManyProperties(entities[number].name, counts[number], limit: ModelLimits.properties),
          at: entities[number].source.place())
      }
    }
  }
}
