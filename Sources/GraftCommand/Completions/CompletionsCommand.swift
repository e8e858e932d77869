import Graft
import GraftTools

/// `graft completions`: scripts for shells, and the answers to their requests.
struct CompletionsCommand {
  /// A shell that has a completion script.
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  static let options: [Arguments.Option] = [
    .init(name: "--complete", summary: "print completions of the last word after '--'")
  ]

  /// The requested output.
  private enum Request { case script(Shell), answer([String]) }

  private let request: Request

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: CompletionsCommand.options)
    if arguments.has("--complete") {
      request = .answer(arguments.operands)
      return
    }
    let shells = Shell.allCases.map(\.rawValue)
    guard let word = arguments.operands.first else { throw .usage("no shell is given: \(shells.listed("or"))") }
    guard let shell = Shell(rawValue: word) else {
      throw .usage(
        "there are completions for \(shells.listed()), not for '\(word)'",
        suggestion: Suggestion.nearest(to: word, among: shells))
    }
    guard arguments.operands.count == 1 else {
      throw .usage("expected one shell, found '\(arguments.operands[1])' after it")
    }
    request = .script(shell)
  }

  /// Prints the script or the answer.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    switch request {
    case .script(.bash): try streams.write(CompletionScript.bash)
    case .script(.zsh): try streams.write(CompletionScript.zsh)
    case .script(.fish): try streams.write(CompletionScript.fish)
    case .answer(let words): try streams.write(Completion(of: words).text)
    }
    return .done
  }
}
