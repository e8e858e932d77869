/// Cached results that a context need not compute again.
struct ContextCaches {
  /// The class that was looked up last, and the index of its entity.
  var latestClass: (type: ObjectIdentifier, entity: Int)?
  /// The kind of value that a decoder last held under each key. It is tried first, which saves failed attempts (C4).
  var decodedKinds: [String: UInt8] = [:]
  /// For groups of keys, by their first field: the fields by the spellings that a decoder may use for their keys (C4).
  var convertedFields: [Int: [String: Int]] = [:]
}
