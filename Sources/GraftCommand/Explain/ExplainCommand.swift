import Graft
import GraftTools

/// `graft explain`: describes a model in words, with an example payload for each entity, the code of a diagnostic, or a rule.
enum ExplainCommand {
  case model(ModelExplanation)
  case code(CodeExplanation)
  case rule(RuleText)
  case allCodes

  static let options = [Arguments.Option(name: "--codes", summary: "explain all codes, as Markdown")]

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: Self.options)
    let operands = arguments.operands
    if arguments.has("--codes") {
      guard operands.isEmpty else { throw .usage("expected no operands with '--codes', found '\(operands[0])'") }
      self = .allCodes
      return
    }
    guard let first = operands.first else { throw .usage("no model or code is given: MODEL or CODE") }
    guard operands.count < 3 else {
      throw .usage("expected a model and one entity, found '\(operands[2])' after them")
    }
    if operands.count == 1, RuleText.isLikeRule(first), !FilePath.exists(first) {
      guard let rule = RuleText(first) else {
        throw .usage(
          "there is no rule '\(first)'",
          suggestion: Suggestion.nearest(to: first.uppercased(), among: RuleText.names))
      }
      self = .rule(rule)
    } else if operands.count == 1, let explanation = CodeExplanation.of(first) {
      self = .code(explanation)
    } else if operands.count == 1, Self.isLikeCode(first) {
      throw .usage(
        "there is no code '\(first)'",
        suggestion: Suggestion.nearest(to: first, among: CodeExplanation.all.map(\.code.rawValue)))
    } else {
      self = .model(ModelExplanation(path: first, entityName: operands.count > 1 ? operands[1] : nil))
    }
  }

  /// Returns whether a word is a code, possibly misspelled: lower-case words with hyphens that do not name a file.
  private static func isLikeCode(_ word: String) -> Bool {
    word.contains("-") && word.first != "-" && word.allSatisfy { $0 == "-" || ("a"..."z").contains($0) }
      && !FilePath.exists(word)
  }

  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    switch self {
    case .model(let explanation): try streams.write(explanation.text(streams))
    case .rule(let rule): try streams.write(rule.text)
    case .code(let explanation): try streams.write(CodeText(explanation: explanation).text)
    case .allCodes: try streams.write(CodePage.text)
    }
    return .done
  }
}
