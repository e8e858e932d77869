/// The payload's objects: the rows that an import returns.
struct RootObjects {
  /// In payload order (I1).
  var rows: [UInt32] = []
  /// The payload must be one object, not an array.
  let isSingle: Bool
  var entity = 0
  /// How many elements of the payload's array come before the piece.
  var firstElement = 0

  init(isSingle: Bool) { self.isSingle = isSingle }
}
