import Graft

/// The values of relationships (I5, M20, M22, M25, M26).
extension PayloadSchema {
  /// Returns the schema of the value under a relationship's key or, on a path through arrays, of each value.
  func schema(of relationship: RelationshipDescription, to destination: EntityDescription) -> JSON {
    let identifier = elementValue(of: destination) ?? identifier(of: relationship, to: destination)
    let element = element(of: destination, identifier: identifier)
    let nulls = nulls(of: relationship)
    var schema: JSON
    if relationship.keyPath?.isThroughArrays == true {
      schema = nulls.isEmpty ? element : true
    } else if direction == .import, relationship.isLenient {
      schema =
        relationship.isToMany
        ? lenientList(of: destination, element, identifier) : lenientOne(destination, element, identifier)
    } else {
      schema = relationship.isToMany ? list(of: destination, element) : element
    }
    if !nulls.isEmpty { schema = SchemaPart.anyOf([["enum": .array(nulls)], schema]) }
    let notes = relationship.documentation.map { [(key: "description", value: JSON.string($0))] } ?? []
    return SchemaPart.described(schema, notes)
  }

  /// Returns the values that a relationship reads as null.
  func nulls(of relationship: RelationshipDescription) -> [JSON] {
    direction == .import ? relationship.nulls ?? facts.model.nulls : []
  }

  /// Returns the schema of a list: an array, or an object whose values are the objects.
  private func list(of entity: EntityDescription, _ element: JSON) -> JSON {
    guard facts.canStandUnderKeys(entity) else { return ["type": ["array", "null"], "items": element] }
    return [
      "type": ["array", "null", "object"], "items": element, "if": ["type": "object"], "then": collection(of: entity),
    ]
  }

  // MARK: Other shapes

  /// Returns the schema of a lenient list: a single element is read as a list with one element, and an object with the keys 0 to
  /// n-1 as a list.
  private func lenientList(of entity: EntityDescription, _ element: JSON, _ identifier: JSON?) -> JSON {
    let object =
      facts.canStandUnderKeys(entity)
      ? collection(of: entity)
      : SchemaPart.anyOf([PayloadSchema.numbered(element, least: nil, most: nil), reference(to: entity)])
    return [
      "if": ["type": "array"], "then": ["items": element],
      "else": SchemaPart.objects(object, others: SchemaPart.orNull(identifier ?? false)),
    ]
  }

  /// Returns the schema of a lenient to-one: a list with one element is read as that element, and an empty list, `""` or `false` as null.
  private func lenientOne(_ entity: EntityDescription, _ element: JSON, _ identifier: JSON?) -> JSON {
    var list: [JSONObject.Member] = [("type", "array"), ("items", element)]
    if !mayBeSkipped(entity) {
      list += [("contains", ["not": ["type": "null"]]), ("minContains", 0), ("maxContains", 1)]
    }
    return SchemaPart.anyOf([element, .object(JSONObject(list)), ["enum": ["", false]]])
  }

  /// Returns the schema of an object that is read as an array.
  static func numbered(_ element: JSON, least: Int?, most: Int?) -> JSON {
    var members: [JSONObject.Member] = [
      ("type", "object"), ("propertyNames", ["pattern": "^(?:0|[1-9][0-9]*)$"]), ("additionalProperties", element),
    ]
    if let least { members.append(("minProperties", .number(JSONNumber(least)))) }
    if let most { members.append(("maxProperties", .number(JSONNumber(most)))) }
    return .object(JSONObject(members))
  }
}
