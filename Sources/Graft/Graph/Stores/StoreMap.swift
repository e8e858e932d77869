/// The mapping between the rows of a store and the rows in memory: columns and slots, in both directions.
struct StoreMap {
  /// The content of a column of a table, for the objects of one entity.
  struct ColumnSlot {
    var column: Int
    /// The slot, or -1 if the entity has no such property.
    var slot: Int
  }

  let schema: StoreSchema
  /// For each table, the numbers of its entities in the plan, by position. For each entity, its position.
  let entities: [[Int]]
  let positions: [Int]
  /// For each entity, the slot of each column of its table; -1 if it has none.
  let slots: [[Int]]
  /// For each entity, the bits of its to-manys, by presence word.
  let listBits: [[UInt64]]
  /// Whether each entity has to-manys.
  let hasLists: [Bool]
  /// For each table, its columns with positions, in the order of the position words in a row.
  let positionColumns: [[(column: Int, reference: Int)]]
  /// For each entity, its to-ones whose inverse is an ordered to-many. A sibling's to-one may share the columns of such a to-one although
  /// it has a different kind of inverse. Columns therefore do not show whether an object has a position.
  let orderedSlots: [[Int]]
  /// For each entity, and each column of its table, the column on the other side of a one-to-one relationship; otherwise nil. A sibling
  /// may use the same column for another kind of relationship.
  private let pairColumns: [[(table: Int, column: Int)?]]
  /// For each table, its relationships with the delete rule `cascade` or `deny`.
  let deletePaths: [[DeletePath]]
  /// For each table, the relationships that lead to objects that cannot exist without one of its rows: relationships with these delete
  /// rules, and relationships whose inverse is required.
  let dependents: [[DeletePath.Way]]
  /// For each table, the tables and lists that may lose a required object if one of its rows is deleted.
  let requirements: [Requirements]

  /// The relationships to a table that must not be empty.
  struct Requirements {
    /// The tables with columns for such a relationship.
    var tables: Set<Int> = []
    /// Whether there are lists of links that must not be empty.
    var hasLinks = false
  }

  /// A relationship with the delete rule `cascade` or `deny`.
  struct DeletePath: Hashable {
    enum Way: Hashable {
      /// A column of the table itself, which refers to rows of another table. The column may be shared with siblings, so the relationship
      /// is that of the objects of one entity, including its sub-entities.
      case column(Int, table: Int, entity: Int)
      /// Rows of another table.
      case members(ListMembers)
    }

    var way: Way
    /// Whether the rule is `deny`.
    var isDenied: Bool
  }

  init(_ schema: StoreSchema) {
    let plan = schema.model.plan
    self.schema = schema
    entities = schema.tables.map { $0.entityNames.map { plan.entityNumbers[$0] ?? -1 } }
    var positions = Array(repeating: 0, count: plan.entities.count)
    for table in entities { for (position, entity) in table.enumerated() { positions[entity] = position } }
    self.positions = positions
    slots = plan.entities.map { entity in
      var slots = Array(repeating: -1, count: schema.tables[plan.layouts[entity.index].table].columns.count)
      for (slot, place) in schema.places[entity.index].enumerated() {
        if case .column(let column) = place { slots[column] = slot }
      }
      return slots
    }
    listBits = plan.entities.map { entity in
      let layout = plan.layouts[entity.index]
      var bits = Array(repeating: UInt64(0), count: plan.tables[layout.table].presenceWords)
      for slot in 0..<layout.slotCount where layout.slots[slot].kind == .toMany {
        bits[layout.slots[slot].word - 1] |= layout.slots[slot].mask
      }
      return bits
    }
    hasLists = listBits.map { $0.contains { $0 != 0 } }
    positionColumns = schema.tables.map { table in
      table.columns.enumerated().compactMap { column, content in
        if case .position(let reference) = content.content { (column, reference) } else { nil }
      }
    }
    orderedSlots = plan.entities.map { entity in
      let layout = plan.layouts[entity.index]
      return (0..<layout.slotCount).filter { number in
        let slot = layout.slots[number]
        guard slot.kind == .toOne, slot.inverse >= 0, slot.inverseSlot.isToMany else { return false }
        return plan.layouts[slot.destination].slots[slot.inverse].isOrdered
      }
    }
    pairColumns = StoreMap.pairColumns(schema)
    deletePaths = StoreMap.deletePaths(schema)
    dependents = StoreMap.dependents(schema, deletePaths)
    requirements = StoreMap.requirements(schema)
  }

