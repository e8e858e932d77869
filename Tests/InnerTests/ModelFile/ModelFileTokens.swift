import Foundation

/// The tokens of a model file: its strings, words, numbers and punctuation, without comments and whitespace.
struct ModelFileTokens {
  let tokens: [Substring]

  init(_ text: String) {
    let pattern = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*(?s:.*?)\*\/|[{}\[\]:,]|[^\s{}\[\]:,"\/]+/
    tokens = text.matches(of: pattern).map(\.output).filter { !$0.hasPrefix("//") && !$0.hasPrefix("/*") }
  }

  /// The tokens, joined with text before, between and after them.
  func joined(_ gap: () -> String) -> String { tokens.reduce(gap()) { $0 + $1 + gap() } }
}

/// The model files in `Models/`.
enum RepositoryModels {
  static func texts() throws -> [(name: String, text: String)] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Models", isDirectory: true)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }
      .map { ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)) }
  }
}
