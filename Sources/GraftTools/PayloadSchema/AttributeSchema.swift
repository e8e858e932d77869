import Graft

/// The schemas of an attribute's values in JSON.
struct AttributeSchema {
  let attribute: AttributeDescription
  /// The values that are read as null (M20).
  private let nulls: [JSON]
  private let isImport: Bool

  /// - Parameter nulls: the values that the model reads as null.
  init(_ attribute: AttributeDescription, _ direction: PayloadSchema.Direction, nulls: [JSON]) {
    self.attribute = attribute
    isImport = direction == .import
    let isPlainBoolean = attribute.type == .boolean && attribute.transformerNames.isEmpty
    let common = isPlainBoolean ? nulls.filter { $0.booleanValue == nil } : nulls
    self.nulls = isImport ? attribute.nulls ?? common : []
  }

  // MARK: Places

  /// Returns the schema of the value under the attribute's key.
  func value(mayBeNull: Bool) -> JSON {
    let value = attribute.isList ? list : element(allowsBlank: mayBeNull)
    let others: [JSON] = nulls.isEmpty ? [] : [["enum": .array(nulls)]]
    let schema =
      mayBeNull ? SchemaPart.anyOf([SchemaPart.orNull(value)] + others) : SchemaPart.without(nulls, value)
    return SchemaPart.described(schema, notes)
  }

  /// The schema of the elements of a list on a path through arrays (M25).
  var collected: JSON {
    SchemaPart.described(
      attribute.isLenient || !nulls.isEmpty ? true : SchemaPart.orNull(element(allowsBlank: false)), notes)
  }

  /// The schema of the value in an identifier of its object. An object known only by its identifier is not validated (I4).
  var identifier: JSON {
    SchemaPart.without(nulls, AttributeSchema(unchecked: self).element(allowsBlank: false))
  }

  /// The expression for keys that represent the value (M11); nil if any key is allowed.
  var keyExpression: String? {
    guard nulls.isEmpty else { return nil }
    switch attribute.transformerNames {
    case [], ["StringToInteger"]: return attribute.type.spellingExpression
    default: return nil
    }
  }

  private init(unchecked other: AttributeSchema) {
    var attribute = other.attribute
    attribute.validation = AttributeValidation()
    self.attribute = attribute
    nulls = other.nulls
    isImport = other.isImport
  }

  private var notes: [JSONObject.Member] {
    var notes: [JSONObject.Member] = []
    if let documentation = attribute.documentation { notes.append(("description", .string(documentation))) }
    if let name = attribute.transformerName {
      notes.append(("$comment", .string("The transformer '\(name)' reads and writes it.")))
    }
    return notes
  }

  // MARK: Forms

  /// The schema of a list, and of other values that are read as a list (M13, M22, T8).
  private var list: JSON {
    let element = element(allowsBlank: false)
    let (least, most) = (attribute.validation.minCount, attribute.validation.maxCount)
    var array: [JSONObject.Member] = [("type", "array"), ("items", element)]
    if let least { array.append(("minItems", .number(JSONNumber(least)))) }
    if let most { array.append(("maxItems", .number(JSONNumber(most)))) }
    var forms: [JSON] = [.object(JSONObject(array))]
    if let separator = TransformerRegistry.standard.separator(of: attribute) {
      let text = SchemaPart.text(parts(separator))
      if !isImport { return text }
      forms.append(text)
    }
    guard isImport, attribute.isLenient else { return SchemaPart.anyOf(forms) }
    if least ?? 0 <= 1 {
      let isAny = attribute.type == .json && attribute.transformerNames.isEmpty
      forms.append(
        isAny
          ? ["type": ["string", "number", "boolean", "object"]]
          : SchemaPart.allOf([["not": ["type": ["array", "null"]]], element]))
    }
    if attribute.type != .json || !attribute.transformerNames.isEmpty {
      forms.append(PayloadSchema.numbered(element, least: least, most: most))
    }
    return SchemaPart.anyOf(forms)
  }

