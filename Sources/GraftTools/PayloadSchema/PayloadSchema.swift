package import Graft

/// The JSON Schema (2020-12) of the payloads of an entity, as imports read them or as exports write them.
///
///     PayloadSchema(model, direction: .import).json(of: hero)
///
/// It accepts every payload that imports without errors and whose mentions of an object do not contradict each other. It
/// accepts more, because a schema cannot check whether an object gets a required value from another mention. Unknown keys are
/// accepted, as imports ignore them. The input of a transformer is not described, nor is a dictionary that is skipped because
/// it is not newer than its object, which depends on the stored object.
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
    members += list(of: entity, allowsOne: true)
    members.append(("$defs", .object(JSONObject(reachable(from: entity).map { ($0.name, definition(of: $0)) }))))
    return .object(JSONObject(members))
  }

  /// The entities that the schema mentions, in the order of the model.
  private func reachable(from entity: EntityDescription) -> [EntityDescription] {
    var found: Set<String> = []
    var open = [entity]
    while let next = open.popLast() {
      guard found.insert(next.name).inserted else { continue }
      open += cases(of: next).map(\.entity)
      if let other = fallback(of: next) { open.append(other) }
      open += relationships(next).compactMap { facts.entity($0.destinationName) }
    }
    return facts.model.entities.filter { found.contains($0.name) }
  }

  // MARK: Objects in lists

  /// Returns the members of the schema of several objects: an array, or an object whose values they are.
  ///
  /// - Parameter allowsOne: whether a single object or identifier is legal as well.
  private func list(of entity: EntityDescription, allowsOne: Bool) -> [JSONObject.Member] {
    let isKeyed = facts.canStandUnderKeys(entity)
    var types = ["array", "null"]
    if allowsOne { types += identifierTypes(of: entity) }
    if allowsOne || isKeyed { types.append("object") }
    var members: [JSONObject.Member] = [("type", .array(Set(types).sorted().map(JSON.string)))]
    // An array may be the identifier of a single object.
    if !allowsOne || facts.identityParts(entity).count < 2 { members.append(("items", element(of: entity))) }
    if allowsOne, !isKeyed {
      members += [("if", ["type": "object"]), ("then", reference(to: entity))]
    } else if facts.isKeyed(entity), !readsElements(entity) {
      members.append(("additionalProperties", element(of: entity)))
    }
    return members
  }

  /// Whether a property reads an element that is not an object, by its key path or an alias: `@value`.
  private func readsElements(_ entity: EntityDescription) -> Bool {
    let aliases =
      facts.attributes(entity).flatMap(\.keyPathAliases) + facts.relationships(entity).flatMap(\.keyPathAliases)
    return facts.isElementValue(entity) || aliases.contains(where: \.isElementValue)
  }

  /// Returns the schema of one object, its identifier, or null.
  private func element(of entity: EntityDescription) -> JSON {
    let types = Set(["object", "null"] + identifierTypes(of: entity)).sorted().map(JSON.string)
    return ["type": .array(types), "if": ["type": "object"], "then": reference(to: entity)]
  }

  /// The JSON types of an entity's identifiers.
  private func identifierTypes(of entity: EntityDescription) -> [String] {
    let identity = facts.identityParts(entity)
    if identity.count > 1 { return ["array"] }
    guard case .attribute(let attribute)? = identity.first else {
      // The owner's own identifier (M12).
      guard case .owner(let relationship)? = identity.first, let owner = facts.entity(relationship.destinationName)
      else { return [] }
      return identifierTypes(of: owner)
    }
    let types = attribute.transformerName == nil ? attribute.type.payloadTypes : nil
    return types ?? ["string", "number", "boolean"]
  }

  private func reference(to entity: EntityDescription) -> JSON {
    // A JSON Pointer in a URI.
    let name = entity.name.replacing("~", with: "~0").replacing("/", with: "~1")
    let escaped = name.utf8.map { byte -> String in
      let isPlain =
        byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.utf8.count < 2 ? "0" : "") + digits
    }
    return ["$ref": .string("#/$defs/\(escaped.joined())")]
  }

  // MARK: Objects

  /// Returns the schema of an entity's objects.
  private func definition(of entity: EntityDescription) -> JSON {
    var members: [JSONObject.Member] = [("type", "object")]
    if let documentation = entity.documentation { members.append(("description", .string(documentation))) }
    guard !isTransformed(entity) else { return .object(JSONObject(members)) }
    var tree = KeyTree()
    let hasIdentity = !facts.identityParts(entity).isEmpty
    for attribute in attributes(entity) {
      guard let path = attribute.keyPath, !path.isReserved else { continue }
      let mayBeNull = attribute.isOptional || hasIdentity
      let hasOtherForms =
        direction == .import && (attribute.isLenient || !(attribute.nulls ?? facts.model.nulls).isEmpty)
      // Only exports write null for nested keys without values (E7).
      tree.add(
        path.keys[...], attribute.schema(mayBeNull: mayBeNull, hasOtherForms: hasOtherForms),
        isRequired: isRequired(attribute, hasIdentity),
        isPresent: direction == .import || !mayBeNull)
    }
    for relationship in relationships(entity) {
      // The values of an identifier in several keys are not described.
      guard let path = relationship.keyPath, !path.isReserved, relationship.identifierKeyPaths.isEmpty,
        let destination = facts.entity(relationship.destinationName)
      else { continue }
      tree.add(
        path.keys[...], schema(of: relationship, to: destination), isRequired: false,
        isPresent: direction == .import || relationship.isToMany)
    }
    var contents = tree.members
    if let mapper = facts.mapper(entity) {
      var rules = cases(of: entity).map { line -> JSON in
        [
          "if": condition(mapper.keyPath, ["enum": .array(discriminators(line.value))]),
          "then": reference(to: line.entity),
        ]
      }
      if let other = fallback(of: entity) { rules.append(["if": unlisted(mapper), "then": reference(to: other)]) }
      if !rules.isEmpty { contents.append(("allOf", .array(rules))) }
    }
    let ignored = ignored(entity)
    guard direction == .import, !ignored.isEmpty else { return .object(JSONObject(members + contents)) }
    return .object(JSONObject(members + [("if", ["anyOf": .array(ignored)]), ("else", .object(JSONObject(contents)))]))
  }

  /// The conditions under which nothing else of a dictionary is read: it is skipped (M15), or deletes its object (M17).
  private func ignored(_ entity: EntityDescription) -> [JSON] {
    let below = facts.model.entities.filter { $0.name != entity.name && facts.inherits($0, from: entity) }
    let marks = [facts.deletionMark(entity)] + below.map(\.deletedWhen)
    var conditions = marks.compactMap(\.self).map { condition($0.keyPath, ["const": $0.value]) }
    if let mapper = facts.mapper(entity), mapper.otherwise == .skip { conditions.append(unlisted(mapper)) }
    return conditions
  }

  /// Returns the schema of the objects with a value at a key path.
  private func condition(_ path: JSONKeyPath, _ schema: JSON) -> JSON {
    var condition = KeyTree()
    condition.add(path.keys[...], schema, isRequired: true)
    return .object(JSONObject(condition.members))
  }

  /// Returns the schema of the objects with a discriminator that a mapper does not list.
  private func unlisted(_ mapper: EntityDescription.Mapper) -> JSON {
    let listed = JSON.array(mapper.cases.flatMap { discriminators($0.value) })
    return condition(mapper.keyPath, ["type": ["string", "number", "boolean"], "not": ["enum": listed]])
  }

  /// The sub-entity of discriminators that the mapper of an entity does not list (M15).
  private func fallback(of entity: EntityDescription) -> EntityDescription? {
    guard case .entity(let name)? = facts.mapper(entity)?.otherwise, let target = facts.entity(name),
      target.name != entity.name, facts.inherits(target, from: entity)
    else { return nil }
    return target
  }

  private func schema(of relationship: RelationshipDescription, to destination: EntityDescription) -> JSON {
    let hasOtherForms =
      direction == .import && (relationship.isLenient || !(relationship.nulls ?? facts.model.nulls).isEmpty)
    if hasOtherForms || !relationship.transformerNames.isEmpty {
      return described(["$comment": "Several forms are read."], relationship.documentation)
    }
    guard relationship.isToMany else {
      return described(element(of: destination), relationship.documentation)
    }
    return described(.object(JSONObject(list(of: destination, allowsOne: false))), relationship.documentation)
  }

  private func described(_ schema: JSON, _ documentation: String?) -> JSON {
    guard let documentation, let object = schema.objectValue else { return schema }
    return .object(JSONObject([("description", .string(documentation))] + object.members))
  }

  /// Whether each of its own objects must have an attribute. With an identity, another mention can provide it.
  private func isRequired(_ attribute: AttributeDescription, _ hasIdentity: Bool) -> Bool {
    direction == .export
      || !hasIdentity && !attribute.isOptional && attribute.defaultValue == nil && attribute.keyPathAliases.isEmpty
  }

  private func attributes(_ entity: EntityDescription) -> [AttributeDescription] {
    facts.attributes(entity).filter { $0.keyPath != nil && isRelevant($0.direction) }
  }

  private func relationships(_ entity: EntityDescription) -> [RelationshipDescription] {
    facts.relationships(entity).filter { relationship in
      relationship.keyPath != nil && isRelevant(relationship.direction)
        && (direction == .import || relationship.representation != .none)
    }
  }

  private func isRelevant(_ direction: JSONDirection) -> Bool {
    switch direction {
    case .both: true
    case .import: self.direction == .import
    case .export: self.direction == .export
    }
  }

  // MARK: Sub-entities

  /// The sub-entities that the mapper of an entity chooses, with their discriminators.
  private func cases(of entity: EntityDescription) -> [(value: String, entity: EntityDescription)] {
    (facts.mapper(entity)?.cases ?? []).compactMap { line in
      guard let target = facts.entity(line.entityName), target.name != entity.name,
        facts.inherits(target, from: entity)
      else { return nil }
      return (line.value, target)
    }
  }

  /// A discriminator may be a string, or a number or boolean with that text.
  private func discriminators(_ value: String) -> [JSON] {
    var values: [JSON] = [.string(value)]
    if let number = JSONNumber(value) { values.append(.number(number)) }
    if value == "true" || value == "false" { values.append(.boolean(value == "true")) }
    return values
  }

  /// Whether a dictionary transformer may change the objects of an entity before they are read.
  private func isTransformed(_ entity: EntityDescription) -> Bool {
    let descendants = facts.model.entities.filter { facts.inherits($0, from: entity) }
    return (facts.lineage(entity) + descendants).contains { $0.dictionaryTransformerName != nil }
  }
}

extension JSONKeyPath {
  /// Whether the path is not a key of the object itself: `@key`, `@value`, `@index`.
  fileprivate var isReserved: Bool { isKeyWord }
}
