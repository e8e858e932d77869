import Graft
import GraftTools

extension PayloadComparison {
  /// Compares the relationships that two versions of an entity declare.
  mutating func compareRelationships(_ old: EntityDescription, _ new: EntityDescription) {
    let pairs = pairs(old.relationships.map(ReadProperty.init), new.relationships.map(ReadProperty.init), old, new)
    for (before, now) in pairs {
      let (before, now) = (old.relationships[before], new.relationships[now])
      compareCounts(before, now, "\(new.name).\(now.name)")
      // Relationships that are not read from JSON are not in payloads.
      guard before.importedKeyPath != nil, now.importedKeyPath != nil else { continue }
      compareObjects(before, now, "\(new.name).\(now.name)")
      compareMerging(before, now, "\(new.name).\(now.name)")
      compareForms(before, now, "\(new.name).\(now.name)")
      compareNulls(before.nulls, now.nulls, now.name, "\(new.name).\(now.name)", now.source)
    }
  }

  private mutating func compareForms(
    _ old: RelationshipDescription, _ new: RelationshipDescription, _ title: String
  ) {
    if old.isLenient, !new.isLenient {
      report(.rejected, new.name, "'\(title)' is no longer lenient about its shape", new.source.location())
    }
    if old.hasReferences != new.hasReferences {
      report(
        new.hasReferences ? .different : .rejected, new.name,
        "'\(title)' reads a dictionary with only an identity as \(new.hasReferences ? "an identifier" : "an object")",
        new.source.location(of: .JSONReferences))
    }
    if old.transformerNames != new.transformerNames {
      func words(_ names: [String]) -> String { names.isEmpty ? "nothing" : "'\(names.joined(separator: ", "))'" }
      report(
        .different, new.name,
        "identifiers in '\(title)' are transformed by \(words(new.transformerNames)), not by \(words(old.transformerNames))",
        new.source.location(of: .JSONTransformerName))
    }
  }

  private mutating func compareCounts(
    _ old: RelationshipDescription, _ new: RelationshipDescription, _ title: String
  ) {
    if let count = new.minCount, count > old.minCount ?? 0 {
      report(
        .rejected, new.name, "'\(title)' requires at least \(counted(count, "object"))",
        new.source.location(of: .minCount)
      )
    }
    if let count = new.maxCount, count < old.maxCount ?? .max {
      report(
        .rejected, new.name, "'\(title)' allows at most \(counted(count, "object"))", new.source.location(of: .maxCount)
      )
    }
  }

  private mutating func compareObjects(
    _ old: RelationshipDescription, _ new: RelationshipDescription, _ title: String
  ) {
    if old.destinationName != formerName(new.destinationName) {
      report(
        .rejected, new.name, "'\(title)' expects objects of '\(new.destinationName)', not of '\(old.destinationName)'",
        new.source.location(of: .destination))
    }
    if old.isToMany != new.isToMany {
      report(
        .rejected, new.name, "'\(title)' expects \(new.isToMany ? "an array" : "one object, not an array")",
        new.source.location(of: .toMany))
    }
    if new.isToMany, old.isToMany, old.isOrdered != new.isOrdered {
      report(
        .different, new.name, "'\(title)' \(new.isOrdered ? "keeps" : "loses") the order of an array",
        new.source.location(of: .ordered))
    }
  }

  private mutating func compareMerging(
    _ old: RelationshipDescription, _ new: RelationshipDescription, _ title: String
  ) {
    if old.mergeRule != new.mergeRule {
      let what = new.mergeRule == .union ? "adds to the objects of" : "replaces the objects of"
      report(.different, new.name, "an array \(what) '\(title)'", new.source.location(of: .mergeRule))
    }
    if old.unresolvedRule != new.unresolvedRule {
      let outcome =
        switch new.unresolvedRule {
        case .deny: "an error"
        case .skip: "ignored"
        case .placeholder: "a placeholder"
        }
      report(
        new.unresolvedRule == .deny ? .rejected : .different, new.name,
        "an unknown identifier in '\(title)' is \(outcome)", new.source.location(of: .unresolvedRule))
    }
    if old.deletesOrphans != new.deletesOrphans {
      report(
        .different, new.name, "objects that '\(title)' loses are \(new.deletesOrphans ? "deleted" : "kept")",
        new.source.location(of: .deleteOrphans))
    }
  }
}
