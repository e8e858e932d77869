/// A type-erased value transformer, as the engine calls it.
package struct ValueTransformer: Sendable {
  /// The registered name, such as `StringToInteger` or `DateFormat(yyyy-MM-dd)`.
  package var name: String
  /// The built-in transformer, or nil if this is not a built-in transformer. The engine may run it on the bytes without calling
  /// ``forward``.
  package var builtIn: BuiltInTransformer?
  /// The built-in transformers of a chain, in order; nil for the program's transformers.
  package var chain: [BuiltInTransformer?] = []
  /// The type that the closure takes, for messages: `a string`.
  package var input: String
  /// The type that the closure returns, for messages: `an integer`.
  package var output: String
  /// Converts a JSON value (never null) to a stored value. If the result is nil, the attribute is set to nil.
  ///
  /// Throws ``TransformerInputError`` if the JSON value does not have the type that the closure takes (T3), and rethrows
  /// the closure's errors. The result has the closure's type; `AttributeValue.converted(to:)` converts it to the attribute's type.
  package var forward: @Sendable (JSON) throws -> AttributeValue?
  /// Converts a stored value to a JSON value. If the result is nil, null is written (T4). Without this closure, the stored value is
  /// exported.
  package var reverse: (@Sendable (AttributeValue) throws -> JSON?)?
}

extension ValueTransformer {
  /// Returns whether text that an attribute of a type can read by itself is stored unchanged when the transformer is used. `URL`
  /// and `Date` would write some text differently.
  package func keepsText(of type: AttributeType) -> Bool {
    (chain.isEmpty ? [builtIn] : chain).allSatisfy { builtIn in
      switch builtIn {
      case .lenient, .blank: true
      case .stringToURL: type == .uri
      default: false
      }
    }
  }

  /// Wraps typed closures. The input is read strictly; a value that does not fit is an error (T3).
  package init<Input: AttributeConvertible, Output: AttributeConvertible>(
    named name: String, _ forward: @escaping @Sendable (Input) throws -> Output?,
    reverse: (@Sendable (Output) throws -> Input?)?
  ) {
    self.name = name
    let (inputs, outputs) = (ValueReader<Input>(), ValueReader<Output>())
    input = inputs.nounPhrase
    output = outputs.nounPhrase
    self.forward = { json in
      guard let input = inputs.read(json) else { throw TransformerInputError(expected: inputs.nounPhrase) }
      return try forward(input)?.attributeValue
    }
    if let reverse {
      self.reverse = { value in
        // The attribute may hold the same value in another form: 4.0 if the closure returned 4.
        guard let output = Output(attributeValue: value) ?? outputs.read(value.jsonValue) else {
          throw TransformerInputError(expected: outputs.nounPhrase)
        }
        return try reverse(output)?.attributeValue.jsonValue
      }
    }
  }
}

/// The error for a JSON value that does not have the type a transformer takes, or for text that cannot be read (T2, T3).
package struct TransformerInputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expected value as a noun phrase: `digits in a string`.
  package var expected: String

  package init(expected: String) { self.expected = expected }

  package var description: String { "expected \(expected)" }
}
