/// The result of comparing two objects by a sort key.
///
/// This type is declared outside ``SortKey``, so that a comparison does not look up types that depend on the class of the objects.
enum SortOrder {
  case before, same, behind

  /// Compares two values in the direction of a key.
  @inline(__always)
  static func comparing<Value>(
    _ left: Value?, _ right: Value?, _ isLess: (Value, Value) -> Bool, isDescending: Bool, isNilFirst: Bool
  ) -> SortOrder {
    switch (left, right) {
    case (nil, nil): .same
    case (nil, _): isNilFirst ? .before : .behind
    case (_, nil): isNilFirst ? .behind : .before
    case (let left?, let right?):
      if isLess(left, right) {
        isDescending ? .behind : .before
      } else if isLess(right, left) {
        isDescending ? .before : .behind
      } else {
        .same
      }
    }
  }
}
