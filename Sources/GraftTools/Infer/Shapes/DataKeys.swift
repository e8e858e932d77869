import Foundation
import Graft

/// Determines from their spelling alone whether keys are data or the names of properties.
///
///     DataKeys.areData(["USD", "JPY"])            true
///     DataKeys.areData(["DE", "FR"])              true
///     DataKeys.areData(["2024-05-01"])            true
///     DataKeys.areData(["street", "city"])        false
enum DataKeys {
  /// Whether the keys of an object are data, regardless of their values. A single key must be one that no property is named after.
  static func areData(_ keys: [String]) -> Bool {
    let named = keys.filter { !$0.isEmpty }
    return !named.isEmpty && named.allSatisfy(isCertain) || areCurrencies(keys) || areLanguages(keys)
      || areRegions(keys)
  }

  /// Whether the keys of an object whose values are objects of one kind are data, including codes, sentences and host names.
  static func areDataOfObjects(_ keys: [String]) -> Bool {
    let named = keys.filter { !$0.isEmpty }
    return named.count > 1
      && (named.allSatisfy { isData($0) || isSentence($0) } || areCodes(named) || areNumbered(named))
  }

  /// Whether keys are short codes of one length: `CA` and `NY`, `BOS` and `LAL`.
  private static func areCodes(_ keys: [String]) -> Bool {
    (2...3).contains(keys[0].utf8.count)
      && keys.allSatisfy { $0.utf8.count == keys[0].utf8.count && $0.utf8.allSatisfy(isUpper) }
  }

  /// Whether keys are a word with different numbers: `u1` and `u2`, `user_17` and `user_40`. A few keys with consecutive numbers may be
  /// properties: `team1` and `team2`.
  private static func areNumbered(_ keys: [String]) -> Bool {
    let word = keys[0].prefix { !$0.isNumber }
    guard word.first?.isLetter == true else { return false }
    var most = 0
    for key in keys {
      guard key.hasPrefix(word), let number = Int(key.dropFirst(word.count)), number >= 0 else { return false }
      most = max(most, number)
    }
    return word.utf8.count < 3 || keys.count > 8 || most > keys.count
  }

  /// Whether a key is a number, a UUID, a path or a long code.
  static func isData(_ key: String) -> Bool {
    if isCertain(key) { return true }
    let isCode = key.utf8.allSatisfy { isDigit($0) || isUpper($0) || $0 == 95 || $0 == 45 }
    return isCode && key.utf8.count >= 4
  }

  private static func isSentence(_ key: String) -> Bool {
    key.contains(" ") || key.utf8.count { $0 == 46 } > 1 && key.utf8.first != 64 && key.utf8.first != 46
  }

