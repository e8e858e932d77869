import Foundation
import Graft

/// Tells by their spelling alone whether keys are data or the names of properties.
///
///     DataKeys.areData(["USD", "JPY"])            true
///     DataKeys.areData(["2024-05-01"])            true
///     DataKeys.areData(["street", "city"])        false
enum DataKeys {
  /// Whether the keys of an object are data, whatever their values are. A single key must be one that no property is named after.
  static func areData(_ keys: [String]) -> Bool {
    let named = keys.filter { !$0.isEmpty }
    if !named.isEmpty, named.allSatisfy(isCertain) { return true }
    return named.count > 1 && named.allSatisfy(isData) || areCurrencies(keys) || areLanguages(keys)
  }

  /// Whether keys are data, or sentences or names of hosts, of which there is one at least.
  static func haveSentences(_ keys: [String]) -> Bool {
    keys.count > 1 && keys.contains(where: isSentence) && keys.allSatisfy { isSentence($0) || isData($0) }
  }

  /// Whether a key is a number, a UUID, a path or a long code.
  static func isData(_ key: String) -> Bool {
    if isCertain(key) { return true }
    let isCode = key.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || $0 == 95 || $0 == 45 }
    return isCode && key.utf8.count >= 4
  }

  private static func isSentence(_ key: String) -> Bool {
    key.contains(" ") || key.utf8.count { $0 == 46 } > 1 && key.utf8.first != 64 && key.utf8.first != 46
  }

  /// Whether no property is named after a key.
  private static func isCertain(_ key: String) -> Bool {
    isNumberOrUUID(key) || isGenerated(key) || isPathOrVersion(key)
  }

  private static func isNumberOrUUID(_ key: String) -> Bool {
    Int64(key) != nil || key.utf8.count == 36 && (try? AttributeValue(json: .string(key), type: .uuid)) != nil
  }

  /// Whether a key was made by a database, or is an address: `-Kabc1`, `ann@example.org`.
  static func isGenerated(_ key: String) -> Bool {
    if key.hasPrefix("-") { return key.utf8.count >= 4 }
    guard let at = key.firstIndex(of: "@"), at > key.startIndex else { return false }
    return key[at...].contains(".")
  }

  /// Whether a key is a path, a version or a day: `node_modules/a`, `1.0.2`, `2024-05-01`.
  private static func isPathOrVersion(_ key: String) -> Bool {
    if key.contains("/"), !key.hasPrefix("@") { return true }
    guard let first = key.utf8.first, (48...57).contains(first) else { return false }
    return key.utf8.count { $0 == 46 || $0 == 45 } >= 2
  }

  // MARK: Codes of standards

  private static let currencies = Set(Locale.commonISOCurrencyCodes)

  /// Whether all keys are codes of currencies, as ISO 4217 has them. In lower case, many of them are words.
  private static func areCurrencies(_ keys: [String]) -> Bool {
    if keys.allSatisfy(currencies.contains) { return true }
    return keys.contains { ["usd", "eur"].contains($0) }
      && keys.allSatisfy { $0 == $0.lowercased() && currencies.contains($0.uppercased()) }
  }

  private static let languages = Set(Locale.LanguageCode.isoLanguageCodes.map(\.identifier))
  /// Codes of languages that are not words of English.
  private static let plainLanguages: Set<String> = ["en", "de", "fr", "es", "ja", "zh", "pt", "ru"]

  private static let scripts: Set<String> = ["Arab", "Cyrl", "Hans", "Hant", "Latn"]

  /// Whether all keys are codes of languages, as BCP 47 has them: `en`, `pt-BR`, `zh_Hans`. Some codes, such as `id` and `is`, are words.
  private static func areLanguages(_ keys: [String]) -> Bool {
    let tags = keys.map { $0.split { $0 == "-" || $0 == "_" }.map(String.init) }
    func isTag(_ tag: [String]) -> Bool {
      tag.first.map(languages.contains) == true && tag.count <= 3
        && tag.dropFirst().allSatisfy { scripts.contains($0) || $0.utf8.count == 2 && $0 == $0.uppercased() }
    }
    return tags.allSatisfy(isTag)
      && tags.contains { $0.count > 1 || $0[0] == "en" || keys.count > 1 && plainLanguages.contains($0[0]) }
  }
}
