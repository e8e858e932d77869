import Graft
import GraftSQLite

/// Finds names that were probably changed, because without `renamedFrom`, the data under the old name is removed.
///
///     remove 'Hero.label' and its values        add 'Hero.title', of the same type
struct RenamingAdvice {
  private(set) var advice: [String] = []

  init(_ old: ModelDescription, _ new: ModelDescription, _ plan: SQLiteStore.MigrationPlan) {
    let kept = Set(plan.formerEntities.values)
    var removed = old.entities.filter { !kept.contains($0.name) }
    for entity in new.entities {
      if let former = plan.formerEntities[entity.name] {
        guard let oldEntity = old.entities.first(where: { $0.name == former }) else { continue }
        addProperties(oldEntity, entity, plan)
      } else if let index = removed.firstIndex(where: { RenamingAdvice.isSimilar($0, entity) }) {
        let former = removed.remove(at: index).name
        // The migration advises adding the name to the existing ones.
        guard entity.renamedFrom.isEmpty else { continue }
        add("'\(former)'", "'\(entity.name)'", former)
      }
    }
  }

  private mutating func add(_ old: String, _ new: String, _ former: String) {
    advice.append("if \(new) is the new name of \(old), add \"renamedFrom\": \(JSON.string(former)) to it")
  }

  /// Returns whether most properties of two entities have the same names.
  private static func isSimilar(_ old: EntityDescription, _ new: EntityDescription) -> Bool {
    let names = [old, new].map { Set($0.attributes.map(\.name) + $0.relationships.map(\.name)) }
    return 2 * names[0].intersection(names[1]).count > names[0].union(names[1]).count
  }

  /// Adds advice for a property that was removed, if only one property was added with the same type.
  private mutating func addProperties(
    _ old: EntityDescription, _ new: EntityDescription, _ plan: SQLiteStore.MigrationPlan
  ) {
    let kept = Set(plan.formerProperties.values)
    // A property with 'migratedFrom' was not renamed.
    let attributes = new.attributes.filter { $0.migration != nil }
    let relationships = new.relationships.filter { $0.migration != nil }
    // For a property with 'renamedFrom', the migration advises adding the name to the existing ones.
    let renamed =
      new.attributes.filter { !$0.renamedFrom.isEmpty }.map(\.name)
      + new.relationships.filter { !$0.renamedFrom.isEmpty }.map(\.name)
    let targets = Set(attributes.map(\.name) + relationships.map(\.name) + renamed)
    let sources = Set(
      attributes.flatMap { $0.migration?.attributes ?? [] }
        + relationships.flatMap { $0.migration?.attributes.map(\.formerName) ?? [] })
    let removed = RenamingAdvice.types(old) { plan.formerEntities[$0] ?? $0 }
      .filter { !kept.contains("\(old.name).\($0.name)") && !sources.contains($0.name) }
    let added = RenamingAdvice.types(new) { plan.formerEntities[$0] ?? $0 }
      .filter { plan.formerProperties["\(new.name).\($0.name)"] == nil && !targets.contains($0.name) }
    for property in added {
      let candidates = removed.filter { $0.type == property.type }
      guard candidates.count == 1, added.count(where: { $0.type == property.type }) == 1 else { continue }
      add("'\(old.name).\(candidates[0].name)'", "'\(new.name).\(property.name)'", candidates[0].name)
    }
  }

  /// Returns the properties that an entity declares, with words that are equal if their values are compatible.
  private static func types(
    _ entity: EntityDescription, _ former: (String) -> String
  ) -> [(name: String, type: [String])] {
    entity.attributes.map { ($0.name, [$0.typeText]) }
      + entity.relationships.map {
        ($0.name, ["to", former($0.destinationName), $0.isToMany ? "many" : "one", $0.isOrdered ? "ordered" : ""])
      }
  }
}
