import Foundation

/// A strategy of Foundation's coders that spells keys differently from the model.
enum KeyConversion {
  /// `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase`.
  case fromSnakeCase
  /// `JSONEncoder.KeyEncodingStrategy.convertToSnakeCase`.
  case toSnakeCase

  /// Returns the spellings that a coder with this strategy may use for a key.
  ///
  /// A decoder returns `imageUrl` for the key `image_url`, which an encoder with the opposite strategy writes for `imageURL`.
  func spellings(of key: String) -> [String] {
    switch self {
    case .fromSnakeCase: [Self.fromSnakeCase(key), Self.fromSnakeCase(Self.toSnakeCase(key))]
    case .toSnakeCase: [Self.toSnakeCase(key)]
    }
  }

  /// Returns a key as Foundation converts it: `real_name` becomes `realName`. Underscores at both ends are kept.
  static func fromSnakeCase(_ key: String) -> String {
    guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
      return key
    }
    let words = key[first...last].split(separator: "_")
    guard words.count > 1 else { return key }
    let joined = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
    return key[..<first] + joined + key[key.index(after: last)...]
  }

  /// Returns a key as Foundation converts it: `realName` becomes `real_name`, and `imageURLText` becomes `image_url_text`.
  static func toSnakeCase(_ key: String) -> String {
    let letters = Array(key.unicodeScalars)
    guard !letters.isEmpty else { return key }
    var words: [Range<Int>] = []
    var start = 0
    var next = 1
    while let upper = letters[next...].firstIndex(where: isUppercase) {
      words.append(start..<upper)
      start = upper
      guard let lower = letters[upper...].firstIndex(where: { $0.properties.generalCategory == .lowercaseLetter })
      else { break }
      // Several capitals form a separate word, except for the last capital, which begins the next word.
      if lower > upper + 1 {
        words.append(upper..<lower - 1)
        start = lower - 1
      }
      next = lower + 1
    }
    words.append(start..<letters.count)
    return words.map { String(String.UnicodeScalarView(letters[$0])).lowercased() }.joined(separator: "_")
  }

  private static func isUppercase(_ letter: Unicode.Scalar) -> Bool {
    letter.properties.generalCategory == .uppercaseLetter || letter.properties.generalCategory == .titlecaseLetter
  }
}
