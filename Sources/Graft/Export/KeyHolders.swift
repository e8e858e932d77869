/// Who stands under which key, for each collection by keys that is open and whose keys may repeat (M11).
struct KeyHolders {
  private var collections: [[String: RowPlace]] = []

  mutating func begin() { collections.append([:]) }

  mutating func end() { collections.removeLast() }

  /// Notes who stands under a key of the innermost collection.
  ///
  /// - Returns: another object that stands there already.
  mutating func note(_ place: RowPlace, under key: String) -> RowPlace? {
    collections[collections.count - 1].updateValue(place, forKey: key)
  }
}
