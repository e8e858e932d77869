import Graft

/// The objects of entities.
extension PayloadSchema {
  /// Returns the schema of an entity's objects.
  ///
  /// - Parameter isKeyed: whether they appear under a key that may be one of their values (M11).
  func definition(of entity: EntityDescription, isKeyed: Bool) -> JSON {
    var members: [JSONObject.Member] = [("type", "object")]
    if let documentation = entity.documentation { members.append(("description", .string(documentation))) }
    guard !isTransformed(entity) else { return .object(JSONObject(members)) }
    var tree = KeyTree()
    var rules: [JSON] = []
    for attribute in attributes(entity) { add(attribute, of: entity, isKeyed: isKeyed, &tree, &rules) }
    for relationship in relationships(entity) { add(relationship, of: entity, isKeyed: isKeyed, &tree, &rules) }
    if let shared = sharedObject(of: entity) { rules.append(shared) }
    rules += choices(of: entity, isKeyed: isKeyed)
    rules.removeAll { $0 == true }
    let contents = tree.members + (rules.isEmpty ? [] : [("allOf", .array(rules))])
    let ignored = ignored(entity)
    guard direction == .import, !ignored.isEmpty else { return .object(JSONObject(members + contents)) }
    return .object(JSONObject(members + [("if", SchemaPart.anyOf(ignored)), ("else", .object(JSONObject(contents)))]))
  }

  /// Returns the requirements for a dictionary from which the object that is the `@value` can be read (M23).
  private func sharedObject(of entity: EntityDescription) -> JSON? {
    let relationship = relationships(entity).first { $0.keyPath?.isElementValue == true && !$0.isToMany }
    guard let relationship, let destination = facts.entity(relationship.destinationName) else { return nil }
    let nulls = nulls(of: relationship)
    return SchemaPart.anyOf((nulls.isEmpty ? [] : [["enum": .array(nulls)]]) + [reference(to: destination)])
  }

  // MARK: Properties

  private func add(
    _ attribute: AttributeDescription, of entity: EntityDescription, isKeyed: Bool, _ tree: inout KeyTree,
    _ rules: inout [JSON]
  ) {
    guard let path = attribute.keyPath else { return }
    let isRequired = isRequired(attribute, of: entity)
    let mayBeNull = mayBeNull(attribute, of: entity)
    let schema = schema(of: attribute)
    let value = path.isThroughArrays ? schema.collected : schema.value(mayBeNull: mayBeNull)
    add(
      path, direction == .import ? attribute.keyPathAliases : [], value, isRequired: isRequired, isKeyed: isKeyed,
      // Only exports write null for nested keys without values (E7).
      isPresent: direction == .import || !mayBeNull, &tree, &rules)
  }

  private func add(
    _ relationship: RelationshipDescription, of entity: EntityDescription, isKeyed: Bool, _ tree: inout KeyTree,
    _ rules: inout [JSON]
  ) {
    guard let path = relationship.keyPath, let destination = facts.entity(relationship.destinationName) else { return }
    guard relationship.identifierKeyPaths.isEmpty else {
      // The keys that exports write depend on other properties.
      if direction == .import { rules.append(identifierInKeys(relationship, of: entity, to: destination)) }
      return
    }
    add(
      path, direction == .import ? relationship.keyPathAliases : [], self.schema(of: relationship, to: destination),
      isRequired: false, isKeyed: isKeyed, isPresent: direction == .import || relationship.isToMany, &tree, &rules)
  }

  /// Adds a value that is read from the first path that is not absent (M7).
  private func add(
    _ path: JSONKeyPath, _ aliases: [JSONKeyPath], _ schema: JSON, isRequired: Bool, isKeyed: Bool, isPresent: Bool,
    _ tree: inout KeyTree, _ rules: inout [JSON]
  ) {
    if path.isReserved || !aliases.isEmpty {
      rules.append(first(of: ([path] + aliases)[...], schema, isRequired: isRequired, isKeyed: isKeyed))
    }
    if !path.isReserved {
      tree.add(path, schema, isRequired: isRequired && aliases.isEmpty, isPresent: isPresent)
    }
  }

