import Graft
import GraftTools

/// A relationship in words.
struct RelationshipExplanation {
  let relationship: RelationshipDescription
  let facts: ModelFacts

  var sentences: [String] {
    var sentences = relationship.documentation.map { [$0] } ?? []
    if !relationship.identifierKeyPaths.isEmpty {
      sentences.append(PlaceWords.sentence(relationship.identifierKeyPaths))
    } else if let path = relationship.keyPath {
      sentences.append(PlaceWords.sentence(path, relationship.keyPathAliases, relationship.direction))
    } else {
      sentences.append("It is not part of JSON by itself.")
    }
    sentences.append(kind)
    if let inverse = relationship.inverseName {
      sentences.append("Its inverse is '\(relationship.destinationName).\(inverse)'; both sides always agree.")
    }
    if let migration = relationship.migration {
      sentences.append(MigrationWords.sentence(migration.version, migration.attributes.map(\.formerName)))
    }
    if relationship.importedKeyPath != nil {
      sentences += [reading] + otherForms
      if !readsElements { sentences.append(unresolved) }
      if !isShared { sentences += [null, absence] }
    }
    if relationship.exportedKeyPath != nil { sentences.append(export) }
    sentences.append(deletion)
    return sentences
  }

  /// Whether its objects are read from the dictionaries of other objects, or from elements that are not objects (M23).
  private var isShared: Bool { relationship.keyPath?.isElementValue == true && !relationship.isToMany }
  private var readsElements: Bool { facts.entity(relationship.destinationName).map(facts.readsElements) == true }

  private var isRequired: Bool { !relationship.isOptional || (relationship.minCount ?? 0) > 0 }

  private var kind: String {
    let optional = isRequired ? "required" : "optional"
    guard relationship.isToMany else { return "To one '\(relationship.destinationName)', \(optional)." }
    let order = relationship.isOrdered ? "ordered" : "unordered"
    var words = "To many '\(relationship.destinationName)', \(order), \(optional)"
    if let count = relationship.minCount { words += ", at least \(count)" }
    if let count = relationship.maxCount { words += ", at most \(count)" }
    return words + "."
  }

  /// Other forms that are read (M20, M21, M22, M26).
  private var otherForms: [String] {
    var sentences: [String] = []
    if let names = relationship.transformerNames.nonEmpty {
      sentences.append("Identifiers are transformed by '\(names.joined(separator: "', then '"))'.")
    }
    if relationship.hasReferences { sentences.append("An object with only an identity is read as an identifier.") }
    if relationship.isLenient {
      sentences.append(
        relationship.isToMany
          ? "A single element, or an object with the keys 0, 1 and so on, is also read as an array."
          : "An array of one is also read as the object, and [], \"\" and false as null.")
    }
    return sentences + NullWords.sentences(relationship.nulls ?? facts.model.nulls)
  }

  private var reading: String {
    if !relationship.identifierKeyPaths.isEmpty { return "Together they are an identifier." }
    if relationship.keyPath?.surroundings != nil { return "JSON holds an identifier." }
    if isShared {
      return "JSON holds the members of its object in the same dictionary, or an identifier in place of the dictionary."
    }
    let identified = facts.entity(relationship.destinationName).map { !facts.identityParts($0).isEmpty } ?? false
    let forms = readsElements ? "objects or their values" : identified ? "objects, identifiers, or both" : "objects"
    guard relationship.isToMany else {
      return "JSON holds an object\(readsElements ? " or its value" : identified ? " or an identifier" : "")."
    }
    let union = relationship.mergeRule == .union
    let keyed = facts.entity(relationship.destinationName).map(facts.canStandUnderKeys) == true
    var words =
      "JSON holds an array of \(forms)\(keyed ? ", or an object of them by their keys" : ""); it \(union ? "adds to" : "replaces") the existing objects."
    if relationship.deletesOrphans, let inverse = relationship.inverseName {
      words += " A removed object is deleted if that leaves its '\(inverse)' empty."
    }
    return words
  }

  private var unresolved: String {
    guard let entity = facts.entity(relationship.destinationName), !facts.identityParts(entity).isEmpty else {
      return "'\(relationship.destinationName)' has no identity, so identifiers are refused."
    }
    return switch relationship.unresolvedRule {
    case .placeholder: "An unknown identifier creates a placeholder."
    case .skip: relationship.isToMany ? "An unknown identifier is skipped." : "An unknown identifier changes nothing."
    case .deny: "An unknown identifier is refused."
    }
  }

  private var null: String {
    isRequired ? "null empties it, which is refused." : "null empties it."
  }

  private var absence: String {
    guard isRequired else { return "Absent: it stays as it is; in a new object it is empty." }
    let other = relationship.inverseName == nil ? "" : " unless the other side makes the link"
    return "Absent: it stays as it is; a new object is refused\(other)."
  }

  private var export: String {
    switch relationship.representation {
    case .object: "Exports write \(relationship.isToMany ? "whole objects" : "the whole object")."
    case .identifier: "Exports write \(relationship.isToMany ? "identifiers" : "the identifier")."
    case .none: "Exports omit it."
    }
  }

  private var deletion: String {
    switch relationship.deleteRule {
    case .nullify: "Deleting the object unlinks its related objects."
    case .cascade: "Deleting the object deletes its related objects."
    case .deny: "The object cannot be deleted while it has related objects."
    case .noAction: "Deleting the object leaves its related objects unchanged."
    }
  }
}
