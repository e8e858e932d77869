/// A word from a fixed set that a key of a model file can have as its value.
package protocol ModelFileWord: RawRepresentable<String>, CaseIterable, Sendable {
  /// The meaning of the word, in a sentence of Markdown.
  var summary: String { get }
}

extension ModelDescription.KeyStrategy: ModelFileWord {
  package var summary: String {
    switch self {
    case .explicit: "A property without a `JSONKeyPath` is not part of JSON."
    case .sameName: "A property without a `JSONKeyPath` has its own name as its key."
    case .snakeCase:
      "A property without a `JSONKeyPath` has its name in snake case as its key: `realName` is `real_name`."
    }
  }
}

extension JSONDirection: ModelFileWord {
  package var summary: String {
    switch self {
    case .both: "Imports read the property, and exports write it."
    case .import: "Imports read the property, and exports omit it."
    case .export: "Exports write the property, and imports ignore it."
    }
  }
}

extension AttributeType: ModelFileWord {
  package var summary: String {
    switch self {
    case .integer16: "A whole number from -32768 to 32767."
    case .integer32: "A whole number from -2147483648 to 2147483647."
    case .integer64: "A 64-bit whole number."
    case .float: "A number, rounded to the nearest `Float`."
    case .double: "A number, rounded to the nearest `Double`."
    case .decimal: "A number that keeps up to 38 digits exactly: the type for money."
    case .boolean: "`true` or `false`."
    case .string: "Text."
    case .date: "A point in time: RFC 3339 text such as `\"2014-08-31T00:29:15Z\"`. Transformers read other forms."
    case .binary: "Bytes: base64 text."
    case .uuid: "A UUID: text such as `\"123e4567-e89b-12d3-a456-426614174000\"`."
    case .uri: "A URI: text such as `\"https://example.org\"`."
    case .json: "Any JSON value, kept as it is."
    }
  }
}

extension RelationshipDescription.DeleteRule: ModelFileWord {
  package var summary: String {
    switch self {
    case .nullify: "Related objects lose their link to the deleted object."
    case .cascade: "Related objects are also deleted."
    case .deny: "An object cannot be deleted while it has related objects."
    case .noAction: "The same as `nullify`: no link to a deleted object remains."
    }
  }
}

extension RelationshipDescription.MergeRule: ModelFileWord {
  package var summary: String {
    switch self {
    case .replace: "The array in the payload replaces the related objects."
    case .union: "The objects of the array in the payload are added."
    }
  }
}

extension RelationshipDescription.UnresolvedRule: ModelFileWord {
  package var summary: String {
    switch self {
    case .placeholder: "The identifier creates a placeholder, which a later payload fills."
    case .skip: "The identifier is skipped."
    case .deny: "The identifier causes an error."
    }
  }
}

extension RelationshipDescription.JSONRepresentation: ModelFileWord {
  package var summary: String {
    switch self {
    case .object: "Objects are written in full."
    case .identifier: "Objects are written as their identifiers."
    case .none: "The relationship is not written."
    }
  }
}
