import GraftTools

/// The commands of the program.
enum Command: String, ProgramCommand {
  case infer
  case `import`
  case export
  case store
  case diff
  case lint
  case format
  case schema
  case explain
  case diagram
  case generate
  case convert
  case languageServer = "language-server"
  case completions

  static func meaning(of word: String) -> String? {
    StoreCommand.Action(rawValue: word).map { "\(Command.store.rawValue) \($0.rawValue)" }
  }

  /// Runs the command with the words after its name.
  func run(_ words: [String], _ streams: Streams) throws(Failure) -> ExitStatus {
    switch self {
    case .infer: try InferCommand(words).run(streams)
    case .import: try ImportCommand(words).run(streams)
    case .export: try ExportCommand(words).run(streams)
    case .store: try StoreCommand(words).run(streams)
    case .diff: try DiffCommand(words).run(streams)
    case .lint:
      if LintStoreCommand.isMeant(words) {
        try LintStoreCommand(words).run(streams)
      } else {
        try LintCommand(words).run(streams)
      }
    case .format: try FormatCommand(words).run(streams)
    case .schema: try SchemaCommand(words).run(streams)
    case .explain: try ExplainCommand(words).run(streams)
    case .diagram: try DiagramCommand(words).run(streams)
    case .generate: try GenerateCommand(words).run(streams)
    case .convert: try ConvertCommand(words).run(streams)
    case .languageServer: try LanguageServerCommand(words).run(streams)
    case .completions: try CompletionsCommand(words).run(streams)
    }
  }

  /// The text that `--help` prints.
  var help: String {
    switch self {
    case .infer: Help.infer
    case .import: Help.import
    case .export: Help.export
    case .store: Help.store
    case .diff: Help.diff
    case .lint: Help.lint
    case .format: FormatCommand.help
    case .schema: Help.schema
    case .explain: Help.explain
    case .diagram: Help.diagram
    case .generate: GenerateCommand.help
    case .convert: Help.convert
    case .languageServer: Help.languageServer
    case .completions: Help.completions
    }
  }
}
