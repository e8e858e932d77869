import Foundation
import Graft
import GraftSQLite

/// A graph whose content is determined by the number of its commits, so missing and incomplete commits are noticed.
///
/// Commit *n* inserts batch *n* with its entries, deletes batch *n* - 10, and sets all counters to *n*.
struct Ledger {
  static let modelText = """
    {
      "keyStrategy": "sameName",
      "entities": {
        "Batch": {
          "identityAttributes": "number",
          "attributes": { "number": { "type": "integer64" }, "title": { "type": "string", "optional": true } },
          "relationships": {
            "entries": {
              "destination": "Entry", "toMany": true, "ordered": true, "inverse": "batch", "deleteRule": "cascade"
            }
          }
        },
        "Entry": {
          "identityAttributes": "id",
          "attributes": { "id": { "type": "integer64" }, "text": { "type": "string", "optional": true } },
          "relationships": {
            "batch": { "destination": "Batch", "inverse": "entries" },
            "tags": { "destination": "Tag", "toMany": true, "inverse": "entries" }
          }
        },
        "Tag": {
          "identityAttributes": "word",
          "attributes": { "word": { "type": "string" } },
          "relationships": { "entries": { "destination": "Entry", "toMany": true, "inverse": "tags" } }
        },
        "Counter": {
          "identityAttributes": "id",
          "attributes": { "id": { "type": "integer64" }, "value": { "type": "integer64", "optional": true } }
        }
      }
    }
    """

  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(text: modelText)
    } catch {
      fatalError("\(error)")
    }
  }()

  static let counters: Int64 = 4
  private static let keptBatches: Int64 = 10

  let context: ManagedObjectContext

  init(_ store: any StoreBackend) throws {
    context = try ManagedObjectContext(model: Ledger.model, store: store)
  }

  // MARK: Commits

  /// Makes a commit.
  func commit(_ number: Int64) throws {
    try edit(number)
    try finish(number)
  }

  /// Makes changes in code and leaves them pending.
  func edit(_ number: Int64) throws {
    for id in 0..<Ledger.counters {
      let counter = try context.find(ofEntity: "Counter", identity: id) ?? context.insert(ofEntity: "Counter")
      counter["id"] = id
      counter["value"] = number
    }
    if let batch = try context.find(ofEntity: "Batch", identity: number - Ledger.keptBatches) {
      try context.delete(batch)
    }
    // A property getter cannot throw a loading error, so the next call throws it.
    try context.throwStoreFailure()
  }

  /// Commits the changes together with a batch.
  func finish(_ number: Int64) throws {
    try context.importJSON(Ledger.payload(number), ofEntity: "Batch")
  }

  /// Returns the number of the latest commit in a store.
  func latest() throws -> Int64 {
    try context.find(ofEntity: "Counter", id: 0 as Int64)?["value"] ?? 0
  }

  // MARK: Content

  private static func entries(_ batch: Int64) -> [(id: Int64, text: String, tags: [String])] {
    (0..<1 + batch % 7).map { place in
      let tags = Set([batch % 3, (batch + place) % 5]).sorted().map { "t\($0)" }
      let word = "\(batch).\(place) "
      return (batch * 10 + place, String(repeating: word, count: Int((batch * 37 + place * 101) % 150)), tags)
    }
  }

  private static func payload(_ number: Int64) -> String {
    let entries = entries(number).map { entry in
      let tags = entry.tags.map { "\"\($0)\"" }.joined(separator: ",")
      return "{\"id\": \(entry.id), \"text\": \"\(entry.text)\", \"tags\": [\(tags)]}"
    }
    return
      "[{\"number\": \(number), \"title\": \"batch \(number)\", \"entries\": [\(entries.joined(separator: ","))]}]"
  }

  /// Returns the graph after a given commit, as text.
  static func expected(_ number: Int64) -> [String] {
    if number == 0 { return [] }
    var lines = (0..<counters).map { "counter \($0): \(number)" }
    var members: [String: [Int64]] = [:]
    for batch in 1...min(number, 30) { for entry in entries(batch) { for tag in entry.tags { members[tag] = [] } } }
    for batch in max(1, number - keptBatches + 1)...number {
      lines.append("batch \(batch): batch \(batch), \(entries(batch).map(\.id))")
      for entry in entries(batch) {
        lines.append("entry \(entry.id): \(entry.text), \(entry.tags)")
        for tag in entry.tags { members[tag, default: []].append(entry.id) }
      }
    }
    lines += members.map { "tag \($0): \($1.sorted())" }
    return lines.sorted()
  }

  /// Returns the graph as text.
  func content() throws -> [String] {
    func value<Value: AttributeConvertible>(_ object: ManagedObject, _ name: String) -> Value? { object[name] }
    var lines: [String] = []
    for counter in try context.fetch(ofEntity: "Counter") {
      lines.append("counter \(value(counter, "id") ?? -1 as Int64): \(value(counter, "value") ?? -1 as Int64)")
    }
    for batch in try context.fetch(ofEntity: "Batch") {
      let entries: RelatedObjects<ManagedObject> = batch["entries"]
      let ids = entries.map { value($0, "id") ?? -1 as Int64 }
      lines.append("batch \(value(batch, "number") ?? -1 as Int64): \(value(batch, "title") ?? ""), \(ids)")
    }
    for entry in try context.fetch(ofEntity: "Entry") {
      let tags: RelatedObjects<ManagedObject> = entry["tags"]
      let words = tags.map { value($0, "word") ?? "?" }.sorted()
      lines.append("entry \(value(entry, "id") ?? -1 as Int64): \(value(entry, "text") ?? ""), \(words)")
    }
    for tag in try context.fetch(ofEntity: "Tag") {
      let entries: RelatedObjects<ManagedObject> = tag["entries"]
      lines.append("tag \(value(tag, "word") ?? "?"): \(entries.map { value($0, "id") ?? -1 as Int64 }.sorted())")
    }
    try context.throwStoreFailure()
    return lines.sorted()
  }

  // MARK: Checking

  /// Checks that a store is undamaged and contains a whole number of commits, without gaps.
  ///
  /// - Parameters:
  ///   - acknowledged: the latest commit that returned.
  ///   - begun: the latest commit that was started.
  /// - Returns: the latest commit of the store.
  @discardableResult
  static func check(
    _ store: any StoreBackend, acknowledged: Int64, begun: Int64, _ place: @autoclosure () -> String
  ) throws -> Int64 {
    if let store = store as? SQLiteStore {
      let findings = try store.verify()
      guard findings.isEmpty else { throw Failure("\(place()): \(findings[0])") }
    }
    let ledger = try Ledger(store)
    let latest = try ledger.latest()
    guard latest >= acknowledged else {
      throw Failure("\(place()): commit \(acknowledged) was acknowledged, but the store has \(latest)")
    }
    guard latest <= begun else { throw Failure("\(place()): the store has \(latest), and \(begun) were begun") }
    let (content, expected) = (try ledger.content(), expected(latest))
    guard content == expected else {
      let difference = Set(content).symmetricDifference(expected).sorted()
      throw Failure(
        "\(place()): the commit \(latest) is not whole:\n\(difference.prefix(5).joined(separator: "\n"))")
    }
    return latest
  }
}
