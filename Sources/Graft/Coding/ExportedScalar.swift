#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A type that ``ExportDecoder`` creates itself, from a stored value or from its exported form.
protocol ExportedScalar: AttributeConvertible, JSONReadable {
  init?(stored value: AttributeValue)
  init?(exported value: ExportedValue)
}

extension ExportedScalar {
  /// Creates a value from a stored value of the same type. A number can come from any type of number that fits.
  init?(stored value: AttributeValue) {
    if let scalar = Self(attributeValue: value) {
      self = scalar
      return
    }
    switch value {
    case .integer, .float, .double, .decimal: self.init(json: value.jsonValue)
    default: return nil
    }
  }

  init?(exported value: ExportedValue) {
    guard case .scalar(let json) = value.kind else { return nil }
    self.init(json: json)
  }
}

extension Bool: ExportedScalar {}
extension Int: ExportedScalar {}
extension Int8: ExportedScalar {}
extension Int16: ExportedScalar {}
extension Int32: ExportedScalar {}
extension Int64: ExportedScalar {}
extension UInt: ExportedScalar {}
extension UInt8: ExportedScalar {}
extension UInt16: ExportedScalar {}
extension UInt32: ExportedScalar {}
extension UInt64: ExportedScalar {}
extension Float: ExportedScalar {}
extension Double: ExportedScalar {}
extension Decimal: ExportedScalar {}
extension JSONNumber: ExportedScalar {}
extension String: ExportedScalar {}
extension Date: ExportedScalar {}
extension Data: ExportedScalar {}
extension UUID: ExportedScalar {}

extension URL: ExportedScalar {
  /// Accepts any URL, including URLs that an attribute of type `uri` cannot hold.
  init?(exported value: ExportedValue) {
    guard case .scalar(.string(let text)) = value.kind, let url = URIText.url(text) ?? URL(string: text) else {
      return nil
    }
    self = url
  }
}

extension JSON: ExportedScalar {
  init?(stored value: AttributeValue) { self.init(attributeValue: value) }
  init?(exported value: ExportedValue) { self = value.json }
}
