import Foundation

/// The error for a Foundation value that is not JSON: a date, NaN, a set.
public struct JSONConversionError: DiagnosticError, Equatable {
  /// The path of the value, such as `$.powers[0].since`.
  public let path: String
  /// A description of the problem, such as `a Date is not a JSON value`.
  public let message: String

  /// The error as a single diagnostic, with the code `not-json`.
  public var diagnostics: [Diagnostic] { [Diagnostic(code: .notJSON, message, path: path)] }

  /// The message and path in one line.
  public var description: String { "\(message) (at \(path))" }

  /// Path and message in one line.
  public var errorDescription: String? { description }
}

extension JSON {
  /// The maximum nesting depth of a conversion (I15).
  static let deepestConversion = 512

  /// Creates a value from the result of JSONSerialization or an equivalent value: a dictionary with string keys, an array,
  /// a string or other text type, a number, a boolean, an enum with one of these as its raw value, `NSNull`, nil, or ``JSON`` itself.
  ///
  /// Dictionaries have no order, so the members are sorted by the bytes of their keys. Bool and NSNumber are distinguished:
  /// `true` never becomes 1. Decimals keep every digit.
  ///
  /// - Throws: a ``JSONConversionError`` for the first value that is not JSON or is nested more than 512 levels deep.
  public init(foundation value: Any) throws(JSONConversionError) {
    var walker = FoundationWalker()
    self = try walker.convert(value)
  }

  /// The value as JSONSerialization would return it, in Swift's own types: `[String: Any]`, `[Any]`, `String`, `Bool`, or
  /// `NSNull`. A number has the first of these types that fits:
  ///
  /// - Without a fraction or exponent: `Int`, `UInt64`, `Decimal`, `Double`.
  /// - Otherwise: `Double` if its shortest text has the same value, then `Decimal`, then the nearest `Double`.
  ///
  /// A Swift dictionary cannot hold two keys that are canonically equivalent in Unicode. The later one wins.
  public var foundationValue: Any {
    var maker = FoundationMaker()
    return maker.convert(self)
  }
}

extension JSONObject {
  /// The members as a dictionary. See ``JSON/foundationValue``.
  public var foundationValue: [String: Any] { JSON.object(self).foundationValue as? [String: Any] ?? [:] }
}

extension JSONNumber {
  /// The number in the first type that can hold it. See ``JSON/foundationValue``.
  public var foundationValue: Any {
    // No integer type has a negative zero (D9).
    let isWhole = text != "-0" && text.utf8.allSatisfy { NumberText.isDigit($0) || $0 == UInt8(ascii: "-") }
    if isWhole {
      if let value = Int(text) { return value }
      if let value = UInt64(text) { return value }
    }
    if !isWhole, let value = double, JSONNumber(value) == self { return value }
    if let value = decimal { return value }
    return Double(text) ?? 0
  }
}

/// Builds Foundation values from text, in the types of ``JSON/foundationValue``.
enum FoundationTree: JSONTreeMaking {
  static var null: Any { NSNull() }
  static func boolean(_ value: Bool) -> Any { value }
  static func number(_ value: RawNumber) -> Any {
    // Nearly all numbers are integers with few digits.
    if value.isShortInteger, !value.isNegative || value.mantissa != 0 { return Int(value.int64) }
    if let double = double(value) { return double }
    return JSONNumber(uncheckedText: String(decoding: value.bytes, as: UTF8.self)).foundationValue
  }
  static func string(_ value: String) -> Any { value }
  static func array(_ values: [Any]) -> Any { values }
  static func object(_ keys: [String], _ values: MemberValues<Any>) -> Any {
    var members: [String: Any] = [:]
    members.reserveCapacity(keys.count)
    for (index, key) in keys.enumerated() { members[key] = values.take(index) }
    return members
  }

  /// The index of each key among the keys of a form. The dictionary of an object reuses this hash table, so none of the object's
  /// keys is hashed or compared.
  struct Form {
    let places: [String: Int]
    /// The indexes of keys that a later, canonically equivalent key replaces.
    let replaced: [Int]
  }

  static func form(_ keys: [String]) -> Form {
    var places: [String: Int] = [:]
    places.reserveCapacity(keys.count)
    let replaced = keys.enumerated().compactMap { place, key in places.updateValue(place, forKey: key) }
    return Form(places: places, replaced: replaced)
  }

