import Graft

/// Describes the keys of model files.
enum FieldText {
  /// What a key means, and an example, as Markdown.
  static func markdown(_ field: ModelFileField) -> String { "\(field.summary)\n\n```jsonc\n\(field.example)\n```" }
}
