// Closures of the program: transformers, mappers, hooks and validations (T3, T5).
extension ImportFinding {
  static func wrongTransformerInput(_ subject: Subject, expected: String, _ value: JSON) -> Self {
    Self(
      .wrongTransformerInput, about: subject.named, "expected \(expected) for \(subject.quoted)",
      found: .value(FoundPhrase.of(value)),
      requirement: subject.transformer(ImportAdvice.reading(value, subject)))
  }

  static func wrongTransformerOutput(_ subject: Subject, _ transformer: String, _ result: AttributeValue) -> Self {
    Self(
      .wrongTransformerOutput, about: subject.named,
      "the transformer '\(transformer)' returned \(subject.property.phrase(result.refusedPhrase)), which \(subject.quoted) cannot hold",
      requirement: Requirement(
        subject.property.source, .type,
        "'\(subject.property.name)' is declared \(subject.property.attribute?.typeText ?? "") here"))
  }

  static func transformerFailed(_ subject: Subject, _ transformer: String, _ error: any Error) -> Self {
    Self(
      .transformerFailed, about: subject.named,
      "the transformer '\(transformer)' of \(subject.quoted) failed: "
        + HiddenValue.text(of: error, isHidden: subject.property.isSensitive),
      requirement: subject.transformer())
  }

  static func mapperFailed(_ name: String, _ entity: EntityPlan, _ error: any Error) -> Self {
    Self(
      .closureFailed, about: entity.subject,
      "the entity mapper '\(name)' failed: \(HiddenValue.text(of: error, isHidden: entity.hidesValues))",
      requirement: Requirement(
        entity.description.source, .entityMapperName, "the mapper of '\(entity.name)' is declared here"))
  }

  static func dictionaryTransformerFailed(_ name: String, _ entity: EntityPlan, _ error: any Error) -> Self {
    Self(
      .closureFailed,
      "the dictionary transformer '\(name)' failed: \(HiddenValue.text(of: error, isHidden: entity.hidesValues))")
  }

  static func hookFailed(_ hook: String, _ entity: EntityPlan, _ error: any Error) -> Self {
    Self(
      .hookFailed, about: entity.subject,
      "'\(hook)' of '\(entity.name)' failed: "
        + HiddenValue.text(of: error, isHidden: entity.hidesValues),
      requirement: Requirement(entity))
  }

  /// A closure made a call that it must not make.
  ///
  /// - Parameter refusal: which call was refused, and why.
  static func reentrantCall(_ refusal: String) -> Self { Self(.reentrantCall, refusal) }

  static func refusedCall(_ call: ContextActivity.RefusedCall) -> Self { Self(call.code, call.words) }
}
