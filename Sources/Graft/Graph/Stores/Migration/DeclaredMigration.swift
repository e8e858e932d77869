/// The properties that a model declares with `migratedFrom` for one version, as a step (S21).
///
/// Names of earlier versions refer to the store before the migration. A store that skipped versions may have none of these attributes.
/// In that case, the property keeps its value in the store, unless the store does not have this property either.
struct DeclaredMigration: Sendable {
  let version: String
  let parts: [Part]
  /// The entities and properties that the model declares as removed, as `Entity.property`.
  private let removed: Set<String>

  /// The properties of an entity.
  struct Part: Sendable {
    var entity: EntityDescription
    var attributes: [AttributeMove]
    var relationships: [RelationshipMove]

    /// The names, including former names, of the entities that may have had the attributes.
    var entityNames: [String]

    var moves: [any PropertyMove] { attributes + relationships }

    /// The titles that a model may use for an attribute of an earlier version.
    func titles(of source: FormerAttribute) -> [String] {
      entityNames.flatMap { entity in source.names.map { "\(entity).\($0)" } }
    }
  }

  /// The steps that a model declares.
  static func steps(of model: ModelDescription, _ registry: TransformerRegistry) -> [StoreMigration] {
    let versions = model.entities.flatMap { entity in
      entity.attributes.compactMap { $0.migration?.version } + entity.relationships.compactMap { $0.migration?.version }
    }
    let different = Set(versions).sorted(by: UTF8Key.precedes).reduce(into: [String]()) { known, version in
      if !known.contains(where: { ModelVersion.isSame($0, version) }) { known.append(version) }
    }
    return different.map { version in
      let migration = DeclaredMigration(to: version, of: model, registry)
      return StoreMigration(migration, replacing: migration.replaced(model))
    }
  }

  private init(to version: String, of model: ModelDescription, _ registry: TransformerRegistry) {
    self.version = version
    removed = Set(model.removed)
    parts = model.entities.map { entity in
      let family = model.family(ofEntity: entity.name)
      return Part(
        entity: entity,
        attributes: entity.attributes.compactMap { attribute in
          guard let migration = attribute.migration, ModelVersion.isSame(migration.version, version) else {
            return nil
          }
          return AttributeMove(attribute, migration, in: entity, family, registry)
        },
        relationships: entity.relationships.compactMap { relationship in
          guard let migration = relationship.migration, ModelVersion.isSame(migration.version, version) else {
            return nil
          }
          return RelationshipMove(relationship, migration, in: entity, family, of: model, registry)
        }, entityNames: family.flatMap { [$0.name] + $0.renamedFrom })
    }.filter { !$0.moves.isEmpty }
  }

  /// The properties that get values, as `Entity.property`.
  var given: [String] {
    parts.flatMap { part in
      part.moves.map { "\(part.entity.name).\($0.name)" } + part.relationships.flatMap(\.attributes).map(\.title)
    }
  }

  /// The descriptions of the changes in the plan of a migration.
  var summary: [String] {
    parts.flatMap { part in
      part.moves.map { move in
        "give '\(part.entity.name).\(move.name)' the values of \(move.sources.map { "'\($0.name)'" }.joined(separator: " and "))"
      }
    }
  }

  /// The attributes whose old values are not kept, because properties take the values: attributes that the model no longer has, that change
  /// their form, or that move within their hierarchy. Attributes of objects that no property covers, such as objects of a parent entity,
  /// are not included, so their values are not removed without consent.
  private func replaced(_ model: ModelDescription) -> [String] {
    var titles: [String] = []
    for part in parts {
      for move in part.moves where move.takesItsFormerValues { titles.append("\(part.entity.name).\(move.name)") }
      let sources = Set(part.moves.flatMap(\.sources).map(\.name))
      // The attributes that move to an ancestor under the same name.
      let raised = Set(part.moves.filter { move in move.sources.contains { $0.name == move.name } }.map(\.name))
      for entity in model.descendants(ofEntity: part.entity.name) {
        let kept = Set(
          model.lineage(ofEntity: entity.name).flatMap(\.attributes).flatMap { [$0.name] + $0.renamedFrom })
        titles += entity.titles(of: sources.subtracting(kept).union(raised))
      }
      // Includes ancestors that have no objects of their own, if all their sub-entities take the values.
      for ancestor in model.lineage(ofEntity: part.entity.name).dropFirst() where ancestor.isAbstract {
        let concrete = model.descendants(ofEntity: ancestor.name).filter { !$0.isAbstract }
        titles += ancestor.titles(
          of: sources.filter { source in concrete.allSatisfy { takes(source, ofEntity: $0.name, model) } })
      }
    }
    return titles
  }

