import Graft

/// The words of keys, and the names that are derived from them.
///
///     KeyNames.words("userIDs")           user, IDs
///     KeyNames.entityName("blog_posts")   BlogPost
package enum KeyNames {
  /// The words of a key: `profile_image_url`, `profileImageURL` and `profile-image-url` have the same three.
  package static func words(_ key: String) -> [String] {
    let letters = Array(key.unicodeScalars.prefix(200))
    func isUpper(_ index: Int) -> Bool { letters.indices.contains(index) && letters[index].properties.isUppercase }
    func isLower(_ index: Int) -> Bool { letters.indices.contains(index) && letters[index].properties.isLowercase }
    var words: [String] = []
    var word = ""
    for index in letters.indices {
      let letter = letters[index]
      guard letter.properties.isXIDContinue, letter != "_" else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      // The plural `s` of an abbreviation belongs to it: userIDs.
      let isPlural = isLower(index + 1) && letters[index + 1] == "s" && !isLower(index + 2)
      if isUpper(index), !word.isEmpty, isLower(index - 1) || (isUpper(index - 1) && isLower(index + 1) && !isPlural) {
        words.append(word)
        word = ""
      }
      word.unicodeScalars.append(letter)
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// The words of a key in lower case.
  static func lowercaseWords(_ key: String) -> [String] { words(key).map { $0.lowercased() } }

  private static let abbreviations: Set<String> = [
    "id", "ids", "url", "urls", "uri", "uris", "uuid", "uuids", "html", "http", "https", "api", "ssh", "sku", "isbn",
    "ip",
    "svn",
  ]

  private static func capitalized(_ word: String) -> String {
    let lower = word.lowercased()
    if abbreviations.contains(lower) {
      return lower.hasSuffix("s") && lower.count > 2 && lower != "https"
        ? lower.dropLast().uppercased() + "s" : lower.uppercased()
    }
    guard let first = word.first else { return word }
    let isAllUpper = word.count > 3 && word == word.uppercased()
    return first.uppercased() + (isAllUpper ? word.dropFirst().lowercased() : String(word.dropFirst()))
  }

  /// The name of a property, as Swift writes it: `profile_image_url` becomes `profileImageURL`.
  static func propertyName(_ words: [String]) -> String {
    guard let first = words.first else { return "value" }
    let isAbbreviation = first.count > 1 && first == first.uppercased() && first != first.lowercased()
    let start = isAbbreviation ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    let name = start + words.dropFirst().map(capitalized).joined()
    return identifier(name, or: "value")
  }

  /// The name of an entity for the objects under a key, in the singular: `user_mentions` becomes `UserMention`.
  package static func entityName(_ words: [String]) -> String {
    guard let last = words.last else { return "Object" }
    let name = (words.dropLast() + [singular(last)]).map(capitalized).joined()
    let plain = identifier(name, or: "Object")
    return NameRules.reservedWords.contains(plain) ? plain + "Object" : plain
  }

  /// The words of a key, with a leading "id" moved to the end: `idBoard` and `boardId` have the same words.
  static func idLast(_ words: [String]) -> [String] {
    words.count > 1 && words[0].lowercased() == "id" ? words.dropFirst() + [words[0]] : words
  }

  /// The name of the sub-entity for a kind of objects: "image" of `Message` becomes `ImageMessage`.
  static func entityName(ofKind kind: String, of parent: String) -> String {
    let name = entityName(words(kind))
    return name.hasSuffix(words(parent).last ?? parent) ? name : name + parent
  }

  /// The name of an entity for a file. The words after the first plural are omitted: `users_notes.json` contains users.
  package static func entityName(ofFile path: String) -> String {
    let name = path.parts(between: "/").last ?? path
    let words = words(name.parts(between: ".").first { !$0.isEmpty } ?? name)
    if let plural = words.firstIndex(where: { singular($0) != $0 }) { return entityName(Array(words[...plural])) }
    return entityName(words)
  }

  /// The text as a Swift identifier of at most 80 characters.
  private static func identifier(_ text: String, or other: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(80) where NameRules.continuesSwiftIdentifier(scalar) {
      // Combining marks and joiners could look like another name.
      if scalar.properties.generalCategory != .nonspacingMark, scalar.escapedForDisplay == nil {
        scalars.append(scalar)
      }
    }
    let name = String(scalars)
    if NameRules.isSwiftIdentifier(name) { return name }
    let prefixed = other + name
    return NameRules.isSwiftIdentifier(prefixed) ? prefixed : other
  }

  // MARK: Number

  private static let irregular: [(singular: String, plural: String)] = [
    ("child", "children"), ("person", "people"), ("man", "men"), ("woman", "women"), ("mouse", "mice"),
    ("foot", "feet"), ("tooth", "teeth"), ("index", "indices"), ("matrix", "matrices"), ("vertex", "vertices"),
    ("datum", "data"), ("medium", "media"), ("criterion", "criteria"), ("movie", "movies"), ("cookie", "cookies"),
    ("shoe", "shoes"), ("canoe", "canoes"), ("toe", "toes"), ("hero", "heroes"), ("potato", "potatoes"),
    ("tomato", "tomatoes"), ("echo", "echoes"), ("veto", "vetoes"), ("cache", "caches"), ("analysis", "analyses"),
    ("basis", "bases"),
  ]
  private static let unchanged: Set<String> = [
    "data", "media", "series", "news", "species", "status", "bus", "gas", "lens", "address", "stewardess", "process",
    "access", "class", "business", "canvas", "alias", "bonus", "virus", "analysis", "basis", "details", "settings",
    "sms", "js", "css", "https", "dns", "gps", "progress", "success", "yes", "this", "always", "was", "has", "is",
  ]

  /// The singular of an English word, or the word itself.
  static func singular(_ word: String) -> String {
    let lower = word.lowercased()
    if unchanged.contains(lower) { return word }
    if let pair = irregular.first(where: { $0.plural == lower }) { return matchingCase(pair.singular, word) }
    guard lower.count > 2, lower.hasSuffix("s"), !lower.hasSuffix("ss"), !lower.hasSuffix("us"), !lower.hasSuffix("is")
    else { return word }
    if lower.hasSuffix("oes"), lower.count > 4 { return String(word.dropLast(2)) }
    if lower.hasSuffix("ies"), lower.count > 4 { return word.dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes", "zes", "statuses", "buses", "aliases"] where lower.hasSuffix(ending) {
      return String(word.dropLast(2))
    }
    return String(word.dropLast())
  }

  /// The plural of an English word.
  static func plural(_ word: String) -> String {
    let lower = word.lowercased()
    if let pair = irregular.first(where: { $0.singular == lower }) { return matchingCase(pair.plural, word) }
    if ["data", "media", "series", "news", "species", "details", "settings"].contains(lower) { return word }
    if let last = lower.last, last == "y", let before = lower.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    for ending in ["s", "x", "ch", "sh", "z"] where lower.hasSuffix(ending) { return word + "es" }
    return word + "s"
  }

  private static func matchingCase(_ word: String, _ example: String) -> String {
    example.first?.isUppercase == true ? word.prefix(1).uppercased() + word.dropFirst() : word
  }
}
