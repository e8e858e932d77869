/// A row: its header, its values and its links.
///
///     row.isPlaceholder       a flag in the header
///     row.isSet(slot)         whether a property has a value
///     row[slot]               the cell of a property: a number, the place of a text, a vector
///     row.toOne(slot)         the row that a to-one leads to
///
/// This value consists only of the address of the row's words, so it costs as much as an address. It is unsafe: it is valid only as long
/// as the rows of its table stay where they are, which is until
/// ``GraphState/closeGaps(_:)`` moves them or the context ends. Values and links are written only by ``GraphEditor``, and by the code that
/// loads rows from a store.
struct Row: Equatable {
  let words: UnsafeMutablePointer<UInt64>

  @inline(__always) init(_ words: UnsafeMutablePointer<UInt64>) { self.words = words }

  // MARK: The header

  @inline(__always) var header: RowHeader {
    get { RowHeader(bits: words[0]) }
    nonmutating set { words[0] = newValue.bits }
  }

  @inline(__always) var entity: Int { header.entity }
  @inline(__always) var epoch: UInt32 { header.epoch }
  @inline(__always) var isPlaceholder: Bool { header.isPlaceholder }
  @inline(__always) var isDeleted: Bool { header.isDeleted }
  @inline(__always) var hasBareDiscriminator: Bool { header.hasBareDiscriminator }
  @inline(__always) var isLoaded: Bool { header.isLoaded }
  @inline(__always) var isInserted: Bool { header.isInserted }
  @inline(__always) var isNotValidated: Bool { header.isNotValidated }

  // MARK: Marks, which are not journaled

  @inline(__always) var isOnPath: Bool {
    get { header.isOnPath }
    nonmutating set { header = header.with(RowHeader.onPath, newValue) }
  }
  @inline(__always) var isListed: Bool {
    get { header.isListed }
    nonmutating set { header = header.with(RowHeader.listed, newValue) }
  }
  @inline(__always) var isDoomed: Bool {
    get { header.isDoomed }
    nonmutating set { header = header.with(RowHeader.doomed, newValue) }
  }
  @inline(__always) var isDescribed: Bool {
    get { header.isDescribed }
    nonmutating set { header = header.with(RowHeader.described, newValue) }
  }
  @inline(__always) var isChanged: Bool {
    get { header.isChanged }
    nonmutating set { header = header.with(RowHeader.changed, newValue) }
  }
  @inline(__always) var isStored: Bool {
    get { header.isStored }
    nonmutating set { header = header.with(RowHeader.stored, newValue) }
  }
  @inline(__always) var isFault: Bool { header.isFault }

  // MARK: Properties

  /// Whether an attribute is not nil, or a relationship is not empty.
  @inline(__always) func isSet(_ slot: SlotPlan) -> Bool { words[slot.word] & slot.mask != 0 }
  @inline(__always) func isSet(_ slot: PlanReference<SlotPlan>) -> Bool {
    words[slot.pointee.word] & slot.pointee.mask != 0
  }

  /// The cell of a property; 0 if it has no value.
  @inline(__always) subscript(slot: SlotPlan) -> UInt64 {
    get { words[slot.cell] }
    nonmutating set { words[slot.cell] = newValue }
  }
  @inline(__always) subscript(slot: PlanReference<SlotPlan>) -> UInt64 {
    get { words[slot.pointee.cell] }
    nonmutating set { words[slot.pointee.cell] = newValue }
  }

  /// The row of a to-one relationship, which may be deleted or not loaded; nil if the relationship is empty.
  @inline(__always) func toOne(_ slot: SlotPlan) -> UInt32? {
    let cell = words[slot.cell]
    return cell == 0 ? nil : UInt32(truncatingIfNeeded: cell - 1)
  }

  /// The rows of a relationship, in order. Some may be deleted or not loaded.
  func links(_ slot: SlotPlan) -> [UInt32] {
    if slot.kind == .toOne { return toOne(slot).map { [$0] } ?? [] }
    let cell = words[slot.cell]
    guard cell != 0 else { return [] }
    let vector = RowVector(cell)
    return (0..<vector.used).compactMap { vector.rows[$0] == 0 ? nil : vector.rows[$0] - 1 }
  }

  /// Writes whether a property has a value, bypassing the journal.
  func setPresence(of slot: SlotPlan, _ isSet: Bool) {
    if isSet { words[slot.word] |= slot.mask } else { words[slot.word] &= ~slot.mask }
  }
  func setPresence(of slot: PlanReference<SlotPlan>, _ isSet: Bool) { setPresence(of: slot.pointee, isSet) }

  /// A word of the row, by its number.
  @inline(__always) subscript(word: Int) -> UInt64 {
    get { words[word] }
    nonmutating set { words[word] = newValue }
  }
}
