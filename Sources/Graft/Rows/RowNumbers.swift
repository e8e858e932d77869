/// The numbers that identify objects without an identity. A number is assigned when the object's ID is first needed, or when a
/// snapshot hands the object to another context, which must know the object by the same number.
struct RowNumbers {
  /// A number that no other object of the process has. Numbers are consecutive within a series, and each context has its own series.
  ///
  ///     context A, series a:   a1  a2  a3
  ///     context B, series b:   a1  a2  a3  b1        <- restored a snapshot of A, then assigned a number of its own
  struct Number: Hashable, Sendable {
    /// A number that no object has.
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

  /// A series is identified by its address, and exists as long as any of its numbers.
  fileprivate final class Series: Sendable {}

  private var series = Series()
  private var last: UInt64 = 0
  /// Individual numbers, which take precedence over the numbers of runs.
  private(set) var numbers: [RowPlace: Number] = [:]
  private var places: [Number: RowPlace] = [:]
  /// The runs of rows that snapshots numbered, by table and in order.
  private var runs: [Int: [Run]] = [:]

  /// Rows with the numbers of one series: row 0 has the number 1.
  private struct Run {
    let series: Series
    var rows: Range<UInt32>
    /// Whether the rows after this run can get the next numbers.
    var isOpen = true
  }

  mutating func replace(by other: RowNumbers) { self = other }

  // MARK: Numbers and rows

  /// The number of a row; nil if the row has no number yet.
  func known(_ place: RowPlace) -> Number? {
    if let number = numbers[place] { return number }
    let run = runs[place.table]?.first { $0.rows.contains(place.row) }
    return run.map { Number(series: $0.series, value: UInt64(place.row) + 1) }
  }

  /// The row with a number; nil if there is no such row.
  func place(of number: Number) -> RowPlace? {
    if let place = places[number] { return place }
    guard number.value > 0, let row = UInt32(exactly: number.value - 1) else { return nil }
    for (table, runs) in runs where runs.contains(where: { $0.series === number.series && $0.rows.contains(row) }) {
      let place = RowPlace(table: table, row: row)
      return numbers[place] == nil ? place : nil
    }
    return nil
  }

  /// Assigns numbers to all rows of a table that have no number. Takes time in proportion to the number of earlier runs.
  mutating func number(allOf table: Int, count: Int) {
    var runs = self.runs[table] ?? []
    let first = runs.last?.rows.upperBound ?? 0
    guard first < count else { return }
    if let last = runs.last, last.isOpen {
      runs[runs.count - 1].rows = last.rows.lowerBound..<UInt32(count)
    } else {
      runs.append(Run(series: Series(), rows: first..<UInt32(count)))
    }
    self.runs[table] = runs
  }

  mutating func number(_ place: RowPlace) -> Number {
    if let known = known(place) { return known }
    last += 1
    let number = Number(series: series, value: last)
    numbers[place] = number
    places[number] = place
    return number
  }

  /// Assigns to a row the number that its object has in another context.
  mutating func assign(_ number: Number, to place: RowPlace) {
    numbers[place] = number
    places[number] = place
  }

  /// Returns the same numbers for another context, which assigns new numbers from its own series.
  func copy() -> RowNumbers {
    var copy = self
    copy.series = Series()
    copy.last = 0
    for (table, runs) in runs { copy.runs[table] = runs.map { Run(series: $0.series, rows: $0.rows, isOpen: false) } }
    return copy
  }

  // MARK: Rows that move

  /// Moves the numbers of rows. A row that was united with another row gets the number of that row, which observers may already know.
  mutating func move(_ rows: [RowPlace: RowPlace]) {
    for (old, new) in rows {
      guard let number = known(old) else { continue }
      let isUnited = rows[new] == nil && known(new) != nil
      numbers[old] = nil
      takeOut(old)
      if !isUnited { numbers[new] = number }
      places[number] = new
    }
  }

  /// Divides the run that contains a row, so that another object can use the row.
  private mutating func takeOut(_ place: RowPlace) {
    runs[place.table] = runs[place.table]?.flatMap { run -> [Run] in
      guard run.rows.contains(place.row) else { return [run] }
      let parts = [run.rows.lowerBound..<place.row, place.row + 1..<run.rows.upperBound].filter { !$0.isEmpty }
      return parts.map { Run(series: run.series, rows: $0, isOpen: run.isOpen && $0.upperBound == run.rows.upperBound) }
    }
  }

  /// Replaces runs with individual numbers, because their rows are no longer consecutive.
  private mutating func divideRuns(of table: Int) {
    for run in runs.removeValue(forKey: table) ?? [] {
      for row in run.rows where numbers[RowPlace(table: table, row: row)] == nil {
        assign(Number(series: run.series, value: UInt64(row) + 1), to: RowPlace(table: table, row: row))
      }
    }
  }

  mutating func move(_ table: Int, _ moves: [UInt32]) {
    divideRuns(of: table)
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

  /// Removes the numbers of removed rows. Expected time in proportion to the rows, or to the numbers if there are fewer of them.
  mutating func remove(_ table: Int, _ rows: Range<UInt32>) {
    // The removed rows are the last rows, and other rows may take their place.
    if let runs = runs[table], let last = runs.last, last.rows.upperBound > rows.lowerBound {
      self.runs[table] = runs.compactMap { run in
        let end = min(run.rows.upperBound, rows.lowerBound)
        return run.rows.lowerBound < end ? Run(series: run.series, rows: run.rows.lowerBound..<end, isOpen: false) : nil
      }
    }
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