  /// Whether a property of an entity takes the values of an attribute.
  private func takes(_ source: String, ofEntity name: String, _ model: ModelDescription) -> Bool {
    let lineage = Set(model.lineage(ofEntity: name).map(\.name))
    return parts.contains { part in
      lineage.contains(part.entity.name)
        && part.moves.contains { move in move.sources.contains { $0.name == source } }
    }
  }

  // MARK: Moving the data

  func run(_ step: StoreMigrationStep) throws {
    let given = GivenValues(step)
    var faults: [Diagnostic] = []
    let extracted = Set(parts.flatMap(\.relationships).flatMap(\.attributes).map(\.title))
    // Objects created from attributes must be able to find objects by their new values.
    if parts.flatMap(\.attributes).contains(where: { extracted.contains($0.title) }) {
      for part in parts { try run(part.attributes, of: part, step, given, &faults) }
      for part in parts { try run(part.relationships, of: part, step, given, &faults) }
    } else {
      for part in parts { try run(part.moves, of: part, step, given, &faults) }
    }
    if !faults.isEmpty { throw StoreError(faults) }
  }

  /// The number of errors after which the migration stops. A single error prevents the migration; reporting more errors saves repeated
  /// attempts.
  private static let maximumFaults = 100

  private func run(
    _ moves: [any PropertyMove], of part: Part, _ step: StoreMigrationStep, _ given: GivenValues,
    _ faults: inout [Diagnostic]
  ) throws {
    guard !moves.isEmpty, let former = step.formerName(of: part.entity.name) else { return }
    var isEmpty = true
    try step.forEach(former) { old, new in
      guard let new else { return }
      isEmpty = false
      for move in moves {
        do {
          try move.run(old, new, given)
        } catch let error as StoreError where error.diagnostics.allSatisfy({ $0.code == .failedMigration }) {
          faults += error.diagnostics.filter { fault in !faults.contains { $0.message == fault.message } }
          if faults.count >= DeclaredMigration.maximumFaults { throw StoreError(faults) }
        }
      }
    }
    if isEmpty { return }
    let known = DeclaredMigration.properties(ofFamilyOf: former, step.old.model.contents)
    for move in moves {
      if let words = missing(move, part, known) { throw StoreError(.failedMigration, words) }
    }
  }

  /// The properties that objects of an entity may have. The result does not depend on the objects in the store.
  private static func properties(ofFamilyOf entity: String, _ model: ModelDescription) -> Set<String> {
    Set(model.family(ofEntity: entity).flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) })
  }

  /// Returns a message about attributes of earlier versions that the store lacks, although a property gets its values from these
  /// attributes; nil if the store has enough of them.
  ///
  /// - Parameter known: the properties that the store has.
  private func missing(_ move: any PropertyMove, _ part: Part, _ known: Set<String>) -> String? {
    let missing = move.sources.filter { $0.names.allSatisfy { !known.contains($0) } }
    let hasSome = missing.count < move.sources.count
    // A string that lacks one of its parts is a different string.
    let isIncomplete = move.needsAllSources && hasSome && !missing.isEmpty
    guard isIncomplete || !hasSome && move.names.allSatisfy({ !known.contains($0) }) else { return nil }
    let titles = missing.map { "\(part.entity.name).\($0.name)" }
    if missing.allSatisfy({ source in part.titles(of: source).contains(where: removed.contains) }) { return nil }
    return
      "'\(part.entity.name).\(move.name)' gets its values from \(titles.map { "'\($0)'" }.joined(separator: " and ")), which the store does not have; also list the names that these attributes have in earlier versions, or list them under 'removed' if earlier versions do not have them"
  }

  /// The reasons to refuse every store of the old model that has objects of the affected entities.
  func refusals(ofStoresOf old: ModelDescription) -> [Diagnostic] {
    parts.flatMap { part -> [Diagnostic] in
      let names = [part.entity.name] + part.entity.renamedFrom
      guard let former = names.first(where: { name in old.entities.contains { $0.name == name } }) else { return [] }
      let known = DeclaredMigration.properties(ofFamilyOf: former, old)
      return part.moves.compactMap { move in
        missing(move, part, known)
          .map { Diagnostic(code: .incompatibleModel, $0, at: part.entity.source.location()) }
      }
    }
  }
}

extension EntityDescription {
  /// The titles of properties (`Entity.property`), with the current and former names of the entity.
  fileprivate func titles(of properties: Set<String>) -> [String] {
    ([name] + renamedFrom).flatMap { entity in properties.map { "\(entity).\($0)" } }
  }
}
