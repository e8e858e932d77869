#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Determines which stored values a program reads as the same value.
///
/// A `URL` escapes characters of a URI, and a `Date` centuries away does not distinguish neighboring microseconds.
enum EquivalentValue {
  case text([UInt8])
  case microseconds(Int64)

  /// Returns the stored values that read as the given value, except the value that is stored when a program sets the given value.
  static func others(of value: AttributeValue) -> [EquivalentValue] {
    switch value {
    case .uri(let url): return URIText.spellings(of: url).map { .text(Array($0.utf8)) }
    case .date(let date):
      guard let stored = date.storedMicroseconds else { return [] }
      return date.microsecondsReadAsThis.filter { $0 != stored }.map { .microseconds($0) }
    default: return []
    }
  }
}