  /// Whether a key is certainly not the name of a property.
  private static func isCertain(_ key: String) -> Bool {
    isNumeric(key) || isUUID(key) || isGenerated(key) || isPathOrVersion(key) || isToken(key)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
  private static func isUpper(_ byte: UInt8) -> Bool { (65...90).contains(byte) }

  /// Whether a key is a number, a day, a time or a version: `-7`, `0.1`, `2024-05-01`, `10:00`.
  private static func isNumeric(_ key: String) -> Bool {
    if Int64(key) != nil { return true }
    guard let first = key.utf8.first, isDigit(first) else { return false }
    return key.utf8.allSatisfy { isDigit($0) || ".:-_/".utf8.contains($0) }
  }

  private static func isUUID(_ key: String) -> Bool {
    key.utf8.count == 36 && (try? AttributeValue(json: .string(key), type: .uuid)) != nil
  }

  /// Whether a key was made by a database, or is an address: `-Kabc1`, `ann@example.org`.
  private static func isGenerated(_ key: String) -> Bool {
    if key.hasPrefix("-") { return key.utf8.count > 2 && key.utf8.dropFirst().first.map(isUpper) == true }
    // A room or a person of a server: '!abc:example.com'.
    if let colon = key.firstIndex(of: ":"), key.first.map("!@#$".contains) == true {
      return key[colon...].contains(".")
    }
    guard let at = key.firstIndex(of: "@"), at > key.startIndex else { return false }
    return key[at...].contains(".")
  }

  /// Whether a key is a path or a version: `node_modules/a`, `1.0.2-beta`.
  private static func isPathOrVersion(_ key: String) -> Bool {
    if key.contains("/"), !key.hasPrefix("@"), !key.contains("://") { return true }
    guard let first = key.utf8.first, isDigit(first) else { return false }
    return !key.contains(" ") && key.utf8.count { $0 == 46 || $0 == 45 } >= 2
  }

  /// Whether a key is a hash or a random ID: `507f191e810c19729de860eb`, `kJ3hQx8rTnXz0aB4cD5eF6gH7iJ2`.
  private static func isToken(_ key: String) -> Bool {
    let digits = key.utf8.count(where: isDigit)
    guard key.utf8.count >= 16, digits > 2 else { return false }
    let isHex = key.drop { "0x".contains($0) }.allSatisfy(\.isHexDigit)
    return isHex || key.utf8.count >= 20 && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  // MARK: Codes of standards

  private static let currencies = Set(Locale.commonISOCurrencyCodes)

  /// Whether keys are currency codes, most of which are in ISO 4217. In lower case, many of them are words.
  private static func areCurrencies(_ keys: [String]) -> Bool {
    guard keys.allSatisfy({ (3...5).contains($0.utf8.count) }) else { return false }
    let known = keys.count { currencies.contains($0.uppercased()) }
    if keys.count == 1 { return currencies.contains(keys[0]) }
    if keys.allSatisfy({ $0.utf8.allSatisfy(isUpper) }) { return known > 0 && 2 * known >= keys.count }
    return keys.contains { ["usd", "eur"].contains($0) } && 2 * known >= keys.count
      && keys.allSatisfy { $0 == $0.lowercased() }
  }

  private static let regions = Set(Locale.Region.isoRegions.map(\.identifier))

  /// Whether all keys are ISO 3166 country codes. `ID` is more often the name of a property than Indonesia.
  private static func areRegions(_ keys: [String]) -> Bool {
    keys.count > 1 && !keys.contains("ID") && keys.allSatisfy { $0.utf8.count == 2 && regions.contains($0) }
  }

  private static let languages = Set(Locale.LanguageCode.isoLanguageCodes.map(\.identifier))
  /// Language codes that are not English words.
  private static let plainLanguages: Set<String> = ["en", "de", "fr", "es", "ja", "zh", "pt", "ru"]

  private static let scripts: Set<String> = ["Arab", "Cyrl", "Hans", "Hant", "Latn"]

  /// Whether all keys look like language codes, with two or three letters. Many words do, so this is significant only where
  /// translations are expected.
  static func areLikeLanguages(_ keys: [String]) -> Bool {
    !keys.contains("id")
      && keys.allSatisfy { key in
        let code = key.prefix { $0 != "-" && $0 != "_" }.utf8
        return (2...3).contains(code.count) && code.allSatisfy { (97...122).contains($0) }
      }
  }

  /// Whether all keys are language codes as in BCP 47: `en`, `pt-BR`, `zh_Hans`. Some codes, such as `id` and `is`, are words.
  private static func areLanguages(_ keys: [String]) -> Bool {
    let tags = keys.map { $0.split { $0 == "-" || $0 == "_" }.map(String.init) }
    func isTag(_ key: String, _ tag: [String]) -> Bool {
      // With '_', words in lower case may be a name: 'is_in'.
      func isPart(_ part: String) -> Bool {
        let part = key.contains("-") && part == part.lowercased() ? part.capitalized : part
        return scripts.contains(part) || part.utf8.count == 2 && (key.contains("-") || part == part.uppercased())
      }
      return tag.first.map(languages.contains) == true && tag.count <= 3 && tag.dropFirst().allSatisfy(isPart)
    }
    /// Whether a tag is spelled like the other tags: dialects have tags of their own, such as 'be-tarask'.
    func isAlike(_ tag: [String]) -> Bool {
      (2...3).contains(tag.first?.utf8.count ?? 0) && tag.allSatisfy { $0.utf8.allSatisfy { (97...122).contains($0) } }
    }
    let known = zip(keys, tags).count { isTag($0, $1) }
    let areTags = known == keys.count || known >= 8 && known * 10 >= keys.count * 9 && tags.allSatisfy(isAlike)
    return areTags && !keys.contains("id")
      && tags.contains { $0.count > 1 || $0[0] == "en" || keys.count > 1 && plainLanguages.contains($0[0]) }
  }
}
