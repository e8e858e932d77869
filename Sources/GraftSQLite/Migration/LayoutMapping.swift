import Graft

/// What in a new layout was what in the old one: by name, or by `renamedFrom`.
struct LayoutMapping {
  let old: StoreLayout
  let new: StoreLayout
  /// The old name of each new entity that existed.
  private(set) var entities: [String: String] = [:]
  /// By new title (`Entity.property`), the old title of each property that existed.
  private(set) var properties: [String: String] = [:]

  init(from old: StoreLayout, to new: StoreLayout, _ model: ModelDescription) {
    self.old = old
    self.new = new
    let oldNames = Set(old.entities.map(\.name))
    let newNames = Set(new.entities.map(\.name))
    for entity in model.entities {
      if oldNames.contains(entity.name) {
        entities[entity.name] = entity.name
      } else if let former = entity.renamedFrom, oldNames.contains(former), !newNames.contains(former) {
        entities[entity.name] = former
      }
    }
    for entity in model.entities {
      guard let former = entities[entity.name], let oldEntity = old.entities.first(where: { $0.name == former }) else {
        continue
      }
      let oldNames = Set(oldEntity.properties.map(\.name))
      let declared =
        entity.attributes.map { ($0.name, $0.renamedFrom) } + entity.relationships.map { ($0.name, $0.renamedFrom) }
      let newNames = Set(declared.map(\.0))
      for (name, renamedFrom) in declared {
        if oldNames.contains(name) {
          properties["\(entity.name).\(name)"] = "\(former).\(name)"
        } else if let renamedFrom, oldNames.contains(renamedFrom), !newNames.contains(renamedFrom) {
          properties["\(entity.name).\(name)"] = "\(former).\(renamedFrom)"
        }
      }
    }
  }

  /// The old table of a new one: that of the root entity.
  func oldTable(of table: Int) -> Int? {
    guard let root = new.tables[table].entities.first, let former = entities[root] else { return nil }
    return old.tables.firstIndex { $0.entities.first == former }
  }

  /// The old table of links, and whether its sides are exchanged.
  func oldLinks(of number: Int) -> (links: Int, isSwapped: Bool)? {
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

  /// By old entity, its position in the new table; nil if it was removed.
  func entityPositions(from oldTable: Int, to table: Int) -> [Int?] {
    old.tables[oldTable].entities.map { name in
      new.tables[table].entities.firstIndex { entities[$0] == name }
    }
  }

  /// The names of an entity and its ancestors.
  static func lineage(_ name: String, in layout: StoreLayout) -> [String] {
    var lineage: [String] = []
    var next: String? = name
    while let name = next, !lineage.contains(name) {
      lineage.append(name)
      next = layout.entities.first { $0.name == name }?.parent
    }
    return lineage
  }

  /// The property that a column contains for the rows of an entity.
  static func property(of column: StoreLayout.Column, for entity: String, in layout: StoreLayout) -> String? {
    let lineage = lineage(entity, in: layout)
    return column.properties.first { title in
      lineage.contains { title.hasPrefix($0 + ".") && isTitle(title, of: $0, in: layout) }
    }
  }

  /// Whether a title names a property of an entity. Names may contain dots.
  private static func isTitle(_ title: String, of entity: String, in layout: StoreLayout) -> Bool {
    layout.entities.first { $0.name == entity }?.properties.contains { "\(entity).\($0.name)" == title } == true
  }
}
