import Graft

/// Documentation comments of declarations.
enum Documentation {
  /// Returns text as comment lines, each with a newline.
  static func lines(_ text: String?, indentation: String) -> String {
    guard let text, !text.isEmpty else { return "" }
    return text.unicodeScalars.split(omittingEmptySubsequences: false) {
      "\n\r\u{2028}\u{2029}".unicodeScalars.contains($0)
    }
    .map { line in
      let words = String(line).escapedForDisplay()
      return indentation + (words.isEmpty ? "///" : "/// " + words) + "\n"
    }.joined()
  }

  /// Describes a property's location in JSON.
  static func place(_ path: JSONKeyPath?, _ aliases: [JSONKeyPath], _ direction: JSONDirection) -> String {
    guard let path else { return "not in JSON" }
    let direction = path.surroundings == nil ? direction : .import
    return "in JSON "
      + ([path] + aliases).map { "`\($0.description.escapedForDisplay())`" }.joined(separator: ", else ")
      + (direction == .both ? "" : direction == .import ? ", imported only" : ", exported only")
  }
}
