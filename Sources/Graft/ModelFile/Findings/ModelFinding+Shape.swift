// What is wrong with the text of a model file, before it is known what it means (M1, M2, D8).
extension ModelFinding {
  static func syntax(_ message: String) -> Self { Self(.syntaxError, message) }

  static func encoding(_ name: String) -> Self {
    Self(.wrongEncoding, "the file is \(name): model files are UTF-8")
  }

  static func notUTF8(_ byte: UInt8) -> Self {
    Self(.wrongEncoding, "the byte 0x\(String(byte, radix: 16, uppercase: true)) is not UTF-8 here")
  }

  static func tooDeep(_ limit: Int) -> Self { Self(.tooDeep, "nested deeper than \(limit) levels") }

  static func tooMany(_ count: Int, isError: Bool) -> Self {
    Self(.tooManyFindings, "\(count) more findings are not shown", severity: isError ? .error : .warning)
  }

  /// - Parameter owner: what the key stands in: `attribute 'Hero.name'`.
  static func unknownKey(_ key: String, in owner: String, home: ModelFileLevel?) -> Self {
    let hint = home.map { ": it belongs to \($0.nounPhrase)" } ?? ""
    return Self(.unknownKey, "unknown key \(key.quoted) in \(owner)\(hint)", offender: key)
  }

  static func duplicateKey(_ key: String) -> Self { Self(.duplicateKey, "the key \(key.quoted) is given twice") }

  static func missingKey(_ key: ModelFileKey, in owner: String) -> Self {
    Self(.missingKey, "\(owner) has no \(key.quoted)")
  }

  static func conflictingKeys(_ key: ModelFileKey, _ other: ModelFileKey, in owner: String) -> Self {
    Self(.conflictingKeys, "\(owner) has both \(other.quoted) and \(key.quoted): only one of them counts")
  }

  /// - Parameter what: what is expected where: `a string for 'parent' of entity 'Hero'`.
  static func wrongType(_ what: String, found: ModelFileNode) -> Self {
    Self(.wrongType, "expected \(what), found \(found.foundPhrase)")
  }

  static func unknownWord(_ word: String, for key: ModelFileKey, in owner: String, legal: [String]) -> Self {
    let list = legal.map(\.quoted).joined(separator: ", ")
    return Self(
      .unknownWord, "unknown \(key.quoted) \(word.quoted) of \(owner): expected one of \(list)", offender: word)
  }

  static func oldSpelling(_ key: ModelFileKey, _ new: ModelFileKey) -> Self {
    Self(.oldSpelling, "\(key.quoted) is the old spelling of \(new.quoted)", severity: .warning)
  }

  static func badName(_ name: String, of what: String, _ reason: String) -> Self {
    Self(.badName, "\(name.quoted) cannot be the name of \(what): it \(reason)")
  }

  static func badClassName(_ name: String, of entity: String) -> Self {
    Self(.badClassName, "the class \(name.quoted) of entity \(entity.quoted) is no name of a Swift type")
  }
}
