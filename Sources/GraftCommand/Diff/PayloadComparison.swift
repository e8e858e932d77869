import Graft
import GraftSQLite
import GraftTools

/// Compares how two versions of a model read payloads.
///
/// Entities and properties are matched in the same way as in a migration. Each property is compared in the entity that declares it.
struct PayloadComparison {
  let old: ModelFacts
  let new: ModelFacts
  let plan: SQLiteStore.MigrationPlan
  private(set) var differences: [PayloadDifference] = []
  /// The entity that is compared.
  private var entity = ""

  init(_ old: ModelDescription, _ new: ModelDescription, _ plan: SQLiteStore.MigrationPlan) {
    self.old = ModelFacts(old)
    self.new = ModelFacts(new)
    self.plan = plan
  }

  mutating func run() {
    for entity in new.model.entities {
      guard let former = plan.formerEntities[entity.name].flatMap(old.entity) else { continue }
      self.entity = entity.name
      compare(former, entity)
      compareAttributes(former, entity)
      compareRelationships(former, entity)
    }
    let kept = Set(plan.formerEntities.values)
    for removed in old.model.entities where !kept.contains(removed.name) {
      entity = removed.name
      report(.rejected, nil, "the entity '\(removed.name)' no longer exists", removed.source.location())
    }
  }

  /// Reports a difference of the entity that is compared.
  mutating func report(
    _ effect: PayloadDifference.Effect, _ property: String?, _ message: String, _ location: SourceLocation?
  ) {
    differences.append(
      PayloadDifference(
        effect: effect, entity: entity, property: property, message: message, location: location))
  }

  /// Returns the name that a destination or a mapped entity had in the old version.
  func formerName(_ entity: String) -> String { plan.formerEntities[entity] ?? entity }

  // MARK: Entities

  private mutating func compare(_ old: EntityDescription, _ new: EntityDescription) {
    let location = new.source.location()
    if old.name != new.name {
      report(.different, nil, "payloads of '\(old.name)' are imported as '\(new.name)'", location)
    }
    if new.isAbstract, !old.isAbstract {
      report(.rejected, nil, "'\(new.name)' is abstract: only its sub-entities can be imported", location)
    }
    compareIdentity(old, new)
    compareAlternates(old, new)
    compareMappers(old, new)
    compareSynchronization(old, new)
    if old.dictionaryTransformerName != new.dictionaryTransformerName {
      let name = new.dictionaryTransformerName.map { "by '\($0)'" } ?? "by nothing"
      report(.different, nil, "dictionaries of '\(new.name)' are transformed \(name)", location)
    }
  }

  private mutating func compareIdentity(_ old: EntityDescription, _ new: EntityDescription) {
    let now = new.identityAttributes
    let former = now.map { formerProperty($0, of: new, old) }
    guard old.identityAttributes != former,
      // An entity may start or stop repeating inherited declarations.
      self.old.identityNames(old) != self.new.identityNames(new).map({ formerProperty($0, of: new, old) })
    else { return }
    let location = new.source.location(of: .identityAttributes)
    let types = (self.old.flatIdentity(old).map(\.attribute.type), self.new.flatIdentity(new).map(\.attribute.type))
    let outcome =
      types.1.isEmpty
      ? "have no identity: each dictionary inserts a new object"
      : "are identified by \(self.new.identityParts(new).map { "'\($0.name)'" }.joined(separator: " and "))"
    // Identifiers of other types do not fit; identifiers of the same types have a different meaning.
    let effect: PayloadDifference.Effect = types.0 == types.1 ? .different : .rejected
    report(effect, nil, "objects of '\(new.name)' \(outcome)", location)
  }

  private mutating func compareAlternates(_ old: EntityDescription, _ new: EntityDescription) {
    let former = Set(old.alternateIdentities.map(\.properties))
    for alternate in new.alternateIdentities {
      let names = alternate.properties.map { formerProperty($0, of: new, old) }
      if former.contains(names) { continue }
      report(
        .different, nil, "objects of '\(new.name)' are also identified by \(alternate.properties.listed())",
        alternate.source.location())
    }
    let now = Set(new.alternateIdentities.map { $0.properties.map { formerProperty($0, of: new, old) } })
    for alternate in old.alternateIdentities where !now.contains(alternate.properties) {
      report(
        .different, nil, "objects of '\(new.name)' are no longer identified by \(alternate.properties.listed())",
        new.source.location())
    }
  }

