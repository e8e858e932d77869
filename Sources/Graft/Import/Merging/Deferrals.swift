/// Links that wait for the end of the payload (D1).
///
/// Once an identifier waits, all later changes of such relationships and their inverses wait as well, and are applied at the
/// end in their original order. Later mentions therefore win, from whichever side (I7).
struct Deferrals {
  /// The objects of a relationship in a dictionary.
  struct Link {
    var place: SlotPlace
    var offset: Int
    var isNull = false
    fileprivate var rows: Range<Int>
  }

  /// In the order of their mentions.
  private(set) var links: [Link] = []
  /// Rows and waiting identifiers of the links, one after the other.
  private var rows: [UInt32] = []

  @inline(__always) var isEmpty: Bool { links.isEmpty }

  /// A relationship gets some rows.
  mutating func link(_ place: SlotPlace, _ linked: some Collection<UInt32>, at offset: Int) {
    links.append(Link(place: place, offset: offset, rows: rows.count..<rows.count + linked.count))
    rows += linked
  }

  /// A relationship gets null.
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
