/// What messages call the options that they mention: the library's names, or those of the program that set them.
///
/// The library's own words are those of Swift. A program that sets options from its command line hands its words over with the
/// options, so that no message has to be translated afterwards:
///
///     expected the key 'items', which 'at' names            in Swift: at: "data.items"
///     expected the key 'items', which '--at' names          on a command line: --at data.items
///
/// nil: there is no such option, so no message can offer it.
package struct OptionWords: Sendable {
  /// The key path under which the objects of a payload are found.
  package var at: String
  /// How a key path is given there, by its keys: `at: "data.items"`.
  package var atKeyPath: @Sendable (_ keys: [String]) -> String
  /// Whether the names of limits can be looked up where options are set.
  package var hasLimits: Bool
  /// What writes shared objects once.
  package var once: String?
  /// The limit of objects in an export.
  package var maxObjects: String?
  /// The limit of nesting in an export.
  package var maxDepth: String
  /// The limit of bytes in an export.
  package var maxBytes: String?
  /// What omits relationships that cannot be written completely.
  package var incomplete: String

  package init(
    at: String, atKeyPath: @escaping @Sendable (_ keys: [String]) -> String, hasLimits: Bool, once: String?,
    maxObjects: String?, maxDepth: String, maxBytes: String?, incomplete: String
  ) {
    self.at = at
    self.atKeyPath = atKeyPath
    self.hasLimits = hasLimits
    self.once = once
    self.maxObjects = maxObjects
    self.maxDepth = maxDepth
    self.maxBytes = maxBytes
    self.incomplete = incomplete
  }

  /// The words of the library.
  package static let library = OptionWords(
    at: "'at'", atKeyPath: { "at: \(OptionWords.literal($0))" }, hasLimits: true, once: "'sharedObjects: .once'",
    maxObjects: "'maxObjects'", maxDepth: "'maxDepth'", maxBytes: "'maxBytes'",
    incomplete: "'incompleteRelationships: .omit'")

  /// A key path as a literal: `"data.items"`, or `["a.b", "items"]` if a key contains a dot.
  package static func literal(_ keys: [String]) -> String {
    guard keys.contains(where: { $0.isEmpty || $0.contains(".") }) else { return "\"\(keys.joined(separator: "."))\"" }
    return "[\(keys.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }
}
