import Graft

/// Compares two versions of a model, as far as they matter for a store.
struct MigrationPlanner {
  private let mapping: LayoutMapping
  private let model: ModelDescription
  /// The store; nil if the plan is for every store of the old version.
  private let connection: SQLiteConnection?
  private(set) var plan = SQLiteStore.MigrationPlan()

  init(_ mapping: LayoutMapping, _ model: ModelDescription, _ connection: SQLiteConnection?) {
    self.mapping = mapping
    self.model = model
    self.connection = connection
    plan.formerEntities = mapping.entities
    plan.formerProperties = mapping.properties
  }

  mutating func run() throws(SQLiteError) {
    for entity in model.entities {
      guard let new = mapping.new.entities.first(where: { $0.name == entity.name }) else { continue }
      guard let former = mapping.entities[entity.name],
        let old = mapping.old.entities.first(where: { $0.name == former })
      else {
        plan.changes.append("add the entity '\(entity.name)'")
        continue
      }
      if former != entity.name { plan.changes.append("rename the entity '\(former)' to '\(entity.name)'") }
      try compare(old, new, entity)
    }
    let kept = Set(mapping.entities.values)
    for old in mapping.old.entities where !kept.contains(old.name) {
      try remove("the entity '\(old.name)' and its objects", of: old)
    }
  }

  private mutating func remove(_ what: String, of entity: StoreLayout.Entity) throws(SQLiteError) {
    let change = "remove \(what)"
    plan.changes.append(change)
    guard let connection else { return plan.removals.append(change) }
    if try hasRows(entity.name, isOnly: false, connection) { plan.removals.append(change) }
  }

  private mutating func refuse(_ message: String, _ hint: String, at source: DescriptionSource) {
    plan.refusals.append(
      Diagnostic(code: .incompatibleModel, "\(message); \(hint)", at: source.location()))
  }

  /// Refuses a difference that only a store with objects of an entity cannot follow.
  ///
  /// - Parameter isOnly: whether objects of sub-entities do not matter.
  private mutating func refuse(
    _ message: String, ifThereAre objects: String, of entity: String, isOnly: Bool = false, _ hint: String,
    at source: DescriptionSource
  ) throws(SQLiteError) {
    guard let connection else {
      plan.conditionalRefusals.append(
        Diagnostic(
          code: .incompatibleModel, "\(message), and the store may have \(objects); \(hint)", at: source.location()))
      return
    }
    guard try hasRows(entity, isOnly: isOnly, connection) else { return }
    refuse("\(message), and the store has \(objects)", hint, at: source)
  }

  // MARK: Entities

  private mutating func compare(
    _ old: StoreLayout.Entity, _ new: StoreLayout.Entity, _ entity: EntityDescription
  ) throws(SQLiteError) {
    if old.parent != new.parent.map({ mapping.entities[$0] ?? $0 }) {
      refuse(
        "the parent of '\(new.name)' changes from \(named(old.parent)) to \(named(new.parent))",
        "keep it, or make a new entity", at: entity.source)
    }
    if new.isAbstract, !old.isAbstract {
      try refuse(
        "'\(new.name)' becomes abstract", ifThereAre: "objects of it", of: old.name, isOnly: true, "delete them first",
        at: entity.source)
    }
    let identity = new.identity.map { name in
      mapping.properties["\(new.name).\(name)"].map { String($0.dropFirst(old.name.count + 1)) } ?? name
    }
    if old.identity != identity {
      refuse(
        "the identity of '\(new.name)' changes from '\(old.identity.joined(separator: ", "))' to '\(new.identity.joined(separator: ", "))'",
        "keep it, or import the data into a new store", at: entity.source)
    }
    try compareProperties(old, new, entity)
  }

  private func named(_ name: String?) -> String { name.map { "'\($0)'" } ?? "none" }

