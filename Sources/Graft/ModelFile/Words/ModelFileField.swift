/// A key of a model file: what it holds, and what it means (M2, M3, M4, M6).
///
/// There is one for each key at each level. The reader takes its legal keys from here, and the JSON Schema of model
/// files its types and its texts, so that they cannot drift apart.
package struct ModelFileField: Sendable {
  /// What a key holds.
  package enum Kind: Sendable {
    /// Any text.
    case text
    /// The name of a Swift type.
    case className
    /// Names of attributes: an array, or one string with commas.
    case names
    /// `true` or `false`, and which of them counts when the key is absent.
    case flag(ifAbsent: Bool)
    /// A whole number.
    case count(atLeast: Int)
    /// One of a few words, each with its summary; and which of them counts when the key is absent.
    case word([(word: String, summary: String)], ifAbsent: String?)
    /// A key path, or null where that opts out.
    case keyPath(isNullable: Bool)
    /// An array of key paths.
    case keyPaths
    /// The name of a value transformer.
    case transformerName
    /// A value of the attribute's type, or null.
    case value
    /// A number of the attribute's type.
    case bound
    /// An array of values of the attribute's type.
    case values
    /// An object whose keys are names that the author chooses, and whose values are of a level.
    case objects(ModelFileLevel)
    /// An object of a level.
    case object(ModelFileLevel)
    /// An object of entity names by values of a discriminator.
    case entityNames
    /// An object of anything.
    case userInfo

    /// One of the words of an enumeration.
    static func word<Word: ModelFileWord>(of type: Word.Type, ifAbsent: Word? = nil) -> Kind {
      .word(Word.allCases.map { ($0.rawValue, $0.summary) }, ifAbsent: ifAbsent?.rawValue)
    }
  }

  /// The key.
  package let key: ModelFileKey
  /// What it holds.
  package let kind: Kind
  /// Whether it has to be there.
  package let isRequired: Bool
  /// The new spelling of an old one.
  package let replacement: ModelFileKey?
  /// What it means, in a few sentences of Markdown.
  package let summary: String
  /// How it is written: a member, or several, of the object in which the key stands.
  package let example: String

  init(
    _ key: ModelFileKey, _ kind: Kind, isRequired: Bool = false, replacement: ModelFileKey? = nil, _ summary: String,
    example: String
  ) {
    self.key = key
    self.kind = kind
    self.isRequired = isRequired
    self.replacement = replacement
    self.summary = summary
    self.example = example
  }

  /// `doc` is legal everywhere.
  static func documentation(_ example: String) -> ModelFileField {
    .init(.doc, .text, "What it is, for people.", example: "\"doc\": \"\(example)\"")
  }

  /// `userInfo` is legal nearly everywhere.
  static func userInfo(_ example: String) -> ModelFileField {
    .init(
      .userInfo, .userInfo, "Anything else that is worth keeping with it: Graft keeps it and does not look into it.",
      example: "\"userInfo\": \(example)")
  }
}
