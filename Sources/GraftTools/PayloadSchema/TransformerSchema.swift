import Graft

/// The JSON values that built-in transformers read (T2, T6, T8, M26).
enum TransformerSchema {
  /// Returns the schema of the values that a chain of transformers reads; `true` if a closure of the program reads them.
  ///
  /// - Parameters:
  ///   - base: the schema of the values without a transformer.
  ///   - allowsBlank: whether blank text, which is read as null, is legal.
  static func input(
    of names: ArraySlice<String>, for type: AttributeType, base: JSON, allowsBlank: Bool
  ) -> JSON {
    guard let name = names.first else { return base }
    let rest = names.dropFirst()
    guard let transformer = BuiltInTransformer(named: name, for: rest.isEmpty ? type : .json) else { return true }
    switch transformer {
    case .blank:
      let others = input(of: rest, for: type, base: base, allowsBlank: allowsBlank)
      return allowsBlank ? SchemaPart.anyOf([others, blank]) : SchemaPart.allOf([others, ["not": blank]])
    case .lastPathSegment:
      let next = rest.first.flatMap { BuiltInTransformer(named: $0, for: type) }
      return SchemaPart.text(nil).adding("pattern", .string(lastSegment(next.flatMap { expression(of: $0, type) })))
    default: return input(of: transformer, for: type, base: rest.isEmpty ? base : true)
    }
  }

  private static func input(of transformer: BuiltInTransformer, for type: AttributeType, base: JSON) -> JSON {
    switch transformer {
    case .unixTime: SchemaPart.anyOf([time(from: -62_167_219_201, to: 253_402_300_800), number])
    case .unixTimeMilliseconds:
      SchemaPart.anyOf([time(from: -62_167_219_200_001, to: 253_402_300_800_000), number])
    case .referenceTime: SchemaPart.anyOf([time(from: -63_145_526_401, to: 252_423_993_600), number])
    case .integerToBoolean: ["enum": [0, 1]]
    case .stringToBoolean: ["enum": ["true", "false"]]
    case .lenient(let type): SchemaPart.anyOf([base] + lenientForms(of: type))
    default: SchemaPart.text(expression(of: transformer, type))
    }
  }

  /// Returns the expression for the strings that a transformer reads; nil if any string is allowed.
  private static func expression(of transformer: BuiltInTransformer, _ type: AttributeType) -> String? {
    switch transformer {
    case .stringToInteger: (type.integerRange == nil ? AttributeType.integer64 : type).spellingExpression
    case .stringToDecimal, .stringToDouble: AttributeType.numberExpression
    case .dateFormat(let patterns):
      (try? DateFormat.formats(patterns)).flatMap { formats in
        let expressions = formats.compactMap(\.expression)
        return expressions.count == formats.count ? expressions.joined(separator: "|") : nil
      }
    case .stringToURL: AttributeType.uri.textExpression
    case .stringToUUID: AttributeType.uuid.textExpression
    case .stringToBoolean: "true|false"
    default: nil
    }
  }

  private static let number = SchemaPart.text(AttributeType.numberExpression)

  private static func time(from least: Int, to most: Int) -> JSON {
    ["type": "number", "minimum": .number(JSONNumber(least)), "maximum": .number(JSONNumber(most))]
  }

  /// Text that consists only of white space.
  private static let blank = SchemaPart.text(
    #"[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*"#)

  /// Returns the expression for a path or URL.
  ///
  /// - Parameter segment: the expression for its last segment; nil if any segment is allowed.
  private static func lastSegment(_ segment: String?) -> String {
    // A scheme and the host after it are not segments.
    let host = #"(?![^/?#]*:/{2,}[^/?#]*/*(?:[?#]|(?![\s\S])))"#
    return "^\(host)(?:[^?#]*/)?(?:\(segment ?? "[^/?#]+"))/*" + #"(?:[?#]|(?![\s\S]))"#
  }

  private static func lenientForms(of type: AttributeType) -> [JSON] {
    switch type {
    case .integer16, .integer32, .integer64, .float, .double, .decimal:
      [SchemaPart.text(#"[\u0009-\u000D\u0020]*[+-]?[0-9]+(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?[\u0009-\u000D\u0020]*"#)]
    case .boolean: [["enum": [0, 1, "true", "false", "yes", "no", "0", "1"]]]
    case .string: [["type": ["number", "boolean"]]]
    case .date: [time(from: -62_167_219_200_001, to: 253_402_300_800_000)]
    case .binary, .uuid, .uri, .json: []
    }
  }
}

extension JSON {
  /// Returns the object with an additional member.
  fileprivate func adding(_ key: String, _ value: JSON) -> JSON {
    .object(JSONObject((objectValue?.members ?? []) + [(key, value)]))
  }
}
