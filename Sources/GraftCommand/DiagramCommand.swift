import Graft
import GraftTools

/// `graft diagram`: draws a model.
struct DiagramCommand {
  /// The format of the diagram.
  enum Format: String, CaseIterable { case mermaid, dot, svg }

  static let options: [Arguments.Option] = [
    .init(name: "--format", value: "mermaid|dot|svg", summary: "the format of the diagram")
  ]

  let path: String
  let format: Format

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: DiagramCommand.options)
    format = try arguments.choice(of: "--format") ?? .mermaid
    guard let path = arguments.operands.first else { throw .usage("no model is given: MODEL") }
    self.path = path
    guard arguments.operands.count == 1 else {
      throw .usage("expected one model, found '\(arguments.operands[1])' after it")
    }
  }

  /// Draws the model. Unregistered transformers and mappers do not matter here.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    var reader = FileReader(streams)
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    let (description, findings) = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning)
    guard let description else {
      throw .diagnostics(findings) { "\($0) in '\(source.name)'; nothing was drawn" }
    }
    let model = DiagramModel(description)
    switch format {
    case .mermaid: try streams.write(MermaidDiagram(model).text)
    case .dot: try streams.write(DotDiagram(model).text)
    case .svg: try streams.write(SVGDiagram(model).text)
    }
    return .done
  }
}
