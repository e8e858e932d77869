import Graft

/// Swift literals.
enum SwiftLiteral {
  /// Returns a literal on one line.
  static func string(_ text: String) -> String {
    "\"" + text.unicodeScalars.reduce(into: "") { $0 += escape($1) } + "\""
  }

  /// Returns a multi-line literal in which backslashes and quotation marks are literal. Each line begins with the indentation.
  static func lines(_ text: String, indentation: String) -> String {
    let hashes = self.hashes(for: text)
    var literal = hashes + "\"\"\"\n"
    for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      // Spaces at the end of a line are easily lost.
      let end = line.last.flatMap { $0 == " " ? "\\\(hashes)u{20}" : nil }
      let shown = end == nil ? line : line.dropLast()
      let escaped = shown.reduce(into: "") { $0 += control($1, "\\" + hashes) ?? String($1) } + (end ?? "")
      literal += (escaped.isEmpty ? "" : indentation + escaped) + "\n"
    }
    return literal + indentation + "\"\"\"" + hashes
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    default: control(scalar, "\\") ?? String(scalar)
    }
  }

  /// Escapes everything invisible in source code.
  private static func control(_ scalar: Unicode.Scalar, _ backslash: String) -> String? {
    guard let shown = scalar.escapedForDisplay else { return nil }
    return backslash + shown.dropFirst()
  }

  /// Returns enough number signs that nothing in the text ends the literal or begins an escape.
  private static func hashes(for text: String) -> String {
    var hashes = "#"
    // Compare bytes, because a combining mark after the sign does not hide it from the compiler.
    while text.utf8.contains(("\"\"\"" + hashes).utf8) || text.utf8.contains(("\\" + hashes).utf8) { hashes += "#" }
    return hashes
  }
}
