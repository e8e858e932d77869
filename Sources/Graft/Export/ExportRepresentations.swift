/// The representations of relationships that a call requests in place of the model's representations (E2).
struct ExportRepresentations {
  let options: ExportOptions
  let plan: Plan

  /// Refuses names that the model does not have, and relationships that are not written at all.
  func check() throws(ExportError) {
    try checkProperties()
    for (entityName, asked) in options.representations.sorted(by: { $0.key < $1.key }) {
      let entity = try entity(named: entityName, by: options.words.representations)
      for name in asked.keys.sorted() {
        let property = entity.slotNumbers[name].map { entity.properties[$0] }
        guard let property, property.relationship != nil else {
          let relationships = entity.properties.filter { $0.relationship != nil }.map(\.name)
          throw ExportError(
            code: .unknownRelationship,
            "\(options.words.representations) names '\(entityName).\(name)', which is not a relationship of the model",
            suggestion: Suggestion.nearest(to: name, among: relationships))
        }
        guard property.exportedKeyPath != nil else {
          let reason =
            switch property.keyPath {
            case nil: "it has no JSONKeyPath"
            case let path? where path.surroundings != nil: "its JSONKeyPath '\(path)' is only read"
            default: "its JSONDirection is 'import'"
            }
          throw ExportError(
            code: .unmappedRelationship,
            "\(options.words.representations) names '\(entityName).\(name)', which is not exported: \(reason)")
        }
        if asked[name] == RelationshipDescription.JSONRepresentation.none, property.isShared {
          throw ExportError(
            code: .misplacedValue,
            "\(options.words.representations) omits '\(entityName).\(name)', but an import reads each dictionary of '\(entityName)' as one: omit the relationships that contain '\(entityName)' instead"
          )
        }
      }
    }
  }

  /// Refuses requested property names that neither the entity nor one of its sub-entities has.
  private func checkProperties() throws(ExportError) {
    for (entityName, names) in options.properties.sorted(by: { $0.key < $1.key }) {
      let entity = try entity(named: entityName, by: "'properties'")
      let known = entity.concreteAndSubentities.flatMap { plan.entities[$0].properties.map(\.name) }
      for name in names.sorted() where !known.contains(name) {
        throw ExportError(
          code: .unknownProperty, "'properties' names '\(entityName).\(name)', which the model does not have",
          suggestion: Suggestion.nearest(to: name, among: known))
      }
    }
  }

  private func entity(named name: String, by option: String) throws(ExportError) -> EntityPlan {
    if let entity = plan.entity(named: name) { return entity }
    throw ExportError(
      code: .unknownEntity, "\(option) names the entity '\(name)', which the model does not have",
      suggestion: Suggestion.nearest(to: name, among: plan.entities.map(\.name)))
  }

  /// The requests for an entity: the entity's own requests, or the requests for its nearest parent that has any.
  func bySlot(of entity: EntityPlan) -> [Int: RelationshipDescription.JSONRepresentation] {
    var found: [Int: RelationshipDescription.JSONRepresentation] = [:]
    guard !options.representations.isEmpty else { return found }
    var candidate: EntityPlan? = entity
    while let described = candidate {
      for (name, representation) in options.representations[described.name] ?? [:] {
        if let slot = entity.slotNumbers[name], found[slot] == nil { found[slot] = representation }
      }
      candidate = described.parent
    }
    return found
  }
}
