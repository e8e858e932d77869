extension ModelChecker {
  /// Checks that the attribute at the key path of a deletion mark can have the value that the mark expects (M9, M17).
  ///
  /// The value that marks an object as deleted is compared in its JSON form: true is not 1, and "1" is not 1.
  func checkDeletionMark(_ entity: EntityDescription, _ number: Int) {
    guard let mark = entity.deletedWhen else { return }
    let place = mark.source.place(of: .equals)
    for owner in index.lineage(number) {
      for attribute in index.entities[owner].attributes {
        guard attribute.importedKeyPath == mark.keyPath || attribute.keyPathAliases.contains(mark.keyPath),
          let expected = ModelChecker.expectation(of: attribute, unmetBy: mark.value)
        else { continue }
        let name = "\(index.entities[owner].name).\(attribute.name)"
        var finding = ModelFinding.unmatchedDeletionMark(mark, of: entity.name, name, expected: expected)
        finding.suggestion = ModelChecker.nearestValue(of: attribute, to: mark.value)
        findings.report(
          finding, at: place,
          notes: [.init("\(name.quoted) is declared here", at: attribute.source.place())])
        return
      }
    }
  }

  /// Returns the enum value that is nearest to the given value.
  private static func nearestValue(of attribute: AttributeDescription, to value: JSON) -> String? {
    guard case .string(let text) = value, attribute.transformerName == nil else { return nil }
    let legal = attribute.validation.onlyValues?.compactMap { listed -> String? in
      guard case .string(let word) = listed else { return nil }
      return word
    }
    return Suggestion.nearest(to: text, among: legal ?? [])
  }

  /// Returns the values that an attribute accepts, or nil if it accepts the given value or if this is unknown.
  private static func expectation(of attribute: AttributeDescription, unmetBy value: JSON) -> String? {
    // A transformer may take any value.
    guard attribute.transformerName == nil else { return nil }
    let known: AttributeValue
    do throws(AttributeValueError) {
      known = try AttributeValue(json: value, type: attribute.type)
    } catch {
      return error.expected
    }
    guard let listed = attribute.validation.onlyValues, !listed.contains(known) else { return nil }
    return "only the values of its 'enum'"
  }
}
