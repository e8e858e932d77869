/// Compares two versions of a model, to determine the changes that opening a store makes, or the reasons why the store is refused.
package struct MigrationPlanner<Facts: MigrationFacts> {
  let mapping: LayoutMapping
  let model: ManagedObjectModel
  /// The facts about the store; nil if the plan is for every store of the old version.
  let facts: Facts?
  /// The names that may be removed: entities, and properties as `Entity.property`.
  private let allowedRemovals: Set<String>
  package internal(set) var plan = StoreMigrationPlan()
  /// The properties whose values have to be checked.
  private(set) var suspects: [RowRules.Suspect] = []
  /// The steps that move data afterward. If there are any steps, the objects are checked after they have run.
  let steps: MigrationSteps
  /// The properties whose values are moved elsewhere by steps of the model.
  private let taken: Set<String>
  private let keptProperties: Set<String>
  private let keptEntities: Set<String>
  /// The old entities that declare a property, by its name.
  private let declarers: [String: [StoreLayout.Entity]]
  /// The properties whose move to a related entity was refused.
  private var moved: Set<String> = []
  /// The titles whose removal was refused.
  private var refusedTitles: Set<String> = []

  /// Creates a planner.
  ///
  /// - Parameter allowedRemovals: the names that may be removed in addition to those that the model lists.
  package init(
    _ mapping: LayoutMapping, _ model: ManagedObjectModel, _ facts: Facts?, allowedRemovals: [String] = [],
    steps: MigrationSteps = MigrationSteps()
  ) {
    self.mapping = mapping
    self.model = model
    self.facts = facts
    plan.unknownRemovals = mapping.unknown(allowedRemovals)
    let names = allowedRemovals + model.contents.removed
    self.allowedRemovals = Set(names + mapping.formerTitles(names)).union(mapping.replaced)
    self.steps = steps
    taken = steps.moved
    keptProperties = Set(mapping.properties.values)
    keptEntities = Set(mapping.entities.values)
    var declarers: [String: [StoreLayout.Entity]] = [:]
    for entity in mapping.old.entities {
      for property in entity.properties { declarers[property.name, default: []].append(entity) }
    }
    self.declarers = declarers
    plan.keepsTables = mapping.keepsTables && steps.isEmpty
    plan.formerEntities = mapping.entities
    plan.formerProperties = mapping.properties
  }

  /// Makes the plan.
  package mutating func run() throws(Facts.Failure) {
    try findMoved()
    for entity in model.contents.entities {
      guard let new = mapping.newEntities[entity.name] else { continue }
      guard let former = mapping.entities[entity.name], let old = mapping.oldEntities[former] else {
        plan.changes.append("add the entity '\(entity.name)'")
        plan.addedEntities += 1
        continue
      }
      if former != entity.name {
        plan.changes.append("rename the entity '\(former)' to '\(entity.name)'")
      } else if !old.name.isIdentical(to: entity.name) {
        plan.changes.append("spell the entity '\(entity.name)' with different Unicode characters")
      }
      try compare(old, new, entity)
    }
    for old in mapping.old.entities where !keptEntities.contains(old.name) { try remove(old) }
    try addLosses()
    compareIndexes()
    let removed = try facts.map { facts throws(Facts.Failure) in try mapping.removedRows(facts) } ?? [:]
    try compareAlternates(removed)
    if plan.changes.isEmpty, !plan.keepsTables, steps.isEmpty {
      plan.changes.append("rewrite the tables; no object changes")
    }
    try checkSuspects(removed)
  }

  mutating func add(_ suspect: RowRules.Suspect) { suspects.append(suspect) }

  private mutating func findMoved() throws(Facts.Failure) {
    // Some stores have no values to move, so the property is simply removed and added.
    if facts == nil { return }
    for new in mapping.new.entities {
      guard let old = mapping.entities[new.name].flatMap({ mapping.oldEntities[$0] }) else { continue }
      for property in new.properties where mapping.properties["\(new.name).\(property.name)"] == nil {
        if let other = try formerOwner(of: property, old) { moved.insert(other) }
      }
    }
  }

  mutating func refuse(
    _ message: String, _ hint: String, at source: DescriptionSource, _ key: ModelFileKey? = nil, notes: [String] = []
  ) {
    plan.refusals.append(
      Diagnostic(
        code: .incompatibleModel, "\(message); \(hint)", at: source.location(of: key), notes: notes.map { .init($0) }))
  }

  /// Refuses a difference that cannot be migrated if the store has objects of an entity.
  ///
  /// - Parameter isOnly: whether to ignore objects of sub-entities.
  private mutating func refuse(
    _ message: String, ifThereAre objects: String, of entity: String, isOnly: Bool = false, _ hint: String,
    at source: DescriptionSource
  ) throws(Facts.Failure) {
    guard facts != nil else {
      return refuseConditionally("\(message), and the store may have \(objects); \(hint)", source)
    }
    guard try hasRows(entity, isOnly: isOnly) else { return }
    refuse("\(message), and the store has \(objects)", hint, at: source)
  }

  mutating func refuseConditionally(_ message: String, _ source: DescriptionSource, notes: [String] = []) {
    plan.conditionalRefusals.append(
      Diagnostic(code: .incompatibleModel, message, at: source.location(), notes: notes.map { .init($0) }))
  }

  // MARK: Removals

  private mutating func remove(_ entity: StoreLayout.Entity) throws(Facts.Failure) {
    let change = "remove the entity '\(entity.name)' and its objects"
    plan.changes.append(change)
    let isAllowed = allowedRemovals.contains(entity.name)
    if facts != nil, try !hasRows(entity.name, isOnly: true, countsPlaceholders: true) { return }
    plan.removals.append(change)
    if isAllowed { return suspectLosses(of: entity.name) }
    let hint = newName(of: entity).map {
      "if '\($0)' is its new name, add \"renamedFrom\": \"\(entity.name)\" to '\($0)'"
    }
    refuseRemoval(of: entity.name, "objects of", DescriptionSource(), notes: hint.map { [$0] } ?? [])
  }

  /// The only new entity that shares most properties with the given old entity, which the model no longer declares.
  private func newName(of entity: StoreLayout.Entity) -> String? {
    let names = Set(entity.properties.map(\.name))
    let similar = mapping.new.entities.filter { new in
      guard mapping.entities[new.name] == nil, new.parent == entity.parent else { return false }
      let shared = new.properties.filter { names.contains($0.name) }.count
      return 2 * shared >= max(names.count, new.properties.count)
    }
    return similar.count == 1 ? similar[0].name : nil
  }

  private mutating func remove(
    _ property: StoreLayout.Property, of entity: StoreLayout.Entity, _ new: StoreLayout.Entity,
    _ source: DescriptionSource
  ) throws(Facts.Failure) {
    let title = "\(entity.name).\(property.name)"
    let change = "remove '\(title)' and its values"
    if moved.contains(title) || [title, "\(new.name).\(property.name)"].contains(where: taken.contains) { return }
    plan.changes.append(change)
    guard try hasValues(title, property, entity) else { return }
    plan.removals.append(change)
    guard let named = missingConsent(to: title, property), refusedTitles.insert(named).inserted else { return }
    let added = new.properties.filter {
      mapping.properties["\(new.name).\($0.name)"] == nil && $0.type == property.type
        && $0.destination.map { mapping.entities[$0] ?? $0 } == property.destination && $0.isToMany == property.isToMany
    }
    let hint =
      added.count == 1
      ? ["if '\(new.name).\(added[0].name)' is its new name, add \"\(property.name)\" to its 'renamedFrom'"] : []
    refuseRemoval(of: named, "values of", source, notes: named == title ? hint : [])
  }

  /// The name that must be listed as removed before the values of a property may be lost; nil if their removal is allowed.
  ///
  /// Each side of a relationship needs its own consent. One version may have removed the list of a publisher's heroes on purpose, while a
  /// later version dropped each hero's publisher by mistake:
  ///
  ///     Hero.publisher, Publisher.heroes       the publisher of each hero, and perhaps the order of a publisher's heroes
  ///     Hero.powers, Power.heroes              the links, which are lost when neither side is left
  private func missingConsent(to title: String, _ property: StoreLayout.Property) -> String? {
    if let links = links(title) {
      guard allowedRemovals.contains(title) else { return title }
      if isKept(links) || property.destination.map(allowedRemovals.contains) == true { return nil }
      let sides = [mapping.old.links[links].relationship, mapping.old.links[links].inverse].compactMap(\.self)
      return sides.first { !allowedRemovals.contains($0) }
    }
    let inverse = property.inverse.map { "\(property.destination ?? "").\($0)" }
    let names = [title] + (property.isToMany == true ? [inverse].compactMap(\.self) : [])
    return names.contains(where: allowedRemovals.contains) ? nil : title
  }

  /// Whether old links are kept, because the other side still has them.
  private func isKept(_ links: Int) -> Bool {
    mapping.new.links.indices.contains { mapping.oldLinks(of: $0)?.links == links }
  }

  private mutating func refuseRemoval(
    of title: String, _ what: String, _ source: DescriptionSource, notes: [String] = []
  ) {
    let hint =
      "to remove them, add \"removed\": [\"\(title)\"] to the model file, or allow it when the store is opened ('allowedRemovals', or 'graft store migrate' with '--remove \(title)')"
    guard facts != nil else {
      return refuseConditionally(
        "the model does not declare '\(title)', and the store may have \(what) it; \(hint)", source, notes: notes)
    }
    refuse("the model does not declare '\(title)', and the store has \(what) it", hint, at: source, notes: notes)
  }

  /// The old table of links of a relationship.
  private func links(_ title: String) -> Int? {
    mapping.old.links.firstIndex { $0.relationship == title || $0.inverse == title }
  }

  /// Whether a store may have values of a property that would be lost.
  func hasValues(
    _ title: String, _ property: StoreLayout.Property, _ entity: StoreLayout.Entity
  ) throws(Facts.Failure) -> Bool {
    if let links = links(title) {
      // The other side keeps the links, but not the order of the links on this side.
      if isKept(links), property.isOrdered != true { return false }
      guard let facts else { return true }
      return try facts.hasLinks(links)
    }
    // If the inverse of a to-many is a to-one, the to-many is derived from it. Only the order of the objects is stored for the to-many.
    let owner = property.isToMany == true ? property.destination ?? "" : entity.name
    let column = property.isToMany == true ? "\(owner).\(property.inverse ?? "")" : title
    if property.isToMany == true, property.isOrdered != true { return false }
    guard let table = table(of: owner) else { return false }
    for (number, candidate) in mapping.old.tables[table].columns.enumerated()
    where candidate.properties.contains(column) {
      let isPosition = if case .position = candidate.content { true } else { false }
      guard isPosition == (property.isToMany == true) else { continue }
      guard let facts else { return true }
      let members = members(of: owner, in: table)
      if try facts.hasRows(table: table, entities: members, column: number, countsPlaceholders: true) { return true }
    }
    return false
  }

  /// The old table with the objects of an entity.
  private func table(of entity: String) -> Int? {
    mapping.old.tables.firstIndex { $0.entities.contains(entity) }
  }

  /// The given entity and the entities that inherit from it, among the entities of a table.
  private func members(of entity: String, in table: Int) -> [Int] {
    let entities = mapping.old.tables[table].entities
    return entities.indices.filter { mapping.oldLineage(entities[$0]).contains(entity) }
  }

  /// Whether the store has objects of an entity.
  private func hasRows(
    _ name: String, isOnly: Bool, countsPlaceholders: Bool = false
  ) throws(Facts.Failure) -> Bool {
    guard let facts, let table = table(of: name) else { return false }
    let members =
      isOnly
      ? mapping.old.tables[table].entities.indices.filter { mapping.old.tables[table].entities[$0] == name }
      : members(of: name, in: table)
    return try facts.hasRows(
      table: table, entities: members, column: nil, countsPlaceholders: countsPlaceholders)
  }

  // MARK: Entities

  private mutating func compare(
    _ old: StoreLayout.Entity, _ new: StoreLayout.Entity, _ entity: EntityDescription
  ) throws(Facts.Failure) {
    if old.parent != new.parent.map({ mapping.entities[$0] ?? $0 }) {
      refuse(
        "the parent of '\(new.name)' changes from \(named(old.parent)) to \(named(new.parent))",
        "keep it, make a new entity, or replace this entity in a step of the program (StoreMigration)",
        at: entity.source)
    }
    if new.isAbstract, !old.isAbstract {
      try refuse(
        "'\(new.name)' becomes abstract", ifThereAre: "objects of it", of: old.name, isOnly: true, "delete them first",
        at: entity.source)
    }
    let identity = new.identity.map { mapping.formerName(of: $0, ofObjectsOf: new.name) ?? $0 }
    // Inherited identities are compared as well, because an entity may start or stop repeating the identity that it inherits.
    let before = LayoutMapping.identity(of: old.name, mapping.oldEntities)
    let now = LayoutMapping.identity(of: new.name, mapping.newEntities)
    if old.identity != identity, before != now.map({ mapping.formerName(of: $0, ofObjectsOf: new.name) ?? $0 }) {
      refuse(
        "the identity of '\(new.name)' changes from \(listed(before)) to \(listed(now))",
        "keep it, replace the entity in a step of the program (StoreMigration), or import the data into a new store",
        at: entity.source)
    }
    for name in identity {
      guard let owner = mapping.oldLineage(old.name).first(where: { mapping.replaced.contains("\($0).\(name)") }) else {
        continue
      }
      refuse(
        "'\(owner).\(name)' is replaced by a migration, but identifies objects",
        "replace the whole entity '\(old.name)'", at: entity.source)
    }
    try compareProperties(old, new, entity)
  }

  private func named(_ name: String?) -> String { name.map { "'\($0)'" } ?? "none" }

  private func listed(_ names: [String]) -> String {
    names.isEmpty ? "none" : "'\(names.joined(separator: ", "))'"
  }

  // MARK: Properties

  private mutating func compareProperties(
    _ old: StoreLayout.Entity, _ new: StoreLayout.Entity, _ entity: EntityDescription
  ) throws(Facts.Failure) {
    var kept: Set<String> = []
    let former = Dictionary(
      old.properties.map { ("\(old.name).\($0.name)", $0) }, uniquingKeysWith: { first, _ in first })
    let properties = Dictionary(new.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
      guard let property = properties[name] else { continue }
      let title = "\(new.name).\(name)"
      let source = source(of: name, entity)
      guard let formerTitle = mapping.properties[title], let former = former[formerTitle] else {
        try add(property, title, entity, old, source)
        continue
      }
      kept.insert(former.name)
      if former.name != property.name {
        plan.changes.append("rename '\(formerTitle)' to '\(title)'")
      } else if !former.name.isIdentical(to: property.name) {
        plan.changes.append("spell '\(title)' with different Unicode characters")
      }
      try compare(former, property, title, entity, source)
    }
    for property in old.properties where !kept.contains(property.name) {
      try remove(property, of: old, new, entity.source)
    }
  }

  private func source(of name: String, _ entity: EntityDescription) -> DescriptionSource {
    entity.attributes.first { $0.name == name }?.source ?? entity.relationships.first { $0.name == name }?.source
      ?? entity.source
  }

  private mutating func add(
    _ property: StoreLayout.Property, _ title: String, _ entity: EntityDescription, _ old: StoreLayout.Entity,
    _ source: DescriptionSource
  ) throws(Facts.Failure) {
    if let other = try formerOwner(of: property, old) {
      let hint = "leave it where it is, give it another name, or allow the removal of '\(other)'"
      guard facts == nil else {
        return refuse("'\(other)' moves to '\(title)', and its values would be lost", hint, at: source)
      }
      refuseConditionally(
        "'\(other)' moves to '\(title)', and the store may have values of it, which would be lost; \(hint)", source)
    }
    let hasDefault = entity.attributes.first { $0.name == property.name }?.defaultValue != nil
    // A new inverse is derived from the relationship.
    let isDerived =
      property.inverse.map { mapping.formerName(of: $0, ofObjectsOf: property.destination ?? "") != nil } ?? false
    if !property.isOptional, isDerived {
      suspect(entity.name, property.name, isRequired: true, isRelationship: true, source)
    } else if !property.isOptional, !hasDefault, !steps.mayGive(title) {
      let count = plan.problemCount
      try refuse(
        "'\(title)' is new and required", ifThereAre: "objects without it", of: old.name,
        property.type == nil ? "make it optional" : "make it optional, or give it a default", at: source)
      if plan.problemCount > count { return }
    }
    if property.type == nil, property.rules != nil, !steps.mayGive(title) {
      suspect(entity.name, property.name, isRequired: false, isRelationship: true, source)
    }
    plan.changes.append("add '\(title)'")
  }

  /// The title of the same property in an ancestor or sub-entity that no longer declares the property, if the store has values of it that
  /// must not be removed.
  private func formerOwner(
    of property: StoreLayout.Property, _ old: StoreLayout.Entity
  ) throws(Facts.Failure) -> String? {
    for other in declarers[property.name] ?? [] where other.name != old.name && keptEntities.contains(other.name) {
      let title = "\(other.name).\(property.name)"
      guard !mapping.replaced.contains(title), !keptProperties.contains(title), !allowedRemovals.contains(title),
        mapping.oldLineage(other.name).contains(old.name) || mapping.oldLineage(old.name).contains(other.name),
        let former = other.properties.first(where: { $0.name == property.name })
      else { continue }
      if try hasValues(title, former, other) { return title }
    }
    return nil
  }

  private mutating func compare(
    _ old: StoreLayout.Property, _ new: StoreLayout.Property, _ title: String,
    _ entity: EntityDescription, _ source: DescriptionSource
  ) throws(Facts.Failure) {
    if !old.isOptional, new.isOptional { plan.changes.append("make '\(title)' optional") }
    let attribute = entity.attributes.first { $0.name == new.name }
    if old.isOptional, !new.isOptional {
      let hasDefault = attribute?.defaultValue != nil
      plan.changes.append("make '\(title)' required\(hasDefault ? ", with its default where there is no value" : "")")
      let isIdentity = mapping.isIdentity(new.name, declaredBy: entity.name)
      if !hasDefault || isIdentity {
        let cannotHaveDefault = new.type == nil || isIdentity
        suspect(entity.name, new.name, isRequired: true, isRelationship: cannotHaveDefault, source)
      }
    }
    if RuleComparison.isNarrower(new.rules, than: old.rules) {
      suspect(entity.name, new.name, isRequired: false, isRelationship: new.type == nil, source)
    }
    switch (old.type, new.type) {
    case (let from?, let to?):
      guard from != to else { return }
      guard Widening(from: from, to: to) != nil else {
        return refuse(
          "the type of '\(title)' changes from \(from) to \(to), which is not converted automatically",
          "declare how with 'migratedFrom', keep the type, or add an attribute with another name", at: source)
      }
      plan.changes.append("change the type of '\(title)' from \(from) to \(to)")
    case (nil, nil): try compareRelationships(old, new, title, source)
    default:
      refuse(
        "'\(title)' changes from \(old.type == nil ? "a relationship" : "an attribute") to \(new.type == nil ? "a relationship" : "an attribute")",
        "give it another name", at: source)
    }
  }

  private mutating func compareRelationships(
    _ old: StoreLayout.Property, _ new: StoreLayout.Property, _ title: String, _ source: DescriptionSource
  ) throws(Facts.Failure) {
    if old.destination != new.destination.map({ mapping.entities[$0] ?? $0 }) {
      refuse(
        "the destination of '\(title)' changes from \(named(old.destination)) to \(named(new.destination))",
        "keep it, or add a relationship with another name", at: source)
    }
    if becomesToMany(old, new) {
      plan.changes.append("make '\(title)' a to-many")
      return try compareInverses(old, new, title, source)
    }
    let isOrderAdded = old.isToMany == true && new.isToMany == true && old.isOrdered != true && new.isOrdered == true
    if isOrderAdded { plan.changes.append("put the objects of '\(title)' in the order of their insertion") }
    for (name, before, now) in [("toMany", old.isToMany, new.isToMany), ("ordered", old.isOrdered, new.isOrdered)]
    where (before ?? false) != (now ?? false) && !isOrderAdded {
      refuse(
        "'\(name)' of '\(title)' changes from \(before ?? false) to \(now ?? false)",
        "keep it, or add a relationship with another name", at: source)
    }
    try compareInverses(old, new, title, source)
  }

  /// Whether a to-one becomes a to-many and keeps its links. False if two objects could already link to the same object and the new inverse
  /// is a to-one, which does not allow this.
  private func becomesToMany(_ old: StoreLayout.Property, _ new: StoreLayout.Property) -> Bool {
    guard old.isToMany != true, new.isToMany == true else { return false }
    func isToOne(_ inverse: String?, _ destination: String?, _ entities: [String: StoreLayout.Entity]) -> Bool {
      guard let inverse, let entity = destination.flatMap({ entities[$0] }) else { return false }
      return entity.properties.first { $0.name == inverse }.map { $0.isToMany != true } ?? false
    }
    let isInColumn = isToOne(new.inverse, new.destination, mapping.newEntities)
    // A list with a single object needs no positions.
    return !isInColumn || isToOne(old.inverse, old.destination, mapping.oldEntities)
  }

  /// Compares the inverses of a relationship. Adding or removing an inverse has no effect unless that changes where links are stored.
  private mutating func compareInverses(
    _ old: StoreLayout.Property, _ new: StoreLayout.Property, _ title: String, _ source: DescriptionSource
  ) throws(Facts.Failure) {
    let inverse = new.inverse.map { mapping.formerName(of: $0, ofObjectsOf: new.destination ?? "") ?? $0 }
    guard old.inverse != inverse else { return }
    let isInLinks = { (layout: StoreLayout, title: String?) in
      layout.links.contains { $0.relationship == title || $0.inverse == title }
    }
    // The links of a to-one that becomes a to-many are taken from its column.
    let isMoved =
      isInLinks(mapping.old, mapping.properties[title]) != isInLinks(mapping.new, title) && !becomesToMany(old, new)
    if old.inverse != nil && inverse != nil || isMoved {
      refuse(
        "the inverse of '\(title)' changes from \(named(old.inverse)) to \(named(new.inverse))",
        "keep it, or add a relationship with another name", at: source)
    } else if old.inverse == nil {
      try checkLinks(new, title, source)
    }
  }

  /// Refuses an inverse if existing links might not agree with it: links of two relationships, or of a relationship whose sides are stored
  /// separately.
  private mutating func checkLinks(
    _ new: StoreLayout.Property, _ title: String, _ source: DescriptionSource
  ) throws(Facts.Failure) {
    guard let inverse = new.inverse, let destination = new.destination else { return }
    let other = "\(destination).\(inverse)"
    let opposite = mapping.newEntities[destination]?.properties.first { $0.name == inverse }
    let isOneToOne = new.isToMany != true && opposite?.isToMany != true
    let formers = [mapping.properties[title], mapping.properties[other]].compactMap(\.self)
    guard isOneToOne || other == title || formers.count == 2 else { return }
    let message = "the inverse of '\(title)' changes from none to '\(inverse)'"
    let hint = "let a step of the program link both sides, or add a relationship with another name"
    for former in formers where try hasLinks(former) {
      guard facts == nil else { return refuse("\(message), and the store has links", hint, at: source) }
      return refuseConditionally("\(message), and the store may have links; \(hint)", source)
    }
  }

  /// Whether an old relationship has links. The links of a to-many whose inverse is a to-one belong to that to-one.
  private func hasLinks(_ title: String) throws(Facts.Failure) -> Bool {
    if let links = links(title) { return try facts?.hasLinks(links) ?? true }
    for (table, layout) in mapping.old.tables.enumerated() {
      for (number, column) in layout.columns.enumerated() where column.properties.contains(title) {
        guard case .reference = column.content else { continue }
        guard let facts else { return true }
        // Siblings may share the column.
        let entities = layout.entities.indices.filter { index in
          mapping.oldLineage(layout.entities[index]).contains { title.hasPrefix("\($0).") }
        }
        if try facts.hasRows(table: table, entities: entities, column: number, countsPlaceholders: true) { return true }
      }
    }
    return false
  }
}
