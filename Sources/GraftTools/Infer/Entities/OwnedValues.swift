/// Values that depend on the containing object: the value of a field in one ticket, the role of a person in one film.
///
///     {"id": 7, "custom_fields": [{"id": 27, "value": "745"}]}        field 27 of ticket 7
///     {"id": 8, "custom_fields": [{"id": 27, "value": "746"}]}        field 27 of ticket 8
enum OwnedValues {
  /// Keys that have such values.
  private static let certain: Set<String> = [
    "value", "role", "character", "job", "quantity", "qty", "indices", "delay",
  ]
  /// The last words of keys that may have such values.
  private static let possible: Set<String> = [
    "position", "rank", "index", "order", "amount", "ref", "text", "answer", "score",
  ]

  static func areCertain(_ key: String) -> Bool { certain.contains(key.lowercased()) }

  static func arePossible(_ key: String) -> Bool {
    KeyNames.lowercaseWords(key).last.map { certain.contains($0) || possible.contains($0) } == true
  }
}
