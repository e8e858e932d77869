/// Which row of which table.
struct RowPlace: Hashable {
  var table: Int
  var row: UInt32
}
