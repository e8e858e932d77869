extension TransformerRegistry {
  /// Registers a validation of whole objects: of several values together, of relationships (M6).
  ///
  ///     transformers.registerValidation(of: Event.self) { event in
  ///       guard let start = event.start, let end = event.end else { return }
  ///       if end < start { throw ValidationFailure("it ends before it begins", of: "end") }
  ///     }
  ///
  /// It runs at the end of an import for every full object that the payload touched (I9), of sub-entities as well, once for
  /// each object, and only if all its values and counts are valid by themselves. The closure may read the object, and what
  /// is related to it; whatever would change them is refused (T5).
  ///
  /// The class must be handed to the model, and its entity must be there; else loading the model is a ``ModelError``.
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - check: throws what is wrong; a ``ValidationFailure`` can say with which property.
  public mutating func registerValidation<Object: ManagedObject>(
    of type: Object.Type, _ check: @escaping @Sendable (Object) throws -> Void
  ) {
    register(Object.entityName, check)
  }

  /// Registers a validation of whole objects by the name of their entity.
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
    objectValidations.append(
      ObjectValidation(
        entityName: entityName, typeName: "\(Object.self)", takes: { $0 is Object.Type },
        check: { object in
          // The classes were compared when the model was loaded.
          if let object = object as? Object { try check(object) }
        }))
  }
}
