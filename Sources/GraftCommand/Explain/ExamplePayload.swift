import Graft
import GraftTools

/// Creates an example payload for an entity from the requirements of the model.
struct ExamplePayload {
  /// The reason why there is no example.
  struct Missing: Error {
    let reason: String
  }

  /// The maximum depth, because objects that require each other would never end.
  private static let deepest = 8

  let facts: ModelFacts
  /// The mapped properties that were omitted.
  private(set) var omitted: [String] = []
  /// The number of objects so far, so that their identities differ.
  private var count = 0
  /// Values that nested objects read from the object that is being created (M19), and values that objects read from the document.
  private var forParent: [Outside] = []
  private var forDocument: [Outside] = []

  private struct Outside {
    var keys: ArraySlice<String>
    var value: JSON
  }

  init(facts: ModelFacts) { self.facts = facts }

  /// Returns an object of the entity as a whole payload.
  mutating func payload(_ entity: EntityDescription) throws(Missing) -> JSON {
    let (key, value) = try element(entity, depth: 0, from: nil, isKeyed: facts.isKeyed(entity))
    // A position requires an array (M12).
    if key == nil, facts.isIdentifiedByIndex(entity) { return .array([value]) }
    guard var document = (key.map { .object([$0: value]) } ?? value).objectValue else { return value }
    for outside in forDocument { document.set(outside.value, at: outside.keys) }
    return .object(document)
  }

  /// Returns an object, with its key if it needs one.
  private mutating func element(
    _ declared: EntityDescription, depth: Int, from source: RelationshipDescription?, isKeyed: Bool
  ) throws(Missing) -> (key: String?, value: JSON) {
    guard depth < Self.deepest else { throw Missing(reason: "the chain of objects that it requires never ends") }
    guard let entity = facts.concrete(declared) else {
      throw Missing(reason: "'\(declared.name)' is abstract, and nothing in JSON selects a sub-entity")
    }
    count += 1
    let number = count
    var key: String?
    var bare: JSON?
    var object = JSONObject([])
    let others = forParent
    forParent = []
    var own: [Outside] = []
    let mapped = facts.attributes(entity).filter { $0.importedKeyPath != nil }
    if let mapper = facts.mapper(entity), let line = mapper.cases.first(where: { $0.entityName == entity.name }) {
      let holder = mapped.first { $0.keyPath == mapper.keyPath }
      let isNumber = holder?.type.integerRange != nil && holder?.transformerName == nil
      let value = isNumber ? JSONNumber(line.value).map(JSON.number) : nil
      object.set(value ?? .string(line.value), at: mapper.keyPath.keys[...])
    }
    let identity = facts.identity(entity).map(\.name)
    for attribute in mapped {
      let isIdentity = identity.contains(attribute.name)
      let isNeeded = isIdentity || !attribute.isOptional && attribute.defaultValue == nil
      guard depth == 0 || isNeeded else { continue }
      guard let value = ExampleValue(attribute: attribute, number: isIdentity ? number : 1).json else {
        let why = "no value was found for '\(entity.name).\(attribute.name)'"
        if isNeeded { throw Missing(reason: why + ExamplePayload.cause(attribute)) }
        omitted.append("'\(attribute.name)' is left out: " + why + ExamplePayload.cause(attribute) + ".")
        continue
      }
      if depth == 0, attribute.keyPath?.surroundings == .parent {
        let why = "it is read from the containing object"
        if isNeeded { throw Missing(reason: "'\(entity.name).\(attribute.name)' is required, and \(why)") }
        omitted.append("'\(attribute.name)' is left out: \(why).")
        continue
      }
      if setsOutside(value, attribute.keyPath, &own) { continue }
      try place(value, attribute.keyPath, attribute.keyPathAliases, isKeyed, &key, &bare, &object)
    }
    let parts = facts.identityParts(entity).map(\.name)
    for relationship in facts.relationships(entity) {
      let leadsBack = source?.inverseName == relationship.name
      let isOwner = parts.contains(relationship.name)
      guard relationship.importedKeyPath != nil else {
        guard isOwner, !leadsBack else { continue }
        throw Missing(reason: "'\(entity.name)' is identified by its '\(relationship.name)', in which it is nested")
      }
      let isNeeded = isOwner || !relationship.isOptional || (relationship.minCount ?? 0) > 0
      guard !leadsBack, depth == 0 || isNeeded || relationship.keyPath?.isElementValue == true else { continue }
      if let surroundings = relationship.keyPath?.surroundings {
        let value = facts.entity(relationship.destinationName).flatMap { identifier($0) }
        guard let value, depth > 0 || surroundings == .root else {
          if isNeeded { throw Missing(reason: "'\(entity.name).\(relationship.name)' is read from outside the object") }
          omitted.append("'\(relationship.name)' is left out: it is read from outside the object.")
          continue
        }
        _ = setsOutside(value, relationship.keyPath, &own)
        continue
      }
      if relationship.name == facts.sharedRelationship(entity)?.name {
        bare = try shared(relationship, &object, depth: depth)
        continue
      }
      if !relationship.identifierKeyPaths.isEmpty {
        guard setsParts(relationship, &object) else {
          if isNeeded { throw Missing(reason: "no identifier was found for '\(entity.name).\(relationship.name)'") }
          omitted.append("'\(relationship.name)' is left out: no identifier was found.")
          continue
        }
        continue
      }
      let value: JSON
      do throws(Missing) {
        value = try related(relationship, depth: depth)
      } catch {
        if isNeeded { throw error }
        omitted.append("'\(relationship.name)' is left out: \(error.reason).")
        continue
      }
      try place(value, relationship.keyPath, relationship.keyPathAliases, isKeyed, &key, &bare, &object)
    }
    if isKeyed, key == nil { key = "\(number)" }
    for outside in forParent { object.set(outside.value, at: outside.keys) }
    forParent = others + own
    return (key, bare ?? .object(object))
  }