  /// Returns the schema of the objects whose value at the first path that is not absent matches a schema.
  private func first(of paths: ArraySlice<JSONKeyPath>, _ schema: JSON, isRequired: Bool, isKeyed: Bool) -> JSON {
    guard let path = paths.first else { return .boolean(!isRequired) }
    let rest = first(of: paths.dropFirst(), schema, isRequired: isRequired, isKeyed: isKeyed)
    if path.isObjectKey { return isKeyed || direction == .export ? true : rest }
    if path.isReserved { return true }
    if rest == true { return KeyTree(path, schema, isRequired: false).object }
    let value = KeyTree(path, schema, isRequired: isRequired && !path.isThroughArrays).object
    if path.isThroughArrays { return value }
    if rest == false { return value }
    return ["if": KeyTree.presence(path), "then": value, "else": rest]
  }

  // MARK: Conditions

  /// Returns the conditions under which nothing else in a dictionary is read, because it is skipped (M15) or deletes its object (M17).
  func ignored(_ entity: EntityDescription) -> [JSON] {
    let below = facts.model.entities.filter { $0.name != entity.name && facts.inherits($0, from: entity) }
    let marks = [facts.deletionMark(entity)] + below.map(\.deletedWhen)
    var conditions = marks.compactMap(\.self).map { KeyTree($0.keyPath, ["const": $0.value], isRequired: true).object }
    if let mapper = mapper(entity), mapper.otherwise == .skip { conditions.append(unlisted(mapper)) }
    return conditions
  }

  /// Returns whether the objects of an entity may be skipped.
  func mayBeSkipped(_ entity: EntityDescription) -> Bool {
    facts.modificationAttribute(entity) != nil || !ignored(entity).isEmpty || isTransformed(entity)
  }

  /// Returns whether a dictionary transformer may change the objects of an entity before they are read.
  func isTransformed(_ entity: EntityDescription) -> Bool {
    let descendants = facts.model.entities.filter { facts.inherits($0, from: entity) }
    return (facts.lineage(entity) + descendants).contains { $0.dictionaryTransformerName != nil }
  }

  // MARK: Declarations

  func hasIdentity(_ entity: EntityDescription) -> Bool { !facts.identityParts(entity).isEmpty }

  /// Returns whether objects may be found without their identity (M27). A dictionary can also describe objects of a sub-entity.
  private func hasAlternates(_ entity: EntityDescription) -> Bool {
    let descendants = facts.model.entities.filter { facts.inherits($0, from: entity) }
    return (facts.lineage(entity) + descendants).contains { !$0.alternateIdentities.isEmpty }
  }

  private func isIdentity(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
    facts.identity(entity).contains { $0.name == attribute.name }
  }

  /// Returns whether each dictionary of an entity must contain an attribute. If the entity has no identity, this applies to every
  /// required attribute; otherwise only to the identity's, because another mention can provide the rest.
  private func isRequired(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
    if direction == .export { return true }
    if attribute.isOptional || attribute.keyPath?.isThroughArrays == true { return false }
    return hasIdentity(entity)
      ? isIdentity(attribute, of: entity) && !hasAlternates(entity) : attribute.defaultValue == nil
  }

  /// Returns whether an attribute may be null. The value of an object with an identity may be in another mention.
  func mayBeNull(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
    if attribute.isOptional { return true }
    return hasIdentity(entity) && (direction == .export || !isIdentity(attribute, of: entity))
  }

  func schema(of attribute: AttributeDescription) -> AttributeSchema {
    AttributeSchema(attribute, direction, nulls: facts.model.nulls)
  }

  func attributes(_ entity: EntityDescription) -> [AttributeDescription] {
    facts.attributes(entity).filter { $0.keyPath != nil && isRelevant($0.direction) }
  }

  func relationships(_ entity: EntityDescription) -> [RelationshipDescription] {
    facts.relationships(entity).filter { relationship in
      relationship.keyPath != nil && isRelevant(relationship.direction)
        && (direction == .import || relationship.representation != .none)
    }
  }

  func isRelevant(_ direction: JSONDirection) -> Bool {
    switch direction {
    case .both: true
    case .import: self.direction == .import
    case .export: self.direction == .export
    }
  }
}
