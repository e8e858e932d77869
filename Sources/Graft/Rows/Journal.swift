/// One step in rolling changes back, which begins with the last change. An entry is plain data.
struct JournalEntry {
  enum Kind: UInt64 {
    /// A word of a row had a different value.
    case word
    /// A word of a row held a different vector, or no vector.
    case vector
    /// A row was added at the end of a vector; `old` is its number.
    case append
    /// A row was added to the index of its identity, or removed from it.
    case indexed, unindexed
    /// A row was removed from a vector; `old` is its index and number.
    case removal
    /// Like ``vector``, but the new vector begins with the rows of the old vector, which had no room for another row.
    case growth
    /// A member joined or left a list whose members are not in memory: `old` contains the member's number, and whether the member joined or
    /// left.
    case delta
  }

  /// | kind: 3 bits | table: 13 bits | word: 16 bits | row: 32 bits |
  private let place: UInt64
  let old: UInt64

  /// Whether the members of a to-many relationship changed.
  var isList: Bool {
    switch kind {
    case .vector, .append, .removal, .growth, .delta: true
    case .word, .indexed, .unindexed: false
    }
  }

  /// Whether the identity of a row changed.
  var isOfIdentity: Bool { kind == .indexed || kind == .unindexed }

  /// The row that was removed from a vector, for a ``Kind/removal``.
  var removed: (row: UInt32, place: Int) {
    (UInt32(truncatingIfNeeded: old), Int(truncatingIfNeeded: old >> 32))
  }

  @inline(__always) private static var wordShift: UInt64 { 32 }
  @inline(__always) private static var tableShift: UInt64 { wordShift + ModelLimits.wordBits }
  @inline(__always) private static var kindShift: UInt64 { tableShift + ModelLimits.hierarchyBits }
  @inline(__always) private static var wordMask: UInt64 { 1 << ModelLimits.wordBits - 1 }
  @inline(__always) private static var tableMask: UInt64 { 1 << ModelLimits.hierarchyBits - 1 }

  @inline(__always)
  init(_ kind: Kind, table: Int, row: UInt32, word: Int, old: UInt64) {
    place =
      kind.rawValue << JournalEntry.kindShift | UInt64(table) << JournalEntry.tableShift
      | UInt64(word) << JournalEntry.wordShift | UInt64(row)
    self.old = old
  }

  /// A removal from a vector.
  init(removed row: UInt32, at place: Int, from owner: UInt32, _ table: Int, word: Int) {
    self.init(.removal, table: table, row: owner, word: word, old: UInt64(place) << 32 | UInt64(row))
  }

  /// A member that joined or left a list that is not in memory.
  ///
  /// - Parameter wasAdded: whether a member that left had been added in this context. Otherwise, only the store contains the member.
  init(member: UInt32, isGone: Bool, wasAdded: Bool = false, of owner: UInt32, _ table: Int, word: Int) {
    let bits: UInt64 = (isGone ? 1 : 0) | (wasAdded ? 2 : 0)
    self.init(.delta, table: table, row: owner, word: word, old: bits << 32 | UInt64(member))
  }

  /// The member that joined or left a list, for a ``Kind/delta``.
  var delta: (member: UInt32, isGone: Bool) { (UInt32(truncatingIfNeeded: old), old >> 32 & 1 != 0) }
  var deltaWasAdded: Bool { old >> 32 & 2 != 0 }

  var kind: Kind { Kind(rawValue: place >> JournalEntry.kindShift).unsafelyUnwrapped }
  /// Whether a word now holds a different vector, and `old` is the former vector.
  var isVector: Bool { kind == .vector || kind == .growth }
  var table: Int { Int(place >> JournalEntry.tableShift & JournalEntry.tableMask) }
  var word: Int { Int(place >> JournalEntry.wordShift & JournalEntry.wordMask) }
  var row: UInt32 { UInt32(truncatingIfNeeded: place) }
}
