/// The numbers that identify objects without identity attributes. A number is assigned when the object's ID is first needed.
struct RowNumbers {
  /// A number that no other object of the process has: it counts within a series, and each context has its own series.
  ///
  ///     context A, series a:   a1  a2  a3
  ///     context B, series b:   a1  a2  a3  b1        <- restored a snapshot of A, then assigned a number of its own
  struct Number: Hashable, Sendable {
    /// Not a number of any object.
    static let none = Number(series: Series(), value: 0)

    fileprivate let series: Series
    let value: UInt64

    static func == (left: Number, right: Number) -> Bool {
      left.value == right.value && left.series === right.series
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(series))
      hasher.combine(value)
    }
  }

  /// Unique by its address, which lives as long as any of its numbers.
  fileprivate final class Series: Sendable {}

  private var series = Series()
  private var last: UInt64 = 0
  private(set) var numbers: [RowPlace: Number] = [:]
  private(set) var places: [Number: RowPlace] = [:]

  mutating func replace(by other: RowNumbers) { self = other }

  mutating func number(_ place: RowPlace) -> Number {
    if let known = numbers[place] { return known }
    last += 1
    let number = Number(series: series, value: last)
    numbers[place] = number
    places[number] = place
    return number
  }

  /// Gives a row a number that its object has in another context.
  mutating func assign(_ number: Number, to place: RowPlace) {
    numbers[place] = number
    places[number] = place
  }

  /// The same numbers for another context, which assigns new ones from its own series.
  func copy() -> RowNumbers {
    var copy = self
    copy.series = Series()
    copy.last = 0
    return copy
  }

  /// The rows moved: `.max` represents removed rows. Some rows have other numbers.
  mutating func move(_ rows: [RowPlace: RowPlace]) {
    for (old, new) in rows {
      guard let number = numbers.removeValue(forKey: old) else { continue }
      numbers[new] = number
      places[number] = new
    }
  }

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

  /// Some rows were removed. Expected in proportion to them, or to the numbers if those are fewer.
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
