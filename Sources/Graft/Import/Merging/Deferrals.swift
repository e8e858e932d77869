/// Links that wait for the end of the payload, when it is known which objects there are (D1).
///
/// An identifier that nobody knows waits if its relationship says `skip` or `deny`. From then on, everything that is said of
/// such relationships and of their inverses waits behind it, and happens at the end in the order in which it was said: so
/// later mentions win, from whichever side (I7).
struct Deferrals {
  /// An identifier that nobody knew when it was read.
  struct Identifier {
    var entity: Int
    var offset: Int
    /// It is that of a dictionary which a hook skipped (D13).
    var isSkipped = false
    /// How the payload spells it, if a report of details may tell.
    var text: UnsafeBufferPointer<UInt8>?
    fileprivate var values: Range<Int>
  }

  /// What a dictionary says of a relationship.
  struct Link {
    var place: PayloadImporter.SlotPlace
    var offset: Int
    var isNull = false
    fileprivate var said: Range<Int>
  }

  private(set) var identifiers: [Identifier] = []
  /// In the order in which they were said.
  private(set) var links: [Link] = []
  // What identifiers and links hold, one after the other: there may be as many as the payload has.
  private var values: [Cell] = []
  /// Rows and waiting identifiers, in payload order.
  private var said: [UInt32] = []
  private var lists: [Range<Int>] = []

  /// Waiting identifiers stand in row lists as numbers beyond all rows.
  static let firstWaiting: UInt32 = 0x8000_0000

  @inline(__always) static func isWaiting(_ row: UInt32) -> Bool { row >= firstWaiting }

  @inline(__always) var hasWaiting: Bool { !identifiers.isEmpty }
  @inline(__always) var hasLinks: Bool { !links.isEmpty }

  mutating func wait(
    _ entity: Int, _ cells: [Cell], _ text: UnsafeBufferPointer<UInt8>?, at offset: Int, isSkipped: Bool = false
  ) -> UInt32 {
    identifiers.append(
      Identifier(
        entity: entity, offset: offset, isSkipped: isSkipped, text: text,
        values: values.count..<values.count + cells.count))
    values += cells
    return Deferrals.firstWaiting + UInt32(truncatingIfNeeded: identifiers.count - 1)
  }

  /// Takes the rows of a list if one of them waits; gives the number of the list.
  mutating func takeList(_ rows: PlainStack<UInt32>, from first: Int) -> Int? {
    let list = rows.elements[first...]
    guard list.contains(where: Deferrals.isWaiting) else { return nil }
    return keep(list)
  }

  mutating func takeOne(_ row: UInt32) -> Int { keep(CollectionOfOne(row)) }

  private mutating func keep(_ rows: some Collection<UInt32>) -> Int {
    lists.append(said.count..<said.count + rows.count)
    said += rows
    return lists.count - 1
  }

  /// A relationship gets some rows.
  mutating func link(_ place: PayloadImporter.SlotPlace, _ rows: some Collection<UInt32>, at offset: Int) {
    links.append(Link(place: place, offset: offset, said: said.count..<said.count + rows.count))
    said += rows
  }

  /// A relationship gets a list that was taken.
  mutating func link(_ place: PayloadImporter.SlotPlace, list: Int, at offset: Int) {
    links.append(Link(place: place, offset: offset, said: lists[list]))
  }

  /// A relationship gets null.
  mutating func linkNothing(_ place: PayloadImporter.SlotPlace, at offset: Int) {
    links.append(Link(place: place, offset: offset, isNull: true, said: 0..<0))
  }

  /// Forgets the numbers of the lists that were taken: the objects that they belong to have been applied.
  mutating func endPiece() { lists.removeAll(keepingCapacity: true) }

  func rows(of link: Link) -> ArraySlice<UInt32> { said[link.said] }

  func identifier(_ row: UInt32) -> Identifier { identifiers[Int(row - Deferrals.firstWaiting)] }

  func values(of identifier: Identifier) -> ArraySlice<Cell> { values[identifier.values] }
}
