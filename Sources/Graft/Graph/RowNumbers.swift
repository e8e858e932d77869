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
    keep { $0.table == table ? RowPlace(table: table, row: moves[Int($0.row)]) : $0 }
  }

  /// The rows from a number on are gone.
  mutating func truncate(_ table: Int, to count: UInt32) {
    keep { $0.table == table && $0.row >= count ? RowPlace(table: table, row: .max) : $0 }
  }

  private mutating func keep(_ moved: (RowPlace) -> RowPlace) {
    guard !numbers.isEmpty else { return }
    let old = numbers
    numbers = [:]
    places = [:]
    for (place, number) in old {
      let new = moved(place)
      guard new.row != .max else { continue }
      numbers[new] = number
      places[number] = new
    }
  }
}