  /// Puts the members of the object that is the `@value` into the dictionary of its object (M23).
  ///
  /// - Returns: the element if it is not a dictionary, or has no other members.
  private mutating func shared(
    _ relationship: RelationshipDescription, _ object: inout JSONObject, depth: Int
  ) throws(Missing) -> JSON? {
    guard let destination = facts.entity(relationship.destinationName) else {
      throw Missing(reason: "its destination does not exist")
    }
    let value = try element(destination, depth: depth + 1, from: relationship, isKeyed: false).value
    if object.count == 0 { return value }
    guard let members = value.objectValue else {
      throw Missing(
        reason: "the element cannot be an object with other values and also an object of '\(destination.name)'")
    }
    for member in members { object.set(member.value, at: [member.key]) }
    return nil
  }

  /// Records a value that belongs outside the object. Returns false if it belongs inside.
  private mutating func setsOutside(_ value: JSON, _ path: JSONKeyPath?, _ own: inout [Outside]) -> Bool {
    guard let path, let surroundings = path.surroundings else { return false }
    let outside = Outside(keys: path.keys.dropFirst(), value: value)
    if surroundings == .parent { own.append(outside) } else { forDocument.append(outside) }
    return true
  }

  /// Puts the values of an identifier at their key paths (M24). Returns false if there is none.
  private mutating func setsParts(_ relationship: RelationshipDescription, _ object: inout JSONObject) -> Bool {
    guard let entity = facts.entity(relationship.destinationName), let value = identifier(entity) else { return false }
    let parts = facts.identityParts(entity)
    let values = parts.count == 1 ? [value] : value.arrayValue ?? []
    for part in relationship.identifierKeyPaths {
      if let index = parts.firstIndex(where: { $0.name == part.name }), index < values.count {
        object.set(values[index], at: part.keyPath.keys[...])
      } else if let line = facts.mapper(entity)?.cases.first {
        object.set(.string(line.value), at: part.keyPath.keys[...])
      }
    }
    return true
  }

  /// Arranges values so that a path through arrays leads to them (M25).
  private static func spread(_ value: JSON, _ segments: ArraySlice<[String]>) -> JSON {
    guard let keys = segments.first, let elements = value.arrayValue else { return value }
    func inside(_ value: JSON) -> JSON {
      var object = JSONObject([])
      object.set(value, at: keys[...])
      return .object(object)
    }
    if segments.count == 1 { return .array(elements.map(inside)) }
    return .array([inside(spread(value, segments.dropFirst()))])
  }

