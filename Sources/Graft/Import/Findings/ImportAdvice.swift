/// Advice on how a model could read a value that it refuses. A model that follows the advice reads the value.
///
///     "" for a date                        to read it as null, add "JSONNulls": [""]
///     "Yes" for a boolean                  none: no transformer reads it
struct ImportAdvice {
  private let attribute: AttributeDescription
  private let value: JSON
  /// Whether the attribute is a part of its entity's identity.
  private let isIdentity: Bool
  /// The values that the attribute already reads as null.
  private let nulls: [JSON]
  /// Whether values are not shown (M29).
  private let isSensitive: Bool

  /// Returns advice in words, or nil if there is none.
  ///
  /// - Parameter bytes: the text of the value.
  static func reading(_ bytes: some Sequence<UInt8>, _ subject: ImportFinding.Subject) -> String? {
    guard let value = try? JSON(parsing: Array(bytes)) else { return nil }
    return reading(value, subject)
  }

  static func reading(_ value: JSON, _ subject: ImportFinding.Subject) -> String? {
    guard let attribute = subject.property.attribute else { return nil }
    return ImportAdvice(attribute, value, subject).words
  }

  private init(_ attribute: AttributeDescription, _ value: JSON, _ subject: ImportFinding.Subject) {
    self.attribute = attribute
    self.value = value
    isIdentity = subject.isIdentity
    nulls = subject.property.nulls
    isSensitive = subject.property.isSensitive
  }

