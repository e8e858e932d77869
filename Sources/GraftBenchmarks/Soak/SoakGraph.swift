import Foundation
import Graft
import GraftSQLite

/// The contexts of a soak, and the operations on them in a round.
final class SoakGraph {
  /// The number of payloads. Rounds use them in turn.
  static let documents = 4

  /// The same heroes in two forms.
  private struct Payload {
    var array: [UInt8]
    var lines: [UInt8]
    var count: Int
  }

  private let payloads: [Payload]
  private let memory: ManagedObjectContext
  private let stored: ManagedObjectContext
  /// A second context of the same store, which merges the commits of the first.
  private let reader: ManagedObjectContext
  /// A context that repeats the changes of the context in memory.
  private let replica: ManagedObjectContext
  private let changes: ChangeBox<ContextChanges>

  init(_ folder: BenchmarkFolder) throws {
    let model = try ManagedObjectModel(text: Workload.heroes.modelText)
    let store = try SQLiteStore(at: folder.file(), model: model)
    memory = ManagedObjectContext(model: model)
    stored = try ManagedObjectContext(model: model, store: store)
    reader = try ManagedObjectContext(model: model, store: store)
    replica = ManagedObjectContext(model: model)
    changes = ChangeBox(memory.updates())
    payloads = (0..<Self.documents).map(Self.payload)
  }

  func run(_ round: Int) throws {
    let payload = payloads[round % Self.documents]
    try live(memory, payload, round)
    var seen = 0
    while try seen == 0 || replica.count(ofEntity: "Power") > 0 {
      guard let change = changes.next() else { throw BenchmarkError("not all changes arrived") }
      try require(replica.merge(change).isEmpty, "some changes were not merged")
      seen += 1
    }
    try live(stored, payload, round)
    try reader.merge()
    try require(reader.count(ofEntity: "Hero") == 0, "the other context of the store has objects")
  }

  /// Inserts, changes and deletes objects in a context that has none.
  private func live(_ context: ManagedObjectContext, _ payload: Payload, _ round: Int) throws {
    try context.importJSON(payload.array, ofEntity: "Hero")
    let heroes = try context.fetch(ofEntity: "Hero")
    try require(heroes.count == payload.count, "\(heroes.count) heroes")
    try edit(context, heroes, round)
    // The effects of a failed import are undone.
    let faulty = payload.array.dropLast() + Array(#",{"id":"x"}]"#.utf8)
    do {
      try context.importJSON(Array(faulty), ofEntity: "Hero")
      throw BenchmarkError("a faulty payload was imported")
    } catch is ImportError {}
    // Half of the heroes are deleted, and are imported again in a stream.
    for hero in heroes[..<(heroes.count / 2)] { try context.delete(hero) }
    try context.commit()
    let stream = try ImportStream(ofEntity: "Hero", in: context, format: .lines)
    for start in stride(from: 0, to: payload.lines.count, by: 60_000) {
      try stream.append(payload.lines[start..<min(start + 60_000, payload.lines.count)])
    }
    try stream.finish()
    try require(context.count(ofEntity: "Hero") == payload.count, "some heroes are missing after the stream")
    try export(context, payload.count)
    for entity in ["Hero", "Power", "Publisher"] {
      for object in try context.fetch(ofEntity: entity) { try context.delete(object) }
    }
    try context.commit()
    try require(context.count(ofEntity: "Power") == 0, "some powers are left")
  }

  /// Makes edits and commits them, edits and rolls back, and edits in a child.
  private func edit(_ context: ManagedObjectContext, _ heroes: [ManagedObject], _ round: Int) throws {
    var random = SplitMix64(seed: 7, record: round)
    let publishers = try context.fetch(ofEntity: "Publisher")
    let change = { (hero: ManagedObject, random: inout SplitMix64) in
      hero["name"] = String(repeating: "name ", count: 1 + random.below(40))
      hero["appearances"] = random.below(1000)
      hero["publisher"] = publishers[random.below(publishers.count)]
    }
    for _ in 0..<200 { change(heroes[random.below(heroes.count)], &random) }
    try context.commit()
    for _ in 0..<200 { change(heroes[random.below(heroes.count)], &random) }
    for hero in heroes.prefix(50) { try context.delete(hero) }
    context.rollBack()
    let child = context.makeChild()
    for hero in try child.fetch(ofEntity: "Hero").prefix(50) { hero["appearances"] = 1 + random.below(1000) }
    try child.commit()
    try context.commit()
  }

  /// Exports in each form, and restores a snapshot.
  private func export(_ context: ManagedObjectContext, _ count: Int) throws {
    let heroes = try context.fetch(ofEntity: "Hero")
    let data = try jsonData(from: heroes)
    let dictionaries = try json(from: heroes)
    try require(data.count > 1000 && dictionaries.count == count, "the export is incomplete")
    if context === memory { context.restore(context.snapshot()) }
  }

  private static func payload(_ number: Int) -> Payload {
    let count = 1500
    var writer = Workload.heroes.makeWriter(seed: UInt64(number), sharing: 1)
    var array = JSONText()
    var lines = JSONText()
    for record in 0..<count {
      array.raw(record == 0 ? "[" : ",")
      writer.write(record: record, revision: 0, to: &array)
      writer.write(record: record, revision: 0, to: &lines)
      lines.raw("\n")
    }
    array.raw("]")
    return Payload(array: array.bytes, lines: lines.bytes, count: count)
  }
}
