/// Reads the identity in an object's name, such as `101` or `"Earth, Wind & Fire",3`.
package enum IdentityText {
  /// Returns the values of an identity, without quotes and escapes.
  ///
  /// - Parameter count: the number of values that the identity should have. A single value may contain commas; several values are
  ///   separated by commas, and a value that contains a comma is in quotes.
  package static func values(_ text: String, count: Int) -> [String] {
    count == 1 ? [unescaped(text[...])] : parts(of: text)
  }

  /// Returns the parts of an identity with several values: `DAW,12`, or `"1,x",y` if a value contains a comma.
  private static func parts(of text: String) -> [String] {
    var parts: [String] = []
    // Scalars are used instead of characters, because a combining mark after a comma or quote forms one character with it.
    var rest = text.unicodeScalars[...]
    while true {
      var end = rest.firstIndex(of: ",") ?? rest.endIndex
      if rest.first == "\"" {
        var isEscaped = false
        let quote = rest.dropFirst().firstIndex { scalar in
          defer { isEscaped = !isEscaped && scalar == "\\" }
          return scalar == "\"" && !isEscaped
        }
        if let quote { end = rest[quote...].firstIndex(of: ",") ?? rest.endIndex }
      }
      let part = Substring(rest[..<end])
      let quoted = rest.first == "\"" ? try? JSON(parsing: Array(part.utf8)).stringValue : nil
      parts.append(quoted ?? unescaped(part))
      guard end < rest.endIndex else { return parts }
      rest = rest[rest.index(after: end)...]
    }
  }

  /// Returns the decoded form of text that object names escape like JSON, but without quotes.
  private static func unescaped(_ part: Substring) -> String {
    (try? JSON(parsing: Array("\"\(part)\"".utf8)).stringValue) ?? String(part)
  }
}
