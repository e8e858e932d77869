extension TransformerRegistry {
  /// Registers a validation of an attribute's values, for rules that the model's validation keywords cannot express.
  ///
  ///     transformers.registerValidation(ofEntity: "Book", attribute: "isbn") { (isbn: String) in
  ///       guard hasCheckDigit(isbn) else { throw ValidationFailure("the check digit is wrong") }
  ///     }
  ///
  /// The closure is called at the end of an import, with the merged value of every object that the payload touched
  /// ([I9](doc:Rules#I9)), including objects of sub-entities. It is called once for each value, and never with nil or with
  /// a value that violates the model's validation keywords. Errors that it throws are collected and located like other
  /// errors. If an attribute has several validations, all of them run.
  ///
  /// If the model has no such entity or attribute, or if the attribute cannot be read as the closure's type, loading the model
  /// throws a ``ModelError``. An attribute without a validation costs nothing.
  ///
  /// - Parameters:
  ///   - entityName: the entity, or a parent of it.
  ///   - attributeName: an attribute of the entity, possibly inherited.
  ///   - check: throws an error that describes what is wrong with a value. It must not use the context
  ///     ([T5](doc:Rules#T5)).
  public mutating func registerValidation<Value: AttributeConvertible>(
    ofEntity entityName: String, attribute attributeName: String, _ check: @escaping @Sendable (Value) throws -> Void
  ) {
    add(
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
