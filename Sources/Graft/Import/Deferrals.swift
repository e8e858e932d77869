/// Links that wait for the end of the payload: those of relationships whose `unresolvedRule` is `skip` or `deny` to objects
/// that are not known yet (D1). Later mentions win, so a write to the same slot takes the place of one that waits.
struct Deferrals {
  /// An identifier that nobody knew when it was read.
  struct Identifier {
    var entity: Int
    var values: [Cell]
    var offset: Int
  }

  /// A relationship of a row that waits.
  struct Link {
    var place: PayloadImporter.SlotPlace
    /// Rows and waiting identifiers, in payload order.
    var rows: [UInt32]
    var offset: Int
  }

  private(set) var identifiers: [Identifier] = []
  private var lists: [[UInt32]] = []
  private var links: [Link] = []
  private var waiting: [PayloadImporter.SlotPlace: [Int]] = [:]

  /// Waiting identifiers stand in row lists as numbers beyond all rows.
  static let firstWaiting: UInt32 = 0x8000_0000

  @inline(__always) static func isWaiting(_ row: UInt32) -> Bool { row >= firstWaiting }

  @inline(__always) var hasWaiting: Bool { !identifiers.isEmpty }
  @inline(__always) var hasLinks: Bool { !waiting.isEmpty }

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

  /// Takes the rows of a list that adds to one that waits, so that what is new keeps payload order (D2).
  mutating func takeAddition(_ rows: some Sequence<UInt32>, to place: PayloadImporter.SlotPlace) -> Int? {
    guard waiting[place] != nil else { return nil }
    lists.append(Array(rows))
    return lists.count - 1
  }

  /// Lets a relationship wait; what waited for it already stays in force, or is forgotten.
  mutating func link(_ place: PayloadImporter.SlotPlace, list: Int, at offset: Int, keepsEarlier: Bool) {
    if !keepsEarlier { cancel(place) }
    waiting[place, default: []].append(links.count)
    links.append(Link(place: place, rows: lists[list], offset: offset))
  }

  /// A later mention wrote the relationship: what waited for it is forgotten.
  mutating func cancel(_ place: PayloadImporter.SlotPlace) { waiting[place] = nil }

  /// The relationships that still wait, in the order of their mention.
  var waitingLinks: [Link] { waiting.values.joined().sorted().map { links[$0] } }

  func identifier(_ row: UInt32) -> Identifier { identifiers[Int(row - Deferrals.firstWaiting)] }
}
