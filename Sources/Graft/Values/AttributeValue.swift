#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The typed value of an attribute.
///
/// All integer types use `.integer`. A nil attribute has no value, so the API uses `AttributeValue?` wherever a value may
/// be missing.
///
/// Two values are equal if they are of the same kind and exactly the same ([I2](doc:Rules#I2)). Strings and URIs are
/// compared by their bytes, decimals by value, and dates with microsecond precision. `-0.0` equals `0.0`.
public enum AttributeValue: Sendable {
  case integer(Int64)
  case float(Float)
  case double(Double)
  case decimal(Decimal)
  case boolean(Bool)
  case string(String)
  case date(Date)
  case binary(Data)
  case uuid(UUID)
  case uri(URL)
  case json(JSON)
  /// The value of an attribute with `"list": true`: its elements, in order ([M13](doc:Rules#M13)).
  case list([AttributeValue])
}

extension AttributeValue {
  /// The value in the form of an export ([M5](doc:Rules#M5)). Dates become RFC 3339 text in UTC, binary data becomes base64, and UUIDs
  /// become lower case. Numbers and dates that are NaN or infinite, which JSON cannot represent, become `null`.
  public var jsonValue: JSON {
    switch self {
    case .integer(let value): .number(JSONNumber(value))
    case .float(let value): JSONNumber(value).map(JSON.number) ?? .null
    case .double(let value): JSONNumber(value).map(JSON.number) ?? .null
    case .decimal(let value): JSONNumber(value).map(JSON.number) ?? .null
    case .boolean(let value): .boolean(value)
    case .string(let value): .string(value)
    case .date(let value): value.isCountable ? .string(DateText.text(value.microsecondsSince1970)) : .null
    case .binary(let value): .string(String(decoding: Base64Text.encode(value), as: UTF8.self))
    case .uuid(let value): .string(UUIDText.text(value))
    case .uri(let value): .string(value.absoluteString)
    case .json(let value): value
    case .list(let values): .array(values.map(\.jsonValue))
    }
  }
}

extension AttributeValue: CustomStringConvertible {
  /// A readable form of the value: strings in quotes, other values as in an export.
  public var description: String {
    switch self {
    case .float(let value) where !value.isFinite: value.description
    case .double(let value) where !value.isFinite: value.description
    case .decimal(let value) where value.isNaN: value.description
    case .date(let value) where !value.isCountable: "\(value.timeIntervalSince1970) seconds after 1970"
    case .date, .uuid, .uri: jsonValue.stringValue ?? ""
    case .binary(let value): value.count == 1 ? "1 byte" : "\(value.count) bytes"
    default: jsonValue.description
    }
  }
}
