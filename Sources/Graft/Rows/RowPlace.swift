/// Which row of which table.
struct RowPlace: Hashable, Comparable {
  var table: Int
  var row: UInt32

  /// By tables, and in each in the order of its rows.
  static func < (left: RowPlace, right: RowPlace) -> Bool { (left.table, left.row) < (right.table, right.row) }
}
