/// Makes removals from a long vector cheap. It contains the place of each row, and counts the holes that removals left.
///
///     rows      0 | 7 | 0 | 9 | 4        two holes, one of them at the front
///     places    7: 1, 9: 3, 4: 4         found after a few searches, and kept up to date from then on
final class VectorIndex {
  /// The number of searches that scan the rows before all places are determined, which takes as long as dozens of searches.
  private static let plainSearches = 2

  private(set) var places: RowPlaces?
  private var searches = 0
  /// The rows without holes, for reading by position while holes must stay.
  private var order: [UInt32]?
  /// The position that was read last. An element is often read just before it is removed.
  private var lastRead = 0
  var holes = 0
  /// The number of holes before the first row.
  var front = 0
  /// If the arena's generation still equals this number, the journal refers to places of the vector, so the places do not change until
  /// the next commit.
  var pinnedAt = -1

  /// The index of a row (a row number + 1).
  func place(of row: UInt32, in vector: RowVector) -> Int? {
    if places == nil {
      if let place = vector.evenPlace(of: row) { return place }
      searches += 1
      if searches <= VectorIndex.plainSearches { return vector.place(of: row) }
      places = RowPlaces(vector)
    }
    return places?[row].map { Int($0) }
  }

  func note(_ row: UInt32, at place: Int) {
    places?[row] = UInt32(truncatingIfNeeded: place)
    order = nil
  }

  func forget(_ row: UInt32) {
    places?[row] = nil
    if order != nil { forgetInOrder(row) }
  }

  @inline(never)
  private func forgetInOrder(_ row: UInt32) {
    guard let count = order?.count, lastRead < count, order?[lastRead] == row else {
      order = nil
      return
    }
    order?.remove(at: lastRead)
  }

  /// Frees the data that can be rebuilt.
  func shrink() {
    places = nil
    searches = 0
    order = nil
  }

  /// The row at a position of a vector with holes among the rows.
  func row(at position: Int, in vector: RowVector) -> UInt32 {
    lastRead = position
    if let order { return order[position] }
    let rows = (0..<vector.used).compactMap { vector.rows[$0] == 0 ? nil : vector.rows[$0] }
    order = rows
    return rows[position]
  }
}

/// The places of rows: a table by row number if the numbers are close together, as they are after an import, and a dictionary for
/// other rows.
struct RowPlaces {
  /// The maximum number of table entries per row.
  private static let sparseness = 8

  private let first: UInt32
  /// The places, plus one; 0 if the row has no place.
  private var table: [UInt32] = []
  private var others: [UInt32: UInt32] = [:]
  private(set) var count = 0

  init(_ vector: RowVector) {
    var (least, greatest) = (UInt32.max, UInt32.min)
    for place in 0..<vector.used where vector.rows[place] != 0 {
      least = min(least, vector.rows[place])
      greatest = max(greatest, vector.rows[place])
    }
    first = least
    if least <= greatest, Int(greatest - least) < RowPlaces.sparseness * vector.used {
      table = Array(repeating: 0, count: Int(greatest - least) + 1)
    }
    for place in 0..<vector.used where vector.rows[place] != 0 {
      self[vector.rows[place]] = UInt32(truncatingIfNeeded: place)
    }
  }

  subscript(row: UInt32) -> UInt32? {
    get {
      guard let number = number(row) else { return others[row] }
      return table[number] == 0 ? nil : table[number] - 1
    }
    set {
      if let number = number(row) ?? added(row) {
        count += (newValue == nil ? 0 : 1) - (table[number] == 0 ? 0 : 1)
        table[number] = newValue.map { $0 + 1 } ?? 0
      } else {
        count -= others.count
        others[row] = newValue
        count += others.count
      }
    }
  }

  private func number(_ row: UInt32) -> Int? {
    row >= first && Int(row - first) < table.count ? Int(row - first) : nil
  }

  /// Extends the table for a row that is not far beyond its end.
  private mutating func added(_ row: UInt32) -> Int? {
    guard row >= first, !table.isEmpty, others.isEmpty, Int(row - first) < RowPlaces.sparseness * count else {
      return nil
    }
    table.append(contentsOf: repeatElement(0, count: Int(row - first) + 1 - table.count))
    return Int(row - first)
  }
}
