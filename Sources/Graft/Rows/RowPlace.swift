/// A row, given by its table and its number.
struct RowPlace: Hashable, Comparable {
  var table: Int
  var row: UInt32

  /// Orders rows by table, and by number within each table.
  static func < (left: RowPlace, right: RowPlace) -> Bool { (left.table, left.row) < (right.table, right.row) }
}
