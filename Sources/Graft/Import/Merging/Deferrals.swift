/// Links that wait for the end of the payload (D1).
///
/// Once an identifier is waiting, all later changes to such relationships and their inverses also wait, and are applied
/// at the end in their original order. Later mentions therefore take precedence, regardless of the side on which they
/// are (I7).
struct Deferrals {
  /// The objects of a relationship in a dictionary.
  struct Link {
    var place: SlotPlace
    var offset: Int
    var isNull = false
    fileprivate var rows: Range<Int>
  }

  /// The links, in the order in which they were mentioned.
  private(set) var links: [Link] = []
  /// The rows and waiting identifiers of the links, in sequence.
  private var rows: [UInt32] = []

  @inline(__always) var isEmpty: Bool { links.isEmpty }

  /// Adds a link that gives a relationship the given rows.
  mutating func link(_ place: SlotPlace, _ linked: some Collection<UInt32>, at offset: Int) {
    links.append(Link(place: place, offset: offset, rows: rows.count..<rows.count + linked.count))
    rows += linked
  }

  /// Adds a link that sets a relationship to null.
  mutating func linkNothing(_ place: SlotPlace, at offset: Int) {
    links.append(Link(place: place, offset: offset, isNull: true, rows: 0..<0))
  }

  func rows(of link: Link) -> ArraySlice<UInt32> { rows[link.rows] }
}

/// A property of a row.
struct SlotPlace: Hashable {
  var table: Int
  var row: UInt32
  var slot: Int
}
