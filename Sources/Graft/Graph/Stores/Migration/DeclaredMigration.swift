/// The properties that a model declares with `migratedFrom` for one version, as a step (S21).
///
/// Names of earlier versions are those in the store as it was. What it does not have, because it skipped versions, leaves the new property
/// as it is.
struct DeclaredMigration: Sendable {
  let version: String
  private var parts: [Part] = []

  /// The properties of an entity.
  private struct Part: Sendable {
    var entity: EntityDescription
    var attributes: [AttributeMove] = []
    var relationships: [RelationshipMove] = []

    /// The names of the properties, each with the attributes that give it values.
    var properties: [(name: String, sources: [String])] {
      attributes.map { ($0.name, $0.sources) } + relationships.map { ($0.name, $0.sources) }
    }
  }

  /// The steps that a model declares.
  static func steps(of model: ModelDescription, _ registry: TransformerRegistry) -> [StoreMigration] {
    var migrations: [DeclaredMigration] = []
    for entity in model.entities {
      for attribute in entity.attributes {
        guard let migration = attribute.migration else { continue }
        let move = AttributeMove(attribute, migration, in: entity, registry)
        update(migration.version, entity, &migrations) { $0.attributes.append(move) }
      }
      for relationship in entity.relationships {
        guard let migration = relationship.migration else { continue }
        let move = RelationshipMove(relationship, migration, of: model, registry)
        update(migration.version, entity, &migrations) { $0.relationships.append(move) }
      }
    }
    return migrations.map { StoreMigration($0, replacing: $0.replaced(model)) }
  }

  private static func update(
    _ version: String, _ entity: EntityDescription, _ migrations: inout [DeclaredMigration],
    _ body: (inout Part) -> Void
  ) {
    let number =
      migrations.firstIndex { $0.version == version }
      ?? {
        migrations.append(DeclaredMigration(version: version))
        return migrations.count - 1
      }()
    if migrations[number].parts.last?.entity.name != entity.name {
      migrations[number].parts.append(Part(entity: entity))
    }
    body(&migrations[number].parts[migrations[number].parts.count - 1])
  }

  /// What the plan of a migration says.
  var summary: [String] {
    parts.flatMap { part in
      part.properties.map { name, sources in
        "give '\(part.entity.name).\(name)' the values of \(sources.map { "'\($0)'" }.joined(separator: " and "))"
      }
    }
  }

  /// The attributes whose old values are not kept: those that the model no longer has, and those that get another form.
  private func replaced(_ model: ModelDescription) -> [String] {
    var titles: [String] = []
    for part in parts {
      let lineage = model.lineage(ofEntity: part.entity.name)
      let kept = Set(lineage.flatMap(\.attributes).flatMap { [$0.name] + $0.renamedFrom })
      for (name, sources) in part.properties {
        titles.append("\(part.entity.name).\(name)")
        for source in sources where !kept.contains(source) || source == name {
          titles += lineage.flatMap { [$0.name] + $0.renamedFrom }.map { "\($0).\(source)" }
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
