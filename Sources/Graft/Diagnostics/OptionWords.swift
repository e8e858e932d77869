/// The names of options in messages: either the library's names or the names used by the program that sets the options.
///
/// The library uses Swift names. A program that sets options from its command line supplies its own names with the options:
///
///     expected the key 'items', which 'at' names            in Swift: at: "data.items"
///     expected the key 'items', which '--at' names          on a command line: --at data.items
///
/// If a name is nil, there is no such option and messages do not suggest it. This is a class, because options are copied for each import.
package final class OptionWords: Sendable {
  /// The option for the key path of the objects in a payload.
  package let at: String
  /// Formats a key path for the option `at`, given the keys: `at: "data.items"`.
  package let atKeyPath: @Sendable (_ keys: [String]) -> String
  /// Whether the limits have names that a reader can look up.
  package let hasLimits: Bool
  /// The option that writes shared objects once.
  package let once: String?
  /// The limit on the objects in an export.
  package let maxObjects: String?
  /// The limit on the nesting depth of an export.
  package let maxDepth: String
  /// The limit on the bytes of an export.
  package let maxBytes: String?
  /// The option that omits relationships that cannot be written completely.
  package let incomplete: String
  /// The option that sets the form of relationships.
  package let representations: String

  package init(
    at: String, atKeyPath: @escaping @Sendable (_ keys: [String]) -> String, hasLimits: Bool, once: String?,
    maxObjects: String?, maxDepth: String, maxBytes: String?, incomplete: String, representations: String
  ) {
    self.at = at
    self.atKeyPath = atKeyPath
    self.hasLimits = hasLimits
    self.once = once
    self.maxObjects = maxObjects
    self.maxDepth = maxDepth
    self.maxBytes = maxBytes
    self.incomplete = incomplete
    self.representations = representations
  }

  /// The names in the library.
  package static let library = OptionWords(
    at: "'at'", atKeyPath: { "at: \(OptionWords.literal($0))" }, hasLimits: true, once: "'sharedObjects: .once'",
    maxObjects: "'maxObjects'", maxDepth: "'maxDepth'", maxBytes: "'maxBytes'",
    incomplete: "'incompleteRelationships: .omit'", representations: "'representations'")

  /// Returns a key path as a literal: `"data.items"`, or `["a.b", "items"]` if a key contains a dot.
  package static func literal(_ keys: [String]) -> String {
    let keys = keys.map { $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") }
    guard keys.contains(where: { $0.isEmpty || $0.contains(".") }) else { return "\"\(keys.joined(separator: "."))\"" }
    return "[\(keys.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }
}
