#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AttributeValue {
  /// Returns whether this value precedes another value of the same kind: numbers by value, text by its bytes.
  ///
  /// Always false for values without an order or of different kinds.
  package func isLess(than other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.float(let left), .float(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    case (.boolean(let left), .boolean(let right)): !left && right
    case (.date(let left), .date(let right)): left < right
    case (.string(let left), .string(let right)): UTF8Key.precedes(left, right)
    case (.uri(let left), .uri(let right)): UTF8Key.precedes(left.absoluteString, right.absoluteString)
    case (.uuid(let left), .uuid(let right)): UUIDText.text(left) < UUIDText.text(right)
    case (.binary(let left), .binary(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }
}
