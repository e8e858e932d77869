/// What a context found out earlier, and need not find out again.
struct ContextCaches {
  /// The entity of the class that was looked up last.
  var latestClass: (type: ObjectIdentifier, entity: EntityPlan)?
  /// The kind of value that a decoder last held under each key. It is tried first, which saves failed attempts (C4).
  var decodedKinds: [String: UInt8] = [:]
}
