// What a generated class relies on, for each property one line. A class says the lines it was generated for, and the model it
// is loaded with must say the same: slots are numbers, and a property that moved would be read as another one.
//
//     identifier: integer
//     rarity: string? ["common", "rare"]
//     set: CardSet
//     decks: [Deck]
//
// Only what changes the class is in it: a model may learn new key paths without generating anything again.

extension AttributeDescription {
  /// What a generated class relies on.
  package var signature: String {
    let kind = type.integerRange == nil ? type.rawValue : "integer"
    let values = enumValues.map { " " + JSON.array($0.map(JSON.string)).description } ?? ""
    return "\(name): \(kind)\(isOptional ? "?" : "")\(values)"
  }

  /// The only values of a string attribute, where they are listed.
  package var enumValues: [String]? {
    guard type == .string, let values = validation.allowedValues else { return nil }
    return values.compactMap { value in
      if case .string(let text) = value { text } else { nil }
    }
  }
}

extension RelationshipDescription {
  /// What a generated class relies on.
  package var signature: String { isToMany ? "\(name): [\(destinationName)]" : "\(name): \(destinationName)" }
}
