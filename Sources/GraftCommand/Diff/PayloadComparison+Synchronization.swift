import Graft
import GraftSQLite

extension PayloadComparison {
  /// Compares the dictionaries that are skipped or delete their objects (M17).
  mutating func compareSynchronization(_ old: EntityDescription, _ new: EntityDescription) {
    let formerAttribute = new.modificationAttribute.map { formerProperty($0, of: new, old) }
    if old.modificationAttribute != formerAttribute {
      let outcome =
        new.modificationAttribute.map { "is skipped if its '\($0)' is not newer than the stored object's" }
        ?? "is no longer skipped because of its age"
      report(
        .different, nil, "a dictionary of '\(new.name)' \(outcome)", new.source.location(of: .modificationAttribute))
    }
    guard Self.words(old.deletedWhen) != Self.words(new.deletedWhen) else { return }
    let location = new.source.location(of: .deletedWhen)
    if let words = Self.words(new.deletedWhen) {
      report(.different, nil, "a dictionary of '\(new.name)' with \(words) deletes its object", location)
    } else {
      report(.different, nil, "dictionaries of '\(new.name)' no longer delete objects", location)
    }
  }

  /// Returns the key path and the value of a mark.
  private static func words(_ mark: EntityDescription.DeletionMark?) -> String? {
    mark.map { "\(words([$0.keyPath])) \($0.value)" }
  }

  /// Returns the name that a property of an entity had in the old version.
  func formerProperty(_ name: String, of new: EntityDescription, _ old: EntityDescription) -> String {
    plan.formerProperties["\(new.name).\(name)"].map { String($0.dropFirst(old.name.count + 1)) } ?? name
  }
}
