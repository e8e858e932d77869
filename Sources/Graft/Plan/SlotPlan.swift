/// How a property is kept in a row, and what hangs on changing it. Plain data: the hot loops read it through a pointer.
struct SlotPlan {
  /// How a slot's cell is to be read.
  enum Kind: UInt8 {
    case integer, float, double, boolean, date
    case string, decimal, binary, uuid, uri, json
    case toOne, toMany

    /// The cell refers to bytes in the text arena.
    @inline(__always) var isText: Bool {
      rawValue >= Kind.string.rawValue && rawValue <= Kind.json.rawValue
    }
    @inline(__always) var isRelationship: Bool { rawValue >= Kind.toOne.rawValue }
  }

  var kind: Kind
  /// Index of the cell in the row.
  var cell: Int
  /// Index of the presence word in the row, and the bit in it.
  var word: Int
  var mask: UInt64
  /// Part of the identity: compared, never overwritten by an import.
  var isIdentity = false
  /// For integers: the least and the greatest value.
  var range: ClosedRange<Int64> = Int64.min...Int64.max

  // Relationships only.
  var isOrdered = false
  var isUnion = false
  var deletesOrphans = false
  /// `unresolvedRule` is `skip` or `deny`: identifiers wait for the end of the payload (D1).
  var defersUnknown = false
  /// Such links may wait for this relationship, or for its inverse.
  var mayWait = false
  var destination = -1
  var destinationTable = -1
  /// The slot of the inverse in the destination; -1: there is none.
  var inverse = -1
  var inverseCell = 0
  var inverseWord = 0
  var inverseMask: UInt64 = 0
  var inverseIsToMany = false
}
