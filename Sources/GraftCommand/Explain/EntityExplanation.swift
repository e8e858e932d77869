import Graft
import GraftTools

/// An entity in words.
struct EntityExplanation {
  let entity: EntityDescription
  let facts: ModelFacts

  var text: String {
    var page = Paragraphs()
    page.add(entity.name, indent: 0)
    if let words = entity.documentation { page.add(words, indent: 2) }
    page.add(standing, indent: 2)
    page.skip()
    page.add(identity + alternates + synchronization + indexes, indent: 2)
    for attribute in facts.attributes(entity) {
      let isIdentity = facts.identity(entity).contains { $0.name == attribute.name }
      page.skip()
      page.add(attribute.name, indent: 2)
      page.add(
        AttributeExplanation(attribute: attribute, isIdentity: isIdentity, nulls: attribute.nulls ?? facts.model.nulls)
          .sentences, indent: 4)
    }
    for relationship in facts.relationships(entity) {
      page.skip()
      page.add(relationship.name, indent: 2)
      page.add(RelationshipExplanation(relationship: relationship, facts: facts).sentences, indent: 4)
    }
    page.skip()
    return page.text
  }

  /// The entity's relation to other entities.
  private var standing: [String] {
    var sentences: [String] = []
    if entity.isAbstract { sentences.append("Abstract: each object belongs to a sub-entity.") }
    if let parent = entity.parentName {
      sentences.append("A sub-entity of '\(parent)'; it inherits everything from '\(parent)'.")
    }
    let below = facts.subEntities(entity).map(\.name)
    if !below.isEmpty { sentences.append("Sub-entities: \(below.listed()).") }
    if let mapper = facts.mapper(entity) {
      let cases = mapper.cases.filter { line in
        facts.entity(line.entityName).map { facts.inherits($0, from: entity) } ?? false
      }
      if !cases.isEmpty {
        let words = cases.map { "\(JSON.string($0.value)) means '\($0.entityName)'" }.joined(separator: ", ")
        sentences.append("The key '\(mapper.keyPath)' determines the entity of an object: \(words).")
      }
      switch mapper.otherwise {
      case .entity(let name): sentences.append("Any other value means '\(name)'.")
      case .skip: sentences.append("An object with any other value is skipped, with a warning.")
      case nil: break
      }
    }
    if let name = facts.lineage(entity).lazy.compactMap(\.entityMapperName).first {
      sentences.append("The mapper '\(name)', which the program registers, determines the entity of an object.")
    }
    if let name = entity.dictionaryTransformerName {
      sentences.append("The program's transformer '\(name)' gets each object before it is read.")
    }
    return sentences
  }

  /// The objects in JSON that are skipped, and the objects that are deleted.
  private var synchronization: [String] {
    var sentences: [String] = []
    if let name = facts.modificationAttribute(entity), !facts.identityParts(entity).isEmpty {
      sentences.append(
        "An object in JSON is skipped, with everything in it, if its '\(name)' is not newer than the stored value.")
    }
    if let mark = facts.deletionMark(entity) {
      sentences.append(
        "An object in JSON whose '\(mark.keyPath)' is \(mark.value) deletes the stored object, and is not inserted.")
    }
    return sentences
  }

  /// The indexes that the entity declares or inherits (M28).
  private var indexes: [String] {
    let all = facts.lineage(entity).reversed().flatMap(\.indexes)
    if all.isEmpty { return [] }
    return [
      "Indexes of SQLite stores: \(all.map { "'\($0.properties.joined(separator: ", "))'" }.joined(separator: "; "))."
    ]
  }

  /// The alternate identities that the entity declares or inherits (M27).
  private var alternates: [String] {
    let all = facts.lineage(entity).reversed().flatMap(\.alternateIdentities)
    if all.isEmpty { return [] }
    let lists = all.map { "'\($0.properties.joined(separator: ", "))'" }.joined(separator: "; ")
    return [
      "No two objects have the same values of: \(lists). These values find an object whose identity is not given."
    ]
  }

  private var identity: [String] {
    let parts = facts.identityParts(entity)
    guard !parts.isEmpty else { return ["No identity: every object in JSON is inserted as a new object."] }
    let isOne = parts.count == 1
    let equal = isOne ? "this value" : "these values"
    var sentences = [
      "Identity: \(parts.map(\.name).listed()). The object with \(equal) is updated; if there is none, one is inserted."
    ]
    for case .owner(let owner) in parts {
      let inverse = owner.inverseName.map { "'\(owner.destinationName).\($0)'" } ?? "'\(owner.destinationName)'"
      sentences.append(
        "Objects nested in \(inverse) have the object that contains them as their '\(owner.name)', which need not appear in JSON."
      )
    }
    let form = isOne ? "the bare value" : "an array of the values, in this order"
    if facts.readsElements(entity) { return sentences }
    guard let example = identifier(of: entity) else { return sentences + ["An identifier is \(form)."] }
    sentences.append("An identifier is \(form): \(example).")
    return sentences
  }

  /// Returns an identifier, in which an owner is represented by its own identifier (M12).
  private func identifier(of entity: EntityDescription) -> JSON? {
    let parts = facts.identityParts(entity)
    let values = parts.compactMap { part -> JSON? in
      switch part {
      case .attribute(let attribute): ExampleValue(attribute: attribute, number: 1).json
      case .owner(let owner): facts.entity(owner.destinationName).flatMap(identifier)
      }
    }
    guard values.count == parts.count else { return nil }
    return values.count == 1 ? values[0] : .array(values)
  }
}
