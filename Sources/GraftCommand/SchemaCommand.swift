import Graft
import GraftTools

/// `graft schema`: prints the JSON Schema of model files, or of an entity's payloads.
struct SchemaCommand {
  static let options: [Arguments.Option] = [
    .init(name: "--payload", summary: "print the schema of an entity's payloads, as imports read them"),
    .init(name: "--export", summary: "print the schema of an entity's payloads, as exports write them"),
  ]

  /// The model and the entity; nil for the schema of model files.
  private let payload: (modelPath: String, entityName: String, direction: PayloadSchema.Direction)?

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: SchemaCommand.options)
    let operands = arguments.operands
    guard arguments.has("--payload") || arguments.has("--export") else {
      if let operand = operands.first {
        throw .usage("expected no arguments without '--payload' or '--export', found '\(operand)'")
      }
      payload = nil
      return
    }
    guard operands.count == 2 else {
      throw .usage("expected MODEL ENTITY, found \(counted(operands.count, "argument"))")
    }
    payload = (operands[0], operands[1], arguments.has("--export") ? .export : .import)
  }

  /// Prints the schema.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    guard let payload else {
      try streams.write(ModelFileSchema.json.prettyText)
      return .done
    }
    var reader = FileReader(streams)
    // The program's own transformers are not needed, because the schema does not describe the values that they read.
    let model = try StoreFiles.model(
      payload.modelPath, &reader, streams, outcome: "nothing was written", isQuiet: true, isOnlyStored: true)
    try ImportCommand.check(payload.entityName, model)
    guard let entity = model.entity(named: payload.entityName) else { return .failed }
    let schema = PayloadSchema(model.contents, direction: payload.direction)
    try streams.write(schema.json(of: entity).prettyText)
    return .done
  }
}
