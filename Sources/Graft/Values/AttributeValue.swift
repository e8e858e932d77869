#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The value of an attribute, as what it is.
///
/// Every integer type reads as `.integer`. A nil attribute has no value: where a value may be missing, the API says
/// `AttributeValue?`.
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
}
