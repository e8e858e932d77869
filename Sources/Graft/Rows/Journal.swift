/// What must be done to take changes back, last change first. Plain data.
struct JournalEntry {
  enum Kind: UInt64 {
    /// A word of a row had another value.
    case word
    /// A word of a row held another vector (or none).
    case vector
    /// A vector got a row at its end.
    case append
    /// A row entered, or left, the index of its identity.
    case indexed, unindexed
  }

  /// | kind: 3 bits | table: 13 bits | word: 16 bits | row: 32 bits |
  private let place: UInt64
  let old: UInt64

  @inline(__always)
  init(_ kind: Kind, table: Int, row: UInt32, word: Int, old: UInt64) {
    place = kind.rawValue << 61 | UInt64(table) << 48 | UInt64(word) << 32 | UInt64(row)
    self.old = old
  }

  var kind: Kind { Kind(rawValue: place >> 61).unsafelyUnwrapped }
  var table: Int { Int(place >> 48 & 0x1FFF) }
  var word: Int { Int(place >> 32 & 0xFFFF) }
  var row: UInt32 { UInt32(truncatingIfNeeded: place) }
}