  /// Returns the expression for a string whose parts represent the elements (T8); nil if any string is allowed.
  private func parts(_ separator: String) -> String? {
    let isClear = separator.utf8.allSatisfy { ",;| ".utf8.contains($0) }
    guard isClear, attribute.transformerNames.count == 1, let part = attribute.type.spellingExpression,
      attribute.type != .date && attribute.type != .uri
    else { return nil }
    let mark = separator.replacing("|", with: "[|]")
    return "(?:\(part)(?:\(mark)\(part))*)?"
  }

  /// Returns the schema of a single value, or of an element of a list. It is not null.
  private func element(allowsBlank: Bool) -> JSON {
    let isSplit = TransformerRegistry.standard.separator(of: attribute) != nil
    return TransformerSchema.input(
      of: attribute.transformerNames.dropFirst(isSplit ? 1 : 0), for: attribute.type, base: base,
      allowsBlank: allowsBlank)
  }

  /// The schema of a single value without a transformer.
  private var base: JSON {
    guard let types = attribute.type.payloadTypes else {
      return attribute.isList ? ["type": ["string", "number", "boolean", "array", "object"]] : true
    }
    var keywords: [JSONObject.Member] = [
      ("type", types.count == 1 ? .string(types[0]) : .array(types.map(JSON.string)))
    ]
    keywords += attribute.type.form(isImport: isImport)
    for (key, value) in rules {
      keywords.removeAll { $0.key == key }
      keywords.append((key, value))
    }
    return .object(JSONObject(keywords))
  }

  /// The validation keywords that have the same meaning in JSON Schema. Keywords that compare rounded or decoded values do not.
  private var rules: [JSONObject.Member] {
    let validation = attribute.validation
    var members: [JSONObject.Member] = []
    switch attribute.type {
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
    // Values outside an extensible enum are also legal.
    return members + [(validation.isExtensible ? "examples" : "enum", .array(listed))]
  }
}

extension AttributeType {
  /// The JSON types of a value without a transformer; nil if any type is allowed.
  var payloadTypes: [String]? {
    switch self {
    case .integer16, .integer32, .integer64: ["integer"]
    case .float, .double, .decimal: ["number"]
    case .boolean: ["boolean"]
    case .string, .date, .binary, .uuid, .uri: ["string"]
    case .json: nil
    }
  }

  /// Returns the keywords for the form of a value: its range, or the format of its text.
  fileprivate func form(isImport: Bool) -> [JSONObject.Member] {
    let pattern = textExpression.map { [(key: "pattern", value: JSON.string("^(?:\($0))$"))] } ?? []
    switch self {
    case .integer16: return [("minimum", -32768), ("maximum", 32767)]
    case .integer32: return [("minimum", -2_147_483_648), ("maximum", 2_147_483_647)]
    case .integer64: return [("minimum", -9_223_372_036_854_775_808), ("maximum", 9_223_372_036_854_775_807)]
    // The greatest float depends on rounding.
    case .float: return [("minimum", -3.5e38), ("maximum", 3.5e38)]
    // A program may set dates beyond the year 9999, which are written with more digits.
    case .date: return [("format", "date-time")] + (isImport ? pattern : [])
    case .binary: return [("contentEncoding", "base64")] + pattern
    case .uuid: return [("format", "uuid")] + pattern
    case .uri: return [("format", "uri")] + pattern
    default: return []
    }
  }
}

extension String {
  /// Whether a regular expression matches at least the same text in every dialect.
  fileprivate var isPortable: Bool {
    utf8.allSatisfy { $0 < 0x80 }
      && !["(?", "\\p", "\\P", "\\D", "\\W", "\\S", "\\b", "\\B", "\\A", "\\z", "\\Z", "\\h", "[:", "&&", "--"]
        .contains { contains($0) }
  }
}
