/// Cached results that a context need not compute again.
struct ContextCaches {
  /// The class that was looked up last, and the index of its entity.
  var latestClass: (type: ObjectIdentifier, entity: Int)?
  /// The kind of value that a decoder last contained under each key. This kind is tried first, which avoids failed attempts (C4).
  var decodedKinds: [String: UInt8] = [:]
  /// The fields of groups of keys, by the spellings that a decoder may use for their keys (C4). Each group is identified by its first
  /// field.
  var convertedFields: [Int: [String: Int]] = [:]
}
