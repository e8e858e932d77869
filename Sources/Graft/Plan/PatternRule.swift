import Synchronization

/// A `pattern` of the model: a regular expression that a string must contain a match of.
///
/// The expression is compiled once for each rule; `Regex` is not Sendable, so a lock lends it to one thread at a time.
final class PatternRule: Sendable {
  let text: String
  private let regex: Mutex<Regex<AnyRegexOutput>>

  init?(_ text: String) {
    guard let regex = try? Regex(text) else { return nil }
    self.text = text
    self.regex = Mutex(regex)
  }

  /// Whether the string contains a match.
  func matches(_ string: String) -> Bool {
    regex.withLock { string.firstMatch(of: $0) != nil }
  }
}
