extension Exporter {
  /// An open object, array or collection by keys. A frame must be small, because one frame is created for each object.
  struct Frame {
    enum Kind: UInt8 { case object, list, keyed }
    /// The output offset at the start of the relationship that is being written; for lists, at the start of the list.
    var start = 0
    /// The number of objects that had been written at that offset, for `sharedObjects: .once`.
    var written = 0
    var row: UInt32 = 0
    @Short var table = 0
    @Short var entity = 0
    @Short var step = 0
    /// The slot of the inverse of the relationship just followed, which is omitted (Groot, E2).
    @Short var back = -1
    /// For lists that represent an object, as its `@value` (M11): the table of the object, whose row is `row`.
    @Short var valueTable = -1
    /// For lists: the rows from `next` to `end`. `entity` is the entity whose objects an import expects.
    @Short var next = 0
    @Short var end = 0
    @Short var first = 0
    /// The number of nulls in a list for positions without objects (M12).
    @Short var gaps = 0
    var kind: Kind
    var isIdentifier = false
    /// For lists: whether an import accepts placeholders, and whether objects without identity are reserved for this list.
    var acceptsPlaceholders = true
    var isReserved = false
    /// For lists: whether each element is in an object of its own (M25), whether its identifier may be transformed (M26), and
    /// whether an import may skip it as null (M20).
    var isWrapped = false
    var transformsIdentifiers = false
    /// For objects: whether the members are written into the dictionary of the object in the frame below (M23).
    var isShared = false
    /// For objects: whether an import may read the to-one relationship that is being written as null (M20, M22).
    var mayBeNull = false
    /// For collections by keys: whether two objects may have the same key. In that case, ``keyHolders`` has the object of each key.
    var checksKeys = false

    init(kind: Kind, table: Int, row: UInt32 = 0, entity: Int = 0, back: Int = -1) {
      self.kind = kind
      self.row = row
      self.table = table
      self.entity = entity
      self.back = back
    }

    /// Notes the position in the object where a relationship begins.
    @inline(__always)
    mutating func begin(_ step: Int, _ start: Int, _ written: Int) {
      self.step = step
      self.start = start
      self.written = written
    }
  }
}
