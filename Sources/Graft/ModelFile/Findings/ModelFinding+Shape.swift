// Findings about the structure of a model file, before its meaning is known (M2, D8).
extension ModelFinding {
  static func tooMany(_ count: Int, isError: Bool) -> Self {
    Self(
      .tooManyFindings, "\(count) more findings are not shown: fix these and run again",
      severity: isError ? .error : .warning)
  }

  /// - Parameter owner: the owner of the key: `attribute 'Hero.name'`.
  static func unknownKey(_ key: String, in owner: String, home: ModelFileLevel?) -> Self {
    let hint = home.map { ": it belongs to \($0.nounPhrase)" } ?? ""
    return Self(
      .unknownKey, "unknown key \(key.quoted) in \(owner)\(hint)", offender: key, listsCandidates: home == nil)
  }

  static func typeOfRelationship(in owner: String) -> Self {
    Self(
      .unknownKey,
      "unknown key 'type' in \(owner): it belongs to an attribute; the entity of a relationship is its 'destination'",
      offender: ModelFileKey.type.rawValue, listsCandidates: false
    ).proposing(ModelFileKey.destination.rawValue)
  }

  /// A key of another format that states the opposite of 'optional'.
  static func foreignRequired(_ key: String, in owner: String, isRelationship: Bool) -> Self {
    Self(
      .unknownKey,
      "unknown key \(key.quoted) in \(owner): "
        + (isRelationship
          ? "relationships are optional unless they have \"optional\": false"
          : "attributes are required unless they have \"optional\": true"),
      listsCandidates: false)
  }

  static func foreignIdentity(_ key: String, in owner: String) -> Self {
    Self(
      .unknownKey,
      "unknown key \(key.quoted) in \(owner): the entity lists the attributes that identify its objects in 'identityAttributes'",
      listsCandidates: false)
  }

  static func foreignIndex(_ key: String, in owner: String) -> Self {
    Self(
      .unknownKey,
      "unknown key \(key.quoted) in \(owner): the entity lists the properties that its stores index in 'indexes'",
      listsCandidates: false)
  }

  /// - Parameter home: the key under which the declaration belongs: `'attributes'`.
  static func declarationOutside(_ key: String, in owner: String, _ what: String, home: ModelFileKey) -> Self {
    Self(
      .unknownKey, "unknown key \(key.quoted) in \(owner): it looks like \(what); move it into \(home.quoted)",
      listsCandidates: false)
  }

  static func foreignKey(_ key: String, in owner: String, means meant: ModelFileKey) -> Self {
    var finding = Self(.unknownKey, "unknown key \(key.quoted) in \(owner)", offender: key)
    finding.suggestion = meant.rawValue
    return finding
  }

  static func optionalType(_ text: String, of owner: String, _ type: String) -> Self {
    Self(
      .unknownWord,
      "unknown 'type' \(text.quoted) of \(owner): write an optional attribute as "
        + "{ \"type\": \"\(type)\", \"optional\": true }"
    ).proposing(type)
  }

  /// - Parameter element: the type of the elements, if the text contains it; otherwise the example has `string`.
  static func listType(_ text: String, of owner: String, _ element: String?) -> Self {
    let finding = Self(
      .unknownWord,
      "unknown 'type' \(text.quoted) of \(owner): write a list of values as "
        + "{ \"type\": \"\(element ?? "string")\", \"list\": true }, and a list of objects as a relationship with \"toMany\": true"
    )
    return element.map(finding.proposing) ?? finding
  }

  static func duplicateKey(_ key: String) -> Self { Self(.duplicateKey, "the key \(key.quoted) is given twice") }

  static func missingKey(_ field: ModelFileField, in owner: String) -> Self {
    Self(.missingKey, "\(owner) has no \(field.key.quoted); for example: \(field.example)")
  }

  static func conflictingKeys(_ key: ModelFileKey, _ other: ModelFileKey, in owner: String) -> Self {
    Self(.conflictingKeys, "\(owner) has both \(other.quoted) and \(key.quoted): remove one of them")
  }

  /// - Parameter what: the expected value and its owner: `a string for 'parent' of entity 'Hero'`.
  static func wrongType(_ what: String, found: ModelFileNode) -> Self {
    Self(.wrongType, "expected \(what), found \(found.foundPhrase)")
  }

  static func unknownWord(_ word: String, for key: ModelFileKey, in owner: String) -> Self {
    Self(.unknownWord, "unknown \(key.quoted) \(word.quoted) of \(owner)", offender: word)
  }

  static func entityAsType(_ name: String, of owner: String, _ property: String) -> Self {
    Self(
      .unknownWord,
      "\(name.quoted) is an entity, not a 'type' for \(owner): under 'relationships', write "
        + "\"\(property.shortened)\": { \"destination\": \"\(name.shortened)\" }")
  }

  static func oldSpelling(_ key: ModelFileKey, _ new: ModelFileKey) -> Self {
    Self(.oldSpelling, "\(key.quoted) is the old spelling: write \(new.quoted)", severity: .warning)
      .proposing(new.rawValue)
  }

  static func badName(_ name: String, of what: String, _ reason: String) -> Self {
    Self(.badName, "\(name.quoted) cannot be the name of \(what): it \(reason)")
  }

  static func badClassName(_ name: String, of entity: String) -> Self {
    Self(
      .badClassName,
      "the class \(name.quoted) of entity \(entity.quoted) is not a valid Swift type name: expected "
        + "letters, digits and '_', not starting with a digit, and not a reserved word")
  }
}
