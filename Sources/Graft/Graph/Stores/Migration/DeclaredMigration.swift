/// The properties that a model declares with `migratedFrom` for one version, as a step (S21).
///
/// Names of earlier versions are those in the store as it was. What it does not have, because it skipped versions, leaves the new property
/// as it is.
struct DeclaredMigration: Sendable {
  let version: String
  private let parts: [Part]

  /// The properties of an entity.
  private struct Part: Sendable {
    var entity: EntityDescription
    var attributes: [AttributeMove]
    var relationships: [RelationshipMove]

    var moves: [any PropertyMove] { attributes + relationships }
  }

  /// The steps that a model declares.
  static func steps(of model: ModelDescription, _ registry: TransformerRegistry) -> [StoreMigration] {
    let versions = model.entities.flatMap { entity in
      entity.attributes.compactMap { $0.migration?.version } + entity.relationships.compactMap { $0.migration?.version }
    }
    return Set(versions).sorted(by: UTF8Key.precedes).map { version in
      let migration = DeclaredMigration(to: version, of: model, registry)
      return StoreMigration(migration, replacing: migration.replaced(model))
    }
  }

  private init(to version: String, of model: ModelDescription, _ registry: TransformerRegistry) {
    self.version = version
    parts = model.entities.map { entity in
      Part(
        entity: entity,
        attributes: entity.attributes.compactMap { attribute in
          guard let migration = attribute.migration, migration.version == version else { return nil }
          return AttributeMove(attribute, migration, in: entity, registry)
        },
        relationships: entity.relationships.compactMap { relationship in
          guard let migration = relationship.migration, migration.version == version else { return nil }
          return RelationshipMove(relationship, migration, in: entity, of: model, registry)
        })
    }.filter { !$0.moves.isEmpty }
  }

  /// What the plan of a migration says.
  var summary: [String] {
    parts.flatMap { part in
      part.moves.map { move in
        "give '\(part.entity.name).\(move.name)' the values of \(move.sources.map { "'\($0)'" }.joined(separator: " and "))"
      }
    }
  }

  /// The attributes whose old values are not kept, because properties take them: those that the model no longer has, and those that get
  /// another form. Objects that no property covers, such as those of a parent entity, are not among them: their values are not removed without
  /// consent.
  private func replaced(_ model: ModelDescription) -> [String] {
    var titles: [String] = []
    for part in parts {
      for move in part.moves where move.takesItsFormerValues { titles.append("\(part.entity.name).\(move.name)") }
      let sources = Set(part.moves.flatMap(\.sources))
      for entity in model.entities
      where model.lineage(ofEntity: entity.name).contains(where: { $0.name == part.entity.name }) {
        let kept = Set(
          model.lineage(ofEntity: entity.name).flatMap(\.attributes).flatMap { [$0.name] + $0.renamedFrom })
        for source in sources where !kept.contains(source) {
          titles += ([entity.name] + entity.renamedFrom).map { "\($0).\(source)" }
        }
      }
    }
    return titles
  }

  /// Moves the data.
  func run(_ step: StoreMigrationStep) throws {
    for part in parts {
      guard let former = step.formerName(of: part.entity.name) else { continue }
      try step.forEach(former) { old, new in
        guard let new else { return }
        for move in part.attributes { try move.run(old, new) }
        for move in part.relationships { try move.run(old, new, step.new) }
      }
    }
  }
}
