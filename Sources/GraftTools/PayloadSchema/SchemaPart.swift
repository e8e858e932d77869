import Graft

/// Parts of a JSON Schema (2020-12). `true` accepts every value, and `false` accepts none.
enum SchemaPart {
  /// Returns the schema of the values that one of several schemas accepts.
  static func anyOf(_ schemas: [JSON]) -> JSON {
    let others = schemas.filter { $0 != false }
    if others.contains(true) { return true }
    return others.count > 1 ? ["anyOf": .array(others)] : others.first ?? false
  }

  /// Returns the schema of the values that all of several schemas accept.
  static func allOf(_ schemas: [JSON]) -> JSON {
    let others = schemas.filter { $0 != true }
    if others.contains(false) { return false }
    return others.count > 1 ? ["allOf": .array(others)] : others.first ?? true
  }

  /// Returns the schema of null and the values that another schema accepts.
  static func orNull(_ schema: JSON) -> JSON {
    guard var object = schema.objectValue else { return anyOf([["type": "null"], schema]) }
    if let alternatives = object["anyOf"]?.arrayValue, object.count == 1 {
      return ["anyOf": .array(alternatives + [["type": "null"]])]
    }
    let conditions = ["anyOf", "allOf", "not", "if", "$ref"]
    guard conditions.allSatisfy({ object[$0] == nil }), object["type"] != nil || object["enum"] != nil else {
      return anyOf([schema, ["type": "null"]])
    }
    if let type = object["type"] {
      let types = type.arrayValue ?? [type]
      object["type"] = .array(types.contains("null") ? types : types + ["null"])
    }
    if let values = object["enum"]?.arrayValue, !values.contains(.null) { object["enum"] = .array(values + [.null]) }
    return .object(object)
  }

  /// Returns the schema of the values that another schema accepts, except the given values.
  static func without(_ values: [JSON], _ schema: JSON) -> JSON {
    values.isEmpty ? schema : allOf([["not": ["enum": .array(values)]], schema])
  }

  /// Returns a schema for objects combined with another schema for all other values.
  static func objects(_ schema: JSON, others: JSON) -> JSON {
    if others == false, let object = schema.objectValue, object["$ref"] == nil {
      return allOf([["type": "object"], schema])
    }
    return ["if": ["type": "object"], "then": schema, "else": others]
  }

  /// Returns a schema with a description.
  static func described(_ schema: JSON, _ members: [JSONObject.Member]) -> JSON {
    guard !members.isEmpty else { return schema }
    guard let object = schema.objectValue else {
      return .object(JSONObject(members + (schema == true ? [] : [("not", true)])))
    }
    return .object(JSONObject(members + object.members))
  }

  /// Returns the schema of strings that match an expression as a whole.
  static func text(_ expression: String?) -> JSON {
    guard let expression else { return ["type": "string"] }
    return ["type": "string", "pattern": .string("^(?:\(expression))$")]
  }
}
