/// The ways along relationships from the objects of a live list to the other objects that its condition and its order read.
///
///     publisher.name = "DC"             [publisher]                 if a publisher changes, its heroes are tested again
///     some powers (name = "Flight")     [powers]                    if a power changes, its heroes are tested, by the inverse
///
/// A way is followed backward, through the current inverses of its relationships. Objects whose links have changed have themselves changed,
/// so there is no need to find them this way.
struct ResultDependencies {
  /// A relationship on a way.
  struct Hop {
    /// The slot of the relationship in each entity of its owner's table. If the members of several lists share a column, an entity has
    /// several.
    var slots: [(entity: Int, slot: SlotPlan)] = []
    /// Whether the relationship can be followed backward.
    var hasInverse: Bool { slots.allSatisfy { $0.slot.inverse >= 0 } }
  }

  /// The relationships that lead from the objects of the list to other objects.
  struct Way {
    var hops: [Hop] = []
    /// The table of the objects at the end of the way.
    var table: Int
    /// The way as a path, if it consists of to-one relationships.
    var path: StorePath? = StorePath()
    /// Whether members of to-many relationships of the objects at the end of the way are read.
    var readsMembers = false
    /// Whether the values of the objects at the end of the way are read. False if only the links to these objects matter, as in
    /// `publisher.heroes.count`.
    var readsValues = true
    /// Whether the way can be followed backward from a row to the objects where the way begins.
    var hasInverses: Bool { hops.allSatisfy(\.hasInverse) }
    /// A name that distinguishes this way from other ways.
    fileprivate var name: [String] = []
  }

  private let map: StoreMap
  private let layouts: PlanReference<EntityLayout>
  private(set) var ways: [Way] = []
  /// The ways to the owners that identify the objects of the list (M12). The IDs of the objects contain the IDs of the owners.
  private(set) var ownerWays: [Way] = []
  private var variables: [Way]

  init(_ condition: StoreCondition, _ order: [StoreQuery.Order], table: Int, _ context: ManagedObjectContext) {
    map = context.queryMap
    layouts = context.model.plan.layouts
    variables = [Way(table: table)]
    add(condition)
    for key in order { add(key.path, column: key.column) }
  }

  /// The tables of the objects at the ends of the ways.
  var tables: Set<Int> { Set(ways.map(\.table)) }

  /// Notes the owners that identify the objects of an entity.
  mutating func addOwners(of entity: EntityPlan) {
    for number in entity.concreteAndSubentities {
      addOwners(of: map.schema.model.plan.entities[number], Way(table: layouts[number].table))
    }
  }

  /// The maximum length of a chain of owners to follow. An entity may own itself, as folders do.
  private static let mostOwners = 8

  private mutating func addOwners(of entity: EntityPlan, _ way: Way) {
    guard way.hops.count < ResultDependencies.mostOwners else { return }
    for slot in entity.ownerSlots {
      guard case .column(let column) = map.schema.places[entity.index][slot] else { continue }
      var next = way
      guard follow(column, of: way.table, &next, isNoted: false) else { continue }
      if !ownerWays.contains(where: { $0.name == next.name }) { ownerWays.append(next) }
      let owner = map.schema.model.plan.entities[layouts[entity.index].slots[slot].destination]
      for number in owner.concreteAndSubentities { addOwners(of: map.schema.model.plan.entities[number], next) }
    }
  }

