/// How large a model can be. Rows and the journal of changes keep the numbers of hierarchies, entities and words in a few bits
/// each (see `JournalEntry` and `RowHeader`), so a larger model is refused when it is loaded (M9).
enum ModelLimits {
  /// The bits that hold the number of a hierarchy, of an entity, and of a word in a row. Computed, so that shifts by them are
  /// constants.
  @inline(__always) static var hierarchyBits: UInt64 { 13 }
  @inline(__always) static var entityBits: UInt64 { 16 }
  @inline(__always) static var wordBits: UInt64 { 16 }

  static let hierarchies: Int = 1 << Int(hierarchyBits) - 1
  static let entities: Int = 1 << Int(entityBits) - 1
  /// The most properties of an entity, inherited ones included: what fits into a row.
  static let properties: Int = {
    let words = 1 << Int(wordBits) - 1
    var count = words
    while rowWords(properties: count) > words { count -= 1 }
    return count
  }()

  /// The words that tell which properties have a value: a bit for each.
  static func presenceWords(properties: Int) -> Int { max(1, (properties + 63) / 64) }

  /// The words of a row: the header, the presence bits, and one for each property.
  static func rowWords(properties: Int) -> Int { 1 + presenceWords(properties: properties) + properties }
}
