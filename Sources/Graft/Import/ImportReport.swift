/// What an import did, by entity name.
///
///     let report = try context.importJSON(data, into: "Hero")
///     print(report.inserted["Hero"] ?? 0, "new heroes")
///
/// Several reports can be ``merge(_:)``d into one of a run: an object counts once (D10).
public struct ImportReport: Sendable {
  /// Objects that are new.
  public var inserted: [String: Int] { counts(.inserted) }
  /// Objects that a dictionary described and that changed.
  public var updated: [String: Int] { counts(.updated) }
  /// Objects that a dictionary described and that were so already.
  public var unchanged: [String: Int] { counts(.unchanged) }
  /// Objects that are new and known by their identifier only.
  public var placeholders: [String: Int] { counts(.placeholder) }
  /// Placeholders of earlier imports that a dictionary filled.
  public var filled: [String: Int] { counts(.filled) }
  /// Objects that were deleted as orphans.
  public var deleted: [String: Int] { counts(.deleted) }

  enum Status: Sendable { case inserted, updated, unchanged, placeholder, filled, deleted }

  struct Place: Hashable, Sendable {
    var table: Int32
    var row: UInt32
  }

  var objects: [Place: (status: Status, entity: Int32)] = [:]
  let entityNames: [String]

  init(entityNames: [String]) { self.entityNames = entityNames }

  private func counts(_ status: Status) -> [String: Int] {
    var counts: [Int32: Int] = [:]
    for (_, object) in objects where object.status == status { counts[object.entity, default: 0] += 1 }
    return Dictionary(uniqueKeysWithValues: counts.map { (entityNames[Int($0.key)], $0.value) })
  }

  /// Adds what a later import of the same run did.
  public mutating func merge(_ later: ImportReport) {
    for (place, object) in later.objects {
      guard let earlier = objects[place] else {
        objects[place] = object
        continue
      }
      switch (earlier.status, object.status) {
      case (.inserted, .deleted), (.placeholder, .deleted): objects[place] = nil
      case (.inserted, _): objects[place]?.entity = object.entity
      case (.placeholder, .filled), (.placeholder, .inserted): objects[place] = (.inserted, object.entity)
      case (.filled, .updated), (.filled, .unchanged): objects[place]?.entity = object.entity
      case (.updated, .unchanged): break
      default: objects[place] = object
      }
    }
  }
}
