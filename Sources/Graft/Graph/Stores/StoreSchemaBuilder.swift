/// Derives the tables, columns and links of a store from a model.
struct StoreSchemaBuilder {
  private let plan: Plan
  private(set) var tables: [StoreSchema.Table] = []
  private(set) var links: [StoreSchema.LinkTable] = []
  private(set) var places: [[StoreSchema.Place]] = []

  private var columns: [[StoreSchema.Column]] = []
  private var columnNames: [StoreNames] = []
  private var tableNames = StoreNames(reserved: ["_graft", "_graft_log", "sqlite_sequence"])
  private var names: [String] = []

  init(_ model: ManagedObjectModel) { plan = model.plan }

  mutating func build() {
    names = plan.tables.map { tableNames.unique(plan.entities[$0.root].name) }
    columns = plan.tables.map { _ in [] }
    columnNames = plan.tables.map { _ in StoreNames(reserved: StoreSchema.reservedColumns) }
    places = plan.entities.map { $0.properties.map { _ in .column(-1) } }
    forEachProperty { builder, entity, slot in builder.placeColumn(entity, slot) }
    forEachProperty { builder, entity, slot in builder.placePosition(entity, slot) }
    forEachProperty { builder, entity, slot in builder.placeToMany(entity, slot) }
    tables = plan.tables.indices.map(table)
  }

  /// Calls a closure for each property of each entity, by hierarchy, parents first. Inherited properties are repeated. As in the plan,
  /// properties are in the order of their names, so the order in the model file does not affect the tables.
  private mutating func forEachProperty(_ body: (inout Self, EntityPlan, Int) -> Void) {
    for table in plan.tables {
      for entity in entities(of: table) {
        let slots = entity.properties.indices.sorted {
          UTF8Key.precedes(entity.properties[$0].name, entity.properties[$1].name)
        }
        for slot in slots { body(&self, entity, slot) }
      }
    }
  }

  /// The entities of a hierarchy, the root first, in the order of their numbers.
  private func entities(of table: TablePlan) -> [EntityPlan] {
    plan.entities[table.root].concreteAndSubentities.map { plan.entities[$0] }.sorted {
      plan.layouts[$0.index].hierarchy.lowerBound < plan.layouts[$1.index].hierarchy.lowerBound
    }
  }

  private func slot(_ entity: EntityPlan, _ slot: Int) -> SlotPlan { plan.layouts[entity.index].slots[slot] }
  private func tableIndex(_ entity: EntityPlan) -> Int { plan.layouts[entity.index].table }

  /// A property as `Entity.property`, by the entity that declares it.
  private func title(_ property: PropertyPlan) -> String { "\(property.declaringEntity).\(property.name)" }

  // MARK: Columns

  private mutating func placeColumn(_ entity: EntityPlan, _ number: Int) {
    let slot = slot(entity, number)
    let property = entity.properties[number]
    let content: StoreSchema.Content
    if let attribute = property.attribute {
      content = .attribute(attribute.storedType)
    } else if slot.kind == .toOne {
      content = .reference(table: slot.destinationTable)
    } else {
      return
    }
    if let parent = entity.parent, number < parent.properties.count {
      places[entity.index][number] = places[parent.index][number]
      return
    }
    places[entity.index][number] = .column(column(property, content, in: tableIndex(entity)))
  }

  /// The column for a property: the column of a sibling's property with the same name and content, or a new column.
  private mutating func column(_ property: PropertyPlan, _ content: StoreSchema.Content, in table: Int) -> Int {
    let known = columns[table].firstIndex { $0.name == property.name && $0.content == content }
    if let known {
      let column = columns[table][known]
      columns[table][known] = StoreSchema.Column(
        name: column.name, content: content, properties: column.properties + [title(property)])
      return known
    }
    columns[table].append(
      StoreSchema.Column(
        name: columnNames[table].unique(property.name), content: content, properties: [title(property)]))
    return columns[table].count - 1
  }

  /// Adds a position column for a to-one if its inverse is an ordered to-many.
  private mutating func placePosition(_ entity: EntityPlan, _ number: Int) {
    let slot = slot(entity, number)
    guard slot.kind == .toOne, slot.inverse >= 0, slot.inverseSlot.isToMany,
      plan.layouts[slot.destination].slots[slot.inverse].isOrdered,
      case .column(let reference) = places[entity.index][number],
      position(of: reference, in: tableIndex(entity)) == nil
    else { return }
    let table = tableIndex(entity)
    let name = columnNames[table].unique(columns[table][reference].name + "_position")
    columns[table].append(
      StoreSchema.Column(
        name: name, content: .position(reference: reference), properties: columns[table][reference].properties))
  }

