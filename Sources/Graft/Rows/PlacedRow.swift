/// A row with its place: what ``GraphEditor`` needs to write the row, and to note in the journal which row it was.
struct PlacedRow {
  let table: Int
  let number: UInt32
  let row: Row

  @inline(__always)
  init(_ table: Int, _ number: UInt32, _ row: Row) { (self.table, self.number, self.row) = (table, number, row) }

  var place: RowPlace { RowPlace(table: table, row: number) }

  /// The cell of a to-one relationship that refers to this row: its number, plus one, because 0 means no row.
  @inline(__always) var link: UInt64 { UInt64(number) + 1 }

  /// A word of the row, by its number.
  @inline(__always) subscript(word: Int) -> UInt64 {
    get { row[word] }
    nonmutating set { row[word] = newValue }
  }

  /// The cell of a property; 0 if it has no value.
  @inline(__always) subscript(slot: PlanReference<SlotPlan>) -> UInt64 { row[slot] }
}

extension Reference where Value == GraphState {
  @inline(__always)
  func placed(_ table: Int, _ number: UInt32) -> PlacedRow { PlacedRow(table, number, row(table, number)) }
  @inline(__always)
  func placed(_ place: RowPlace) -> PlacedRow { placed(place.table, place.row) }
}
