extension AttributeValue {
  /// Whether this value comes before another one of its kind: numbers by value, text by its bytes. Values that have no
  /// order, or are of different kinds, do not come before each other.
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
