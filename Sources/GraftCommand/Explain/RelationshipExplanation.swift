import Graft
import GraftTools

/// A relationship in words.
struct RelationshipExplanation {
  let relationship: RelationshipDescription
  let facts: ModelFacts

  var sentences: [String] {
    var sentences = relationship.documentation.map { [$0] } ?? []
    if let path = relationship.keyPath {
      sentences.append(PlaceWords.sentence(path, relationship.keyPathAliases, relationship.direction))
    } else {
      sentences.append("It takes no part in JSON by itself.")
    }
    sentences.append(kind)
    if let inverse = relationship.inverseName {
      sentences.append("Its inverse is '\(relationship.destinationName).\(inverse)'; both sides always agree.")
    }
    if relationship.importedKeyPath != nil { sentences += [reading, unresolved, null, absence] }
    if relationship.exportedKeyPath != nil { sentences.append(export) }
    sentences.append(deletion)
    return sentences
  }

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

  private var reading: String {
    if relationship.keyPath?.surroundings != nil { return "JSON holds an identifier." }
    let identified = facts.entity(relationship.destinationName).map { !facts.identityParts($0).isEmpty } ?? false
    let forms = identified ? "objects, identifiers, or both" : "objects"
    guard relationship.isToMany else { return "JSON holds an object\(identified ? " or an identifier" : "")." }
    let union = relationship.mergeRule == .union
    let keyed = facts.entity(relationship.destinationName).map(facts.canStandUnderKeys) == true
    var words =
      "JSON holds an array of \(forms)\(keyed ? ", or an object of them by their keys" : ""); it \(union ? "adds to" : "replaces") what is there."
    if relationship.deletesOrphans, let inverse = relationship.inverseName {
      words += " An object that is let go of is deleted when that leaves its '\(inverse)' empty."
    }
    return words
  }

  private var unresolved: String {
    guard let entity = facts.entity(relationship.destinationName), !facts.identityParts(entity).isEmpty else {
      return "'\(relationship.destinationName)' has no identity, so identifiers are refused."
    }
    return switch relationship.unresolvedRule {
    case .placeholder: "An unknown identifier makes a placeholder."
    case .skip: relationship.isToMany ? "An unknown identifier is dropped." : "An unknown identifier changes nothing."
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
    case .object: "Export writes \(relationship.isToMany ? "whole objects" : "the whole object")."
    case .identifier: "Export writes \(relationship.isToMany ? "identifiers" : "the identifier")."
    case .none: "Export leaves it out."
    }
  }

  private var deletion: String {
    switch relationship.deleteRule {
    case .nullify: "Deleting the object unlinks what this leads to."
    case .cascade: "Deleting the object deletes what this leads to."
    case .deny: "The object cannot be deleted while this leads anywhere."
    case .noAction: "Deleting the object leaves what this leads to as it is."
    }
  }
}