  /// Puts a value at its key path.
  private func place(
    _ value: JSON, _ path: JSONKeyPath?, _ aliases: [JSONKeyPath], _ isKeyed: Bool, _ key: inout String?,
    _ bare: inout JSON?, _ object: inout JSONObject
  ) throws(Missing) {
    guard let path else { return }
    if isKeyed, path.isObjectKey {
      key = value.stringValue ?? value.numberValue?.text ?? value.description
    } else if path.isElementValue {
      bare = value
    } else if path.isElementIndex {
      return
    } else if path.isThroughArrays {
      object.set(ExamplePayload.spread(value, path.segments.dropFirst()), at: path.segments[0][...])
    } else if let plain = ([path] + aliases).first(where: { !$0.isKeyWord }) {
      object.set(value, at: plain.keys[...])
    } else {
      throw Missing(reason: "a value is read from the key of its object, and there is no such key here")
    }
  }

  private mutating func related(_ relationship: RelationshipDescription, depth: Int) throws(Missing) -> JSON {
    guard let entity = facts.entity(relationship.destinationName) else {
      throw Missing(reason: "its destination does not exist")
    }
    let needed = max(relationship.minCount ?? 1, 1)
    guard needed <= 100 else { throw Missing(reason: "it requires \(needed) objects") }
    let isOwning = relationship.inverseName.map(facts.identityParts(entity).map(\.name).contains) == true
    let isOutside = facts.isIdentifiedByIndex(entity) && !isOwning
    // The form that a closure reads as an identifier is unknown.
    let hasTransformer = !relationship.transformerNames.isEmpty
    if !hasTransformer, relationship.unresolvedRule == .placeholder, !isOwning,
      depth > 0 || isOutside || relationship.representation == .identifier
    {
      var identifiers: [JSON] = []
      for _ in 0..<needed { if let value = identifier(entity) { identifiers.append(value) } }
      if identifiers.count == needed { return relationship.isToMany ? .array(identifiers) : identifiers[0] }
    }
    let isKeyed = relationship.isToMany && facts.isKeyed(entity)
    var elements: [(key: String?, value: JSON)] = []
    for _ in 0..<(relationship.isToMany ? needed : 1) {
      elements.append(try element(entity, depth: depth + 1, from: relationship, isKeyed: isKeyed))
    }
    guard relationship.isToMany else { return elements[0].value }
    guard isKeyed else { return .array(elements.map(\.value)) }
    var object = JSONObject([])
    for element in elements { object[element.key ?? ""] = element.value }
    return .object(object)
  }

  private mutating func identifier(_ entity: EntityDescription) -> JSON? {
    let parts = facts.identityParts(entity)
    count += 1
    let number = count
    var values: [JSON] = []
    for part in parts {
      switch part {
      case .attribute(let attribute):
        guard let value = ExampleValue(attribute: attribute, number: number).json else { return nil }
        values.append(value)
      case .owner(let owner):
        // The owner is replaced by its own identifier (M12).
        guard let value = facts.entity(owner.destinationName).flatMap({ identifier($0) }) else { return nil }
        values.append(value)
      }
    }
    guard !values.isEmpty else { return nil }
    return values.count == 1 ? values[0] : .array(values)
  }

  private static func cause(_ attribute: AttributeDescription) -> String {
    if let pattern = attribute.validation.pattern { return " that matches the pattern \(pattern)" }
    return attribute.transformerName.map { " that the transformer '\($0)' takes" } ?? ""
  }
}

extension JSONObject {
  /// Sets the value at the end of the keys, unless there is already a value there or on the path.
  fileprivate mutating func set(_ value: JSON, at keys: ArraySlice<String>) {
    guard let first = keys.first else { return }
    guard keys.count > 1 else {
      if self[first] == nil { self[first] = value }
      return
    }
    guard var inner = (self[first] ?? .object([:])).objectValue else { return }
    inner.set(value, at: keys.dropFirst())
    self[first] = .object(inner)
  }
}
