extension TransformerRegistry {
  /// Registers a validation of an attribute's values, for what the model's own words cannot say (M4).
  ///
  ///     transformers.registerValidation(ofEntity: "Book", attribute: "isbn") { (isbn: String) in
  ///       guard hasCheckDigit(isbn) else { throw ValidationFailure("the check digit is wrong") }
  ///     }
  ///
  /// It runs at the end of an import, on the merged value of every object that the payload touched (I9), and counts for
  /// sub-entities as well. It is never called with nil, nor with a value that the model's own words refuse already; once for
  /// each value. What it throws is collected and located like other faults. Several validations of one attribute all run.
  ///
  /// A name that the model does not have, or a type that the attribute is not read as, is a ``ModelError`` when the model is
  /// loaded. An attribute without a validation costs nothing.
  ///
  /// - Parameters:
  ///   - entityName: the entity, or a parent of it.
  ///   - attributeName: an attribute of it, which may be inherited.
  ///   - check: throws what is wrong with a value. It must not use the context (T5).
  public mutating func registerValidation<Value: AttributeConvertible>(
    ofEntity entityName: String, attribute attributeName: String, _ check: @escaping @Sendable (Value) throws -> Void
  ) {
    valueValidations.append(
      ValueValidation(
        entityName: entityName, attributeName: attributeName, typeName: "\(Value.self)",
        takes: { Value(attributeValue: $0) != nil },
        check: { stored in
          guard let value = Value(attributeValue: stored) else {
            throw TransformerInputError(expected: NounPhrase.of(Value.self))
          }
          try check(value)
        }))
  }
}
