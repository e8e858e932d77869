import Graft

extension AttributeType {
  /// The JSON types of a value without a transformer; nil for any.
  var payloadTypes: [String]? {
    switch self {
    case .integer16, .integer32, .integer64: ["integer"]
    case .float, .double, .decimal: ["number"]
    case .boolean: ["boolean"]
    case .string, .date, .binary, .uuid, .uri: ["string"]
    case .json: nil
    }
  }

  /// The keywords for the form of a value: its range, or the format of its text.
  fileprivate var form: [JSONObject.Member] {
    switch self {
    case .integer16: [("minimum", -32768), ("maximum", 32767)]
    case .integer32: [("minimum", -2_147_483_648), ("maximum", 2_147_483_647)]
    case .integer64: [("minimum", -9_223_372_036_854_775_808), ("maximum", 9_223_372_036_854_775_807)]
    case .date: [("format", "date-time")]
    case .binary: [("contentEncoding", "base64")]
    case .uuid: [("format", "uuid")]
    case .uri: [("format", "uri")]
    default: []
    }
  }
}

extension AttributeDescription {
  /// Returns the schema of the attribute's value in JSON.
  ///
  /// - Parameter hasOtherForms: whether other values are read as null, or as lists.
  func schema(mayBeNull: Bool, hasOtherForms: Bool) -> JSON {
    let description = documentation.map { [(key: "description", value: JSON.string($0))] } ?? []
    if hasOtherForms { return .object(JSONObject(description + [("$comment", "Several forms are read.")])) }
    if isList, TransformerRegistry.standard.separator(of: self) != nil { return single(description, mayBeNull: true) }
    guard isList else { return single(description, mayBeNull: mayBeNull) }
    var members: [JSONObject.Member] = description
    members.append(("type", mayBeNull ? ["array", "null"] : "array"))
    members.append(("items", single([], mayBeNull: false)))
    if let least = validation.minCount { members.append(("minItems", .number(JSONNumber(least)))) }
    if let most = validation.maxCount { members.append(("maxItems", .number(JSONNumber(most)))) }
    return .object(JSONObject(members))
  }

  /// Returns the schema of a single value, or of an element of a list.
  private func single(_ description: [JSONObject.Member], mayBeNull: Bool) -> JSON {
    var members = description
    if let transformerName {
      members.append(("$comment", .string("The transformer '\(transformerName)' reads and writes it.")))
      return .object(JSONObject(members))
    }
    guard let types = type.payloadTypes else {
      return isList ? ["type": ["string", "number", "boolean", "array", "object"]] : .object(JSONObject(members))
    }
    let all = (types + (mayBeNull ? ["null"] : [])).map(JSON.string)
    members.append(("type", all.count == 1 ? all[0] : .array(all)))
    var keywords = type.form
    for (key, value) in rules(mayBeNull: mayBeNull) {
      keywords.removeAll { $0.key == key }
      keywords.append((key, value))
    }
    return .object(JSONObject(members + keywords))
  }

  /// The validation keywords that mean the same in JSON Schema. Those that compare rounded or decoded values do not.
  private func rules(mayBeNull: Bool) -> [JSONObject.Member] {
    var members: [JSONObject.Member] = []
    switch type {
    case .integer16, .integer32, .integer64, .double, .decimal:
      if let minimum = validation.minimum { members.append(("minimum", minimum.jsonValue)) }
      if let maximum = validation.maximum { members.append(("maximum", maximum.jsonValue)) }
    case .string:
      if let least = validation.minLength { members.append(("minLength", .number(JSONNumber(least)))) }
      if let most = validation.maxLength { members.append(("maxLength", .number(JSONNumber(most)))) }
      if let pattern = validation.pattern, pattern.isPortable { members.append(("pattern", .string(pattern))) }
    default: return []
    }
    guard let values = validation.allowedValues else { return members }
    let listed = values.map(\.jsonValue)
    // Other values than those of an extensible enum are legal.
    if validation.isExtensible { return members + [("examples", .array(listed))] }
    return members + [("enum", .array(listed + (mayBeNull ? [.null] : [])))]
  }
}

extension String {
  /// Whether a regular expression matches at least as much in every dialect.
  fileprivate var isPortable: Bool {
    utf8.allSatisfy { $0 < 0x80 }
      && !["(?", "\\p", "\\P", "\\D", "\\W", "\\S", "\\b", "\\B", "\\A", "\\z", "\\Z", "\\h", "[:", "&&", "--"]
        .contains { contains($0) }
  }
}
