/// A row, identified by its number in a store. The number is negative if the store does not have the row yet.
struct StoredPlace: Hashable, Comparable {
  var table: Int
  var id: Int64

  /// Orders rows; new rows are in insertion order.
  static func < (left: StoredPlace, right: StoredPlace) -> Bool {
    if left.table != right.table { return left.table < right.table }
    return left.id < 0 && right.id < 0 ? left.id > right.id : left.id < right.id
  }
}

/// A pair of rows in a table of links.
struct StoredPair: Hashable, Comparable {
  var link: Int
  var owner: Int64
  var member: Int64

  static func < (left: StoredPair, right: StoredPair) -> Bool {
    (left.link, left.owner, left.member) < (right.link, right.owner, right.member)
  }
}

/// A to-many relationship of a row.
struct StoredList: Hashable, Comparable {
  var owner: StoredPlace
  var members: ListMembers

  static func < (left: StoredList, right: StoredList) -> Bool {
    left.owner == right.owner ? left.members.order < right.members.order : left.owner < right.owner
  }
}

/// A to-many relationship, by the rows that are its members.
enum ListMembers: Hashable {
  /// The rows of a table that refer to the owner in the given column, and belong to the given entity of the plan or its sub-entities.
  /// Sibling entities may use one column for relationships of their own, so a column alone does not determine a relationship.
  case referring(table: Int, column: Int, entity: Int)
  /// The members of an owner in a table of links, or the owners of a member.
  case linked(Int, isOwner: Bool)

  /// The position of the relationship in an order of all relationships.
  fileprivate var order: (Int, Int, Int, Int) {
    switch self {
    case .referring(let table, let column, let entity): (0, table, column, entity)
    case .linked(let link, let isOwner): (1, link, isOwner ? 0 : 1, 0)
    }
  }
}

extension StoreSchema {
  /// The to-many relationship in a slot of an entity; nil for other properties.
  func members(of slot: Int, in entity: Int) -> ListMembers? {
    switch places[entity][slot] {
    case .column: nil
    case .members(let table, let reference, _):
      .referring(table: table, column: reference, entity: model.plan.layouts[entity].slots[slot].destination)
    case .links(let link, let isOwner): .linked(link, isOwner: isOwner)
    }
  }

  /// The slot of a to-many relationship in an entity; nil if the entity does not have it.
  func slot(of members: ListMembers, in entity: Int) -> Int? {
    places[entity].indices.first { self.members(of: $0, in: entity) == members }
  }

  /// The members of `referring` relationships among the rows of a table.
  func referringRows(
    _ rows: StoredRows, _ column: Int, _ entity: Int
  ) -> [(owner: Int64, id: Int64, row: Int)] {
    let isMember = tables[rows.table].entityNames.indices.map { isKind($0, in: rows.table, of: entity) }
    return (0..<rows.count).compactMap { row in
      guard isMember[rows.headers[row].entity] else { return nil }
      return rows.values.integer(row: row, column: column).map { ($0, rows.headers[row].id, row) }
    }
  }

  /// Whether an entity of a table is an entity of the model, or one of its sub-entities.
  ///
  /// - Parameter number: the entity's number in the table.
  func isKind(_ number: Int, in table: Int, of entity: Int) -> Bool {
    let plan = model.plan
    guard let own = plan.entityNumbers[tables[table].entityNames[number]] else { return false }
    return plan.layouts[own].isKind(of: plan.layouts[entity])
  }
}
