/// Parts of a string that a declared migration drops, because no attribute takes them (S21). For example, if only one attribute has
/// `"part": 0, "parts": 2`, part 1 is dropped.
private struct MigrationLoss: Hashable {
  /// The attributes of the store whose strings are joined and then divided; usually only one attribute.
  var titles: [String]
  var parts: [Int]

  /// Returns the line for the plan of the migration.
  ///
  /// - Parameter entities: the entities whose objects lose the parts; nil for all entities that have the string.
  func change(of entities: [String]?) -> String {
    let numbers = parts.map(String.init).joined(separator: " and ")
    let (noun, pronoun) = parts.count == 1 ? ("part", "it") : ("parts", "them")
    let owners = entities.map { " of objects of \(MigrationLoss.list($0))" } ?? ""
    return
      "remove \(noun) \(numbers) of \(MigrationLoss.list(titles))\(owners), counted from 0, because no attribute takes \(pronoun)"
  }

  private static func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: " and ") }
}

/// A string that several attributes divide among themselves.
private struct DividedText: Hashable {
  /// The attributes of the store that contain the string.
  var titles: [String]
  var separator: String
}

extension AttributeMove {
  /// Whether the attribute takes one part of a string, rather than all of it.
  fileprivate var takesPart: Bool { migration.separator != nil && migration.part != nil }
}

extension MigrationPlanner {
  /// Adds to the plan the parts of strings that the model's migrations drop, if the store has such strings. These parts are reported as
  /// removals, but need no consent, because the model declares the number of parts.
  mutating func addLosses() throws(Facts.Failure) {
    let declared = steps.declarations.flatMap(\.parts)
    if declared.isEmpty { return }
    var found: [(loss: MigrationLoss, entities: [String])] = []
    let concrete = model.contents.entities.filter { !$0.isAbstract }
    for entity in concrete {
      let lineage = model.contents.lineage(ofEntity: entity.name)
      let parts = declared.filter { part in lineage.contains { $0.name == part.entity.name } }
      for loss in losses(parts, lineage) {
        if let index = found.firstIndex(where: { $0.loss == loss }) {
          found[index].entities.append(entity.name)
        } else {
          found.append((loss, [entity.name]))
        }
      }
    }
    for (loss, entities) in found {
      let owner = loss.titles[0].prefix { $0 != "." }
      let family = concrete.filter { entity in
        (mapping.entities[entity.name].map(mapping.oldLineage) ?? []).contains { $0 == owner }
      }
      let change = loss.change(of: entities.count < family.count ? entities : nil)
      plan.changes.append(change)
      var isStored = false
      for title in loss.titles {
        if let (entity, property) = oldProperty([title]), try hasValues(title, property, entity) { isStored = true }
      }
      if isStored { plan.removals.append(change) }
    }
  }

  /// Returns the parts that the objects of an entity lose.
  ///
  /// - Parameters:
  ///   - parts: the migrations of the entity and its ancestors, for all versions.
  ///   - lineage: these entities in the new model. Attributes that these entities keep lose nothing.
  private func losses(_ parts: [DeclaredMigration.Part], _ lineage: [EntityDescription]) -> [MigrationLoss] {
    let replaced = Set(parts.flatMap(\.moves).filter(\.takesItsFormerValues).map(\.name))
    let kept = Set(
      lineage.flatMap(\.attributes).filter { !replaced.contains($0.name) }.flatMap { [$0.name] + $0.renamedFrom })
    // Attributes whose values are taken as a whole by another property.
    var whole = Set(parts.flatMap(\.relationships).flatMap(\.attributes).flatMap(\.sources).map(\.name))
    for part in parts {
      for move in part.attributes where !move.takesPart { whole.formUnion(move.sources.map(\.name)) }
    }
    var texts: [(text: DividedText, taken: Set<Int>, last: Int)] = []
    for part in parts {
      for move in part.attributes where move.takesPart {
        let names = move.sources.map(\.name)
        let stored = move.sources.compactMap { oldProperty(part.titles(of: $0)) }.map { "\($0.name).\($1.name)" }
        guard !stored.isEmpty, !names.allSatisfy({ kept.contains($0) || whole.contains($0) }),
          let separator = move.migration.separator, let number = move.migration.part
        else { continue }
        let text = DividedText(titles: stored, separator: separator)
        if let index = texts.firstIndex(where: { $0.text == text }) {
          texts[index].taken.insert(number)
          texts[index].last = max(texts[index].last, move.lastPart)
        } else {
          texts.append((text, [number], move.lastPart))
        }
      }
    }
    return texts.compactMap { text, taken, last in
      let lost = (0...last).filter { !taken.contains($0) }
      return lost.isEmpty ? nil : MigrationLoss(titles: text.titles, parts: lost)
    }
  }

  /// Returns the first property in the store that has one of the given titles.
  private func oldProperty(_ titles: [String]) -> (StoreLayout.Entity, StoreLayout.Property)? {
    for entity in mapping.old.entities {
      for property in entity.properties where titles.contains("\(entity.name).\(property.name)") {
        return (entity, property)
      }
    }
    return nil
  }
}
