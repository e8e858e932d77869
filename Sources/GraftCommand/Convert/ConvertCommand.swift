import Graft
import GraftTools

/// `graft convert`: converts a Core Data model to a model file.
struct ConvertCommand {
  static let options: [Arguments.Option] = [
    .init(name: "--output", value: "FILE", summary: "where to write the model file"),
    .init(
      name: "--key-strategy", value: "explicit|sameName|snakeCase",
      summary: "the keys of properties without a key path"),
  ]

  let path: String
  let outputPath: String
  /// The key strategy for properties without annotations; nil if the annotations decide.
  let keyStrategy: ModelDescription.KeyStrategy?

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: ConvertCommand.options)
    guard let path = arguments.operands.first else { throw .usage("no Core Data model is given: CORE-DATA-MODEL") }
    self.path = path
    guard arguments.operands.count == 1 else {
      throw .usage("expected one model, found '\(arguments.operands[1])' after it")
    }
    outputPath = arguments.value(of: "--output") ?? "-"
    keyStrategy = try arguments.choice(of: "--key-strategy")
  }

  /// Writes the model file, then reports choices, losses, and the findings of the result.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    let file = try CoreDataFile(path, streams)
    try Output.check([outputPath], model: file.path, store: nil)
    if FilePath.isFolder(path), !Output.isStandardOutput(outputPath),
      FilePath.place(of: outputPath).text.utf8.starts(with: (FilePath.place(of: path).text + "/").utf8)
    {
      throw .usage("'\(outputPath)' is inside the model '\(path)', which is never changed; choose another path")
    }
    var translator = CoreDataTranslator(try model(in: file.source), keyStrategy: keyStrategy)
    let description = translator.translate(name: file.modelName)
    let bytes = Array(ModelFileWriter(schema: "./model.schema.json").text(of: description).utf8)

    var output = Output()
    try output.add(bytes, to: outputPath)
    try output.writeFiles()
    try output.writeDocument(streams)
    streams.say((file.version.map { $0.text + "\n" } ?? "") + translator.notes.text)
    return say(findings(in: bytes), streams)
  }

  private func model(in source: SourceText) throws(Failure) -> CoreDataModel {
    do throws(XMLFault) {
      let root = try XMLTreeReader.root(of: source)
      guard root.name == "model" else { throw .otherRoot(root.name, root.place(in: source)) }
      return CoreDataModel(root, in: source)
    } catch {
      throw .diagnostics([error.diagnostic]) { "\($0); nothing was converted" }
    }
  }

  /// Returns the findings of `graft lint` for the result.
  private func findings(in bytes: [UInt8]) -> [Diagnostic] {
    let source = SourceText(name: outputPath == "-" ? "<stdout>" : outputPath, bytes: bytes)
    return ModelFile.read(source, transformers: .standard, unregisteredNames: .warning).diagnostics
  }

  private func say(_ findings: [Diagnostic], _ streams: Streams) -> ExitStatus {
    guard !findings.isEmpty else { return .done }
    streams.say(findings)
    let errors = findings.count { $0.severity == .error }
    guard errors > 0 else { return .done }
    streams.say("\(counted(errors, "error")) in the model file, which was written anyway\n")
    return .failed
  }
}
