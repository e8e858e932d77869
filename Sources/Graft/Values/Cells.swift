/// The cells of an object, one for each slot.
///
/// The address of the first one, and nothing else, so that it costs what an address costs. Unsafe: it is valid as long as the cells
/// stay where they are.
struct Cells {
  private let first: UnsafePointer<Cell>

  @inline(__always) init(_ first: UnsafePointer<Cell>) { self.first = first }

  @inline(__always) subscript(slot: Int) -> Cell { first[slot] }

  /// Passes the cells of an array to a closure.
  @inline(__always)
  static func with<Result>(_ cells: [Cell], _ body: (Cells) -> Result) -> Result {
    precondition(!cells.isEmpty)
    return cells.withUnsafeBufferPointer { body(Cells($0.baseAddress.unsafelyUnwrapped)) }
  }
}
