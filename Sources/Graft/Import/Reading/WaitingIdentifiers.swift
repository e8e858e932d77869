/// Identifiers that wait for the end of the payload, when it is known which objects exist (D1).
///
/// An identifier that is unknown when it is read waits if its relationship declares `skip` or `deny`. Its number represents a
/// row until then.
struct WaitingIdentifiers {
  /// An identifier that was unknown when it was read.
  struct Identifier {
    var entity: Int
    var offset: Int
    /// Whether the identifier belongs to a skipped dictionary (D13).
    var isSkipped = false
    /// The identifier as written in the payload, if the report has details.
    var text: LentBytes?
    fileprivate var values: Range<Int>
  }

  private(set) var identifiers: [Identifier] = []
  // The contents of identifiers and lists, in sequence. There can be as many as the payload contains.
  private var values: [Cell] = []
  /// The texts of identifiers, which outlive the payload's bytes.
  private var texts = ScratchText()
  /// Rows and waiting identifiers of lists, in payload order.
  private var rows: [UInt32] = []
  private var lists: [Range<Int>] = []

  /// Waiting identifiers are numbers beyond all rows.
  private static let first: UInt32 = 0x8000_0000

  @inline(__always) static func contains(_ row: UInt32) -> Bool { row >= first }

  @inline(__always) var isEmpty: Bool { identifiers.isEmpty }

  mutating func free() { texts.free() }

  /// Makes an identifier wait and returns its number.
  ///
  /// - Parameter text: the identifier as written in the payload, if it is needed; nil if only a dictionary names the object.
  mutating func add(
    _ entity: Int, _ cells: [Cell], _ text: LentBytes?, at offset: Int, isSkipped: Bool
  ) -> UInt32 {
    let first = values.count
    for cell in cells { values.append(cell.tag == .text ? Cell.text(texts.copy(cell.bytes)) : cell) }
    let copy = text.map { texts.copy($0) }
    identifiers.append(
      Identifier(entity: entity, offset: offset, isSkipped: isSkipped, text: copy, values: first..<values.count))
    return WaitingIdentifiers.first + UInt32(truncatingIfNeeded: identifiers.count - 1)
  }

  subscript(row: UInt32) -> Identifier { identifiers[Int(row - WaitingIdentifiers.first)] }

  func values(of identifier: Identifier) -> ArraySlice<Cell> { values[identifier.values] }

  // MARK: Lists

  /// Returns a cell for the rows of a list if one of them is waiting.
  mutating func list(_ rows: PlainStack<UInt32>, from first: Int) -> Cell? {
    let list = rows.elements[first...]
    return list.contains(where: WaitingIdentifiers.contains) ? keep(list) : nil
  }

  /// Returns a cell for a to-one whose identifier is waiting.
  mutating func one(_ row: UInt32) -> Cell { keep(CollectionOfOne(row)) }

  private mutating func keep(_ list: some Collection<UInt32>) -> Cell {
    lists.append(rows.count..<rows.count + list.count)
    rows += list
    return .deferred(index: lists.count - 1)
  }

  /// Returns the rows of a cell's list.
  func rows(of cell: Cell) -> ArraySlice<UInt32> { rows[lists[Int(truncatingIfNeeded: cell.bits)]] }

  /// Discards the lists, because their objects have been applied.
  mutating func endPiece() {
    lists.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }
}

extension Cell {
  /// Whether the cell represents an owner whose identifier is waiting (M12).
  var waits: Bool { tag == .row && WaitingIdentifiers.contains(UInt32(truncatingIfNeeded: bits - 1)) }
}
