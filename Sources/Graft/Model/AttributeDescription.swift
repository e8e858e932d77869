/// The description of one attribute of a model ([M4](doc:Rules#M4)).
public struct AttributeDescription: Sendable {
  /// The attribute's name.
  public var name: String
  /// The type of the attribute's values, or of the elements if the attribute is a list.
  public var type: AttributeType
  /// Whether the attribute holds a list of values: an array in JSON ([M13](doc:Rules#M13)). The transformer and the
  /// validation keywords then apply to each element.
  public var isList = false
  /// Whether the attribute may be nil.
  public var isOptional = false
  /// The value in a new object if the payload has none, in stored form ([D5](doc:Rules#D5)).
  public var defaultValue: AttributeValue?
  /// The key path in JSON. If it is nil, the attribute is neither imported nor exported.
  public var keyPath: JSONKeyPath?
  /// The key paths that are read, in order, when ``keyPath`` is absent ([M7](doc:Rules#M7)).
  public var keyPathAliases: [JSONKeyPath] = []
  /// Whether the attribute is imported, exported, or both.
  public var direction = JSONDirection.both
  /// The names of the attribute's value transformers, in the order in which imports apply them. Exports apply their reverses in the
  /// opposite order ([T8](doc:Rules#T8)).
  public var transformerNames: [String] = []
  /// The JSON values that are read as null before any transformer is applied. They replace the model's list ([M20](doc:Rules#M20)).
  public var nulls: [JSON]?
  /// Whether a single element, or an object with the keys `0`, `1` and so on, is also read as a list ([M22](doc:Rules#M22)).
  public var isLenient = false
  /// The constraints on the attribute's values.
  public var validation = AttributeValidation()
  /// Whether the attribute's values are sensitive ([M29](doc:Rules#M29)): messages, reports, traces and dumps show `<hidden>` instead.
  public var isSensitive = false
  /// Custom data that Graft stores but does not use.
  public var userInfo: [String: JSON] = [:]
  /// A description of the attribute in prose.
  public var documentation: String?

  /// The former names of the attribute, in any earlier version. A store of such a version has its data under one of them.
  public var renamedFrom: [String] = []
  /// How the attribute gets its values from a store of an earlier version in which no attribute has one of its names.
  public var migration: AttributeMigration? {
    get { migrationBox?.value }
    set { migrationBox = newValue.map(MigrationBox.init) }
  }
  private var migrationBox: MigrationBox<AttributeMigration>?

  /// The declaration in the model file.
  package var source = DescriptionSource()

  /// The name of the attribute's value transformer. If the attribute has several, this is all their names, separated by commas. Setting
  /// it replaces all of them.
  public var transformerName: String? {
    get { transformerNames.isEmpty ? nil : transformerNames.joined(separator: ", ") }
    set { transformerNames = newValue.map { [$0] } ?? [] }
  }

  /// Creates a description of an attribute.
  public init(_ name: String, _ type: AttributeType, isOptional: Bool = false, keyPath: JSONKeyPath? = nil) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.keyPath = keyPath
  }
}

/// The constraints on an attribute's values: the validation keywords of JSON Schema ([M4](doc:Rules#M4)).
public struct AttributeValidation: Sendable {
  /// The smallest value allowed for a number.
  public var minimum: AttributeValue?
  /// The largest value allowed for a number.
  public var maximum: AttributeValue?
  /// The minimum length, in Unicode scalars (bytes for `binary`).
  public var minLength: Int?
  /// The maximum length, in Unicode scalars (bytes for `binary`).
  public var maxLength: Int?
  /// A regular expression that must match somewhere in a string, as in JSON Schema.
  ///
  /// The syntax and meaning follow ECMA-262, applied to Unicode scalars: characters, `.`, classes, `\d \w \s \b`
  /// (ASCII except for `\s`) and their complements, general categories `\p{L}`, `* + ? {2} {2,} {2,3}`, `^ $`, groups and
  /// `|`.
  ///
  /// A pattern with look-around, back-references or flags is rejected when the model is loaded. Matching therefore takes
  /// time in proportion to the length of the text.
  public var pattern: String?
  /// The only values allowed, in stored form. If it is nil, every value is allowed.
  public var allowedValues: [AttributeValue]?
  /// Whether ``allowedValues`` lists only the known values: other values are kept, and imports report them as warnings
  /// ([M14](doc:Rules#M14)).
  public var isExtensible = false

  /// The only values allowed, or nil if other values are allowed.
  package var onlyValues: [AttributeValue]? { isExtensible ? nil : allowedValues }

  /// The minimum number of elements of a list.
  public var minCount: Int?
  /// The maximum number of elements of a list.
  public var maxCount: Int?

  /// Creates a validation without constraints.
  public init() {}

  /// Whether there are no constraints.
  public var isEmpty: Bool {
    minimum == nil && maximum == nil && minLength == nil && maxLength == nil && pattern == nil && allowedValues == nil
      && minCount == nil && maxCount == nil
  }
}
