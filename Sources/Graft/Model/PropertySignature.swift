// The property signatures that a generated class depends on, one line for each property. A class records the lines that it was
// generated for, and these lines must equal the lines of the model with which the class is loaded. Slots are numbers, so a
// property that moved would be read as a different property.
//
//     identifier: integer
//     rarity: string? ["common", "rare"]
//     finish: string? extensible
//     tags: [string]
//     set: CardSet
//     decks: [Deck]
//
// A signature contains only what affects the class. Adding key paths to a model does not require generating classes again.

extension AttributeDescription {
  /// The line for this attribute in a generated class.
  package var signature: String {
    let kind = type.integerRange == nil ? type.rawValue : "integer"
    // A class represents an open enum as a struct, which can hold values that a later model adds.
    let values = enumValues.map {
      validation.isExtensible ? " extensible" : " " + JSON.array($0.map(JSON.string)).description
    }
    return "\(name): \(isList ? "[\(kind)]" : kind)\(isOptional ? "?" : "")\(values ?? "")"
  }

  /// The values that the `enum` of a string attribute lists, if it has one.
  package var enumValues: [String]? {
    guard type == .string, let values = validation.allowedValues else { return nil }
    return values.compactMap { value in
      if case .string(let text) = value { text } else { nil }
    }
  }
}

extension RelationshipDescription {
  /// The line for this relationship in a generated class.
  package var signature: String { isToMany ? "\(name): [\(destinationName)]" : "\(name): \(destinationName)" }
}