  private mutating func compareMappers(_ old: EntityDescription, _ new: EntityDescription) {
    let location = new.source.location(of: .entityMapper)
    if old.entityMapperName != new.entityMapperName {
      let mapper = new.entityMapperName.map { "'\($0)'" } ?? "no registered mapper"
      report(.different, nil, "\(mapper) chooses the entity of a dictionary of '\(new.name)'", location)
    }
    // A dictionary for which nothing is chosen describes an object of the entity itself (D4).
    let otherwise: PayloadDifference.Effect = new.isAbstract ? .rejected : .different
    switch (old.entityMapper, new.entityMapper) {
    case (nil, nil): break
    case (nil, let mapper?):
      report(
        .different, nil, "\(Self.words([mapper.keyPath])) chooses the entity of a dictionary of '\(new.name)'", location
      )
    case (_?, nil):
      report(.different, nil, "no key chooses the entity of a dictionary of '\(new.name)' anymore", location)
    case (let before?, let now?):
      if before.keyPath != now.keyPath {
        report(
          otherwise, nil,
          "the entity of a dictionary of '\(new.name)' is chosen by \(Self.words([now.keyPath])), not by \(Self.words([before.keyPath]))",
          location)
      }
      compareChoices(before, now, new, otherwise)
    }
  }

  /// Compares the entities that two tables choose.
  ///
  /// - Parameter otherwise: the effect on dictionaries for which nothing is chosen any longer.
  private mutating func compareChoices(
    _ before: EntityDescription.Mapper, _ now: EntityDescription.Mapper, _ entity: EntityDescription,
    _ otherwise: PayloadDifference.Effect
  ) {
    let location = entity.source.location(of: .entityMapper)
    let (last, fallback) = (before.otherwise, former(now.otherwise))
    if last != fallback {
      report(
        fallback == nil ? otherwise : .different, nil,
        "a dictionary of '\(entity.name)' with an unlisted value \(outcome(of: now.otherwise))",
        entity.source.location(of: .otherwise) ?? location)
    }
    let added = now.cases.map(\.value).filter { before.listed($0) == nil }
    for value in before.cases.map(\.value) + added {
      let (old, new) = (before.choice(of: value), now.choice(of: value))
      if old == former(new) { continue }
      let text = JSON.string(value)
      switch (old, new) {
      case (_, .entity(let name)?):
        // A dictionary for which nothing was chosen was refused, or described an object of the entity itself.
        if old == nil, otherwise == .rejected { continue }
        let other =
          if case .entity(let other) = old { "'\(other)'" } else { old == .skip ? "nothing" : "'\(entity.name)'" }
        report(.different, nil, "\(text) chooses '\(name)', not \(other)", location)
      case (_, .skip?):
        report(.different, nil, "a dictionary of '\(entity.name)' with \(text) is skipped", location)
      case (_, nil):
        report(otherwise, nil, "\(text) no longer chooses an entity for a dictionary of '\(entity.name)'", location)
      }
    }
  }

  /// Returns the treatment of a dictionary, with the name that its entity had in the old version.
  private func former(_ choice: EntityDescription.Mapper.Fallback?) -> EntityDescription.Mapper.Fallback? {
    if case .entity(let name)? = choice { .entity(formerName(name)) } else { choice }
  }

  /// Returns the treatment of a dictionary that a mapper's table does not list, for a message.
  private func outcome(of fallback: EntityDescription.Mapper.Fallback?) -> String {
    switch fallback {
    case .entity(let entity): "belongs to '\(entity)'"
    case .skip: "is skipped"
    case nil: "has no chosen entity"
    }
  }

  /// Returns key paths for a message.
  static func words(_ paths: [JSONKeyPath]) -> String {
    paths.map { $0.isKeyWord ? "'\($0)'" : "\"\($0.keys.joined(separator: "."))\"" }
      .joined(separator: " and ")
  }
}

extension EntityDescription.Mapper {
  /// Returns the treatment of a dictionary with a value, or nil if nothing is chosen for it.
  fileprivate func choice(of value: String) -> Fallback? {
    listed(value).map { .entity($0.entityName) } ?? otherwise
  }
}