  /// The objects of the list from which a way leads to a row. The relationships of the way have inverses.
  static func origins(of row: UInt32, by way: Way, _ state: Reference<GraphState>) -> Set<UInt32> {
    let reader = RowReader(state)
    var found: Set<UInt32> = [row]
    var table = way.table
    for hop in way.hops.reversed() {
      var owners: Set<UInt32> = []
      var ownerTable = table
      for number in found where Int(number) < state.tables[table].rowCount {
        state.loadRow(table, number)
        let row = reader.row(table, number)
        guard row.isLoaded else { continue }
        for (entity, slot) in hop.slots where state.layouts[row.entity].isKind(of: state.layouts[slot.destination]) {
          let inverse = state.layouts[row.entity].slots[slot.inverse]
          ownerTable = inverse.destinationTable
          let targets =
            inverse.kind == .toMany ? reader.targets(row, inverse) : reader.target(row, inverse).map { [$0] } ?? []
          for target in targets where reader.row(ownerTable, target).entity == entity { owners.insert(target) }
        }
      }
      (found, table) = (owners, ownerTable)
    }
    return found
  }

  // MARK: Collecting them

  private mutating func note(_ way: Way) {
    guard let index = ways.firstIndex(where: { $0.name == way.name }) else { return ways.append(way) }
    if way.readsValues { ways[index].readsValues = true }
  }

  /// Follows a path, and notes the way to each of its objects.
  @discardableResult
  private mutating func add(_ path: StorePath) -> Way {
    var way = variables[path.variable]
    for reference in path.references { follow(reference.column, of: reference.table, &way) }
    return way
  }

  @discardableResult
  private mutating func follow(_ column: Int, of table: Int, _ way: inout Way, isNoted: Bool = true) -> Bool {
    guard case .reference(let target) = map.schema.tables[table].columns[column].content else { return false }
    var hop = Hop()
    for entity in map.entities[table] {
      let slot = map.slots[entity][column]
      if slot >= 0 { hop.slots.append((entity, layouts[entity].slots[slot])) }
    }
    way.hops.append(hop)
    way.path?.references.append(.init(table: table, column: column))
    way.table = target
    way.name.append("\(table).\(column)")
    if isNoted { note(way) }
    return true
  }

  /// Notes the way to a column. A reference to a deleted row is nil, so the destination table is also read.
  private mutating func add(_ path: StorePath, column: Int) {
    var way = add(path)
    follow(column, of: way.table, &way)
  }

  private mutating func add(_ path: StorePath, _ members: StoreMembers, _ condition: StoreCondition) {
    var way = add(path)
    if let index = ways.firstIndex(where: { $0.name == way.name }) { ways[index].readsMembers = true }
    var hop = Hop()
    for entity in map.entities[way.table] {
      for (slot, place) in map.schema.places[entity].enumerated() where place.members == members {
        hop.slots.append((entity, layouts[entity].slots[slot]))
      }
    }
    way.hops.append(hop)
    way.path = nil
    way.name.append("\(way.table) \(members)")
    way.table = map.schema.table(of: members)
    way.readsValues = condition != .always
    note(way)
    way.readsValues = true
    variables.append(way)
    add(condition)
    variables.removeLast()
  }

  private mutating func add(_ condition: StoreCondition) {
    switch condition {
    case .always, .never: break
    case .and(let parts), .or(let parts): for part in parts { add(part) }
    case .not(let part): add(part)
    case .isTrue(let term), .isOne(let term, of: _): add(term)
    case .equal(let left, let right), .less(let left, let right), .lessOrEqual(let left, let right),
      .containsText(let left, let right), .startsWith(let left, let right):
      add(left)
      add(right)
    case .isKind(let path, _), .isPlaceholder(let path): add(path)
    case .some(let path, of: let members, let part), .every(let path, of: let members, let part):
      add(path, members, part)
    }
  }

  private mutating func add(_ term: StoreTerm) {
    switch term {
    case .value: break
    case .column(let path, let column): add(path, column: column)
    case .id(let path): add(path)
    case .count(let path, let members, let condition): add(path, members, condition)
    case .arithmetic(_, let left, let right), .coalesce(let left, let right):
      add(left)
      add(right)
    case .negative(let term), .folded(let term, _): add(term)
    case .choice(let condition, let first, let second):
      add(condition)
      add(first)
      add(second)
    case .condition(let condition): add(condition)
    }
  }
}
