/// The rules for names. Each function returns what is wrong with a name, for messages, or nil if it is valid.
package enum NameRules {
  /// The maximum number of bytes in a name. The limit keeps messages short and makes comparisons of malicious names cheap.
  static let longest = 255

  /// Returns what is wrong with the name of an entity. Dumps write `Hero(1699)` and `Hero#1`, and the command-line program reads
  /// `Hero=heroes.json`.
  package static func fault(inEntityName name: String) -> String? {
    fault(in: name) ?? name.unicodeScalars.first { "()#=,".unicodeScalars.contains($0) }.map { "contains '\($0)'" }
  }

  /// Returns what is wrong with the name of a property. `identityAttributes` lists names separated by commas.
  package static func fault(inPropertyName name: String) -> String? {
    fault(in: name) ?? (name.utf8.contains(UInt8(ascii: ",")) ? "contains ','" : nil)
  }

  static func fault(inUserInfoKey name: String) -> String? {
    name.utf8.count > longest ? "is longer than \(longest) bytes" : nil
  }

  private static func fault(in name: String) -> String? {
    if name.isEmpty { return "is empty" }
    if name.utf8.count > longest { return "is longer than \(longest) bytes" }
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    if isPlain { return nil }
    if name.unicodeScalars.contains(where: { $0.escapedForDisplay != nil }) {
      return "contains a control character or an invisible character"
    }
    let isPadded = [name.unicodeScalars.first, name.unicodeScalars.last].contains {
      $0?.properties.isWhitespace == true
    }
    return isPadded ? "begins or ends with a space" : nil
  }

  /// Returns whether the text can name a type in Swift without backticks.
  package static func isSwiftTypeName(_ name: String) -> Bool {
    name.utf8.count <= longest && isSwiftIdentifier(name) && !reservedWords.contains(name)
  }

  /// Returns whether the text can be a name in Swift, in backticks if it is a reserved word.
  package static func isSwiftIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name != "_" else { return false }
    return (first == "_" || first.properties.isXIDStart) && name.unicodeScalars.allSatisfy(continuesSwiftIdentifier)
  }

  /// Returns whether a character can continue a name in Swift: a letter, a digit, an underscore.
  package static func continuesSwiftIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDContinue
  }

  package static let reservedWords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}
