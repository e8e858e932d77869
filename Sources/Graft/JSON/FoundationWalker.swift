import Foundation

/// Walks a tree of Foundation values without recursion. Open containers are in `frames`.
struct FoundationWalker {
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
