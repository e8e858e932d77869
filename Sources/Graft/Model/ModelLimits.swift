/// The maximum size of a model.
///
/// Rows and the journal of changes store the numbers of hierarchies, entities and words in a few bits each (see
/// `JournalEntry` and `RowHeader`). A larger model is therefore rejected when it is loaded (M9).
enum ModelLimits {
  /// The number of bits for a hierarchy, an entity, and a word in a row. These properties are computed, so that shifts by these numbers are
  /// constants.
  @inline(__always) static var hierarchyBits: UInt64 { 13 }
  @inline(__always) static var entityBits: UInt64 { 16 }
  @inline(__always) static var wordBits: UInt64 { 16 }

  static let hierarchies: Int = 1 << Int(hierarchyBits) - 1
  static let entities: Int = 1 << Int(entityBits) - 1
  /// The maximum number of properties of an entity, including inherited properties, that fit into a row.
  static let properties: Int = {
    let words = 1 << Int(wordBits) - 1
    var count = words
    while rowWords(properties: count) > words { count -= 1 }
    return count
  }()

  /// The maximum number of values that are read as null (M20). An import may have to compare each value of a payload with all of these
  /// values.
  static let nulls = 100

  /// The maximum number of objects that are read from one element or dictionary (M23). Each of these objects reads the dictionary again
  /// and adds a level of nesting.
  static let sharingObjects = 16

  /// Returns the number of words for the presence bits, one bit for each property.
  static func presenceWords(properties: Int) -> Int { max(1, (properties + 63) / 64) }

  /// Returns the number of words in a row: the header, the presence bits, and one word for each property.
  static func rowWords(properties: Int) -> Int { 1 + presenceWords(properties: properties) + properties }
}
