/// The correspondence between a new layout and the old layout: by name, or by `renamedFrom`.
package struct LayoutMapping {
  package let old: StoreLayout
  package let new: StoreLayout
  /// The old name of each new entity that existed before.
  package private(set) var entities: [String: String] = [:]
  /// The old title of each property that existed before, by its new title (`Entity.property`).
  package private(set) var properties: [String: String] = [:]
  /// The titles of new properties that require a value now, but did not before.
  package private(set) var requiredNow: Set<String> = []
  /// The old names of entities, and the old titles of properties, that a migration step replaces. Their data is not kept.
  package private(set) var replaced: Set<String> = []
  /// The entities of the two layouts by name.
  let oldEntities: [String: StoreLayout.Entity]
  let newEntities: [String: StoreLayout.Entity]
  /// The current and former names of each new entity, if there are several.
  private let names: [String: [String]]

  /// - Parameter names: the entities and properties that a migration step replaces, by old or new names.
  package init(
    from old: StoreLayout, to new: StoreLayout, _ model: ModelDescription, replacing names: Set<String> = []
  ) {
    self.old = old
    self.new = new
    oldEntities = LayoutMapping.byName(old)
    newEntities = LayoutMapping.byName(new)
    let renamed = model.entities.filter { !$0.renamedFrom.isEmpty }
    self.names = Dictionary(
      renamed.map { ($0.name, [$0.name] + $0.renamedFrom) }, uniquingKeysWith: { first, _ in first })
    for entity in model.entities {
      entities[entity.name] = LayoutMapping.former(entity.name, entity.renamedFrom, oldEntities, newEntities)
    }
    for entity in model.entities {
      guard let former = entities[entity.name], let oldEntity = oldEntities[former] else { continue }
      addProperties(entity, oldEntity)
    }
    if !names.isEmpty { forget(names) }
  }

  // MARK: Replaced entities and properties

  /// Removes entities from the mapping, with their sub-entities and the relationships to them, and removes properties with their inverses.
  private mutating func forget(_ names: Set<String>) {
    let entities = self.entities
    let newName = Dictionary(entities.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    func isReplaced(_ oldEntity: String) -> Bool {
      LayoutMapping.lineage(oldEntity, oldEntities).contains {
        names.contains($0) || newName[$0].map(names.contains) == true
      }
    }
    let newTitle = Dictionary(properties.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    for entity in old.entities {
      if isReplaced(entity.name) { replaced.insert(entity.name) }
      for property in entity.properties {
        let title = "\(entity.name).\(property.name)"
        let isNamed = names.contains(title) || newTitle[title].map(names.contains) == true
        guard isNamed || isReplaced(entity.name) || property.destination.map(isReplaced) == true else { continue }
        replaced.insert(title)
        guard let inverse = property.inverse, let destination = property.destination else { continue }
        replaced.formUnion(LayoutMapping.lineage(destination, oldEntities).map { "\($0).\(inverse)" })
      }
    }
    self.entities = entities.filter { !replaced.contains($0.value) }
    properties = properties.filter { !replaced.contains($0.value) }
    requiredNow = requiredNow.filter { properties[$0] != nil }
  }

  static func byName(_ layout: StoreLayout) -> [String: StoreLayout.Entity] {
    Dictionary(layout.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The name that an entity or property had: its current name, or one of its former names.
  private static func former<Old, New>(
    _ name: String, _ formerNames: [String], _ old: [String: Old], _ new: [String: New]
  ) -> String? {
    old[name] != nil ? name : formerNames.first { old[$0] != nil && new[$0] == nil }
  }

  private mutating func addProperties(_ entity: EntityDescription, _ oldEntity: StoreLayout.Entity) {
    let old = Dictionary(oldEntity.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let declared =
      entity.attributes.map { ($0.name, $0.renamedFrom, $0.isOptional) }
      + entity.relationships.map { ($0.name, $0.renamedFrom, $0.isOptional) }
    let new = Dictionary(declared.map { ($0.0, ()) }, uniquingKeysWith: { first, _ in first })
    for (name, renamedFrom, isOptional) in declared {
      guard let former = LayoutMapping.former(name, renamedFrom, old, new) else { continue }
      properties["\(entity.name).\(name)"] = "\(oldEntity.name).\(former)"
      if !isOptional, old[former]?.isOptional == true {
        requiredNow.insert("\(entity.name).\(name)")
      }
    }
  }

  /// The names in a list that belong to no entity or property, old or new, each with the most similar name in the store.
  func unknown(_ names: [String]) -> [(name: String, nearest: String?)] {
    if names.isEmpty { return [] }
    let known =
      old.entities.map(\.name)
      + old.entities.flatMap { entity in
        entity.properties.map { "\(entity.name).\($0.name)" }
      }
    let all = Set(known).union(entities.keys).union(properties.keys)
    // A property of a renamed entity has two names.
    return names.filter { name in !(formerTitles([name]) + [name]).contains(where: all.contains) }
      .map { ($0, Suggestion.nearest(to: $0, among: known)) }
  }

  /// The old titles of properties whose given titles contain another name of their entity: the new name, or an intermediate name.
  func formerTitles(_ titles: [String]) -> [String] {
    titles.flatMap { title in
      names.flatMap { name, all in
        guard let former = entities[name] else { return [String]() }
        return all.filter { $0 != former && title.hasPrefix("\($0).") }.map { "\(former)\(title.dropFirst($0.count))" }
      }
    }
  }

  /// The old name of a property that objects of a new entity have. The entity or an ancestor declares the property.
  func formerName(of property: String, ofObjectsOf entity: String) -> String? {
    for ancestor in LayoutMapping.lineage(entity, newEntities) {
      guard let former = entities[ancestor], let title = properties["\(ancestor).\(property)"] else { continue }
      return String(title.dropFirst(former.count + 1))
    }
    return nil
  }

  /// The old destination of a relationship that existed before.
  func formerDestination(of title: String) -> String? {
    guard let former = properties[title] else { return nil }
    for entity in oldEntities.values {
      for property in entity.properties where "\(entity.name).\(property.name)" == former {
        return property.destination
      }
    }
    return nil
  }

  /// Whether a property identifies objects of the new entity that declares it, or objects of a sub-entity.
  func isIdentity(_ property: String, declaredBy entity: String) -> Bool {
    new.entities.contains {
      $0.identity.contains(property) && LayoutMapping.lineage($0.name, newEntities).contains(entity)
    }
  }

  /// Whether a property identifies the objects of a new entity.
  func isIdentity(_ property: String, ofObjectsOf entity: String) -> Bool {
    let identity = LayoutMapping.lineage(entity, newEntities).lazy.compactMap { newEntities[$0]?.identity }
    return identity.first { !$0.isEmpty }?.contains(property) == true
  }

  /// Whether objects stay unchanged, because the layouts differ only in rules for values and in indexes, and no step replaces entities or
  /// properties.
  package var keepsTables: Bool { replaced.isEmpty && old.withoutRules.text.isIdentical(to: new.withoutRules.text) }

  /// The old table of a new table, which is the table of the root entity.
  package func oldTable(of table: Int) -> Int? {
    guard let root = new.tables[table].entities.first, let former = entities[root] else { return nil }
    return old.tables.firstIndex { $0.entities.first == former }
  }

  /// The old table of links, and whether its sides are exchanged.
  package func oldLinks(of number: Int) -> (links: Int, isSwapped: Bool)? {
    let links = new.links[number]
    let relationship = properties[links.relationship]
    let inverse = links.inverse.flatMap { properties[$0] }
    for (index, candidate) in old.links.enumerated() {
      if let relationship, candidate.relationship == relationship { return (index, false) }
      if let inverse, candidate.inverse == inverse { return (index, false) }
      if let relationship, candidate.inverse == relationship { return (index, true) }
      if let inverse, candidate.relationship == inverse { return (index, true) }
    }
    return nil
  }

  /// A column of the old layout whose references become links, because a to-one became a to-many.
  package struct FormerReference {
    package let table: Int
    package let column: Int
    /// The column with the positions in the ordered inverse.
    package let position: Int?
    /// The entities whose rows have the relationship, by their positions in the table.
    package let entities: [Int]
    /// Whether the rows are the members of the links, not the owners.
    package let isSwapped: Bool
  }

  /// The old references that become the links of a new table; nil if there are none.
  package func oldReference(of number: Int) -> FormerReference? {
    guard oldLinks(of: number) == nil else { return nil }
    let links = new.links[number]
    return reference(links.relationship, isSwapped: false) ?? links.inverse.flatMap { reference($0, isSwapped: true) }
  }

  private func reference(_ title: String, isSwapped: Bool) -> FormerReference? {
    guard let former = properties[title], let owner = oldEntities.values.first(where: { isTitle(former, of: $0) })
    else {
      return nil
    }
    for (table, layout) in old.tables.enumerated() {
      func column(_ matches: (StoreLayout.Content) -> Bool) -> Int? {
        layout.columns.firstIndex { $0.properties.contains(former) && matches($0.content) }
      }
      guard let column = column({ if case .reference = $0 { true } else { false } }) else { continue }
      return FormerReference(
        table: table, column: column,
        position: layout.columns.firstIndex { $0.content == .position(column) },
        entities: layout.entities.indices.filter { oldLineage(layout.entities[$0]).contains(owner.name) },
        isSwapped: isSwapped)
    }
    return nil
  }

  private func isTitle(_ title: String, of entity: StoreLayout.Entity) -> Bool {
    entity.properties.contains { "\(entity.name).\($0.name)" == title }
  }

  /// For each old entity, its position in the new table; nil if it was removed.
  package func entityPositions(from oldTable: Int, to table: Int) -> [Int?] {
    old.tables[oldTable].entities.map { name in
      new.tables[table].entities.firstIndex { entities[$0] == name }
    }
  }

  /// For each old table, the rows of entities that are removed although their hierarchy remains.
  package func removedRows<Facts: MigrationFacts>(_ facts: Facts) throws(Facts.Failure) -> [Int: Set<Int64>] {
    var removed: [Int: Set<Int64>] = [:]
    for table in new.tables.indices {
      guard let old = oldTable(of: table) else { continue }
      let positions = entityPositions(from: old, to: table)
      guard positions.contains(nil) else { continue }
      var ids: Set<Int64> = []
      try facts.readRows(table: old) { rows in
        ids.formUnion(rows.headers.lazy.filter { positions[$0.entity] == nil }.map(\.id))
        return true
      }
      removed[old] = ids
    }
    return removed
  }

  /// The names of an old entity and its ancestors.
  package func oldLineage(_ name: String) -> [String] { LayoutMapping.lineage(name, oldEntities) }

  /// An entity and its ancestors.
  package static func lineage(_ name: String, _ entities: [String: StoreLayout.Entity]) -> [String] {
    var lineage: [String] = []
    var next: String? = name
    while let name = next, !lineage.contains(name) {
      lineage.append(name)
      next = entities[name]?.parent
    }
    return lineage
  }

  /// The attributes that identify the objects of an entity, inherited attributes first.
  static func identity(of name: String, _ entities: [String: StoreLayout.Entity]) -> [String] {
    lineage(name, entities).reversed().flatMap { entities[$0]?.identity ?? [] }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The property that a column of the new layout contains for the rows of an entity.
  package func property(of column: StoreLayout.Column, for entity: String) -> String? {
    let lineage = LayoutMapping.lineage(entity, newEntities)
    return column.properties.first { title in
      lineage.contains { title.hasPrefix($0 + ".") && isTitle(title, of: $0) }
    }
  }

  /// Whether a title names a property of a new entity. Names may contain dots.
  private func isTitle(_ title: String, of entity: String) -> Bool {
    newEntities[entity].map { isTitle(title, of: $0) } ?? false
  }
}
