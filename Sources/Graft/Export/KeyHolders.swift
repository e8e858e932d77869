/// The object under each key, for every open collection by keys whose keys may repeat (M11).
struct KeyHolders {
  private var collections: [[UTF8Key: RowPlace]] = []

  mutating func begin() { collections.append([:]) }

  mutating func end() { collections.removeLast() }

  /// Notes the object under a key of the innermost collection.
  ///
  /// - Returns: another object that already has the key.
  mutating func note(_ place: RowPlace, under key: String) -> RowPlace? {
    collections[collections.count - 1].updateValue(place, forKey: UTF8Key(key))
  }
}
