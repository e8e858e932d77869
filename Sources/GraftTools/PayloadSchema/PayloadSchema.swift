package import Graft

/// The JSON Schema (2020-12) of the payloads of an entity, in the form that imports read or exports write.
///
///     PayloadSchema(model, direction: .import).json(of: hero)
///
/// It accepts every payload that imports into an empty graph without errors, and whose mentions of an object do not contradict each
/// other. It accepts more, because a schema cannot check:
///
/// - whether another mention provides a required value of an object that has an identity;
/// - whether the object of an identifier exists, and whether several objects have the same identity;
/// - the values that closures of the program read, and the content of text that no regular expression describes;
/// - rules about values that a transformer makes, and about numbers of objects;
/// - limits, and keys that occur twice in one object.
///
/// Unknown keys are accepted, because imports ignore them. Whether a dictionary is skipped because it is not newer than its object
/// depends on the stored object, so such a dictionary is described like any other.
package struct PayloadSchema {
  package enum Direction { case `import`, export }

  let facts: ModelFacts
  let direction: Direction

  package init(_ model: ModelDescription, direction: Direction) {
    facts = ModelFacts(model)
    self.direction = direction
  }

  /// Returns the schema of the payloads of an entity.
  package func json(of entity: EntityDescription) -> JSON {
    let title = "\(entity.name) as \(direction == .import ? "imports read" : "exports write") it"
    var members: [JSONObject.Member] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", .string(title)),
    ]
    members += payload(of: entity)
    members.append(("$defs", .object(JSONObject(reachable(from: entity).flatMap(definitions)))))
    return .object(JSONObject(members))
  }

  /// Returns the entities that the schema mentions, in the order of the model.
  private func reachable(from entity: EntityDescription) -> [EntityDescription] {
    var found: Set<String> = []
    var open = [entity]
    while let next = open.popLast() {
      guard found.insert(next.name).inserted else { continue }
      open += facts.model.entities.filter { facts.inherits($0, from: next) }
      open += relationships(next).compactMap { facts.entity($0.destinationName) }
    }
    return facts.model.entities.filter { found.contains($0.name) }
  }

  // MARK: Payloads and elements

  /// Returns the members of the schema of a payload: a list, one object, or an identifier.
  private func payload(of entity: EntityDescription) -> [JSONObject.Member] {
    // An array may be the identifier of a single object.
    let mayIdentify = facts.identityParts(entity).count > 1
    let items: [JSONObject.Member] = [("items", element(of: entity))]
    let list: [JSONObject.Member] = [("type", ["array", "null"])] + (mayIdentify ? items : [])
    let others: [JSON] = [.object(JSONObject(list)), elementValue(of: entity) ?? identifier(of: entity) ?? false]
    return (mayIdentify ? [] : items) + [
      ("if", ["type": "object"]), ("then", object(of: entity)), ("else", SchemaPart.anyOf(others)),
    ]
  }

  /// Returns the schema of an object that is a payload: an object of the entity, or an object whose values are the entity's objects (M11).
  private func object(of entity: EntityDescription) -> JSON {
    guard facts.canStandUnderKeys(entity) else { return reference(to: entity) }
    let isOnlyKeyed = facts.attributes(entity).contains { $0.keyPath?.isObjectKey == true }
    return isOnlyKeyed ? collection(of: entity) : SchemaPart.anyOf([reference(to: entity), collection(of: entity)])
  }

  /// Returns the schema of an object, its identifier, or null.
  ///
  /// - Parameter identifier: the schema of identifiers; nil if there are none.
  func element(of entity: EntityDescription, identifier: JSON?) -> JSON {
    SchemaPart.objects(reference(to: entity), others: SchemaPart.orNull(identifier ?? false))
  }

  func element(of entity: EntityDescription) -> JSON {
    element(of: entity, identifier: elementValue(of: entity) ?? identifier(of: entity))
  }

  /// Returns the schema of an element that is the `@value` of its object (M23); nil if such an element is an identifier.
  func elementValue(of entity: EntityDescription) -> JSON? {
    guard facts.readsElements(entity) else { return nil }
    if let attribute = attributes(entity).first(where: { isElementValue($0.keyPath, $0.keyPathAliases) }) {
      return schema(of: attribute).value(mayBeNull: mayBeNull(attribute, of: entity))
    }
    guard let relationship = elementRelationship(of: entity),
      let destination = facts.entity(relationship.destinationName)
    else { return nil }
    // Arrays in arrays, to any depth.
    if elementsLead(from: destination, to: entity) { return true }
    return schema(of: relationship, to: destination)
  }

  private func isElementValue(_ path: JSONKeyPath?, _ aliases: [JSONKeyPath]) -> Bool {
    path?.isElementValue == true || aliases.contains(where: \.isElementValue)
  }

  /// Returns the relationship whose value is the element itself, or nil if the element is an attribute's value.
  private func elementRelationship(of entity: EntityDescription) -> RelationshipDescription? {
    guard facts.readsElements(entity),
      !attributes(entity).contains(where: { isElementValue($0.keyPath, $0.keyPathAliases) })
    else { return nil }
    return relationships(entity).first { isElementValue($0.keyPath, $0.keyPathAliases) }
  }

  /// Returns whether an element of one entity may contain an element of another, through relationships whose values are the
  /// elements themselves.
  private func elementsLead(from first: EntityDescription, to last: EntityDescription) -> Bool {
    var met: Set<String> = []
    var next: EntityDescription? = first
    while let entity = next, met.insert(entity.name).inserted {
      if entity.name == last.name { return true }
      next = elementRelationship(of: entity).flatMap { facts.entity($0.destinationName) }
    }
    return false
  }

  /// Returns the schema of an object whose values are the objects (M11).
  func collection(of entity: EntityDescription) -> JSON {
    let element = keyedElement(of: entity)
    guard let key = keyExpression(of: entity) else { return ["additionalProperties": element] }
    return [
      "patternProperties": .object(JSONObject([("^(?:\(key))$", element)])), "additionalProperties": ["type": "null"],
    ]
  }

  /// Returns the schema of a value under its key: an object, the value of `@value`, or null.
  private func keyedElement(of entity: EntityDescription) -> JSON {
    let reference = reference(to: entity, isKeyed: true)
    guard readsElements(entity) else { return SchemaPart.objects(reference, others: ["type": "null"]) }
    let value = facts.attributes(entity).first { $0.keyPath?.isElementValue == true }
    let others =
      value.map { SchemaPart.orNull(schema(of: $0).value(mayBeNull: mayBeNull($0, of: entity))) } ?? true
    let family = facts.model.entities.filter { facts.inherits($0, from: entity) }
    if hasKeys(family) { return SchemaPart.objects(reference, others: others) }
    // If there is no other key, an object is also the value. An empty object has no value.
    let isPlain = mapper(entity) == nil && ignored(entity).isEmpty && !isTransformed(entity)
    return isPlain ? SchemaPart.anyOf([others, ["type": "object", "maxProperties": 0]]) : true
  }

  /// Returns whether a property of the given entities reads a key of their objects.
  private func hasKeys(_ entities: [EntityDescription]) -> Bool {
    entities.contains { entity in
      let paths =
        attributes(entity).flatMap { [$0.keyPath].compactMap(\.self) + $0.keyPathAliases }
        + relationships(entity).flatMap { [$0.keyPath].compactMap(\.self) + $0.keyPathAliases }
      return paths.contains { !$0.isReserved }
    }
  }

  /// Returns whether a property reads an element that is not an object, because its key path or an alias is `@value`.
  private func readsElements(_ entity: EntityDescription) -> Bool {
    let aliases =
      facts.attributes(entity).flatMap(\.keyPathAliases) + facts.relationships(entity).flatMap(\.keyPathAliases)
    return facts.isElementValue(entity) || aliases.contains(where: \.isElementValue)
  }

  /// Returns the expression for the keys in such an object; nil if any key is allowed.
  private func keyExpression(of entity: EntityDescription) -> String? {
    guard direction == .import, !isTransformed(entity), ignored(entity).isEmpty,
      facts.modificationAttribute(entity) == nil,
      let attribute = facts.attributes(entity).first(where: { $0.keyPath?.isObjectKey == true })
    else { return nil }
    return schema(of: attribute).keyExpression
  }

  // MARK: References

  /// - Parameter isKeyed: whether the object appears under a key that may be one of its values.
  func reference(to entity: EntityDescription, isKeyed: Bool = false) -> JSON {
    // A JSON Pointer in a URI.
    let name = PayloadSchema.name(of: entity, isKeyed: isKeyed && readsKey(entity))
      .replacing("~", with: "~0").replacing("/", with: "~1")
    let escaped = name.utf8.map { byte -> String in
      let isPlain =
        byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.utf8.count < 2 ? "0" : "") + digits
    }
    return ["$ref": .string("#/$defs/\(escaped.joined())")]
  }

  /// Returns the name of a definition. The names of entities do not contain `#`.
  private static func name(of entity: EntityDescription, isKeyed: Bool) -> String {
    isKeyed ? entity.name + "#key" : entity.name
  }

  /// Returns whether a property of an entity or its sub-entities reads the key of an object.
  private func readsKey(_ entity: EntityDescription) -> Bool {
    facts.model.entities.contains { facts.inherits($0, from: entity) && facts.canStandUnderKeys($0) }
  }

  /// Returns the definitions of an entity's objects.
  private func definitions(of entity: EntityDescription) -> [JSONObject.Member] {
    [false, true].filter { !$0 || readsKey(entity) }.map { isKeyed in
      (PayloadSchema.name(of: entity, isKeyed: isKeyed), definition(of: entity, isKeyed: isKeyed))
    }
  }
}

extension JSONKeyPath {
  /// Whether the path does not begin with a key of the object itself: `@key`, `@value`, `@index`, `@parent.id`.
  var isReserved: Bool { isKeyWord && !isThroughArrays || surroundings != nil }
}
