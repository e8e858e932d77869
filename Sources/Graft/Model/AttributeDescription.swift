/// What a model says about one attribute (M4).
public struct AttributeDescription: Sendable {
  /// The attribute's name.
  public var name: String
  /// What it holds.
  public var type: AttributeType
  /// Whether it may be nil.
  public var isOptional = false
  /// What it is on insert when the payload does not say, in stored form (D5).
  public var defaultValue: AttributeValue?
  /// Where it stands in JSON; nil: it takes no part.
  public var keyPath: JSONKeyPath?
  /// Read, in order, when ``keyPath`` is absent (M7).
  public var keyPathAliases: [JSONKeyPath] = []
  /// The name of a value transformer.
  public var transformerName: String?
  /// What its values must meet.
  public var validation = AttributeValidation()
  /// Anything else that the model's author wants to keep with it.
  public var userInfo: [String: JSON] = [:]
  /// What the attribute is, in words.
  public var documentation: String?

  /// Where the model file says so.
  package var source = DescriptionSource()

  /// Makes a description of an attribute.
  public init(_ name: String, _ type: AttributeType, isOptional: Bool = false, keyPath: JSONKeyPath? = nil) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.keyPath = keyPath
  }
}

/// JSON Schema's validation words, as far as they fit an attribute (M4).
public struct AttributeValidation: Sendable {
  /// The least value a number may have.
  public var minimum: AttributeValue?
  /// The greatest value a number may have.
  public var maximum: AttributeValue?
  /// The least length, in Unicode scalars (bytes for `binary`).
  public var minLength: Int?
  /// The greatest length, in Unicode scalars (bytes for `binary`).
  public var maxLength: Int?
  /// A regular expression that a string must contain a match of, as in JSON Schema.
  ///
  /// It means what ECMA-262 says, on Unicode scalars: characters, `.`, classes, `\d \w \s \b` (ASCII, but for `\s`) and
  /// their complements, general categories `\p{L}`, `* + ? {2} {2,} {2,3}`, `^ $`, groups and `|`. Look-around,
  /// back-references and flags are refused when the model is loaded: matching takes one pass over the text, whatever the
  /// text is.
  public var pattern: String?
  /// The only values allowed, in stored form; nil allows all.
  public var allowedValues: [AttributeValue]?

  /// Makes a validation that allows everything.
  public init() {}

  /// Whether there is anything to check.
  public var isEmpty: Bool {
    minimum == nil && maximum == nil && minLength == nil && maxLength == nil && pattern == nil && allowedValues == nil
  }
}
