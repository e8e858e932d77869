import Foundation
import Graft

/// The closures of the laws' models in two forms: as the registry contains them, and as plain functions on JSON values for the reference.
enum LawClosures {
  struct Failure: Error {}

  /// The closures, each of which first calls another closure that can throw.
  static func registry(calling hook: @escaping @Sendable () throws -> Void = {}) -> TransformerRegistry {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Next") { (number: Int) throws -> Int? in
      try hook()
      return number + 1
    } reverse: {
      $0 - 1
    }
    registry.registerValueTransformer(named: "Picky") { (text: String) throws -> String? in
      try hook()
      return try picky(text)
    }
    registry.registerDictionaryTransformer(named: "Peel") { dictionary in
      try hook()
      guard let inner = dictionary["peel"] else { return nil }
      guard let inner = inner as? [String: Any] else { throw Failure() }
      return inner
    }
    registry.registerEntityMapper(named: "ByKind") { dictionary in
      try hook()
      guard let kind = dictionary["kind"] as? String else { return nil }
      return try entity(kind)
    }
    return registry
  }

  private static func picky(_ text: String) throws -> String? {
    switch text {
    case "bad": throw Failure()
    case "none": nil
    default: text + "!"
    }
  }

  private static func entity(_ kind: String) throws -> String {
    if kind == "bad" { throw Failure() }
    return String(kind.dropFirst(2))
  }

  // MARK: For the reference

  /// Returns the result of a value transformer; nil sets the attribute to nil.
  static func value(_ name: String, _ value: JSON) throws -> JSON? {
    switch (name, value) {
    case ("StringToInteger", .string(let text)):
      guard let number = Int64(text), String(number) == text else { throw Failure() }
      return .number(JSONNumber(number))
    case ("StringToDecimal", .string(let text)):
      guard let number = JSONNumber(text) else { throw Failure() }
      return .number(number)
    case ("IntegerToBoolean", .number(let number)):
      guard let number = number.int64, number == 0 || number == 1 else { throw Failure() }
      return .boolean(number == 1)
    case ("Next", .number(let number)):
      guard let number = number.int64 else { throw Failure() }
      return .number(JSONNumber(number + 1))
    case ("Picky", .string(let text)): return try picky(text).map { .string($0) }
    default: throw Failure()
    }
  }

  /// Returns the usual form of a value that `Lenient` reads, or the value itself if it has no other form (T6).
  static func lenient(_ value: JSON, _ type: AttributeType) throws -> JSON {
    let isNumber = type.integerRange != nil || [.float, .double, .decimal].contains(type)
    switch value {
    case .string(let text) where isNumber:
      guard let match = text.wholeMatch(of: /\s*([-+]?)0*([0-9].*?)\s*/) else { throw Failure() }
      guard let number = JSONNumber((match.1 == "-" ? "-" : "") + match.2) else { throw Failure() }
      return .number(number)
    case .number(let number) where type == .boolean:
      guard number == 0 || number == 1 else { throw Failure() }
      return .boolean(number == 1)
    case .string(let text) where type == .boolean:
      guard let place = ["no", "false", "0", "yes", "true", "1"].firstIndex(of: text) else { throw Failure() }
      return .boolean(place > 2)
    case .number where type == .string, .boolean where type == .string: return .string(value.description)
    case .number(let number) where type == .date:
      guard let time = number.double else { throw Failure() }
      return .string(DateText.text(Int64((time * (abs(time) < 1e11 ? 1e6 : 1e3)).rounded())))
    default: return value
    }
  }

  enum Transformed { case original, another(JSONObject), thrown }

  static func transform(_ name: String, _ object: JSONObject) -> Transformed {
    guard let inner = object["peel"] else { return .original }
    guard case .object(let inner) = inner else { return .thrown }
    return .another(inner)
  }

  static func entity(_ object: JSONObject) -> Result<String?, any Error> {
    guard case .string(let kind)? = object["kind"] else { return .success(nil) }
    return Result { try entity(kind) }
  }

  /// The only pattern that the models use.
  static let pattern = "^[^x]*$"

  static func matchesPattern(_ value: AttributeValue) -> Bool {
    guard case .string(let text) = value else { return true }
    return !text.unicodeScalars.contains("x")
  }
}
