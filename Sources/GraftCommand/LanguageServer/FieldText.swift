import Graft

/// Describes the keys of model files.
enum FieldText {
  /// Returns the meaning of a key, and an example, as Markdown.
  static func markdown(_ field: ModelFileField) -> String { "\(field.summary)\n\n```jsonc\n\(field.example)\n```" }
}
