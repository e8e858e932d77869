import Graft

/// Swift names for a model's names, which may not be valid in Swift.
enum SwiftName {
  /// Names that the generated code uses, so that no class may have them.
  static let takenTypes: Set<String> = [
    "AttributeConvertible", "Bool", "CaseIterable", "Codable", "Data", "Date", "Decimal", "Double", "Float",
    "Foundation", "FoundationEssentials", "Graft", "Hashable", "Int", "Int16", "Int32", "Int64", "JSON",
    "ManagedObject", "ManagedObjectContext", "ManagedObjectModel", "ModelError", "QueryableProperty",
    "RawRepresentable", "RelatedObjects", "Sendable", "StoreError", "String", "Swift", "TransformerRegistry", "URL",
    "UUID",
  ]

  /// Swift types that most programs use. A class may have such a name, but it then hides the type in its module.
  static let commonTypes: Set<String> = [
    "Actor", "Array", "Character", "Clock", "Collection", "Dictionary", "Duration", "Error", "Hasher", "Identifiable",
    "Iterator", "Mirror", "Never", "Optional", "Range", "Regex", "Result", "Sequence", "Set", "Task", "TaskGroup",
    "Void",
  ]

  /// Members of every managed object, and names that Swift reserves after a dot.
  static let takenProperties: Set<String> = [
    "Protocol", "Type", "context", "description", "entity", "hashValue", "init", "isDeleted", "isPlaceholder",
    "objectID", "customMirror", "self",
  ]

  /// Members of every enum with raw values. 'none' and 'some' would be confused with an optional's cases.
  static let takenCases: Set<String> = [
    "Protocol", "Type", "allCases", "attributeValue", "hash", "hashValue", "init", "none", "rawValue",
    "self", "some",
  ]

  /// Returns the name of a property: the model's own if it is valid in Swift.
  static func property(_ name: String) -> String {
    let plain = NameRules.isSwiftIdentifier(name) ? name : identifier(name, "property", isUpper: false)
    return takenProperties.contains(plain) ? plain + "_" : plain
  }

  /// Returns the name of an entity's class if the model does not name one. It begins with a capital letter or with a prefix.
  static func type(_ name: String, prefix: String = "") -> String {
    let isPlain = NameRules.isSwiftIdentifier(name) && name.first?.isLowercase != true
    let plain = prefix + (isPlain ? name : upperCamelCase(name, "Entity"))
    return takenTypes.contains(plain) || NameRules.reservedWords.contains(plain) ? plain + "Entity" : plain
  }

  /// Returns any name in upper camel case.
  static func upperCamelCase(_ name: String, _ prefix: String) -> String {
    identifier(name, prefix, isUpper: true)
  }

  /// Returns a name as written in code.
  static func escaped(_ name: String) -> String {
    // `await` is a name in a declaration, and a keyword in an expression.
    name == "await" || NameRules.reservedWords.contains(name) ? "`\(name)`" : name
  }

  // MARK: Words

  /// Returns the words of a string: runs of letters and digits, and the names of symbols. `A+` gives `A plus sign`.
  ///
  /// - Parameter spellsSeparators: whether separators, such as a space or a dash, are also spelled out.
  static func words(_ text: String, spellsSeparators: Bool = false) -> [String] {
    var words: [String] = []
    var separators: [Unicode.Scalar] = []
    var isOpen = false
    // Symbol names follow the capitalization of the text.
    let isShouted = !text.contains(where: \.isLowercase)
    func name(_ scalar: Unicode.Scalar) -> [String] {
      let name = scalar.properties.name ?? scalar.properties.nameAlias ?? "U" + String(scalar.value, radix: 16)
      return (isShouted ? name.uppercased() : name.lowercased()).unicodeScalars.split { !isLetter($0) }.map(String.init)
    }
    for scalar in text.unicodeScalars {
      if !spellsSeparators, !words.isEmpty, isSeparator(scalar) {
        separators.append(scalar)
        isOpen = false
      } else if isLetter(scalar) {
        separators = []
        if isOpen { words[words.count - 1].unicodeScalars.append(scalar) } else { words.append(String(scalar)) }
        isOpen = true
      } else {
        separators = []
        words += name(scalar)
        isOpen = false
      }
    }
    // Distinguishes `A-` from `A`.
    return words + separators.flatMap(name)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "_" && NameRules.continuesSwiftIdentifier(scalar)
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || "-_./:,;'".unicodeScalars.contains(scalar)
  }

  /// Joins words: `inProgress`, `httpError`, `ratio16_9`. If all letters are capitals, only the first of each word remains a capital.
  static func camelCase(_ words: [String], isUpper: Bool) -> String {
    let isShouted = words.count > 1 && !words.contains { $0.contains(where: \.isLowercase) }
    var name = ""
    for word in words {
      let word = isShouted ? word.lowercased() : word
      let part = name.isEmpty && !isUpper ? lowered(word) : word.prefix(1).uppercased() + word.dropFirst()
      if name.last?.isNumber == true, part.first?.isNumber == true { name += "_" }
      name += part
    }
    return name
  }

  /// Returns words as an identifier, with a prefix if they begin with a digit.
  private static func identifier(_ text: String, _ prefix: String, isUpper: Bool) -> String {
    let name = camelCase(words(text), isUpper: isUpper)
    return NameRules.isSwiftIdentifier(name) ? name : prefix + name
  }

  /// Returns a word in lower camel case: `Open` becomes `open`, `USD` becomes `usd`, and `HTTPError` becomes `httpError`.
  private static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }
    if capitals.isEmpty { return word }
    if capitals.count == 1 || !word.dropFirst(capitals.count).contains(where: \.isLowercase) {
      return capitals.lowercased() + word.dropFirst(capitals.count)
    }
    return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
  }
}
