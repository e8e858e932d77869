/// The cells of an object, one for each slot. This type is unsafe: the cells are valid only as long as they are not moved.
struct Cells {
  private let first: Address<Cell>

  /// Creates the cells, which cost no more than an address.
  @inline(__always) init(_ first: Address<Cell>) { self.first = first }

  @inline(__always) subscript(slot: Int) -> Cell { first[slot] }

  /// Passes the cells of an array to a closure.
  @inline(__always)
  static func with<Result>(_ cells: [Cell], _ body: (Cells) -> Result) -> Result {
    precondition(!cells.isEmpty)
    return Address.with(cells) { body(Cells($0)) }
  }
}
