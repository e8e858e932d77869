import Graft

/// The meaning of a code, with an example and the fix. `graft explain CODE` and the page of codes in the documentation are
/// generated from it.
///
/// Words of models, payloads and Swift are in backticks.
struct CodeExplanation {
  let code: DiagnosticCode
  /// One or two sentences.
  let meaning: String
  /// A model, a payload or Swift code that is reported with this code.
  let example: String
  let fix: String

  init(_ code: DiagnosticCode, _ meaning: String, example: String, fix: String) {
    self.code = code
    self.meaning = meaning
    self.example = example
    self.fix = fix
  }

  /// Codes that belong together, in the order of the page.
  struct Chapter {
    let title: String
    let explanations: [CodeExplanation]
  }

  static let chapters = [
    Chapter(title: "Text and files", explanations: text),
    Chapter(title: "The shape of a model", explanations: shape),
    Chapter(title: "Names in a model", explanations: names),
    Chapter(title: "Entities", explanations: entities),
    Chapter(title: "Key paths", explanations: keyPaths),
    Chapter(title: "Attributes", explanations: attributes),
    Chapter(title: "Relationships", explanations: relationships),
    Chapter(title: "Advice about models", explanations: advice),
    Chapter(title: "Classes and validations", explanations: classes),
    Chapter(title: "Values in a payload", explanations: values),
    Chapter(title: "Objects in a payload", explanations: objects),
    Chapter(title: "Closures", explanations: closures),
    Chapter(title: "Limits", explanations: limits),
    Chapter(title: "Warnings of imports", explanations: warnings),
    Chapter(title: "Calls", explanations: calls),
    Chapter(title: "Exports", explanations: exports),
    Chapter(title: "Stores", explanations: stores),
    Chapter(title: "The program", explanations: program),
  ]

  static let all = chapters.flatMap(\.explanations)

  static func of(_ code: String) -> CodeExplanation? { all.first { $0.code.rawValue == code } }
}