  private static func pairColumns(_ schema: StoreSchema) -> [[(table: Int, column: Int)?]] {
    let plan = schema.model.plan
    var columns = plan.entities.map { entity in
      let table = schema.tables[plan.layouts[entity.index].table]
      return [(table: Int, column: Int)?](repeating: nil, count: table.columns.count)
    }
    for entity in plan.entities {
      let layout = plan.layouts[entity.index]
      for (number, place) in schema.places[entity.index].enumerated() {
        guard case .column(let column) = place, case let slot = layout.slots[number], slot.kind == .toOne,
          slot.inverse >= 0, !slot.inverseSlot.isToMany,
          case .column(let other) = schema.places[slot.destination][slot.inverse]
        else { continue }
        columns[entity.index][column] = (slot.destinationTable, other)
      }
    }
    return columns
  }

  private static func deletePaths(_ schema: StoreSchema) -> [[DeletePath]] {
    let plan = schema.model.plan
    var paths = schema.tables.map { _ in [DeletePath]() }
    for entity in plan.entities {
      let layout = plan.layouts[entity.index]
      for (number, place) in schema.places[entity.index].enumerated() {
        guard let rule = entity.properties[number].relationship?.deleteRule, rule == .cascade || rule == .deny
        else { continue }
        let way: DeletePath.Way? =
          if case .column(let column) = place {
            .column(
              column, table: layout.slots[number].destinationTable, entity: declaring(entity, number, plan).index)
          } else {
            schema.members(of: number, in: entity.index).map { .members($0) }
          }
        guard let way else { continue }
        // Sub-entities inherit relationships.
        let path = DeletePath(way: way, isDenied: rule == .deny)
        if !paths[layout.table].contains(path) { paths[layout.table].append(path) }
      }
    }
    return paths
  }

  /// The entity that declares a relationship, which sub-entities inherit.
  private static func declaring(_ entity: EntityPlan, _ number: Int, _ plan: Plan) -> EntityPlan {
    var declaring = entity
    while let parent = declaring.parent, number < plan.layouts[parent.index].slotCount { declaring = parent }
    return declaring
  }

  private static func dependents(_ schema: StoreSchema, _ deletePaths: [[DeletePath]]) -> [[DeletePath.Way]] {
    let plan = schema.model.plan
    var dependents = deletePaths.map { $0.map(\.way) }
    for entity in plan.entities {
      let layout = plan.layouts[entity.index]
      for (number, place) in schema.places[entity.index].enumerated() {
        guard requires(number, entity) else { continue }
        let way: DeletePath.Way =
          switch place {
          case .column(let column):
            .members(.referring(table: layout.table, column: column, entity: entity.index))
          case .links(let link, let isOwner): .members(.linked(link, isOwner: !isOwner))
          case .members(_, let column, _):
            .column(column, table: layout.table, entity: layout.slots[number].destination)
          }
        let destination = layout.slots[number].destinationTable
        if !dependents[destination].contains(way) { dependents[destination].append(way) }
      }
    }
    return dependents
  }

  /// Whether objects of an entity cannot exist while a relationship is empty. An object that is identified inside an owner requires that
  /// owner (M12).
  private static func requires(_ number: Int, _ entity: EntityPlan) -> Bool {
    guard let relationship = entity.properties[number].relationship else { return false }
    return !relationship.mayBeEmpty || entity.ownerSlots.contains(number)
  }

  private static func requirements(_ schema: StoreSchema) -> [Requirements] {
    let plan = schema.model.plan
    var requirements = schema.tables.map { _ in Requirements() }
    for entity in plan.entities {
      let layout = plan.layouts[entity.index]
      for (number, place) in schema.places[entity.index].enumerated() {
        guard requires(number, entity) else { continue }
        let destination = layout.slots[number].destinationTable
        switch place {
        case .column: requirements[destination].tables.insert(layout.table)
        case .links: requirements[destination].hasLinks = true
        // The members are rows that refer to the owner, and are written together with it.
        case .members: continue
        }
      }
    }
    return requirements
  }

  /// The column on the other side of a one-to-one relationship of a row; nil if its column has no such relationship.
  ///
  /// - Parameter entity: the number of the row's entity in its table.
  func pairColumn(_ column: Int, of entity: Int, in table: Int) -> (table: Int, column: Int)? {
    pairColumns[entities[table][entity]][column]
  }

  /// The entities whose objects own the links of a table of links, and the slot of the relationship in each.
  func owners(of link: Int) -> [(entity: Int, slot: Int)] {
    entities[schema.links[link].ownerTable].compactMap { entity in
      schema.places[entity].firstIndex(of: .links(link, isOwner: true)).map { (entity, $0) }
    }
  }

  /// The index of the position word that belongs to a column.
  func positionIndex(_ table: Int, column: Int) -> Int? { positionColumns[table].firstIndex { $0.column == column } }
}

extension RelationshipDescription {
  fileprivate var mayBeEmpty: Bool { isOptional && minCount ?? 0 == 0 }
}
