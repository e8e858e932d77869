/// A value transformer as the engine calls it: types erased, errors kept.
package struct ValueTransformer: Sendable {
  /// The name it is registered by, such as `StringToInteger` or `DateFormat(yyyy-MM-dd)`.
  package var name: String
  /// One that the engine knows and may run on the bytes without calling ``forward``.
  package var builtIn: BuiltInTransformer?
  /// What the closure takes, for messages: `a string`.
  package var input: String
  /// What the closure gives, for messages: `an integer`.
  package var output: String
  /// From a JSON value (never null) to a stored value; nil sets nil. Throws ``TransformerInputError`` when the JSON
  /// value is of another type than the closure takes (T3), and whatever the closure throws.
  ///
  /// What it gives is of the closure's type; `AttributeValue.converted(to:)` makes it the attribute's.
  package var forward: @Sendable (JSON) throws -> AttributeValue?
  /// From a stored value to a JSON value; nil writes null (T4). No reverse: the stored value is exported.
  package var reverse: (@Sendable (AttributeValue) throws -> JSON?)?
}

extension ValueTransformer {
  /// Wraps typed closures: the input is read strictly, and what does not fit is an error (T3).
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
        // The attribute may hold the same value as another kind: 4.0 where the closure gave 4.
        guard let output = Output(attributeValue: value) ?? outputs.read(value.jsonValue) else {
          throw TransformerInputError(expected: outputs.nounPhrase)
        }
        return try reverse(output)?.attributeValue.jsonValue
      }
    }
  }
}

/// The JSON value is not of the type that a transformer takes, or its text cannot be read (T2, T3).
package struct TransformerInputError: Error, Hashable, Sendable {
  /// What it takes, as a noun phrase: `digits in a string`.
  package var expected: String

  package init(expected: String) { self.expected = expected }
}
