/// A key of a model file, with its type and meaning (M2, M3, M4, M6).
///
/// There is one field for each key at each level. The reader takes its legal keys from here, and the JSON Schema of model files takes its
/// types and descriptions from here, so the two always agree.
package struct ModelFileField: Sendable {
  /// The type of a key's value.
  package enum Kind: Sendable {
    /// Any text.
    case text
    /// The name of a Swift type.
    case className
    /// An array of strings, or one string if that is allowed.
    case texts(orOne: Bool)
    /// The names of attributes: an array, or one string with commas.
    case names
    /// An array whose elements are names or arrays of names.
    case nameLists
    /// `true` or `false`, and the default.
    case flag(ifAbsent: Bool)
    /// An integer.
    case count(atLeast: Int)
    /// One of a few words, each with its summary, and the default.
    case word([(word: String, summary: String)], ifAbsent: String?)
    /// A key path, or null if that is allowed.
    case keyPath(isNullable: Bool)
    /// A key path, null, or the key paths of the values of an identifier.
    case identifierKeyPath
    /// An array of scalars, `[]` and `{}`.
    case nulls
    /// An array of key paths.
    case keyPaths
    /// The name of a value transformer, or an array of names.
    case transformerName
    /// A value of the attribute's type, or null.
    case value
    /// A number of the attribute's type.
    case bound
    /// An array of values of the attribute's type.
    case values
    /// An object of a level for each name that the author chooses.
    case objects(ModelFileLevel)
    /// An object of a level.
    case object(ModelFileLevel)
    /// An object that maps values of a discriminator to entity names.
    case entityNames
    /// An object that maps names of attributes to names of attributes.
    case attributeNames
    /// The name of an entity, or null.
    case entityNameOrNull
    /// Text, a number or a boolean.
    case scalar
    /// An object with any contents.
    case userInfo

    /// One of the words of an enumeration.
    static func word<Word: ModelFileWord>(of type: Word.Type, ifAbsent: Word? = nil) -> Kind {
      .word(Word.allCases.map { ($0.rawValue, $0.summary) }, ifAbsent: ifAbsent?.rawValue)
    }
  }

  /// The key.
  package let key: ModelFileKey
  /// The type of the key's value.
  package let kind: Kind
  /// Whether the key is required.
  package let isRequired: Bool
  /// The new spelling of an old key.
  package let replacement: ModelFileKey?
  /// The meaning in a few sentences of Markdown.
  package let summary: String
  /// An example: one or more members of the object that contains the key.
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

  /// The key for the former name, for stores (S9).
  static func renamedFrom(_ example: String) -> ModelFileField {
    .init(
      .renamedFrom, .texts(orOne: true),
      "The former name, or an array of all former names. A store of an earlier version of the model keeps its data, which "
        + "is under one of these names.",
      example: "\"renamedFrom\": \"\(example)\"")
  }

  /// The key for values that mean null (M20).
  static func nulls(_ which: String) -> ModelFileField {
    .init(
      .JSONNulls, .nulls,
      "The JSON values that \(which) as `null`, before any transformer: scalars, `[]` and `{}`. Exports write `null`.",
      example: #""JSONNulls": ["", false, "0000-00-00"]"#)
  }

  /// The key `doc`, which is legal everywhere.
  static func documentation(_ example: String) -> ModelFileField {
    .init(.doc, .text, "A description for readers.", example: "\"doc\": \"\(example)\"")
  }

  /// The key `userInfo`, which is legal nearly everywhere.
  static func userInfo(_ example: String) -> ModelFileField {
    .init(
      .userInfo, .userInfo, "Anything else that belongs to the declaration: Graft keeps it and ignores its contents.",
      example: "\"userInfo\": \(example)")
  }
}
