/// What an import did, by entity name.
///
///     let report = try context.importJSON(data, into: "Hero")
///     print(report.inserted["Hero"] ?? 0, "new heroes")
///     print(report)                                   // Hero: 4 inserted, 1 placeholder
///
/// Several reports of imports into one context can be ``merge(_:)``d into one of a run: an object counts once (D10).
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

  enum Status: UInt8, Sendable { case inserted, updated, unchanged, placeholder, filled, deleted }

  /// An object and what happened to it.
  struct Entry: Sendable {
    var table: Int32
    var row: UInt32
    var entity: Int32
    var status: Status
  }

  /// In the order in which the import touched them; each object once.
  var entries: [Entry] = []
  private(set) var entityNames: [String]

  /// A report of nothing, to ``merge(_:)`` others into.
  public init() { entityNames = [] }

  init(entityNames: [String]) { self.entityNames = entityNames }

  private func counts(_ status: Status) -> [String: Int] {
    var counts = Array(repeating: 0, count: entityNames.count)
    for entry in entries where entry.status == status { counts[Int(entry.entity)] += 1 }
    return Dictionary(uniqueKeysWithValues: zip(entityNames, counts).filter { $0.1 > 0 })
  }

  /// Adds what a later import of the same run did.
  public mutating func merge(_ later: ImportReport) {
    if entries.isEmpty {
      self = later
      return
    }
    struct Place: Hashable {
      var table: Int32
      var row: UInt32
    }
    var known: [Place: Int] = [:]
    for (index, entry) in entries.enumerated() { known[Place(table: entry.table, row: entry.row)] = index }
    var isGone = Set<Int>()
    for entry in later.entries {
      guard let index = known[Place(table: entry.table, row: entry.row)] else {
        entries.append(entry)
        continue
      }
      switch (entries[index].status, entry.status) {
      case (.inserted, .deleted), (.placeholder, .deleted): isGone.insert(index)
      case (.inserted, _), (.filled, .updated), (.filled, .unchanged): entries[index].entity = entry.entity
      case (.placeholder, .filled), (.placeholder, .inserted):
        entries[index].status = .inserted
        entries[index].entity = entry.entity
      case (.updated, .unchanged): break
      default: entries[index] = entry
      }
    }
    if !isGone.isEmpty { entries = entries.enumerated().filter { !isGone.contains($0.offset) }.map(\.element) }
  }
}
