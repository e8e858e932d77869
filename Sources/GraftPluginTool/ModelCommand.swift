import GraftTools

/// The commands that plugins run.
enum ModelCommand: String, ProgramCommand {
  case lint
  case format
  case generate

  /// The purpose, for the list of commands.
  var summary: String {
    switch self {
    case .lint: LintCommand.summary
    case .format: FormatCommand.summary
    case .generate: GenerateCommand.summary
    }
  }

  /// The text that `--help` prints.
  var help: String {
    switch self {
    case .lint: LintCommand.help
    case .format: FormatCommand.help
    case .generate: GenerateCommand.help
    }
  }

  /// Runs the command with the words after its name.
  func run(_ words: [String], _ streams: Streams) throws(Failure) -> ExitStatus {
    switch self {
    case .lint: try LintCommand(words).run(streams)
    case .format: try FormatCommand(words).run(streams)
    case .generate: try GenerateCommand(words).run(streams)
    }
  }
}
