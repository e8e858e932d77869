import Graft
import GraftTestSupport
import Testing

/// How often a store is asked (S3): as often for a thousand objects as for ten.
@Suite("Loading in batches") struct StoreBatchTests {
  private static let heroes = """
    {"keyStrategy": "snakeCase", "entities": {
      "Hero": {
        "identityAttributes": "id",
        "attributes": {
          "id": "integer64", "name": {"type": "string", "optional": true}, "age": {"type": "integer16", "optional": true},
          "realName": {"type": "string", "optional": true}, "bio": {"type": "json", "optional": true}
        },
        "relationships": {
          "powers": {"destination": "Power", "toMany": true, "inverse": "heroes"},
          "publisher": {"destination": "Publisher", "inverse": "heroes"}
        }
      },
      "Power": {
        "identityAttributes": "name", "attributes": {"name": "string", "rank": {"type": "double", "optional": true}},
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "powers"}}
      },
      "Publisher": {
        "identityAttributes": ["country", "number"],
        "attributes": {
          "country": "string", "number": {"type": "integer32", "JSONTransformerName": "StringToInteger"},
          "since": {"type": "date", "optional": true}
        },
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher"}}
      }
    }}
    """

  /// Heroes with values before and after what identifies them, powers as identifiers and as objects, publishers of two values.
  private static func payload(_ ids: some Sequence<Int>, age: Int = 30) -> String {
    let heroes = ids.map { id in
      """
      {"name": "Hero \(id)", "bio": {"id": 5, "powers": ["none"]}, "id": \(id), "age": \(age), "real_name": null,
       "powers": ["Flight \(id % 50)", {"rank": 1.5, "name": "Na\\u00efvet\\u00e9 \(id)"}],
       "publisher": \(id % 2 == 0 ? "[\"DE\", \"\(id)\"]" : "{\"since\": null, \"country\": \"FR\", \"number\": \"\(id)\"}")}
      """
    }
    return "[\(heroes.joined(separator: ","))]"
  }

  private func reads(_ count: Int, _ import: (ManagedObjectContext, Int) throws -> Void) throws -> Int {
    let model = try ManagedObjectModel(text: Self.heroes)
    let store = CountingStore(model)
    // So many objects that the store is not read as a whole.
    let filler = try ManagedObjectContext(model: model, store: store)
    try filler.importJSON(Self.payload(0..<5_000), ofEntity: "Hero")
    let context = try ManagedObjectContext(model: model, store: store)
    return try store.reads { try `import`(context, count) }
  }

  private func expectBatches(_ most: Int, _ import: (ManagedObjectContext, Int) throws -> Void) throws {
    let (few, many) = (try reads(10, `import`), try reads(1_000, `import`))
    #expect(few <= most && many <= few + 3, "\(few) reads for 10 objects, \(many) for 1,000")
  }

  @Test("S3: an import loads the objects that it names in batches, however many they are")
  func known() throws {
    try expectBatches(10) { context, count in
      let report = try context.importJSON(Self.payload(0..<count, age: 31), ofEntity: "Hero")
      #expect(report.updated["Hero"] == count && report.inserted.isEmpty)
    }
  }

  @Test("S3: identities that the store does not have are looked up in batches as well")
  func new() throws {
    try expectBatches(10) { context, count in
      let report = try context.importJSON(Self.payload(10_000..<10_000 + count), ofEntity: "Hero")
      #expect(report.inserted["Hero"] == count)
    }
  }

  @Test("S3: an import of objects that are in memory asks only for their relationships")
  func again() throws {
    let model = try ManagedObjectModel(text: Self.heroes)
    let store = CountingStore(model)
    let context = try ManagedObjectContext(model: model, store: store)
    // A new store has nothing to load.
    #expect(try store.reads { try context.importJSON(Self.payload(0..<300), ofEntity: "Hero") } == 0)
    #expect(try store.reads { try context.importJSON(Self.payload(0..<300), ofEntity: "Hero") } == 0)
    let other = try ManagedObjectContext(model: model, store: store)
    _ = try other.importJSON(Self.payload(0..<300), ofEntity: "Hero")
    #expect(try store.reads { try other.importJSON(Self.payload(0..<300), ofEntity: "Hero") } <= 3)
  }

  @Test(
    "S3: a payload that seems to name most of a table is read in two goes, and gives the same if it does not",
    arguments: [0..<3_000, 0..<700, 2_400..<6_000], [1, 400])
  func most(of numbers: Range<Int>, longest: Int) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "snakeCase", "entities": {
          "Note": {"identityAttributes": "id", "attributes": {"id": "integer64", "text": "string"}}
        }}
        """)
    let store = CountingStore(model)
    // The last texts may be much longer than the first.
    func payload(_ numbers: Range<Int>) -> String {
      let notes = numbers.map {
        #"{"id": \#($0), "text": "\#(String(repeating: "x", count: $0 < 600 ? 1 : longest))"}"#
      }
      return "[\(notes.joined(separator: ","))]"
    }
    try ManagedObjectContext(model: model, store: store).importJSON(payload(0..<3_000), ofEntity: "Note")
    let context = try ManagedObjectContext(model: model, store: store)
    var report = ImportReport()
    let reads = try store.reads { report = try context.importJSON(payload(numbers), ofEntity: "Note") }
    let known = numbers.clamped(to: 0..<3_000).count
    #expect((report.unchanged["Note"] ?? 0) == known && (report.inserted["Note"] ?? 0) == numbers.count - known)
    #expect(reads <= 3, "\(reads) reads")
    #expect(context.checkInvariants() == [])
  }

  @Test("S3: a relationship that is followed from one object after the other is loaded for many")
  func following() throws {
    let model = try ManagedObjectModel(text: Self.heroes)
    let store = CountingStore(model)
    try ManagedObjectContext(model: model, store: store).importJSON(Self.payload(0..<2_000), ofEntity: "Hero")
    let context = try ManagedObjectContext(model: model, store: store)
    var countries = 0
    var powers = 0
    let reads = store.reads {
      for hero in context.fetch(ofEntity: "Hero") {
        let publisher = hero["publisher"] as ManagedObject?
        if publisher?["country"] as String? != nil { countries += 1 }
        powers += (hero["powers"] as RelatedObjects<ManagedObject>).count
      }
    }
    #expect(countries == 2_000 && powers == 4_000)
    #expect(reads < 40)
  }
}
