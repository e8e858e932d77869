/// Parts of a text that a migration takes apart, and that no property takes (S21): `"part": 0, "parts": 2` alone gives up the rest.
struct MigrationLoss: Sendable {
  /// The attributes whose texts are joined before they are divided: usually one. Each has the titles that it may have in a store.
  fileprivate(set) var titles: [[String]]
  fileprivate(set) var parts: [Int]

  /// What the plan of a migration says of it.
  func change(of names: [String]) -> String {
    let numbers = parts.map(String.init).joined(separator: " and ")
    let attributes = names.map { "'\($0)'" }.joined(separator: " and ")
    let (noun, pronoun) = parts.count == 1 ? ("part", "it") : ("parts", "them")
    return "remove \(noun) \(numbers) of \(attributes), counted from 0, because no attribute takes \(pronoun)"
  }
}

extension DeclaredMigration {
  /// What is lost because no property takes it.
  ///
  /// - Parameter model: the new model. An attribute that it keeps loses nothing.
  func losses(_ model: ModelDescription) -> [MigrationLoss] {
    parts.flatMap { part in losses(of: part, model) }
  }

  private func losses(of part: Part, _ model: ModelDescription) -> [MigrationLoss] {
    let kept = Set(
      model.lineage(ofEntity: part.entity.name).flatMap(\.attributes).filter { attribute in
        !part.moves.contains { $0.name == attribute.name && $0.takesItsFormerValues }
      }.flatMap { [$0.name] + $0.renamedFrom })
    let whole = Set(part.relationships.flatMap(\.attributes).flatMap(\.sources).map(\.name))
    var losses: [MigrationLoss] = []
    for (number, move) in part.attributes.enumerated() where move.sharesText {
      let sharing = part.attributes.filter { $0.takesPartOfSameText(as: move) }
      // Each text once.
      if part.attributes.prefix(number).contains(where: { $0.takesPartOfSameText(as: move) }) { continue }
      let names = Set(move.sources.map(\.name))
      let others = part.attributes.filter { other in !sharing.contains { $0.name == other.name } }
      let isTakenWhole = others.contains { !$0.sharesText && names.isSubset(of: $0.sources.map(\.name)) }
      if isTakenWhole || names.isSubset(of: kept) || names.isSubset(of: whole) { continue }
      let lost = move.untakenParts(sharing)
      if lost.isEmpty { continue }
      losses.append(MigrationLoss(titles: move.sources.map(part.titles(of:)), parts: lost))
    }
    return losses
  }
}

extension AttributeMove {
  /// Whether the attribute takes one part of a text, rather than all of it.
  fileprivate var sharesText: Bool { migration.separator != nil && migration.part != nil }

  fileprivate func takesPartOfSameText(as other: AttributeMove) -> Bool {
    migration.takesPartOfSameText(as: other.migration)
  }

  /// The parts of the text that none of the attributes takes.
  fileprivate func untakenParts(_ sharing: [AttributeMove]) -> [Int] {
    if sharing.contains(where: { !$0.sharesText }) { return [] }
    let taken = Set(sharing.compactMap(\.migration.part))
    return (0...lastPart).filter { !taken.contains($0) }
  }
}

extension MigrationPlanner {
  /// Tells what the steps of the model give up. It counts as a removal if the store has such texts; the model declares it, so that consent
  /// is not needed.
  mutating func addLosses() throws(Facts.Failure) {
    for loss in steps.losses {
      var names: [String] = []
      var isStored = false
      for titles in loss.titles {
        guard let (entity, property) = oldProperty(titles) else { continue }
        let title = "\(entity.name).\(property.name)"
        names.append(title)
        if try hasValues(title, property, entity) { isStored = true }
      }
      if names.isEmpty { continue }
      let change = loss.change(of: names)
      plan.changes.append(change)
      if isStored { plan.removals.append(change) }
    }
  }

  /// The first of some titles that the store has.
  private func oldProperty(_ titles: [String]) -> (StoreLayout.Entity, StoreLayout.Property)? {
    for entity in mapping.old.entities {
      for property in entity.properties where titles.contains("\(entity.name).\(property.name)") {
        return (entity, property)
      }
    }
    return nil
  }
}
