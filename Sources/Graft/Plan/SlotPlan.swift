/// The storage of a property in a row, and the effects of changing it. A slot plan is plain data, because hot loops read it through a
/// pointer.
struct SlotPlan {
  /// The way to read a slot's cell.
  enum Kind: UInt8 {
    case integer, float, double, boolean, date
    case string, decimal, binary, uuid, uri, json
    case toOne, toMany

    /// Whether the cell refers to bytes in the text arena.
    @inline(__always) var isText: Bool {
      rawValue >= Kind.string.rawValue && rawValue <= Kind.json.rawValue
    }
    @inline(__always) var isRelationship: Bool { rawValue >= Kind.toOne.rawValue }
  }

  var kind: Kind
  /// The index of the cell in the row.
  var cell: Int
  /// The index of the presence word in the row, and the bit in it.
  var word: Int
  var mask: UInt64
  /// Whether the property is part of the identity, which imports compare and never overwrite. The link to an owner can be part of
  /// the identity (M12).
  var isIdentity = false
  /// Whether the indexes of alternate identities follow the property's values (M27), because the property is part of an alternate
  /// identity, or of the identity of an entity that has alternate identities.
  var isAlternate = false
  /// For lists (M13), which are stored as JSON, the type of the elements.
  var elementType: AttributeType?
  /// For integers: the range of values.
  var range: ClosedRange<Int64> = Int64.min...Int64.max

  // For relationships, whether the objects are ordered.
  var isOrdered = false
  var isUnion = false
  var deletesOrphans = false
  /// Whether `unresolvedRule` is `skip` or `deny`, so that identifiers wait for the end of the payload (D1).
  var defersUnknown = false
  /// Whether links of this relationship or of its inverse can wait for the end of the payload.
  var mayWait = false
  var destination = -1
  var destinationTable = -1
  /// The slot of the inverse in the destination, or -1 if there is none.
  var inverse = -1
  var inverseCell = 0
  var inverseWord = 0
  var inverseMask: UInt64 = 0
  var inverseIsToMany = false
  /// Whether the inverse is part of an alternate identity of objects at the other end (M27).
  var inverseIsAlternate = false
  /// Whether the inverse is part of the identity of objects at the other end, which are identified inside their owner (M12).
  var isOwning = false
  /// Whether the inverse is part of the identity or of an alternate identity (M27) of objects at the other end, which are read
  /// when the owner is known.
  var isSetAside: Bool { isOwning || inverseIsAlternate }
  /// Whether identifiers need special treatment: their objects must be inside the owner, they are transformed (M26), or they may
  /// mean null (M20). For an attribute, whether some values do not identify an object because they mean null.
  var hasUnusualIdentifiers = false

  /// The slot for a single element of this slot's list.
  var element: SlotPlan {
    guard let elementType else { return self }
    var slot = self
    slot.kind = Kind(elementType)
    slot.elementType = nil
    return slot
  }
}
