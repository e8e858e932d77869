/// The dictionaries of objects that have rules or that an earlier dictionary described. The mentions are used for faults that are
/// found only at the end, for reports, and for hooks.
struct Mentions {
  /// The mentions, in the order in which they were applied.
  private(set) var all = PlainStack<GraphState.Touch>()
  /// The dictionaries that cannot be read again, by the index of their mention.
  private var payloads: [Int: JSON] = [:]
  /// The offsets by row, computed when they are first needed.
  private var places: [RowPlace: [Int]] = [:]

  func free() { all.free() }

  /// - Parameter payload: the dictionary, if it cannot be read again.
  @inline(__always)
  mutating func add(_ table: Int, _ row: UInt32, at offset: Int, _ payload: JSON?) {
    if let payload { payloads[all.count] = payload }
    all.append(GraphState.Touch(table: Int32(truncatingIfNeeded: table), row: row, offset: offset))
  }

  /// Returns the dictionary of a mention, if it was kept.
  func payload(_ index: Int) -> JSON? { payloads[index] }

  /// Returns the offsets of the dictionaries that describe a row, in payload order. The offsets are computed for all rows on first use,
  /// because there may be as many errors as dictionaries.
  mutating func offsets(_ table: Int, _ row: UInt32) -> [Int] {
    if places.isEmpty {
      for mention in all.elements {
        places[RowPlace(table: Int(mention.table), row: mention.row), default: []].append(mention.offset)
      }
    }
    return places[RowPlace(table: table, row: row)] ?? []
  }
}
