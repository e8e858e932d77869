import Graft
import GraftTools

/// The printed example payload of an entity. An example is shown only if it can be imported.
struct ExampleText {
  let entity: EntityDescription
  let facts: ModelFacts
  /// The model that the example is tested with; nil if it needs registered closures.
  let model: ManagedObjectModel?

  var text: String {
    var page = Paragraphs()
    guard let model else {
      page.add(
        "No example: the model names transformers or mappers that only a program registers, so no example can be tried.",
        indent: 2)
      return page.text
    }
    var reason = ""
    for candidate in [entity] + owners {
      var example = ExamplePayload(facts: facts)
      do throws(ExamplePayload.Missing) {
        let payload = try example.payload(candidate)
        if let fault = fault(of: payload, as: candidate, in: model) {
          if reason.isEmpty { reason = "the generated example is rejected: \(fault)" }
          continue
        }
        let inside = candidate.name == entity.name ? "" : ", which contains \(entity.name)"
        page.add("Example, imported as \(candidate.name)\(inside):", indent: 2)
        page.skip()
        return page.text + indented(payload) + notes(example.omitted)
      } catch {
        if reason.isEmpty { reason = error.reason }
      }
    }
    page.add("No example: \(reason).", indent: 2)
    return page.text
  }

  /// The entities with a mapped relationship to this one, because some objects can only be nested.
  private var owners: [EntityDescription] {
    let isDependent = facts.relationships(entity).contains { relationship in
      relationship.importedKeyPath == nil && (!relationship.isOptional || (relationship.minCount ?? 0) > 0)
    }
    let readsOwner =
      (facts.attributes(entity).compactMap(\.keyPath) + facts.relationships(entity).compactMap(\.keyPath))
      .contains { $0.surroundings == .parent }
    guard isDependent || readsOwner else { return [] }
    return facts.model.entities.filter { owner in
      facts.relationships(owner).contains { relationship in
        relationship.importedKeyPath != nil
          && facts.entity(relationship.destinationName).map { facts.inherits(entity, from: $0) } == true
      }
    }
  }

  /// Imports the payload into an empty graph, and returns the reason if that fails.
  private func fault(
    of payload: JSON, as candidate: EntityDescription, in model: ManagedObjectModel
  ) -> String? {
    let context = ManagedObjectContext(model: model)
    do throws(ImportError) {
      var options = ImportOptions()
      options.unknownKeys = .error
      let report = try context.importJSON(payload, ofEntity: candidate.name, options: options)
      let isThere = report.inserted.keys.contains { name in
        facts.entity(name).map { facts.inherits($0, from: entity) } ?? false
      }
      return isThere ? nil : "it creates no object of '\(entity.name)'"
    } catch {
      return error.diagnostics.first?.message ?? "it cannot be imported"
    }
  }

  private func indented(_ payload: JSON) -> String {
    payload.prettyText.split(separator: "\n").map { "    \($0)\n" }.joined()
  }

  private func notes(_ omitted: [String]) -> String {
    guard !omitted.isEmpty else { return "" }
    var page = Paragraphs()
    page.skip()
    for note in omitted { page.add(note, indent: 2) }
    return page.text
  }
}
