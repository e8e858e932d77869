/// The deletion of an object, for which a dictionary asks (M17).
struct MarkedDeletion {
  /// The entity of the dictionary.
  var entity: Int
  /// The row, or an identifier that waits; nil if the dictionary has no identity.
  var row: UInt32?
  /// The version that was deleted, if the dictionary tells.
  var modification: AttributeValue?
  var offset: Int
}
