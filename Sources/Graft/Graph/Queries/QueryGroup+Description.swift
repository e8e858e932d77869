extension QueryGroup: CustomStringConvertible {
  /// The key and the value: `DC: 12`. A missing key is `nil`.
  public var description: String { "\(Self.text(key)): \(Self.text(value))" }

  private static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { text($0.value) } ?? "nil"
  }
}
