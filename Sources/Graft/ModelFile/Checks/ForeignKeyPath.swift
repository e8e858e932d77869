/// A key path in the syntax of another language, and what it means.
///
///     $.price.amount   $['price']['amount']   /price/amount   price.amount
///     $.items[*].id                                           items[].id
///     prices[0].amount   /prices/0/amount   $..amount         none
struct ForeignKeyPath {
  private enum Step: Equatable {
    case key(String)
    case everyElement
    /// A part that a key path cannot express: one element of an array, any key, or any depth.
    case other
  }

  private var steps: [Step] = []

  init(_ text: String) {
    if text.hasPrefix("/") || text.hasPrefix("#/") { readPointer(text) } else { readPath(text) }
    // The whole array is read from its key.
    if steps.count > 1, steps.last == .everyElement { steps.removeLast() }
  }

  /// The keys of the path, without the arrays on it; nil if no key path has the same meaning.
  var keys: [String]? {
    let keys = steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
    // An array of keys cannot lead through arrays.
    if keys.isEmpty || steps.contains(.other) || isThroughArrays && keys.contains(where: Self.isOdd) { return nil }
    return keys
  }

  /// Whether the path leads through the elements of an array.
  var isThroughArrays: Bool { steps.contains(.everyElement) }

  /// Whether a key has characters that a key path as text cannot contain.
  var needsArray: Bool { keys?.contains(where: Self.isOdd) ?? false }

  private static func isOdd(_ key: String) -> Bool { key.isEmpty || key.contains(".") || key.hasSuffix("[]") }

  /// The key path as text; nil if no key path, or only an array of keys, has the same meaning.
  var text: String? {
    guard keys != nil, !needsArray else { return nil }
    return steps.reduce("") { text, step in
      switch step {
      case .key(let key): text.isEmpty ? key : text + "." + key
      case .everyElement: text + "[]"
      case .other: text
      }
    }
  }

  /// Reads a JSON Pointer (RFC 6901).
  private mutating func readPointer(_ text: String) {
    for part in text.drop(while: { $0 == "#" }).dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let key = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
      steps.append(isNumber(key) ? .other : .key(key))
    }
  }

  /// Reads a path with dots and brackets: JSONPath (RFC 9535), or JavaScript.
  private mutating func readPath(_ text: String) {
    var rest = text[...]
    if rest.hasPrefix("$") { rest.removeFirst() }
    while let first = rest.first {
      if first == "[" {
        rest.removeFirst()
        readBracket(&rest)
        continue
      }
      if first == "." {
        rest.removeFirst()
        if rest.first == "." { steps.append(.other) }
      }
      let key = String(rest.prefix { $0 != "." && $0 != "[" })
      rest.removeFirst(key.count)
      if key == "*" || isNumber(key) {
        steps.append(.other)
      } else if !key.isEmpty {
        steps.append(.key(key))
      }
    }
  }

  /// Reads the contents of brackets and the closing bracket: `*]`, `'key']`, `0]`.
  private mutating func readBracket(_ rest: inout Substring) {
    if let quote = rest.first, quote == "'" || quote == "\"" {
      rest.removeFirst()
      let key = String(rest.prefix { $0 != quote })
      rest.removeFirst(min(rest.count, key.count + 1))
      steps.append(.key(key))
    }
    let inner = rest.prefix { $0 != "]" }
    rest.removeFirst(min(rest.count, inner.count + 1))
    if !inner.isEmpty { steps.append(inner == "*" ? .everyElement : .other) }
  }

  private func isNumber(_ key: String) -> Bool { !key.isEmpty && key.utf8.allSatisfy { 48...57 ~= $0 } }
}
