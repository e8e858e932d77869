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
  var members: StoreMembers

  static func < (left: StoredList, right: StoredList) -> Bool {
    left.owner == right.owner ? left.members.order < right.members.order : left.owner < right.owner
  }
}

extension StoreMembers {
  /// The position of the relationship in an order of all relationships.
  fileprivate var order: (Int, Int, Int) {
    switch self {
    case .referring(let table, let column): (0, table, column)
    case .linked(let link, let isOwner): (1, link, isOwner ? 0 : 1)
    }
  }
}
