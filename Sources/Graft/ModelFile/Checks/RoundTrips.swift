extension ModelChecker {
  /// Warns if an export of an attribute is read as a different value (M9, E4): `DateFormat(A|B)` writes A, which may lose part of
  /// what B reads, and a default may be written in a form that means null.
  func checkRoundTrip(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard attribute.exportedKeyPath != nil, attribute.importedKeyPath != nil, attribute.source.isReadable(.type)
    else { return }
    checkDateFormats(subject)
    checkDefaultForm(subject)
  }

  private func checkDateFormats(_ subject: AttributeSubject) {
    for (element, name) in subject.attribute.transformerNames.enumerated() {
      guard case .dateFormat(let patterns)? = transformers.valueTransformer(named: name)?.builtIn,
        let formats = try? DateFormat.formats(patterns), let first = formats.first,
        let other = formats.dropFirst().first(where: first.loses)
      else { continue }
      findings.report(
        .lossyDateFormat(name, of: subject.name, first.pattern, other.pattern),
        at: subject.place(of: .JSONTransformerName, element: element))
      return
    }
  }

  private func checkDefaultForm(_ subject: AttributeSubject) {
    let attribute = subject.attribute
    guard let value = attribute.defaultValue, !attribute.isList else { return }
    let transformer = transformers.valueTransformer(of: attribute)
    guard attribute.transformerNames.isEmpty || transformer != nil else { return }
    let reversed = transformer?.reverse.map { try? $0(value) } ?? value.jsonValue
    guard let written = reversed, !written.isNull else { return }
    let isNull = attribute.nulls.map { $0.contains(written) } ?? hasNull(written, attribute)
    let isBlank =
      transformers.valueTransformer(named: attribute.transformerNames.first ?? "", for: attribute.type)?.builtIn
      == .blank(attribute.type) && written.stringValue?.allSatisfy(\.isWhitespace) == true
    guard isNull || isBlank else { return }
    findings.report(
      .defaultMeansNull(subject.name, written), at: subject.place(of: .default))
  }

  /// Returns whether the model reads a value of an attribute as null (M20).
  private func hasNull(_ value: JSON, _ attribute: AttributeDescription) -> Bool {
    let isOwn = attribute.type == .boolean && attribute.transformerNames.isEmpty && value.booleanValue != nil
    return !isOwn && model.nulls.contains(value)
  }
}

extension ModelFinding {
  static func lossyDateFormat(_ name: String, of attribute: String, _ first: String, _ other: String) -> Self {
    Self(
      .lossyDateFormat,
      "the transformer \(name.quoted) of \(attribute.quoted) writes all dates as \(first.quoted), which loses part of the dates that "
        + "it reads as \(other.quoted); put \(other.quoted) first",
      severity: .warning)
  }

  static func defaultMeansNull(_ attribute: String, _ written: JSON) -> Self {
    Self(
      .defaultMeansNull,
      "the default of \(attribute.quoted) is written as \(JSONWriter.text(of: written)), which an import reads as null; use another "
        + "default, or none with \"optional\": true",
      severity: .warning)
  }
}
