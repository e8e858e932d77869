/// Combines several transformers into one (T8).
extension ValueTransformer {
  /// Creates a transformer that applies other transformers in order, and their reverses in the opposite order. Each transformer reads the
  /// result of the previous transformer as JSON.
  ///
  ///     "2 "  --Trimmed-->  "2"  --StringToInteger-->  2
  package init?(chain: [ValueTransformer]) {
    guard let first = chain.first, let last = chain.last else { return nil }
    if chain.count == 1 {
      self = first
      return
    }
    let reverse: @Sendable (AttributeValue) throws -> JSON? = { try ValueTransformer.reverse($0, through: chain) }
    let isReversible = chain.allSatisfy { $0.reverse != nil }
    self.init(
      name: chain.map(\.name).joined(separator: ", "), builtIn: nil, input: first.input, output: last.output,
      forward: { try ValueTransformer.forward($0, through: chain) }, reverse: isReversible ? reverse : nil)
    self.chain = chain.map(\.builtIn)
  }

  private static func forward(_ json: JSON, through chain: [ValueTransformer]) throws -> AttributeValue? {
    var value = try chain[0].forward(json)
    for next in chain.dropFirst() {
      guard let json = value?.jsonValue, !json.isNull else { return nil }
      do { value = try next.forward(json) } catch let error as TransformerInputError {
        throw TransformerInputError(
          expected: "a value that '\(next.name)' can read (\(error.expected)) after the preceding transformers")
      }
    }
    return value
  }

  private static func reverse(_ value: AttributeValue, through chain: [ValueTransformer]) throws -> JSON? {
    var value = value
    for index in chain.indices.dropFirst().reversed() {
      guard let json = try chain[index].reverse?(value), !json.isNull else { return nil }
      let before = chain[index - 1]
      value = try before.stored(json)
    }
    return try chain[0].reverse?(value)
  }

  /// Returns a JSON value in the form that the closure returned, which is the kind of value that a reverse takes.
  package func stored(_ json: JSON) throws -> AttributeValue {
    switch (json, builtIn?.attributeTypes) {
    case (.array(let elements), _): return .list(elements.map { .json($0) })
    case (_, let types?) where types.count < AttributeType.allCases.count:
      return try AttributeValue(json: json, type: types.contains(.integer64) ? .integer64 : types[0])
    default: return .json(json)
    }
  }
}
