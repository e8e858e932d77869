import Graft
import GraftTestSupport
import Testing

/// The number of times a store is read (S3), which is the same for a thousand objects as for ten.
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

  /// Heroes that have values before and after their identity, powers as identifiers and as objects, and publishers that are identified by
  /// two values.
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
    // Enough objects that the store is not read in full.
    let filler = try ManagedObjectContext(model: model, store: store)
    try filler.importJSON(Self.payload(0..<5_000), ofEntity: "Hero")
    let context = try ManagedObjectContext(model: model, store: store)
    return try store.reads { try `import`(context, count) }
  }

  private func expectBatches(_ most: Int, _ import: (ManagedObjectContext, Int) throws -> Void) throws {
    let (few, many) = (try reads(10, `import`), try reads(1_000, `import`))
    #expect(few <= most && many <= few + 3, "\(few) reads for 10 objects, \(many) for 1,000")
  }

  @Test("S3: an import loads the objects that it names in batches, regardless of their number")
  func known() throws {
    try expectBatches(10) { context, count in
      let report = try context.importJSON(Self.payload(0..<count, age: 31), ofEntity: "Hero")
      #expect(report.updated["Hero"] == count && report.inserted.isEmpty)
    }
  }

  @Test("S3: identities that the store does not have are also looked up in batches")
  func new() throws {
    try expectBatches(10) { context, count in
      let report = try context.importJSON(Self.payload(10_000..<10_000 + count), ofEntity: "Hero")
      #expect(report.inserted["Hero"] == count)
    }
  }

  @Test("S3: an import into objects in memory reads only their relationships")
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
    "S3: a payload that seems to name most of a table is read in two parts; the result is the same if it does not",
    arguments: [0..<3_000, 0..<700, 2_400..<6_000], [1, 400])
  func most(of numbers: Range<Int>, longest: Int) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "snakeCase", "entities": {
          "Note": {"identityAttributes": "id", "attributes": {"id": "integer64", "text": "string"}}
        }}
        """)
    let store = CountingStore(model)
    // The last strings can be much longer than the first.
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

  @Test("S3: a relationship that is followed from one object after another is loaded for many objects")
  func following() throws {
    let model = try ManagedObjectModel(text: Self.heroes)
    let store = CountingStore(model)
    try ManagedObjectContext(model: model, store: store).importJSON(Self.payload(0..<2_000), ofEntity: "Hero")
    let context = try ManagedObjectContext(model: model, store: store)
    var countries = 0
    var powers = 0
    let reads = try store.reads {
      for hero in try context.fetch(ofEntity: "Hero") {
        let publisher = hero["publisher"] as ManagedObject?
        if publisher?["country"] as String? != nil { countries += 1 }
        powers += (hero["powers"] as RelatedObjects<ManagedObject>).count
      }
    }
    #expect(countries == 2_000 && powers == 4_000)
    #expect(reads < 40)
  }

  // MARK: Identities that are not plain attributes

  /// Expects an import of a store's objects to read the store as often for a thousand objects as for ten.
  private func expectBatches(
    _ model: ManagedObjectModel, _ entity: String, most: Int = 8, stored: Range<Int> = 0..<5_000,
    sourceLocation: Testing.SourceLocation = #_sourceLocation, _ payload: (Range<Int>, _ name: String) -> String
  ) throws {
    let store = CountingStore(model)
    try ManagedObjectContext(model: model, store: store).importJSON(payload(stored, "old"), ofEntity: entity)
    var reads: [Int] = []
    for count in [10, 1_000] {
      for first in [0, 3_000, stored.upperBound] {
        let context = try ManagedObjectContext(model: model, store: store)
        let ids = first..<first + count
        reads.append(try store.reads { try context.importJSON(payload(ids, "new \(count)"), ofEntity: entity) })
        let fresh = first == stored.upperBound ? "inserted" : "updated"
        #expect(context.checkInvariants() == [], "\(fresh)", sourceLocation: sourceLocation)
      }
    }
    #expect(reads.allSatisfy { $0 <= most }, "\(reads) reads", sourceLocation: sourceLocation)
    // Existing objects were found, and not inserted again.
    let context = try ManagedObjectContext(model: model, store: store)
    #expect(try context.count(ofEntity: entity) == stored.count + 1_000, sourceLocation: sourceLocation)
    #expect(
      try context.fetch(ofEntity: entity).prefix(1_000).allSatisfy { $0["name"] == "new 1000" },
      sourceLocation: sourceLocation)
  }

  private static func things(_ attributes: String, _ options: String = "") -> String {
    """
    {"keyStrategy": "sameName", "entities": {"Thing": {\(options)
      "identityAttributes": "id", "attributes": {\(attributes), "name": {"type": "string", "optional": true}}
    }}}
    """
  }

  private static func list(_ ids: Range<Int>, _ element: (Int) -> String) -> String {
    "[\(ids.map(element).joined(separator: ","))]"
  }

  @Test(
    "S3: objects under keys that identify them are loaded in batches",
    arguments: [
      ("integer64", ""), ("string", ""), ("decimal", ""), ("double", ""),
      ("integer32", #", "JSONTransformerName": "StringToInteger""#),
      ("string", #", "JSONTransformerName": "Lowercase""#),
    ])
  func keys(type: String, transformer: String) throws {
    let model = try ManagedObjectModel(
      text: Self.things(#""id": {"type": "\#(type)", "JSONKeyPath": "@key"\#(transformer)}"#))
    try expectBatches(model, "Thing") { ids, name in
      "{\(ids.map { #""\#($0)": {"name": "\#(name)"}"# }.joined(separator: ","))}"
    }
  }

  @Test("S3: a key that is an alias identifies objects whose main key has no value")
  func keyAliases() throws {
    let model = try ManagedObjectModel(
      text: Self.things(#""id": {"type": "integer64", "JSONKeyPath": "number", "JSONKeyPathAliases": ["@key"]}"#))
    try expectBatches(model, "Thing") { ids, name in
      "{\(ids.map { #""\#($0 % 2 == 0 ? "x" : "")\#($0)": {"name": "\#(name)"\#($0 % 2 == 0 ? ", \"number\": \($0)" : "")}"# }.joined(separator: ","))}"
    }
  }

  @Test("S3: collections by key in relationships are loaded in batches, as are values under keys")
  func nestedKeys() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Thing": {
            "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"parts": {"destination": "Part", "toMany": true, "inverse": "thing"}}
          },
          "Part": {
            "identityAttributes": "code",
            "attributes": {
              "code": {"type": "string", "JSONKeyPath": "@key"}, "weight": {"type": "integer64", "JSONKeyPath": "@value"}
            },
            "relationships": {"thing": {"destination": "Thing", "inverse": "parts", "optional": true}}
          }
        }}
        """)
    try expectBatches(model, "Thing", most: 10) { ids, name in
      Self.list(ids) { #"{"id": \#($0), "name": "\#(name)", "parts": {"a\#($0)": 1, "b\#($0)": 2}}"# }
    }
  }

  @Test(
    "S3: dictionaries read by a transformer or a mapper are loaded in batches if their identities do not change"
  )
  func closures() throws {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Tidy") { dictionary in
      var dictionary = dictionary
      dictionary["name"] = dictionary.removeValue(forKey: "title")
      return dictionary
    }
    registry.registerEntityMapper(named: "Kind") { dictionary in dictionary["wheels"] == nil ? "Thing" : "Car" }
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Thing": {
            "JSONDictionaryTransformerName": "Tidy", "entityMapperName": "Kind",
            "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}
          },
          "Car": {"parent": "Thing", "attributes": {"wheels": "integer16"}}
        }}
        """, transformers: registry)
    try expectBatches(model, "Thing") { ids, name in
      Self.list(ids) { #"{"title": "\#(name)"\#($0 % 2 == 0 ? ", \"wheels\": 4" : ""), "id": \#($0)}"# }
    }
  }

  @Test("S3: identities that sub-entities declare are loaded in batches")
  func identitiesOfSubentities() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Thing": {
            "abstract": true, "entityMapper": {"JSONKeyPath": "kind", "entities": {"car": "Car", "boat": "Boat"}},
            "attributes": {"name": {"type": "string", "optional": true}}
          },
          "Boat": {"parent": "Thing", "identityAttributes": "id", "attributes": {"id": "string"}},
          "Car": {
            "parent": "Thing", "identityAttributes": ["id", "country"],
            "attributes": {"id": "integer64", "country": "string"}
          }
        }}
        """)
    try expectBatches(model, "Thing") { ids, name in
      Self.list(ids) { id in
        id % 2 == 0
          ? #"{"kind": "boat", "id": "\#(id)", "name": "\#(name)"}"#
          : #"{"kind": "car", "id": \#(id), "country": "DE", "name": "\#(name)"}"#
      }
    }
  }

  @Test("S3: objects identified inside their owners are found in the owners' lists")
  func ownedObjects() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Thing": {
            "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"parts": {"destination": "Part", "toMany": true, "inverse": "thing", "mergeRule": "union"}}
          },
          "Part": {
            "identityAttributes": ["thing", "number"],
            "attributes": {"number": "integer64", "note": {"type": "string", "optional": true}},
            "relationships": {"thing": {"destination": "Thing", "inverse": "parts"}}
          }
        }}
        """)
    try expectBatches(model, "Thing", most: 10) { ids, name in
      Self.list(ids) { id in
        let parts = Self.list(0..<3) { #"{"number": \#($0 + name.utf8.count), "note": "\#(name)"}"# }
        return #"{"id": \#(id), "name": "\#(name)", "parts": \#(parts)}"#
      }
    }
  }

  @Test(
    "S3: if identities are not known in advance, an import that looks up many of a table's objects loads the table")
  func unknownIdentities() throws {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Negative") { (value: Int) -> Int? in -value }
    let model = try ManagedObjectModel(
      text: Self.things(#""id": {"type": "integer64", "JSONTransformerName": "Negative"}"#), transformers: registry)
    let store = CountingStore(model)
    func payload(_ ids: Range<Int>, _ name: String) -> String {
      Self.list(ids) { #"{"id": \#($0), "name": "\#(name)"}"# }
    }
    try ManagedObjectContext(model: model, store: store).importJSON(payload(0..<1_000, "old"), ofEntity: "Thing")
    let context = try ManagedObjectContext(model: model, store: store)
    let reads = try store.reads {
      let report = try context.importJSON(payload(0..<1_000, "new"), ofEntity: "Thing")
      #expect(report.updated == ["Thing": 1_000] && report.inserted.isEmpty)
    }
    #expect(reads < 270)
    // If the payload has few objects and the table has many, each is looked up separately.
    let other = try ManagedObjectContext(model: model, store: store)
    #expect(try store.reads { try other.importJSON(payload(0..<100, "newer"), ofEntity: "Thing") } == 101)
  }

  // MARK: Deletions

  @Test(
    "S3: objects that are deleted at the end of an import are loaded in batches",
    arguments: ["orphans", "missing", "marked"])
  func deletions(reason: String) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Thing": {
            "identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
            "attributes": {"id": "integer64"},
            "relationships": {
              "parts": {"destination": "Part", "toMany": true, "inverse": "thing", "deleteRule": "cascade", "deleteOrphans": true}
            }
          },
          "Part": {
            "attributes": {"number": "integer64"},
            "relationships": {
              "thing": {"destination": "Thing", "inverse": "parts", "optional": true},
              "screws": {"destination": "Screw", "toMany": true, "deleteRule": "cascade", "optional": true}
            }
          },
          "Screw": {"attributes": {"size": "integer64"}}
        }}
        """)
    var reads: [Int] = []
    for count in [10, 1_000] {
      let store = CountingStore(model)
      func things(_ number: Int) -> String {
        Self.list(0..<count) {
          #"{"id": \#($0), "parts": [{"number": \#(number), "screws": [{"size": \#($0)}, {"size": 2}]}]}"#
        }
      }
      try ManagedObjectContext(model: model, store: store).importJSON(things(1), ofEntity: "Thing")
      let context = try ManagedObjectContext(model: model, store: store)
      let payload =
        switch reason {
        case "orphans": things(2)
        case "missing": "[]"
        default: Self.list(0..<count) { #"{"id": \#($0), "gone": true}"# }
        }
      let part = ImportPart.objects(ofEntity: "Thing", missing: reason == "missing" ? .delete : .keep)
      reads.append(
        try store.reads {
          let report = try context.importJSON(payload, [part])
          #expect(report.deleted["Part"] == count && report.deleted["Screw"] == 2 * count)
          #expect(report.deleted["Thing"] == (reason == "orphans" ? nil : count))
        })
      #expect(context.checkInvariants() == [])
    }
    #expect(reads[1] <= reads[0] + 3, "\(reads) reads")
  }
}
