// Required values that are missing from a payload (I9, I11).
extension ImportFinding {
  /// The finding of a validation, at the dictionary that contains, or should contain, the value.
  static func invalid(_ failure: ValidationFinding, _ entity: EntityPlan, _ property: PropertyPlan?) -> Self {
    let source = property?.source ?? entity.description.source
    let isUnmapped = property?.attribute != nil && property?.importedKeyPath == nil
    let reason = property?.direction == .export ? " for exports only" : " without a 'JSONKeyPath'"
    let note = "'\(property?.name ?? entity.name)' is declared here"
    let failure = failure.shown(entity, property)
    let finding = Self(
      failure.code, about: Diagnostic.Subject(entityName: entity.name, propertyName: property?.name),
      failure.expectation,
      found: failure.found.map { .fact($0) },
      requirement: Requirement(
        source, failure.key.flatMap { source[$0] == nil ? nil : $0 },
        isUnmapped ? note + "\(reason), so no payload can set it" : note))
    return property?.attribute == nil ? finding.relational : finding
  }

  /// This finding, worded for a required object whose identifier is in the payload.
  var withUnknownObject: Self {
    explained("no known object has this identifier, or another object later took that object")
  }

  /// This finding, worded for a required object that the payload marks as deleted (M17).
  var withDeletedObject: Self { explained("the payload marks this object as deleted") }

  /// This finding, worded for an object whose owner is deleted (M12).
  var withDeletedOwner: Self { explained("its owner is deleted") }

  /// This finding, worded for an object that was in its owner until a later value of the relationship replaced it (M12).
  var withReplacedOwner: Self { explained("the relationship that contained it was replaced") }

  /// This finding, worded for an object that no dictionary of the payload describes, but that referred to a deleted object.
  func deletedElsewhere(_ object: String) -> Self {
    explained("\(object) requires the object that the payload marks as deleted")
  }

  /// This finding, worded for an object that no dictionary of the payload describes.
  func changedElsewhere(_ object: String, isFromHook: Bool) -> Self {
    explained("\(object) was changed \(isFromHook ? "by 'didImport'" : "through an inverse")")
  }

  /// The same finding for a payload in which a key similar to the missing key is present.
  func missing(_ key: String, near: String) -> Self {
    var finding = self
    finding.expectation +=
      ": \(FoundPhrase.quoted(key.utf8)) is absent; did you mean \(FoundPhrase.quoted(near.utf8)), which is present?"
    finding.found = nil
    finding.suggestion = near
    finding.namesSuggestion = true
    return finding
  }

  /// - Parameters:
  ///   - key: a key in the payload that contains dots.
  ///   - path: the keys on the path to the key, and the key itself.
  static func dottedKeyRemark(_ key: String, _ path: [String]) -> String {
    let array = JSONWriter.text(of: .array(path.map { .string($0) }))
    return
      "the payload has the key \(FoundPhrase.quoted(key.utf8)); a key that contains a dot is written as an array: \(array)"
  }

  /// Returns a note about the source of a missing value (M19).
  static func surroundingsRemark(_ path: JSONKeyPath) -> String {
    let keys = JSONKeyPath(keys: Array(path.keys.dropFirst()))
    return path.surroundings == .parent
      ? "'\(path)' reads '\(keys)' in the object that contains this one" : "'\(path)' reads '\(keys)' in the document"
  }

  /// Advice for a nested object that has only its identity (M21).
  static let referenceRemark =
    "the object has only its identity: if it refers to another object, add \"JSONReferences\": true to the relationship"

  static func unmappedKeysRemark(_ keys: [String]) -> String { "unmapped keys here: \(list(keys))" }

  /// An object without any key of its entity: an error body, an object of another entity, or an enclosing object.
  static func foreignObject(_ entity: EntityPlan, missing: [String], found keys: [String]) -> Self {
    Self(
      .missingValue, about: entity.subject,
      "expected the keys \(list(missing)) of '\(entity.name)'",
      found: keys.isEmpty ? "an empty object" : .fact(list(keys)), requirement: Requirement(entity))
  }

  /// Returns advice on reading objects if the payload is an object that encloses them; nil if it contains no object or array.
  static func envelopeRemark(_ found: EnvelopeSearch.Result, _ entity: EntityPlan, _ words: OptionWords) -> String? {
    if let keys = found.collection { return collectionRemark(keys, entity, words) }
    if found.paths.isEmpty { return nil }
    guard found.paths.count == 1 else {
      return "if the objects are deeper in the payload, give their key path with \(words.at)"
    }
    let path = found.paths[0].joined(separator: ".")
    return
      "if the objects are under \(FoundPhrase.quoted(path.utf8)), read them with \(words.atKeyPath(found.paths[0]))"
  }

  /// Returns advice on reading an object whose values are the objects (M11).
  ///
  /// - Parameter keys: the path to the object that encloses the objects; empty if that object is the payload itself.
  private static func collectionRemark(_ keys: [String], _ entity: EntityPlan, _ words: OptionWords) -> String {
    var addition = "give an attribute of '\(entity.name)' the key path \"@key\""
    if entity.identitySlots.count == 1, let attribute = entity.properties[entity.identitySlots[0]].attribute {
      let name = "'\(entity.name).\(attribute.name)'"
      addition =
        attribute.keyPath == nil
        ? "add \"JSONKeyPath\": \"@key\" to \(name)"
        : attribute.keyPathAliases.isEmpty
          ? "add \"JSONKeyPathAliases\": [\"@key\"] to \(name)"
          : "add \"@key\" to the \"JSONKeyPathAliases\" of \(name)"
    }
    let path = FoundPhrase.quoted(keys.joined(separator: ".").utf8)
    return "if the objects are the values "
      + (keys.isEmpty ? "here" : "under \(path)") + " and their keys identify them, \(addition)"
      + (keys.isEmpty ? "" : ", and read them with \(words.atKeyPath(keys))")
  }
}
