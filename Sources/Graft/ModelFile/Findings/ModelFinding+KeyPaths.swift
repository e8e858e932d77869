// Findings about key paths (M7, M9, M11).
extension ModelFinding {
  /// - Parameter owner: the owner of the key path: `'Hero.name'`.
  /// - Parameter meant: the keys in Graft's syntax, or nil for an array element.
  static func foreignKeyPath(_ text: String, of owner: String, _ meant: ForeignKeyPath) -> Self {
    let array = meant.needsArray ? meant.keys.map { JSONWriter.text(of: .array($0.map { .string($0) })) } : nil
    let way =
      meant.text.map { "a list of keys separated by dots, starting at the object itself, as in \"\($0.shortened)\"" }
      ?? array.map { "a list of keys, starting at the object itself, as in \($0.shortened)" }
      ?? "a list of keys separated by dots and cannot lead to one element of an array; a list or a to-many collects values from all elements with 'name[].family', and type 'json' keeps the whole array"
    return Self(
      .foreignKeyPath,
      "the key path \(text.quoted) of \(owner) reads a key with exactly that name, which is unlikely in JSON: a key path is "
        + way, severity: .warning
    ).proposing(meant.text)
  }

  /// - Parameter word: an operator of key-value coding: `@count`.
  static func collectionOperator(_ word: String, in text: String, of owner: String) -> Self {
    Self(
      .foreignKeyPath,
      "the key path \(text.quoted) of \(owner) reads a key named \(word.quoted): key paths do not support key-value coding "
        + "operators; if JSON has such a key, write an array of keys", severity: .warning)
  }

  /// - Parameter keys: the key path as an array, with the annotation as its last key: `["@odata.etag"]`.
  static func annotationKeyPath(_ keys: [String], in text: String, of owner: String) -> Self {
    let array = JSONWriter.text(of: .array(keys.map { .string($0) }))
    return Self(
      .foreignKeyPath,
      "the key path \(text.quoted) of \(owner) has several keys, but \((keys.last ?? "").quoted) is a single key in "
        + "JSON; write an array of keys: \(array.shortened)",
      severity: .warning)
  }

  /// - Parameters:
  ///   - key: a key that is almost a reserved word: `@parnt`.
  ///   - meant: the key path with that word.
  static func nearKeyWord(_ key: String, in text: String, of owner: String, _ meant: String) -> Self {
    var finding = Self(
      .foreignKeyPath,
      "the key path \(text.quoted) of \(owner) reads a key named \(key.quoted); if JSON has such a key, write an array of keys",
      severity: .warning)
    finding.suggestion = meant
    return finding.withoutFix
  }

  static func malformedKeyPath(_ text: String, of owner: String, _ reason: String) -> Self {
    Self(.malformedKeyPath, "malformed key path \(text.quoted) of \(owner): \(reason)")
  }

  /// - Parameters:
  ///   - name: the owner of the path: `'Hero.name'`.
  ///   - other: the other owner of the path.
  static func collidingKeyPaths(_ path: JSONKeyPath, _ name: String, _ other: String) -> Self {
    Self(
      .collidingKeyPaths,
      name == other
        ? "\(name) has the key path \(path.description.quoted) twice"
        : "\(other) and \(name) have the same key path \(path.description.quoted)")
  }

  /// The first path passes through a value that the second reads.
  static func nestedKeyPaths(_ path: JSONKeyPath, of name: String, inside outer: String) -> Self {
    Self(
      .nestedKeyPaths,
      name == outer
        ? "the key path \(path.description.quoted) of \(name) leads into another of its key paths"
        : "the key path \(path.description.quoted) of \(name) leads into the value of \(outer): a value is "
          + "read either as a whole or by its keys, not both")
  }

  /// The first path reads a value that the second passes through.
  static func enclosingKeyPath(_ path: JSONKeyPath, of name: String, around inner: String) -> Self {
    Self(
      .nestedKeyPaths,
      name == inner
        ? "the key path \(path.description.quoted) of \(name) encloses another of its key paths"
        : "the key path \(path.description.quoted) of \(name) encloses the value of \(inner): a value is read "
          + "either as a whole or by its keys, not both")
  }

  static func aliasWithoutKeyPath(_ owner: String) -> Self {
    Self(.aliasWithoutKeyPath, "\(owner.quoted) has 'JSONKeyPathAliases' but no 'JSONKeyPath' that they could replace")
  }

  static func misplacedKeyWord(_ word: String, in owner: String, _ reason: String) -> Self {
    Self(.misplacedKeyWord, "\(word.quoted) cannot be the key path of \(owner.quoted): \(reason)")
  }

  /// A key path through arrays where none is allowed.
  static func misplacedBrackets(_ path: JSONKeyPath, of owner: String, _ reason: String) -> Self {
    Self(.misplacedKeyWord, "\(path.description.quoted) cannot be the key path of \(owner): \(reason)")
  }

  static func mapperKeyWord(_ word: String, of entity: String) -> Self {
    Self(
      .misplacedKeyWord,
      "\(word.quoted) cannot be the key path of the mapper of entity \(entity.quoted): a mapper reads a key inside the object"
    )
  }

  static func deletionKeyWord(_ word: String, of entity: String) -> Self {
    Self(
      .misplacedKeyWord,
      "\(word.quoted) cannot be the key path of 'deletedWhen' of entity \(entity.quoted): the mark must be inside the object"
    )
  }

  static func misplacedDirection(_ owner: String, _ reason: String) -> Self {
    Self(.misplacedDirection, "\(owner.quoted) cannot have a 'JSONDirection': \(reason)").proposing("both")
  }

  static func missingDefault(_ attribute: String) -> Self {
    Self(
      .missingDefault,
      "\(attribute.quoted) is required and only exported, so it requires a 'default' for the objects that imports insert; or add "
        + "\"optional\": true")
  }
}