  static func object(of form: Form, _ values: MemberValues<Any>) -> Any {
    for place in form.replaced { _ = values.take(place) }
    return form.places.mapValues { values.take($0) }
  }

  /// Returns a double if its shortest text is the text of the number.
  private static func double(_ number: RawNumber) -> Double? {
    guard number.bytes.contains(UInt8(ascii: ".")), let value = number.double else { return nil }
    // A double keeps 15 digits of any number that is not close to its limits (IEEE 754).
    if number.mantissa < 1_000_000_000_000_000, abs(number.exponent) < 250, !number.isTruncated { return value }
    guard number.count <= 24 else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(24)
    DoubleText.append(value, to: &text)
    return text.elementsEqual(number.bytes) ? value : nil
  }
}

/// Builds Foundation values from a tree without recursion. Open containers are in `frames` and grow there in place:
/// changing a copy of a frame would copy everything built so far.
private struct FoundationMaker {
  private struct Frame {
    enum Content {
      case array([JSON])
      case object([JSONObject.Member])
    }

    let content: Content
    var next = 0
    var elements: [Any] = []
    var members: [String: Any] = [:]

    init(_ elements: [JSON]) {
      content = .array(elements)
      self.elements.reserveCapacity(elements.count)
    }

    init(_ object: JSONObject) {
      content = .object(object.members)
      members.reserveCapacity(object.count)
    }

    /// Adds the value of the most recently opened element or member.
    mutating func take(_ value: Any) {
      switch content {
      case .array: elements.append(value)
      case .object(let all): members[all[next].key] = value
      }
      next += 1
    }

    /// The next value to convert, or nil at the end. (A literal `nil` would be JSON's null.)
    var source: JSON? {
      switch content {
      case .array(let all): next < all.count ? .some(all[next]) : .none
      case .object(let all): next < all.count ? .some(all[next].value) : .none
      }
    }

    var whole: Any {
      switch content {
      case .array: elements
      case .object: members
      }
    }
  }

  private var frames: [Frame] = []

  mutating func convert(_ value: JSON) -> Any {
    var result = open(value)
    while let top = frames.indices.last {
      if let done = result { frames[top].take(done) }
      if let next = frames[top].source {
        result = open(next)
      } else {
        let whole = frames.removeLast().whole
        if frames.isEmpty { return whole }
        result = whole
      }
    }
    return result ?? NSNull()
  }

  /// Converts a scalar. For an array or object, opens it and returns nil.
  private mutating func open(_ value: JSON) -> Any? {
    switch value {
    case .null: return NSNull()
    case .boolean(let value): return value
    case .number(let value): return value.foundationValue
    case .string(let value): return value
    case .array(let elements):
      frames.append(Frame(elements))
      return nil
    case .object(let object):
      frames.append(Frame(object))
      return nil
    }
  }
}

/// Walks a tree of Foundation values without recursion. Open containers are in `frames`.
private struct FoundationWalker {
  private struct Frame {
    var isObject: Bool
    var keys: [String]
    var values: [Any]
    var elements: [JSON] = []
  }

  private var frames: [Frame] = []

  mutating func convert(_ value: Any) throws(JSONConversionError) -> JSON {
    var result = try start(value)
    while let top = frames.indices.last {
      if let done = result { frames[top].elements.append(done) }
      let next = frames[top].elements.count
      if next < frames[top].values.count {
        result = try start(frames[top].values[next])
      } else {
        let frame = frames.removeLast()
        let whole: JSON =
          frame.isObject
          ? .object(JSONObject(uncheckedMembers: zip(frame.keys, frame.elements).map { (key: $0, value: $1) }))
          : .array(frame.elements)
        if frames.isEmpty { return whole }
        result = whole
      }
    }
    return result ?? .null
  }

