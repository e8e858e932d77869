import Graft
import GraftSQLite
import GraftTools

/// The aspects of attributes and relationships that both have in common and that matter to payloads.
struct ReadProperty {
  let name: String
  /// The key paths that are read, in order.
  let paths: [JSONKeyPath]
  /// Whether it has one value in several keys (M24).
  var isGroup = false
  /// Whether an object that a payload inserts must have a value.
  let isRequired: Bool
  let source: DescriptionSource

  init(_ attribute: AttributeDescription) {
    name = attribute.name
    paths = attribute.importedKeyPath.map { [$0] + attribute.keyPathAliases } ?? []
    isRequired = !attribute.isOptional && attribute.defaultValue == nil
    source = attribute.source
  }

  init(_ relationship: RelationshipDescription) {
    name = relationship.name
    let parts = relationship.identifierKeyPaths.map(\.keyPath)
    paths = relationship.importedKeyPath.map { (parts.isEmpty ? [$0] : parts) + relationship.keyPathAliases } ?? []
    isGroup = !parts.isEmpty
    isRequired = !relationship.isOptional
    source = relationship.source
  }
}

extension PayloadComparison {
  /// Matches the properties of two versions of an entity, and compares the aspects that attributes and relationships have in common.
  ///
  /// - Returns: the pairs that both versions have, as positions.
  mutating func pairs(
    _ old: [ReadProperty], _ new: [ReadProperty], _ oldEntity: EntityDescription, _ newEntity: EntityDescription
  ) -> [(old: Int, new: Int)] {
    var pairs: [(Int, Int)] = []
    for (index, property) in new.enumerated() {
      let former = plan.formerProperties["\(newEntity.name).\(property.name)"]
      if let match = old.firstIndex(where: { "\(oldEntity.name).\($0.name)" == former }) {
        comparePaths(old[match], property, "\(newEntity.name).\(property.name)")
        pairs.append((match, index))
      } else if property.isRequired, let path = property.paths.first {
        report(
          .rejected, property.name,
          "'\(newEntity.name).\(property.name)' is new and required: new objects need \(Self.words([path]))",
          property.source.location())
      }
    }
    let kept = Set(plan.formerProperties.values)
    for property in old where !kept.contains("\(oldEntity.name).\(property.name)") && !property.paths.isEmpty {
      guard !isRead(property.paths, by: newEntity) else { continue }
      report(
        .different, property.name,
        "'\(oldEntity.name).\(property.name)' is removed: \(Self.words(property.paths)) is ignored",
        newEntity.source.location())
    }
    return pairs
  }

  /// Returns whether another property, which may be inherited, reads the same key paths.
  private func isRead(_ paths: [JSONKeyPath], by entity: EntityDescription) -> Bool {
    let read = (new.attributes(entity).map(ReadProperty.init) + new.relationships(entity).map(ReadProperty.init))
      .flatMap(\.paths)
    return paths.allSatisfy(read.contains)
  }

  private mutating func comparePaths(_ old: ReadProperty, _ new: ReadProperty, _ title: String) {
    let lost = old.paths.filter { !new.paths.contains($0) }
    if new.paths.isEmpty, !old.paths.isEmpty {
      report(
        .different, new.name, "'\(title)' is no longer read: \(Self.words(old.paths)) is ignored",
        new.source.location(of: .JSONDirection))
    } else if !lost.isEmpty {
      // Only the last key path can start outside the object (M19), and groups and paths through arrays have no aliases (M24, M25).
      let canKeepBoth =
        !old.isGroup && !new.isGroup && !(lost + new.paths).contains(where: \.isThroughArrays)
        && !new.paths.contains { $0.surroundings != nil } && lost.count { $0.surroundings != nil } < 2
      report(
        new.isRequired ? .rejected : .different, new.name,
        "'\(title)' is no longer read from \(Self.words(lost)), but from \(Self.words(new.paths))"
          + (canKeepBoth ? "; 'JSONKeyPathAliases' can keep both" : ""), new.source.location(of: .JSONKeyPath))
    } else if old.paths.isEmpty, let path = new.paths.first {
      report(
        new.isRequired ? .rejected : .different, new.name,
        "'\(title)' is read from \(Self.words([path])), which was ignored", new.source.location(of: .JSONKeyPath))
    }
    if new.isRequired, !old.isRequired, !new.paths.isEmpty {
      report(
        .rejected, new.name, "'\(title)' is required: new objects need \(Self.words([new.paths[0]]))",
        new.source.location())
    }
  }
}