  /// Whether the store has objects of an entity that are not placeholders.
  private func hasRows(
    _ name: String, isOnly: Bool, _ connection: SQLiteConnection
  ) throws(SQLiteError) -> Bool {
    let schema = SQLSchema(mapping.old)
    guard let table = schema.tables.first(where: { $0.layout.entities.contains(name) }) else { return false }
    let members = table.layout.entities.indices.filter { index in
      isOnly
        ? table.layout.entities[index] == name
        : LayoutMapping.lineage(table.layout.entities[index], in: mapping.old).contains(name)
    }
    let condition = SQLTable.entityCondition(members, table.layout).map { " AND \($0)" } ?? ""
    return try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM \(SQLName.quoted(table.name)) WHERE \"_placeholder\" = 0\(condition))") == 1
  }

  // MARK: Properties

  private mutating func compareProperties(
    _ old: StoreLayout.Entity, _ new: StoreLayout.Entity, _ entity: EntityDescription
  ) throws(SQLiteError) {
    var kept: Set<String> = []
    for property in new.properties {
      let title = "\(new.name).\(property.name)"
      let source = source(of: property.name, entity)
      guard let formerTitle = mapping.properties[title],
        let former = old.properties.first(where: { "\(old.name).\($0.name)" == formerTitle })
      else {
        try add(property, title, entity, old, source)
        continue
      }
      kept.insert(former.name)
      if former.name != property.name { plan.changes.append("rename '\(formerTitle)' to '\(title)'") }
      compare(former, property, title, source)
    }
    for property in old.properties where !kept.contains(property.name) {
      try remove("'\(old.name).\(property.name)' and its values", of: old)
    }
  }

  private func source(of name: String, _ entity: EntityDescription) -> DescriptionSource {
    entity.attributes.first { $0.name == name }?.source ?? entity.relationships.first { $0.name == name }?.source
      ?? entity.source
  }

  private mutating func add(
    _ property: StoreLayout.Property, _ title: String, _ entity: EntityDescription, _ old: StoreLayout.Entity,
    _ source: DescriptionSource
  ) throws(SQLiteError) {
    if let other = formerOwner(of: property, old) {
      return refuse(
        "'\(other)' moves to '\(title)', and its values would be lost", "leave it where it is, or give it another name",
        at: source)
    }
    let hasDefault = entity.attributes.first { $0.name == property.name }?.defaultValue != nil
    if !property.isOptional, !hasDefault {
      let count = plan.problemCount
      try refuse(
        "'\(title)' is new and required", ifThereAre: "objects without it", of: old.name,
        property.type == nil ? "make it optional" : "make it optional, or give it a default", at: source)
      if plan.problemCount > count { return }
    }
    plan.changes.append("add '\(title)'")
  }

  /// A relative that declared the property before and does not any more.
  private func formerOwner(of property: StoreLayout.Property, _ old: StoreLayout.Entity) -> String? {
    let kept = Set(mapping.properties.values)
    return mapping.old.entities.first { other in
      other.name != old.name && mapping.entities.values.contains(other.name)
        && other.properties.contains { $0.name == property.name } && !kept.contains("\(other.name).\(property.name)")
        && (LayoutMapping.lineage(other.name, in: mapping.old).contains(old.name)
          || LayoutMapping.lineage(old.name, in: mapping.old).contains(other.name))
    }.map { "\($0.name).\(property.name)" }
  }

  private mutating func compare(
    _ old: StoreLayout.Property, _ new: StoreLayout.Property, _ title: String, _ source: DescriptionSource
  ) {
    if !old.isOptional, new.isOptional { plan.changes.append("make '\(title)' optional") }
    if old.isOptional, !new.isOptional {
      refuse("'\(title)' becomes required, and objects may have none", "leave it optional", at: source)
    }
    switch (old.type, new.type) {
    case (let from?, let to?):
      guard from != to else { return }
      guard Widening(from: from, to: to) != nil else {
        return refuse(
          "the type of '\(title)' changes from \(from) to \(to), which not all values fit",
          "keep the type, or add an attribute with another name", at: source)
      }
      plan.changes.append("change the type of '\(title)' from \(from) to \(to)")
    case (nil, nil): compareRelationships(old, new, title, source)
    default:
      refuse(
        "'\(title)' changes from \(old.type == nil ? "a relationship" : "an attribute") to \(new.type == nil ? "a relationship" : "an attribute")",
        "give it another name", at: source)
    }
  }

  private mutating func compareRelationships(
    _ old: StoreLayout.Property, _ new: StoreLayout.Property, _ title: String, _ source: DescriptionSource
  ) {
    if old.destination != new.destination.map({ mapping.entities[$0] ?? $0 }) {
      refuse(
        "the destination of '\(title)' changes from \(named(old.destination)) to \(named(new.destination))",
        "keep it, or add a relationship with another name", at: source)
    }
    for (name, before, now) in [("toMany", old.isToMany, new.isToMany), ("ordered", old.isOrdered, new.isOrdered)]
    where (before ?? false) != (now ?? false) {
      refuse(
        "'\(name)' of '\(title)' changes from \(before ?? false) to \(now ?? false)",
        "keep it, or add a relationship with another name", at: source)
    }
    compareInverses(old, new, title, source)
  }

  /// An inverse that is added or removed does not matter, unless links are stored in another place because of it.
  private mutating func compareInverses(
    _ old: StoreLayout.Property, _ new: StoreLayout.Property, _ title: String, _ source: DescriptionSource
  ) {
    let inverse = new.inverse.map { name in
      let former = mapping.properties["\(new.destination ?? "").\(name)"]
      return former.map { String($0.dropFirst((old.destination ?? "").count + 1)) } ?? name
    }
    guard old.inverse != inverse else { return }
    let isInLinks = { (layout: StoreLayout, title: String?) in
      layout.links.contains { $0.relationship == title || $0.inverse == title }
    }
    let isMoved = isInLinks(mapping.old, mapping.properties[title]) != isInLinks(mapping.new, title)
    if old.inverse != nil && inverse != nil || isMoved {
      refuse(
        "the inverse of '\(title)' changes from \(named(old.inverse)) to \(named(new.inverse))",
        "keep it, or add a relationship with another name", at: source)
    }
  }
}
