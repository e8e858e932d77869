import Foundation
import Graft

/// Creates a value of an attribute from the requirements of the model.
struct ExampleValue {
  let attribute: AttributeDescription
  /// The number of the object, which makes identities differ.
  let number: Int
  private let pattern: TextPattern?

  init(attribute: AttributeDescription, number: Int) {
    self.attribute = attribute
    self.number = number
    pattern = attribute.validation.pattern.flatMap { try? TextPattern($0) }
  }

  /// The maximum number of elements of an example of a list.
  private static let mostElements = 100

  /// Returns the value as JSON; nil if none is found.
  var json: JSON? {
    guard attribute.isList else { return single }
    let count = min(max(1, attribute.validation.minCount ?? 0), attribute.validation.maxCount ?? .max)
    guard count <= ExampleValue.mostElements else { return nil }
    let elements = (0..<count).map { ExampleValue(attribute: attribute, number: number + $0).single }
    guard !elements.contains(nil) else { return nil }
    guard let separator = TransformerRegistry.standard.separator(of: attribute) else {
      return .array(elements.compactMap(\.self))
    }
    return .string(elements.compactMap { $0.map { $0.stringValue ?? $0.description } }.joined(separator: separator))
  }

  /// Returns a single value, or an element of a list, as JSON; nil if none is found.
  private var single: JSON? {
    guard let value = stored.first(where: isAllowed) else { return nil }
    let registry = TransformerRegistry.standard
    guard let transformer = registry.valueTransformer(of: attribute) else {
      // The only transformer of a list may be its separator.
      return attribute.transformerNames.count == (registry.separator(of: attribute) == nil ? 0 : 1)
        ? value.jsonValue : nil
    }
    // A path may consist of only its last segment.
    guard let reverse = transformer.reverse else { return transformer.builtIn == nil ? nil : value.jsonValue }
    return try? reverse(value)
  }

  /// Candidate values, in stored form.
  private var stored: [AttributeValue] {
    let rules = attribute.validation
    if let values = rules.allowedValues {
      let first = values.isEmpty ? 0 : (number - 1) % values.count
      return Array(values[first...] + values[..<first])
    }
    let bounds = [rules.minimum, rules.maximum].compactMap(\.self)
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      let low = rules.minimum?.jsonValue.numberValue?.int64 ?? 0
      let sum = low.addingReportingOverflow(Int64(number))
      return [.integer(Int64(number))] + (sum.overflow ? [] : [.integer(sum.partialValue)]) + bounds
    case .float: return [.float(Float(number) + 0.5), .float(Float(number))] + bounds
    case .double: return [.double(Double(number) + 0.5), .double(Double(number))] + bounds
    case .decimal: return [.decimal(Decimal(number) + Decimal(5) / 10), .decimal(Decimal(number))] + bounds
    case .boolean: return [.boolean(true)]
    case .string: return texts.map { .string($0) }
    case .date: return [.date(Date(timeIntervalSince1970: 1_715_904_000 + 86_400 * Double(number - 1)))]
    case .binary:
      let length = min(max(5, rules.minLength ?? 0), rules.maxLength ?? .max, 10_000)
      return [.binary(Data((0..<length).map { Array("graft".utf8)[$0 % 5] }))]
    case .uuid:
      let digits = String(number, radix: 16)
      let text = "123e4567-e89b-12d3-a456-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
      return UUID(uuidString: text).map { [.uuid($0)] } ?? []
    case .uri: return URL(string: "https://example.org/\(number)").map { [.uri($0)] } ?? []
    case .json: return [.json(["any": "JSON value"])]
    }
  }

  private var texts: [String] {
    let rules = attribute.validation
    let name = attribute.name + (number > 1 ? " \(number)" : "")
    var texts = [name]
    if let pattern {
      for text in PatternExample.candidates(pattern, turn: number - 1) { texts += ["a\(text)b", text] }
    }
    let lengthened = texts.map { text in
      let missing = (rules.minLength ?? 0) - text.unicodeScalars.count
      return missing > 0 ? text + String(repeating: "a", count: min(missing, 10_000)) : text
    }
    let shortened = lengthened.map { text in
      rules.maxLength.map { String(String.UnicodeScalarView(text.unicodeScalars.prefix($0))) } ?? text
    }
    return (shortened + ["\(number)"]).map { isLowercased ? $0.lowercased() : $0 }
  }

  private var isLowercased: Bool { attribute.transformerNames.contains(BuiltInTransformer.lowercase.name) }

  private func isAllowed(_ value: AttributeValue) -> Bool {
    let rules = attribute.validation
    if let number = value.jsonValue.numberValue?.double {
      if let least = rules.minimum?.jsonValue.numberValue?.double, number < least { return false }
      if let greatest = rules.maximum?.jsonValue.numberValue?.double, number > greatest { return false }
    }
    guard case .string(let text) = value else { return true }
    let length = text.unicodeScalars.count
    guard length >= rules.minLength ?? 0, length <= rules.maxLength ?? .max else { return false }
    return pattern?.matches(text) ?? true
  }
}
