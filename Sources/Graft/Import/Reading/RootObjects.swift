/// The payload's objects: the rows that an import returns.
struct RootObjects {
  /// The rows of the payload's objects, in payload order (I1).
  var rows: [UInt32] = []
  /// Whether the payload must be one object, not an array.
  let isSingle: Bool
  var entity = 0
  /// The nulls that were skipped in lists, including the lists of relationships.
  var skippedNulls = SkippedNulls()
  /// The number of elements of the payload's array before the piece.
  private(set) var firstElement = 0
  /// The quota of the piece that is read, and the end that was reached.
  private(set) var quota: PayloadSource.Quota?
  /// Whether the piece is JSON Lines with a quota.
  private(set) var areLines = false
  /// Whether the piece is JSON Lines, each of which is an element of a list.
  private(set) var areElements = false
  private(set) var end: PayloadSource.End?
  /// The rest of a key path through arrays, from the array in which the payload's objects begin (M25).
  var segments: ArraySlice<[String]> = []
  /// Whether a path through arrays must lead to at least one value (D3).
  var isRequired = true
  private(set) var elements: [SetAsideValue.Element] = []

  init(isSingle: Bool) { self.isSingle = isSingle }

  mutating func begin(_ source: PayloadSource) {
    firstElement = source.root.elements
    quota = source.quota
    areElements = source.form == .lines
    areLines = quota != nil && areElements
    end = nil
  }

  /// Begins to read the values on a path through arrays.
  mutating func begin(_ elements: [SetAsideValue.Element]) { self.elements = elements }

  mutating func end(at end: PayloadSource.End) { self.end = end }
}