  /// Converts a scalar. For an array or dictionary, opens it and returns nil.
  private mutating func start(_ value: Any) throws(JSONConversionError) -> JSON? {
    if let number = value as? NSNumber, type(of: value) is NSNumber.Type { return try json(of: number) }
    switch value {
    case let value as String: return .string(value)
    case is NSNull: return .null
    case let value as any FoundationScalar:
      guard let json = value.convertedToJSON else { throw error("\(value) is not a JSON number") }
      return json
    case let value as [String: Any]:
      let members = value.sorted { UTF8Key.precedes($0.key, $1.key) }
      try open(Frame(isObject: true, keys: members.map(\.key), values: members.map(\.value)))
      return nil
    case let value as [Any]:
      try open(Frame(isObject: false, keys: [], values: value))
      return nil
    case let value as any AnyOptional:
      guard let value = value.wrapped else { return .null }
      return try start(value)
    default:
      // Text of any type: a Substring, an NSString, the raw value of an enum.
      if let text = FoundationWalker.text(value) { return .string(text) }
      if let value = value as? any RawRepresentable { return try start(value.rawValue) }
      throw error("a \(String(describing: type(of: value))) is not a JSON value")
    }
  }

  private static func text(_ value: Any) -> String? {
    switch value {
    case let value as any StringProtocol: String(value)
    case let value as NSString: value.description
    case let value as Character: String(value)
    default: nil
    }
  }

  private mutating func open(_ frame: Frame) throws(JSONConversionError) {
    guard frames.count < JSON.deepestConversion else {
      throw error("arrays and dictionaries are nested deeper than \(JSON.deepestConversion)")
    }
    frames.append(frame)
  }

  /// Distinguishes the two singletons for true and false from numbers. On Linux, numbers with 17 digits arrive as decimals
  /// whose `doubleValue` loses digits, so they are converted through their text.
  private func json(of number: NSNumber) throws(JSONConversionError) -> JSON {
    if number === NSNumber(value: true) { return .boolean(true) }
    if number === NSNumber(value: false) { return .boolean(false) }
    let converted: JSONNumber?
    if let decimal = number as? NSDecimalNumber {
      converted = JSONNumber(decimal.decimalValue)
    } else {
      switch number.objCType.pointee {
      case CChar(UInt8(ascii: "f")): converted = JSONNumber(number.floatValue)
      case CChar(UInt8(ascii: "d")): converted = JSONNumber(number.doubleValue)
      case CChar(UInt8(ascii: "Q")): converted = JSONNumber(number.uint64Value)
      default: converted = JSONNumber(number.int64Value)
      }
    }
    guard let converted else { throw error("\(number) is not a JSON number") }
    return .number(converted)
  }

  private func error(_ message: String) -> JSONConversionError {
    var path = "$"
    for frame in frames {
      let place = frame.elements.count
      path += frame.isObject ? JSONPathText.member(frame.keys[place]) : "[\(place)]"
    }
    return JSONConversionError(path: path, message: message)
  }
}

/// Gives access to an optional wrapped in an `Any`.
private protocol AnyOptional {
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var wrapped: Any? { map { $0 } }
}

/// Swift's own types that are JSON scalars.
private protocol FoundationScalar {
  /// The JSON value, or nil for numbers that JSON cannot represent.
  var convertedToJSON: JSON? { get }
}

extension FoundationScalar where Self: BinaryInteger {
  fileprivate var convertedToJSON: JSON? { .number(JSONNumber(self)) }
}

extension Int: FoundationScalar {}
extension Int8: FoundationScalar {}
extension Int16: FoundationScalar {}
extension Int32: FoundationScalar {}
extension Int64: FoundationScalar {}
extension UInt: FoundationScalar {}
extension UInt8: FoundationScalar {}
extension UInt16: FoundationScalar {}
extension UInt32: FoundationScalar {}
extension UInt64: FoundationScalar {}

extension Bool: FoundationScalar {
  fileprivate var convertedToJSON: JSON? { .boolean(self) }
}

extension Double: FoundationScalar {
  fileprivate var convertedToJSON: JSON? { JSONNumber(self).map(JSON.number) }
}

extension Float: FoundationScalar {
  fileprivate var convertedToJSON: JSON? { JSONNumber(self).map(JSON.number) }
}

extension Decimal: FoundationScalar {
  fileprivate var convertedToJSON: JSON? { JSONNumber(self).map(JSON.number) }
}

extension JSON: FoundationScalar {
  fileprivate var convertedToJSON: JSON? { self }
}

extension JSONNumber: FoundationScalar {
  fileprivate var convertedToJSON: JSON? { .number(self) }
}

extension JSONObject: FoundationScalar {
  fileprivate var convertedToJSON: JSON? { .object(self) }
}
