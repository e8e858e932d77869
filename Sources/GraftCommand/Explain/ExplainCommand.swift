import Graft

/// `graft explain`: describes a model in words, with an example payload for each entity.
struct ExplainCommand {
  let path: String
  /// The one entity to explain; nil explains all.
  let entityName: String?

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: [])
    guard let model = arguments.operands.first else { throw .usage("no model is given: MODEL") }
    guard arguments.operands.count < 3 else {
      throw .usage("it takes a model and one entity, found '\(arguments.operands[2])' behind them")
    }
    path = model
    entityName = arguments.operands.count > 1 ? arguments.operands[1] : nil
  }

  /// Prints the explanation of every requested entity.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    var reader = FileReader(streams)
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    let (description, diagnostics) = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning)
    guard let description else { throw .diagnostics(diagnostics) { "\($0) in the model; nothing is explained" } }
    let facts = ModelFacts(description)
    // A model with unregistered names can be explained, but its examples cannot be tested.
    let model = try? ManagedObjectModel(source: source)
    let texts = try entities(of: facts).map { entity in
      EntityExplanation(entity: entity, facts: facts).text
        + ExampleText(entity: entity, facts: facts, model: model).text
    }
    try streams.write(texts.joined(separator: "\n"))
    return .done
  }

  private func entities(of facts: ModelFacts) throws(Failure) -> [EntityDescription] {
    guard let entityName else { return facts.model.entities }
    if let entity = facts.entity(entityName) { return [entity] }
    let names = facts.model.entities.map(\.name)
    throw .usage(
      "the model has no entity '\(entityName)'", suggestion: Suggestion.nearest(to: entityName, among: names))
  }
}
