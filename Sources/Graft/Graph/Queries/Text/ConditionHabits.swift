/// Mistakes that people who know SQL or `NSPredicate` often make in conditions.
enum ConditionHabits {
  private static let comparisons = [
    "like": "write contains or beginsWith, with [c] to ignore case",
    "ilike": "write contains[c] or beginsWith[c]",
    "matches": "for regular expressions, use a closure as the condition",
    "endswith": "for the end of a string, use a closure as the condition",
    "startswith": "write beginsWith",
    "hasprefix": "write beginsWith",
    "between": "write two comparisons: age >= 18 and age <= 30",
  ]

  /// Returns advice on what to write instead.
  ///
  /// - Parameters:
  ///   - path: the path that was read as a property, which may be a keyword in other languages.
  ///   - word: the word in place of a comparison.
  static func advice(_ path: ConditionExpression.Path, _ word: String?) -> String? {
    switch path.names.first?.text.lowercased() {
    case "any"?: return "write some powers (name = \"Flight\")"
    case "all"?: return "write every powers (level > 3)"
    case "none"?: return "write not some powers (level > 3)"
    default: return word.flatMap { comparisons[$0] }
    }
  }
}
