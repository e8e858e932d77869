/// The deletion of an object, requested by a dictionary (M17).
struct MarkedDeletion {
  /// The entity of the dictionary.
  var entity: Int
  /// The row, or a waiting identifier; nil if the dictionary has no identity.
  var row: UInt32?
  /// The version that was deleted, if the dictionary contains it.
  var modification: AttributeValue?
  var offset: Int
}
