/// Names in SQL.
package enum SQLName {
  /// Returns a name in double quotes: `say "hi"` becomes `"say ""hi"""`. Every name is quoted, so that keywords can be names.
  package static func quoted(_ name: String) -> String { "\"" + doubled(name, "\"") + "\"" }

  /// Returns a string constant, for values that SQL cannot bind: conditions of indexes, and file names.
  package static func literal(_ text: String) -> String { "'" + doubled(text, "'") + "'" }

  /// Doubles a quote, by Unicode scalars, because a combining mark after the quote must not hide it.
  private static func doubled(_ text: String, _ quote: Unicode.Scalar) -> String {
    guard text.unicodeScalars.contains(quote) else { return text }
    var doubled = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      doubled.append(scalar)
      if scalar == quote { doubled.append(quote) }
    }
    return String(doubled)
  }

  /// Returns quoted names separated by commas.
  package static func list(_ names: some Sequence<String>) -> String { names.map(quoted).joined(separator: ", ") }
}
