/// The properties that a model declares with `migratedFrom` for one version, as a step (S21).
///
/// Names of earlier versions are those in the store as it was. A store that skipped versions may have none of them: the property is then as it
/// is in the store, unless the store has no such property either.
struct DeclaredMigration: Sendable {
  let version: String
  let parts: [Part]
  /// `Entity.property` of what the model says was removed.
  private let removed: Set<String>

  /// The properties of an entity.
  struct Part: Sendable {
    var entity: EntityDescription
    var attributes: [AttributeMove]
    var relationships: [RelationshipMove]

    /// The names, former ones included, of the entities that may have had the attributes.
    var entityNames: [String]

    var moves: [any PropertyMove] { attributes + relationships }

    /// The ways in which a model may name an attribute of an earlier version.
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

  /// What the plan of a migration says.
  var summary: [String] {
    parts.flatMap { part in
      part.moves.map { move in
        "give '\(part.entity.name).\(move.name)' the values of \(move.sources.map { "'\($0.name)'" }.joined(separator: " and "))"
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
      let sources = Set(part.moves.flatMap(\.sources).map(\.name))
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

  // MARK: Moving the data

  func run(_ step: StoreMigrationStep) throws {
    let given = GivenValues(step)
    var faults: [Diagnostic] = []
    let extracted = Set(parts.flatMap(\.relationships).flatMap(\.attributes).map(\.title))
    // Objects that are made of attributes must find the others as they will be.
    if parts.flatMap(\.attributes).contains(where: { extracted.contains($0.title) }) {
      for part in parts { try run(part.attributes, of: part, step, given, &faults) }
      for part in parts { try run(part.relationships, of: part, step, given, &faults) }
    } else {
      for part in parts { try run(part.moves, of: part, step, given, &faults) }
    }
    if !faults.isEmpty { throw StoreError(faults) }
  }

  /// The number of faults after which the migration gives up. A single fault prevents it; the others save repeated attempts.
  private static let maximumFaults = 100

  private func run(
    _ moves: [any PropertyMove], of part: Part, _ step: StoreMigrationStep, _ given: GivenValues,
    _ faults: inout [Diagnostic]
  ) throws {
    guard !moves.isEmpty, let former = step.formerName(of: part.entity.name) else { return }
    var isFound = moves.map { _ in false }
    /// By move, the sources that the store has.
    var found = moves.map { _ in Set<String>() }
    var isEmpty = true
    try step.forEach(former) { old, new in
      guard let new else { return }
      isEmpty = false
      for (number, move) in moves.enumerated() {
        if !isFound[number] { isFound[number] = hasSomething(move, old) }
        if found[number].count < move.sources.count {
          found[number].formUnion(move.sources.filter { $0.name(in: old) != nil }.map(\.name))
        }
        do {
          try move.run(old, new, given)
        } catch let error as StoreError where error.diagnostics.allSatisfy({ $0.code == .failedMigration }) {
          faults += error.diagnostics.filter { fault in !faults.contains { $0.message == fault.message } }
          if faults.count >= DeclaredMigration.maximumFaults { throw StoreError(faults) }
        }
      }
    }
    if isEmpty { return }
    for (number, move) in moves.enumerated() {
      if let words = missing(move, part, found: found[number], isFound: isFound[number]) {
        throw StoreError(.failedMigration, words)
      }
    }
  }

  /// Says which attributes of earlier versions a store lacks, although a property gets its values from them; nil if there are enough.
  ///
  /// - Parameters:
  ///   - found: the sources that there are.
  ///   - isFound: whether there are any, or the property itself.
  private func missing(_ move: any PropertyMove, _ part: Part, found: Set<String>, isFound: Bool) -> String? {
    // A text without one of its parts is another text.
    let isIncomplete = move.needsAllSources && !found.isEmpty && found.count < move.sources.count
    guard !isFound || isIncomplete else { return nil }
    let sources = isIncomplete ? move.sources.filter { !found.contains($0.name) } : move.sources
    let titles = sources.map { "\(part.entity.name).\($0.name)" }
    if sources.allSatisfy({ source in part.titles(of: source).contains(where: removed.contains) }) { return nil }
    return
      "'\(part.entity.name).\(move.name)' gets its values from \(titles.map { "'\($0)'" }.joined(separator: " and ")), which the store does not have; name what earlier versions call it as well, or list it under 'removed' if they have no such attribute"
  }

  /// The differences for which every store of another model that has objects of an entity is refused.
  func refusals(ofStoresOf old: ModelDescription) -> [Diagnostic] {
    parts.flatMap { part -> [Diagnostic] in
      let names = [part.entity.name] + part.entity.renamedFrom
      guard let former = names.first(where: { name in old.entities.contains { $0.name == name } }) else { return [] }
      let family = old.family(ofEntity: former)
      let known = Set(family.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) })
      return part.moves.compactMap { move in
        let found = Set(move.sources.filter { $0.names.contains(where: known.contains) }.map(\.name))
        return missing(move, part, found: found, isFound: !found.isEmpty || move.names.contains(where: known.contains))
          .map { Diagnostic(code: .incompatibleModel, $0, at: part.entity.source.location()) }
      }
    }
  }

  /// Whether an old object has one of the attributes, or the property itself.
  private func hasSomething(_ move: any PropertyMove, _ old: ManagedObject) -> Bool {
    move.sources.contains { $0.name(in: old) != nil } || move.names.contains { old.entityPlan.slotNumbers[$0] != nil }
  }
}
