import Graft
import GraftTools

/// Creates the JSON of an identifier from the identity in an object's name: `9` in `Album(9)`, `3,A` in `Product(3,A)`.
struct IdentifierText {
  private let facts: ModelFacts

  init(_ model: ModelDescription) { facts = ModelFacts(model) }

  /// Returns the JSON text of the identifier of an entity's object.
  func json(of entityName: String, _ identity: String) throws(Failure) -> [UInt8] {
    guard let entity = facts.entity(entityName), !facts.identityParts(entity).isEmpty else {
      throw .usage("'\(entityName)' has no identity, so '\(entityName)(\(identity))' names no object")
    }
    let count = valueCount(entity)
    var values = IdentityText.values(identity, count: count)
    guard values.count == count else {
      throw .usage(
        "'\(entityName)(\(identity))' names no object: expected \(counted(count, "identity value")), separated by commas"
      )
    }
    values.reverse()
    return Array(identifier(entity, &values).description.utf8)
  }

  /// Returns the number of values, including the values of owners.
  private func valueCount(_ entity: EntityDescription) -> Int {
    facts.identityParts(entity).reduce(0) { count, part in
      switch part {
      case .attribute: count + 1
      case .owner(let owner): count + (facts.entity(owner.destinationName).map(valueCount) ?? 1)
      }
    }
  }

  /// - Parameter values: the remaining values, with the next one last.
  private func identifier(_ entity: EntityDescription, _ values: inout [String]) -> JSON {
    var parts: [JSON] = []
    for part in facts.identityParts(entity) {
      switch part {
      case .attribute(let attribute): parts.append(json(values.removeLast(), attribute))
      case .owner(let owner):
        if let entity = facts.entity(owner.destinationName) { parts.append(identifier(entity, &values)) }
      }
    }
    return parts.count == 1 ? parts[0] : .array(parts)
  }

  /// Returns a value in the form that its attribute reads, if that can be determined from the text.
  private func json(_ text: String, _ attribute: AttributeDescription) -> JSON {
    let registry = TransformerRegistry.standard
    if let reverse = registry.valueTransformer(of: attribute)?.reverse,
      let value = try? stored(text, attribute.type), let json = try? reverse(value)
    {
      return json
    }
    return (try? stored(text, attribute.type).jsonValue) ?? .string(text)
  }

  private func stored(_ text: String, _ type: AttributeType) throws -> AttributeValue {
    let isText = [AttributeType.string, .date, .binary, .uuid, .uri].contains(type)
    return try AttributeValue(json: isText ? .string(text) : JSON(text: text), type: type)
  }
}
