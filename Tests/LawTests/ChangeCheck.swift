import Graft
import GraftTestSupport

/// Compares the changes that a context reports with the difference between two pictures of its graph.
struct ChangeCheck {
  private let changes: ContextChanges
  private let difference: PictureDifference
  /// The names of objects whose ID changed.
  private let renamed: [ManagedObjectID: ManagedObjectID]

  init(_ changes: ContextChanges, _ before: GraphPicture, _ after: GraphPicture, _ model: RandomModel) throws {
    self.changes = changes
    let renamed = changes.updated.filter { $0.id != $0.previousID }.map { ($0.previousID, $0.id) }
    self.renamed = Dictionary(uniqueKeysWithValues: renamed)
    difference = try PictureDifference(
      before, after, model, deleted: Set(changes.deleted), renamed: self.renamed)
  }

  static func isEmpty(_ before: GraphPicture, _ after: GraphPicture, _ model: RandomModel) throws -> Bool {
    let difference = try PictureDifference(before, after, model)
    return difference.inserted.isEmpty && difference.deleted.isEmpty
      && difference.kept.allSatisfy { old, new, properties in
        properties.isEmpty && old.entityName == new.entityName && old.isPlaceholder == new.isPlaceholder
      }
  }

  /// Whether objects are reported as replaced by equal objects, because they were deleted in code and inserted again, or rolled back.
  static func replaces(_ changes: ContextChanges, _ before: GraphPicture, _ cause: ContextChanges.Cause) -> Bool {
    changes.cause == cause && changes.updated.isEmpty && !changes.deleted.isEmpty
      && Set(changes.deleted) == Set(changes.inserted) && changes.deleted.allSatisfy { before.objects[$0] != nil }
  }

  func check(causes: inout [ContextChanges.Cause: Int]) throws {
    causes[changes.cause, default: 0] += 1
    func expectSame(_ found: [ManagedObjectID], _ expected: [ManagedObjectID], _ what: String) throws {
      guard found.count == expected.count, Set(found) == Set(expected) else {
        throw LawFailure("\(what): expected \(expected), found \(found)\n\(changes)")
      }
    }
    try expectSame(changes.inserted, difference.inserted.map(\.id), "inserted")
    try expectSame(changes.deleted, difference.deleted.map(\.id), "deleted")
    var updates = Dictionary(changes.updated.map { ($0.id, $0) }) { first, _ in first }
    guard updates.count == changes.updated.count else { throw LawFailure("an object is updated twice: \(changes)") }
    for (old, new, properties) in difference.kept {
      let update = updates.removeValue(forKey: new.id)
      let isFilled = old.isPlaceholder && !new.isPlaceholder
      guard let update else {
        guard properties.isEmpty, !isFilled, old.entityName == new.entityName else {
          throw LawFailure("\(new.name) changed in \(properties.map(\.name)), and nothing reports it\n\(changes)")
        }
        continue
      }
      guard update.previousID == old.id, changes.cause == .rollBack || update.filledPlaceholder == isFilled else {
        throw LawFailure("expected \(new.name), which was \(old.name), found \(update)")
      }
      // Lists that only the object's new entity has are not in memory.
      let told = properties.filter { property in
        old.entityName == new.entityName || property.links == nil || old.relationships[property.name] != nil
          || update.properties.contains { $0.name == property.name }
      }
      guard update.properties.count == told.count,
        zip(update.properties, told).allSatisfy({ $0.name == $1.name && isSame($0.change, $1) })
      else { throw LawFailure("expected \(properties) of \(new.name), found \(update)") }
    }
    guard updates.isEmpty else { throw LawFailure("updated, but as before: \(updates.values)") }
  }

  private func isSame(_ change: ContextChanges.Change, _ property: PictureDifference.Property) -> Bool {
    switch change {
    case .attribute(let old, let new):
      func isSame(_ value: AttributeValue?, _ json: JSON) -> Bool {
        // A URL spells some characters of a URI differently.
        if case .uri? = value?.elements.first { return !json.isNull }
        return PictureDifference.isSame(value?.jsonValue ?? .null, json)
      }
      return property.links == nil && isSame(old, property.old) && isSame(new, property.new)
    case .toOne(let old, let new):
      return former(property) == (old.map { [$0] } ?? []) && property.links?.new == (new.map { [$0] } ?? [])
    case .toMany(let inserted, let removed):
      guard let links = property.links else { return false }
      // The changes, applied to the former state, result in the current state, except for the order. A deleted object can have an ID that
      // another object has now.
      var ids = former(property)
      for id in removed {
        guard let index = ids.firstIndex(of: id) else { return false }
        ids.remove(at: index)
      }
      for id in inserted {
        guard !ids.contains(id) else { return false }
        ids.append(id)
      }
      return ids.count == links.new.count && Set(ids) == Set(links.new)
    }
  }

  /// The objects to which a relationship led, under their current names.
  private func former(_ property: PictureDifference.Property) -> [ManagedObjectID] {
    (property.links?.old ?? []).map { changes.deleted.contains($0) ? $0 : renamed[$0] ?? $0 }
  }
}
