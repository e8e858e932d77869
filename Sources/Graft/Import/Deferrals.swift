/// Links that wait for the end of the payload, when it is known which objects there are (D1).
///
/// An identifier that nobody knows waits if its relationship says `skip` or `deny`. From then on, everything that is said of
/// such relationships and of their inverses waits behind it, and happens at the end in the order in which it was said: so
/// later mentions win, from whichever side (I7).
struct Deferrals {
  /// An identifier that nobody knew when it was read.
  struct Identifier {
    var entity: Int
    var values: [Cell]
    var offset: Int
    /// It is that of a dictionary which a hook skipped (D13).
    var isSkipped = false
  }

  /// What a dictionary says of a relationship.
  struct Link {
    var place: PayloadImporter.SlotPlace
    /// Rows and waiting identifiers, in payload order; nil: null.
    var rows: [UInt32]?
    var offset: Int
  }

  private(set) var identifiers: [Identifier] = []
  /// In the order in which they were said.
  private(set) var links: [Link] = []
  private var lists: [[UInt32]] = []

  /// Waiting identifiers stand in row lists as numbers beyond all rows.
  static let firstWaiting: UInt32 = 0x8000_0000

  @inline(__always) static func isWaiting(_ row: UInt32) -> Bool { row >= firstWaiting }

  @inline(__always) var hasWaiting: Bool { !identifiers.isEmpty }
  @inline(__always) var hasLinks: Bool { !links.isEmpty }

  mutating func wait(_ identifier: Identifier) -> UInt32 {
    identifiers.append(identifier)
    return Deferrals.firstWaiting + UInt32(truncatingIfNeeded: identifiers.count - 1)
  }

  /// Takes the rows of a list if one of them waits; gives the number of the list.
  mutating func takeList(_ rows: PlainStack<UInt32>, from first: Int) -> Int? {
    let list = Array(rows.elements[first...])
    guard list.contains(where: Deferrals.isWaiting) else { return nil }
    lists.append(list)
    return lists.count - 1
  }

  mutating func takeOne(_ row: UInt32) -> Int {
    lists.append([row])
    return lists.count - 1
  }

  func list(_ number: Int) -> [UInt32] { lists[number] }

  mutating func link(_ place: PayloadImporter.SlotPlace, _ rows: [UInt32]?, at offset: Int) {
    links.append(Link(place: place, rows: rows, offset: offset))
  }

  func identifier(_ row: UInt32) -> Identifier { identifiers[Int(row - Deferrals.firstWaiting)] }
}
