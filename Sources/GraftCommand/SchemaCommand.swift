import Graft
import GraftTools

/// `graft schema`: prints the JSON Schema of model files.
struct SchemaCommand {
  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: [])
    if let operand = arguments.operands.first { throw .usage("it takes no arguments, found '\(operand)'") }
  }

  /// Prints the schema.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    try streams.write(ModelFileSchema.json.prettyText)
    return .done
  }
}
