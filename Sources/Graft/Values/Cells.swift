/// The cells of an object, one for each slot. Unsafe: they are valid as long as they stay where they are.
struct Cells {
  private let first: Address<Cell>

  /// It costs as much as an address.
  @inline(__always) init(_ first: Address<Cell>) { self.first = first }

  @inline(__always) subscript(slot: Int) -> Cell { first[slot] }

  /// Passes the cells of an array to a closure.
  @inline(__always)
  static func with<Result>(_ cells: [Cell], _ body: (Cells) -> Result) -> Result {
    precondition(!cells.isEmpty)
    return Address.with(cells) { body(Cells($0)) }
  }
}
