import Graft
import GraftTools

/// Replacements of the transformers and mappers of the user's program, so that its model can be tried.
///
///     graft import --assume Slug=asIs --assume Cents=StringToInteger …
struct Assumptions {
  /// The word for values, dictionaries and entities that are left unchanged.
  static let asIs = "asIs"

  private let standIns: [(name: String, standIn: String)]

  /// - Parameter words: the values of the option.
  init(_ words: [String]) throws(Failure) {
    var standIns: [(name: String, standIn: String)] = []
    for word in words {
      let parts = word.parts(between: "=", most: 1)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw .usage("expected '--assume' NAME=TRANSFORMER, such as '--assume Slug=asIs', found '\(word)'")
      }
      guard !standIns.contains(where: { $0.name == parts[0] }) else {
        throw .usage("'--assume' names '\(parts[0])' twice")
      }
      try Assumptions.check(parts[1])
      standIns.append((parts[0], parts[1]))
    }
    self.standIns = standIns
  }

  var isEmpty: Bool { standIns.isEmpty }

  /// Checks that the replacement of a transformer is a built-in transformer.
  private static func check(_ standIn: String) throws(Failure) {
    guard standIn != asIs else { return }
    let registry = TransformerRegistry.standard
    if registry.valueTransformer(named: standIn) != nil { return }
    if let reason = registry.fault(ofValueTransformerNamed: standIn) {
      throw .usage("the transformer '\(standIn)' is malformed: \(reason)")
    }
    throw .usage(
      "'--assume' does not name a built-in transformer: '\(standIn)'",
      suggestion: Suggestion.nearest(to: standIn, among: registry.valueTransformerNames + [asIs]))
  }

  /// Returns the model with the replacements, and the registry for it.
  func applied(to model: ModelDescription) throws(Failure) -> (model: ModelDescription, registry: TransformerRegistry) {
    var (copy, registry) = (model, TransformerRegistry.standard)
    for (name, standIn) in standIns {
      let isAsIs = standIn == Assumptions.asIs
      var uses = 0
      var otherUse: String?
      for entity in copy.entities.indices {
        if copy.entities[entity].entityMapperName == name {
          otherUse = "an entity mapper"
          // An abstract entity needs a mapper, so its mapper is kept. If there is no answer, the payload's entity is used.
          if isAsIs { registry.registerEntityMapper(named: name) { _ in nil } }
        }
        if copy.entities[entity].dictionaryTransformerName == name {
          otherUse = "a dictionary transformer"
          if isAsIs { copy.entities[entity].dictionaryTransformerName = nil }
        }
        for attribute in copy.entities[entity].attributes.indices
        where copy.entities[entity].attributes[attribute].transformerNames.contains(name) {
          uses += 1
          copy.entities[entity].attributes[attribute].transformerNames.replace(name, with: isAsIs ? nil : standIn)
        }
        for relationship in copy.entities[entity].relationships.indices
        where copy.entities[entity].relationships[relationship].transformerNames.contains(name) {
          uses += 1
          copy.entities[entity].relationships[relationship].transformerNames.replace(name, with: isAsIs ? nil : standIn)
        }
      }
      if let otherUse, !isAsIs {
        throw .usage("'\(name)' is \(otherUse): only '\(Assumptions.asIs)' can stand in for it")
      }
      guard uses > 0 || otherUse != nil else {
        throw .usage(
          "the model does not name a transformer or mapper '\(name)'",
          suggestion: Suggestion.nearest(to: name, among: Assumptions.names(in: model.entities)))
      }
    }
    return (copy, registry)
  }

  /// Returns the names that only the user's program has, each once.
  static func unknownNames(in entities: [EntityDescription]) -> [String] {
    var seen: Set<String> = []
    let registry = TransformerRegistry.standard
    return names(in: entities).filter { registry.valueTransformer(named: $0) == nil && seen.insert($0).inserted }
  }

  private static func names(in entities: [EntityDescription]) -> [String] {
    entities.flatMap { entity in
      [entity.entityMapperName, entity.dictionaryTransformerName].compactMap(\.self)
        + entity.attributes.flatMap(\.transformerNames) + entity.relationships.flatMap(\.transformerNames)
    }
  }
}

extension [String] {
  /// Replaces a name with another, or removes it.
  fileprivate mutating func replace(_ name: String, with other: String?) {
    self = flatMap { $0 == name ? other.map { [$0] } ?? [] : [$0] }
  }
}
