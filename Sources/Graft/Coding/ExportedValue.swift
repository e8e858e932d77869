/// A value of an export, with the offset at which it begins in the text.
struct ExportedValue {
  enum Kind {
    /// Null, a boolean, a number or a string.
    case scalar(JSON)
    case array([ExportedValue])
    case object([(key: String, value: ExportedValue)])
  }

  let kind: Kind
  /// The offset; -1 for a value that does not come from text.
  var offset = -1

  init(_ kind: Kind) { self.kind = kind }

  /// Creates a value that does not come from text.
  init(_ json: JSON) {
    switch json {
    case .array(let elements): kind = .array(elements.map { ExportedValue($0) })
    case .object(let object): kind = .object(object.members.map { ($0.key, ExportedValue($0.value)) })
    default: kind = .scalar(json)
    }
  }

  var isNull: Bool { if case .scalar(.null) = kind { true } else { false } }

  var json: JSON {
    switch kind {
    case .scalar(let json): json
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members): .object(JSONObject(uncheckedMembers: members.map { ($0.key, $0.value.json) }))
    }
  }
}

/// Builds ``ExportedValue``.
enum ExportedTree: JSONTreeMaking {
  static var null: ExportedValue { .init(.scalar(.null)) }
  static func boolean(_ value: Bool) -> ExportedValue { .init(.scalar(.boolean(value))) }
  static func number(_ value: RawNumber) -> ExportedValue { .init(.scalar(JSONTree.number(value))) }
  static func string(_ value: String) -> ExportedValue { .init(.scalar(.string(value))) }
  static func array(_ values: [ExportedValue]) -> ExportedValue { .init(.array(values)) }
  static func object(_ keys: [String], _ values: MemberValues<ExportedValue>) -> ExportedValue {
    .init(.object(keys.indices.map { (key: keys[$0], value: values.take($0)) }))
  }
  static func located(_ value: ExportedValue, at offset: Int) -> ExportedValue {
    var value = value
    value.offset = offset
    return value
  }
}
