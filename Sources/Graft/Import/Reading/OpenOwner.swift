/// A value that is read when the row of its object is known, because objects in the value are identified inside that object (M12).
struct SetAsideValue {
  /// The first cell of the object.
  var cells: Int
  /// The field of the value.
  var field: Int
  /// The start of the value, and its depth in the text.
  var start: UnsafePointer<UInt8>
  var depth: Int
  /// The values on a path through arrays (M25).
  var elements: [Element] = []
  /// Whether these elements, rather than the value itself, are the elements of the to-many relationship.
  var isSpread = false

  /// A value on a path through arrays, and its depth in the text.
  struct Element {
    var start: UnsafePointer<UInt8>
    var depth: Int
    /// The object that encloses one of the payload's objects, which reads `@parent` from it (M19); nil for other objects.
    var parent: UnsafePointer<UInt8>?
  }
}

/// An object that has been applied and whose set-aside values are being read.
///
///     {"id": "o-1", "lines": [{"sku": "A"}], "total": 7}
///                            ^ set aside               ^ end: the order is applied, then the lines are read
struct OpenOwner {
  var row: UInt32
  /// The positions of the values that the object set aside, starting with the next value to read.
  var values: Range<Int>
  var next: Int
  /// The position where reading continues after all of these values.
  var end: UnsafePointer<UInt8>
  var depth: Int
  /// The previous objects of the relationships.
  var before: [UInt64]
}
