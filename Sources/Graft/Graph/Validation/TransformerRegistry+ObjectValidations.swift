extension TransformerRegistry {
  /// Registers a validation of whole objects, which can check several values or relationships together.
  ///
  ///     transformers.registerValidation(of: Event.self) { event in
  ///       guard let start = event.start, let end = event.end else { return }
  ///       if end < start { throw ValidationFailure("it ends before it begins", of: "end") }
  ///     }
  ///
  /// The validation runs at the end of an import, once for every full object that the payload touched ([I9](doc:Rules#I9)),
  /// including objects of sub-entities. It runs only if all values and counts of the object are valid individually. The closure
  /// may read the object and related objects; calls that would change them are refused ([T5](doc:Rules#T5)).
  ///
  /// The model must have the class and its entity; otherwise, loading it throws a ``ModelError``.
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - check: a closure that throws if the object is invalid. A ``ValidationFailure`` can name the property.
  public mutating func registerValidation<Object: ManagedObject>(
    of type: Object.Type, _ check: @escaping @Sendable (Object) throws -> Void
  ) {
    register(Object.entityName, check)
  }

  /// Registers a validation of whole objects, by the name of their entity.
  ///
  ///     transformers.registerValidation(ofEntity: "Event") { event in
  ///       guard let start: Date = event["start"], let end: Date = event["end"] else { return }
  ///       if end < start { throw ValidationFailure("it ends before it begins", of: "end") }
  ///     }
  public mutating func registerValidation(
    ofEntity entityName: String, _ check: @escaping @Sendable (ManagedObject) throws -> Void
  ) {
    register(entityName, check)
  }

  private mutating func register<Object: ManagedObject>(
    _ entityName: String, _ check: @escaping @Sendable (Object) throws -> Void
  ) {
    add(
      ObjectValidation(
        entityName: entityName, typeName: "\(Object.self)", takes: { $0 is Object.Type },
        check: { object in
          // The classes were checked when the model was loaded.
          if let object = object as? Object { try check(object) }
        }))
  }
}