  private var words: String? {
    switch value {
    case .array, .object: return readingContainer
    default: break
    }
    let parts = [reason, readingAsNull ?? readingWithTransformer ?? readingAsType].compactMap(\.self)
    if parts.isEmpty, attribute.type == .date, names.isEmpty, value.stringValue != nil {
      return "to read another format, add a transformer such as \"JSONTransformerName\": \"DateFormat(dd.MM.yyyy)\""
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private var readingContainer: String? {
    guard attribute.transformerNames.isEmpty, attribute.type != .json else { return nil }
    let others = "for any JSON value, use type 'json'; for other objects, declare a relationship"
    guard value.arrayValue != nil, !attribute.isList, !isIdentity else { return others }
    return "for a list of such values, add \"list\": true; \(others)"
  }

  /// The reason why a string cannot be a value of the type in any form.
  private var reason: String? {
    guard let text = value.stringValue, attribute.type != .string, !isSensitive else { return nil }
    if text.isEmpty { return "the text is empty" }
    return attribute.type == .date ? DateAdvice.reason(text) : nil
  }

  // MARK: Null

  private static let nothings: Set = [
    "", "-", "null", "none", "nil", "undefined", "nan", "inf", "infinity", "n/a", "na",
  ]

  /// Whether services send the value in place of null.
  private var isNothing: Bool {
    if value.booleanValue == false { return attribute.type != .boolean && attribute.type != .string }
    guard let text = value.stringValue, text.utf8.count <= 32 else { return false }
    if DateAdvice.isOfZeros(text), attribute.type == .date { return true }
    let word = text.drop { $0 == "-" || $0.isWhitespace }.lowercased()
    return ImportAdvice.nothings.contains(word)
  }

  private var readingAsNull: String? {
    // An identity attribute and a list cannot be null.
    let isPossible = !isIdentity && !attribute.isList && !isSensitive && attribute.keyPath?.isObjectKey != true
    guard isPossible, isNothing, !nulls.contains(value) else { return nil }
    let text = JSONWriter.text(of: value)
    let list = nulls.isEmpty ? "add \"JSONNulls\": [\(text)]" : "add \(text) to \"JSONNulls\""
    return "to read it as null, \(list)" + (attribute.isOptional ? "" : " and \"optional\": true")
  }

  // MARK: Transformers

  /// The transformers of a value, without the transformer that splits a string into values.
  private var names: [String] {
    Array(attribute.transformerNames.dropFirst(TransformerRegistry.standard.separator(of: attribute) == nil ? 0 : 1))
  }

  /// Transformers that may read the value.
  private struct Candidate {
    var names: [String]
    /// Whether the candidate transformers also read the values that the current transformers read.
    var readsBoth = false
    /// An additional explanation of the transformers.
    var how = ""
    var note = ""
  }

  private var readingWithTransformer: String? {
    guard let candidate = candidates.first(where: { $0.names != names && isRead(by: $0.names) }) else { return nil }
    let split = attribute.transformerNames.dropLast(names.count)
    let all = (split + candidate.names).map { JSONWriter.text(of: .string($0)) }
    let word = "\"JSONTransformerName\": " + (all.count == 1 ? all[0] : "[\(all.joined(separator: ", "))]")
    if attribute.transformerNames.isEmpty {
      let what = candidate.names == ["StringToInteger"] ? "accept digits in a string" : "read it\(candidate.how)"
      return "to \(what), add \(word)\(candidate.note)"
    }
    return
      "to read such values\(candidate.how)\(candidate.readsBoth ? " as well" : ""), change this to \(word)\(candidate.note)"
  }

  private var candidates: [Candidate] {
    switch names.count {
    case 0: return plainCandidates
    case 1: break
    default:
      guard names[0] == "Blank" else { return [] }
      return others(than: names[1]).map { with("Blank", $0) }
    }
    if names[0] == "Blank" { return plainCandidates.map { with("Blank", $0) } }
    return others(than: names[0])
  }

  private func with(_ name: String, _ candidate: Candidate) -> Candidate {
    var candidate = candidate
    candidate.names.insert(name, at: 0)
    return candidate
  }

  /// Candidates for an attribute without a transformer.
  private var plainCandidates: [Candidate] {
    let names: [[String]]
    switch attribute.type {
    case .integer16, .integer32, .integer64: names = [["StringToInteger"], ["Lenient"]]
    case .float, .double: names = [["StringToDouble"], ["Lenient"]]
    case .decimal: names = [["StringToDecimal"], ["Lenient"]]
    case .boolean: names = [["StringToBoolean"], ["IntegerToBoolean"], ["Lowercase", "StringToBoolean"], ["Lenient"]]
    case .string: names = [["Lenient"]]
    case .date: return times + dateFormat(besides: nil)
    case .binary, .uuid, .uri, .json: return []
    }
    return names.map { Candidate(names: $0, readsBoth: $0 == ["Lenient"]) }
  }

  /// Returns candidates that could replace a transformer.
  private func others(than name: String) -> [Candidate] {
    let lenient = Candidate(names: ["Lenient"], readsBoth: true)
    switch BuiltInTransformer(named: name) {
    case .stringToInteger, .stringToDecimal, .stringToDouble, .integerToBoolean: return [lenient]
    case .stringToBoolean:
      return [lenient, Candidate(names: ["Lowercase", "StringToBoolean"], readsBoth: true)]
    case .unixTime, .unixTimeMilliseconds, .referenceTime: return times + [lenient] + dateFormat(besides: nil)
    case .dateFormat(let patterns): return times + dateFormat(besides: patterns)
    default: return []
    }
  }

  /// The transformers for a Unix time: seconds or milliseconds, depending on its size. A time before 2000 is more likely counted from 2001.
  private var times: [Candidate] {
    guard let number = value.numberValue ?? value.stringValue.flatMap(JSONNumber.init) else { return [] }
    let double = number.double ?? .infinity
    let isSeconds = double.magnitude < Double(BuiltInTransformer.firstMilliseconds)
    let unix = Candidate(names: [isSeconds ? "UnixTime" : "UnixTimeMilliseconds"])
    guard 1..<946_684_800 ~= double else { return [unix] }
    let note = " if it counts seconds from 2001, as JSONEncoder does, or \"UnixTime\" if from 1970"
    return [Candidate(names: ["ReferenceTime"], note: note), unix]
  }

  private func dateFormat(besides patterns: String?) -> [Candidate] {
    guard let text = value.stringValue, let pattern = DateAdvice.pattern(text) else { return [] }
    // The first pattern is used for writing. A longer pattern loses less.
    let all = patterns.map { pattern.utf8.count > $0.utf8.count ? [pattern, $0] : [$0, pattern] } ?? [pattern]
    return [
      Candidate(
        names: ["DateFormat(\(all.joined(separator: "|")))"], readsBoth: patterns != nil,
        how: DateAdvice.isRead(asUTC: pattern) ? " as UTC" : "", note: DateAdvice.note(on: pattern))
    ]
  }

  /// Returns whether the attribute reads the value with the given transformers.
  private func isRead(by names: [String]) -> Bool {
    var attribute = attribute
    attribute.isList = false
    attribute.transformerNames = names
    guard let transformer = TransformerRegistry.standard.valueTransformer(of: attribute),
      let result = try? transformer.forward(value)
    else { return false }
    return (try? result.converted(to: attribute.type)) != nil
  }

  // MARK: Types

  private var readingAsType: String? {
    guard let range = attribute.type.integerRange, range != Int64.min...Int64.max || names.isEmpty else { return nil }
    let digits = names == ["StringToInteger"] ? value.stringValue.flatMap { Int64($0) }.map { JSONNumber($0) } : nil
    guard let number = (digits ?? (names.isEmpty ? value.numberValue : nil))?.canonical else { return nil }
    if number.int64 != nil { return attribute.type == .integer64 ? nil : "'integer64' is large enough" }
    if case .small(let exponent) = number.exponent, exponent < 0 { return "for fractions, use 'double' or 'decimal'" }
    return nil
  }
}
