/// The objects that a payload marks as deleted (M17), for messages about links to them.
struct MarkedObjects {
  private let offsets: Set<Int>
  private let places: [RowPlace: Int]

  /// - Parameters:
  ///   - deletions: the dictionaries that mark objects as deleted.
  ///   - places: the objects that existed, with the offsets of the dictionaries that mark them.
  init(_ deletions: [MarkedDeletion], _ places: [RowPlace: Int]) {
    offsets = Set(deletions.map(\.offset))
    self.places = places
  }

  /// Returns whether the dictionary at an offset marks an object as deleted.
  func isMark(at offset: Int) -> Bool { offsets.contains(offset) }

  /// Returns the offset of the dictionary that marks an object as deleted.
  func mark(of place: RowPlace) -> Int? { places[place] }

  /// Returns whether an identifier belongs to a deleted object in the given table.
  func contains(_ identifier: JSON, in table: Int, _ reader: RowReader) -> Bool {
    let text = GraphNames.text(identifier.arrayValue ?? [identifier])
    return places.keys.contains { place in
      place.table == table && reader.identityJSON(reader.row(place.table, place.row)).map(GraphNames.text) == text
    }
  }
}
