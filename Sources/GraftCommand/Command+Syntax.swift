import GraftTools

/// The purpose and the syntax of each command. The overview, the argument parser and the completions read this table.
extension Command {
  /// The purpose, for the list of commands.
  var summary: String {
    switch self {
    case .infer: "draft a model from sample payloads"
    case .import: "merge JSON payloads into a graph; report, export or dump it"
    case .export: "write the objects of a store as JSON"
    case .store: "describe, check, migrate or copy a store"
    case .diff: "compare two versions of a model, for stores and payloads"
    case .lint: LintCommand.summary
    case .format: FormatCommand.summary
    case .schema: "print the JSON Schema of model files, or of payloads"
    case .explain: "explain a model, an error code or a rule"
    case .diagram: "draw a model: entities, properties and inheritance"
    case .generate: GenerateCommand.summary
    case .convert: "create a model file from a Core Data model"
    case .languageServer: "help editors with model files: findings, completion, fixes"
    case .completions: "print a script that completes commands in bash, zsh or fish"
    }
  }

  /// The operands, in the form used in the usage line.
  var operands: [String] {
    switch self {
    case .infer: ["[ENTITY=]PAYLOAD..."]
    case .import: ["ENTITY=PAYLOAD..."]
    case .export: ["ENTITY"]
    case .store: ["info|verify|migrate|backup|salvage", "FILE"]
    case .diff: ["OLD", "NEW"]
    case .lint, .format: ["MODEL..."]
    case .schema: ["[MODEL]", "[ENTITY]"]
    case .languageServer: []
    case .explain: ["MODEL|CODE", "[ENTITY]"]
    case .diagram, .generate: ["MODEL"]
    case .convert: ["CORE-DATA-MODEL"]
    case .completions: ["bash|zsh|fish"]
    }
  }

  /// The options of the command.
  var options: [Arguments.Option] {
    switch self {
    case .infer: InferCommand.options
    case .import: ImportCommand.options
    case .export: ExportCommand.options
    case .store: StoreCommand.options
    case .diff: DiffCommand.options
    case .lint: LintCommand.options + LintStoreCommand.options
    case .format: FormatCommand.options
    case .schema: SchemaCommand.options
    case .explain: ExplainCommand.options
    case .diagram: DiagramCommand.options
    case .generate: GenerateCommand.options
    case .convert: ConvertCommand.options
    case .languageServer: LanguageServerCommand.options
    case .completions: CompletionsCommand.options
    }
  }
}
