/// The words of a row that store a property.
struct SlotWords {
  /// The index of the cell in the row.
  var cell = 0
  /// The index of the presence word in the row, and the property's bit in this word.
  var word = 0
  var mask: UInt64 = 0
}

extension SlotWords {
  /// - Parameter number: the number of the property in its entity.
  init(property number: Int, presenceWords: Int) {
    self.init(cell: 1 + presenceWords + number, word: 1 + number >> 6, mask: 1 << UInt64(number & 63))
  }

  /// The words of the property with the given cell.
  init(cell: Int, presenceWords: Int) { self.init(property: cell - 1 - presenceWords, presenceWords: presenceWords) }
}

/// The storage of a property in a row, and the effects of changing it. Plain data: hot loops read it through a pointer.
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

  /// The storage of the inverse in a row at the other end.
  struct InverseSlot {
    var words = SlotWords()
    var isToMany = false
    /// Whether it is part of an alternate identity of those rows (M27).
    var isAlternate = false
  }

  var kind: Kind
  let words: SlotWords
  /// Whether it is part of the identity, which is compared and never overwritten by an import. The link to an owner may be part of
  /// it (M12).
  var isIdentity = false
  /// Whether the indexes of alternate identities follow its values (M27), because it is part of an alternate identity, or of the identity
  /// of an entity that has alternate identities.
  var isAlternate = false
  /// For lists (M13), which are stored as JSON, the type of the elements.
  var elementType: AttributeType?
  /// For integers: the range of values.
  var range: ClosedRange<Int64> = Int64.min...Int64.max

  // Relationships only.
  var isOrdered = false
  var isUnion = false
  var deletesOrphans = false
  /// Whether `unresolvedRule` is `skip` or `deny`, so that identifiers wait for the end of the payload (D1).
  var defersUnknown = false
  /// Whether links of this relationship or of its inverse can wait in this way.
  var mayWait = false
  var destination = -1
  var destinationTable = -1
  /// The slot of the inverse in the destination, or -1 if there is none.
  var inverse = -1
  var inverseSlot = InverseSlot()
  /// Whether the inverse is part of the identity of objects at the other end, which are identified inside their owner (M12).
  var isOwning = false
  /// Whether the inverse is part of the identity or of an alternate identity (M27) of such objects, which are read when the owner
  /// is known.
  var isSetAside: Bool { isOwning || inverseSlot.isAlternate }
  /// Whether identifiers need special treatment: their objects must be inside the owner, they are transformed (M26), or they may
  /// mean null (M20). For an attribute, whether some values do not identify an object because they mean null.
  var hasUnusualIdentifiers = false

  @inline(__always) var cell: Int { words.cell }
  @inline(__always) var word: Int { words.word }
  @inline(__always) var mask: UInt64 { words.mask }

  /// The same slot, but for a single element of its list.
  var element: SlotPlan {
    guard let elementType else { return self }
    var slot = self
    slot.kind = Kind(elementType)
    slot.elementType = nil
    return slot
  }
}
