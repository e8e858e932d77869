import Graft
import GraftTools

/// A model in words, with an example payload for each entity.
struct ModelExplanation {
  let path: String
  /// The one entity to explain; nil explains all.
  let entityName: String?

  /// Returns the explanations of the entities.
  func text(_ streams: Streams) throws(Failure) -> String {
    var reader = FileReader(streams)
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    let (description, diagnostics) = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning)
    guard let description else { throw .diagnostics(diagnostics) { "\($0) in the model; nothing is explained" } }
    let facts = ModelFacts(description)
    // A model with names that only a program registers can be explained, but not tried.
    let model = try? ManagedObjectModel(source: source)
    return try entities(of: facts).map { entity in
      EntityExplanation(entity: entity, facts: facts).text
        + ExampleText(entity: entity, facts: facts, model: model).text
    }.joined(separator: "\n")
  }

  private func entities(of facts: ModelFacts) throws(Failure) -> [EntityDescription] {
    guard let entityName else { return facts.model.entities }
    if let entity = facts.entity(entityName) { return [entity] }
    let names = facts.model.entities.map(\.name)
    throw .usage(
      "the model has no entity '\(entityName)'", suggestion: Suggestion.nearest(to: entityName, among: names))
  }
}
