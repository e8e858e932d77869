import Synchronization

/// The numbers that stand for objects without identity: given when somebody asks for such an object's id, and never twice in
/// a process.
struct RowNumbers {
  private static let last = Atomic<UInt64>(0)
  private(set) var numbers: [RowPlace: UInt64] = [:]
  private(set) var places: [UInt64: RowPlace] = [:]

  var isEmpty: Bool { numbers.isEmpty }

  mutating func number(_ place: RowPlace) -> UInt64 {
    if let known = numbers[place] { return known }
    let number = RowNumbers.last.add(1, ordering: .relaxed).newValue
    numbers[place] = number
    places[number] = place
    return number
  }

  /// The rows moved: `.max` stands for those that are gone.
  mutating func move(_ table: Int, _ moves: [UInt32]) {
    guard !numbers.isEmpty else { return }
    let old = numbers
    numbers = [:]
    places = [:]
    for (place, number) in old {
      let new = place.table == table ? RowPlace(table: table, row: moves[Int(place.row)]) : place
      guard new.row != .max else { continue }
      numbers[new] = number
      places[number] = new
    }
  }

  /// Some rows are gone. Expected in proportion to them, or to the numbers if those are fewer.
  mutating func remove(_ table: Int, _ rows: Range<UInt32>) {
    guard !numbers.isEmpty else { return }
    let gone =
      rows.count < numbers.count
      ? rows.map { RowPlace(table: table, row: $0) }
      : numbers.keys.filter { $0.table == table && rows.contains($0.row) }
    for place in gone {
      if let number = numbers.removeValue(forKey: place) { places[number] = nil }
    }
  }
}
