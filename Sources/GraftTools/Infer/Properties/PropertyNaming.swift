import Graft

/// The names of properties, and the key strategy from which most of their keys are derived.
struct PropertyNaming {
  let strategy: ModelDescription.KeyStrategy

  /// Chooses the strategy for the keys of the samples: `snakeCase` if words are joined by underscores.
  init(_ shapes: [SampleShape], _ table: ShapeTable) {
    var snake = 0
    var others = 0
    for shape in shapes {
      for member in table.keyedMembers(shape) {
        let letters = member.key.unicodeScalars
        if letters.contains("_") {
          snake += 1
        } else if letters.contains(where: \.properties.isUppercase) {
          others += 1
        }
      }
    }
    strategy = snake > others ? .snakeCase : .sameName
  }

  /// The name of a property with a key.
  func name(of key: String) -> String {
    if strategy == .sameName, NameRules.isSwiftIdentifier(key), key.utf8.count <= 80, key.utf8.allSatisfy({ $0 < 0x80 })
    {
      return key
    }
    return KeyNames.propertyName(KeyNames.words(key))
  }
}