  private func position(of reference: Int, in table: Int) -> Int? {
    columns[table].firstIndex { $0.content == .position(reference: reference) }
  }

  // MARK: To-many relationships

  private mutating func placeToMany(_ entity: EntityPlan, _ number: Int) {
    let slot = slot(entity, number)
    guard slot.kind == .toMany else { return }
    if let parent = entity.parent, number < parent.properties.count {
      places[entity.index][number] = places[parent.index][number]
      return
    }
    if slot.inverse >= 0, !slot.inverseSlot.isToMany {
      guard case .column(let reference) = places[slot.destination][slot.inverse] else { return }
      places[entity.index][number] = .members(
        table: slot.destinationTable, reference: reference, position: position(of: reference, in: slot.destinationTable)
      )
      return
    }
    let property = entity.properties[number]
    let inverse = slot.inverse >= 0 ? plan.entities[slot.destination].properties[slot.inverse] : nil
    if let inverse, let known = links.firstIndex(where: { $0.relationship == title(inverse) }) {
      // If a relationship is its own inverse, one table contains each pair twice.
      places[entity.index][number] = .links(known, isOwner: title(inverse) == title(property))
      return
    }
    places[entity.index][number] = .links(links.count, isOwner: true)
    links.append(linkTable(entity, property, slot, inverse))
  }

  private mutating func linkTable(
    _ entity: EntityPlan, _ property: PropertyPlan, _ slot: SlotPlan, _ inverse: PropertyPlan?
  ) -> StoreSchema.LinkTable {
    let isSymmetric = inverse.map(title) == title(property)
    var columnNames = StoreNames(reserved: ["position", "inverse_position"])
    let first = entity.name.prefix(1).lowercased() + entity.name.dropFirst()
    return StoreSchema.LinkTable(
      name: tableNames.unique("\(entity.name)_\(property.name)"), ownerColumn: columnNames.unique(first),
      memberColumn: columnNames.unique(property.name), ownerTable: tableIndex(entity),
      memberTable: slot.destinationTable, isOrdered: slot.isOrdered,
      isInverseOrdered: !isSymmetric && inverse?.relationship?.isOrdered == true, relationship: title(property),
      inverse: inverse.map(title))
  }

  // MARK: Tables

  private func table(_ index: Int) -> StoreSchema.Table {
    let members = entities(of: plan.tables[index])
    let identities = (0..<plan.tables[index].identitySpaces).map { space in
      let inside = members.indices.filter { plan.layouts[members[$0].index].identity.space == space }
      let entity = members[inside[0]]
      let columns = entity.identitySlots.map { slot -> Int in
        guard case .column(let column) = places[entity.index][slot] else { return -1 }
        return column
      }
      return StoreSchema.Identity(columns: columns, entities: inside, isAlternate: false)
    }
    return StoreSchema.Table(
      name: names[index], entityNames: members.map(\.name), columns: columns[index],
      identities: identities + alternates(members),
      indexes: indexes(members),
      hasBareDiscriminators: members.contains { $0.description.entityMapper != nil })
  }

  /// The alternate identities of a hierarchy, in the order of their spaces (M27).
  private func alternates(_ members: [EntityPlan]) -> [StoreSchema.Identity] {
    var found: [Int: StoreSchema.Identity] = [:]
    for (position, entity) in members.enumerated() {
      let layout = plan.layouts[entity.index]
      for (number, alternate) in entity.alternates.enumerated() {
        let space = layout.alternates[number].identity.space
        let columns = alternate.slots.map { slot -> Int in
          guard case .column(let column) = places[entity.index][slot] else { return -1 }
          return column
        }
        let entities = (found[space]?.entities ?? []) + [position]
        found[space] = StoreSchema.Identity(columns: columns, entities: entities, isAlternate: true)
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The columns of the indexes that the entities of a hierarchy declare. An index of a sub-entity contains all rows of the table,
  /// so two entities may declare the same index.
  private func indexes(_ members: [EntityPlan]) -> [[Int]] {
    var indexes: [[Int]] = []
    for entity in members {
      for index in entity.description.indexes {
        let columns = index.properties.compactMap { name -> Int? in
          guard let slot = entity.slotNumbers[name], case .column(let column) = places[entity.index][slot] else {
            return nil
          }
          return column
        }
        if !indexes.contains(columns) { indexes.append(columns) }
      }
    }
    return indexes
  }
}

/// Names that are unique without regard to case.
struct StoreNames {
  private var taken: Set<String>

  init(reserved: [String]) { taken = Set(reserved) }

  /// Returns the name, followed by a number if it is taken.
  mutating func unique(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }
}
