/// The record of objects that an export has written.
struct WrittenObjects {
  /// The number of objects that were begun, and the maximum number.
  var count = 0
  var limit: Int
  /// The objects that were written since the root began, for `sharedObjects: .once`.
  private(set) var listed: [RowPlace] = []
  /// The objects that were begun, with their offsets, for `rootsOnly`.
  private var begun: [(start: Int, place: RowPlace)] = []
  /// The objects whose relationships were partly left out, for `rootsOnly`.
  private var incomplete: Set<RowPlace> = []

  init(limit: Int) { self.limit = limit }

  // MARK: Shared objects

  @inline(__always)
  mutating func list(_ place: RowPlace, _ row: Row) {
    row.isListed = true
    listed.append(place)
  }

  /// Discards the listed objects from an index on, so that they are written again.
  mutating func forgetListed(from first: Int, _ reader: RowReader) {
    guard listed.count > first else { return }
    for place in listed[first...] { reader.row(place.table, place.row).isListed = false }
    listed.removeSubrange(first...)
  }

  // MARK: Roots

  /// Notes an object that begins in the output.
  @inline(never)
  mutating func begin(_ place: RowPlace, at start: Int) { begun.append((start, place)) }

  /// Marks an object as incomplete, and discards the objects that began at the end of the output, in the omitted relationship.
  mutating func omit(from owner: RowPlace, at end: Int) {
    while let last = begun.last, last.start >= end { begun.removeLast() }
    incomplete.insert(owner)
  }

  /// The objects that were written completely, and not as their identifiers.
  var complete: Set<RowPlace> { Set(begun.lazy.map(\.place)).subtracting(incomplete) }
}
