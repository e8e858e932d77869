import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// `@value` is a different location for the same value (M23): a payload in which elements are the `@value` of their objects has the same
/// meaning as a payload with these values under their own key.
///
///     "entries": [5, {"added": "x", "id": 6}]                          song: "@value"
///     "entries": [{"song": 5}, {"added": "x", "song": {"id": 6}}]      song: "song"
///
/// `GRAFT_LAW_CASES` sets the number of cases, `GRAFT_LAW_SEED` selects one by its seed.
@Suite("Laws of element values") struct ElementValueLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_LAW_CASES", 400)

  @Test("M23: an import has the same effect for every form of payload, in memory and on a store")
  func otherPlace() throws {
    var (succeeded, failed) = (0, 0)
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let catalog = RandomCatalog(&random)
      let (model, plain) = try (catalog.model(atValue: true), catalog.model(atValue: false))
      let contexts = [
        ManagedObjectContext(model: model), ManagedObjectContext(model: model), ManagedObjectContext(model: plain),
      ]
      let store = try SQLiteStore.inMemory(model: model)
      for _ in 0..<3 {
        let isKeyed = catalog.isKeyed
        let (shared, nested) = catalog.payload(&random)
        let stored = try ManagedObjectContext(model: model, store: store)
        var options = ImportOptions()
        options.unknownKeys = random.chance(percent: 50) ? .error : .ignore
        let dictionary = try JSONSerialization.jsonObject(with: Data(shared.utf8)) as? [String: Any] ?? [:]
        let results = [
          try Self.result { try object(ofEntity: "List", fromJSON: shared, in: contexts[0], options: options) },
          try Self.result { try object(ofEntity: "List", fromJSON: dictionary, in: contexts[1], options: options) },
          try Self.result { try object(ofEntity: "List", fromJSON: nested, in: contexts[2], options: options) },
          try Self.result { try object(ofEntity: "List", fromJSON: shared, in: stored, options: options) },
        ]
        let note: Comment = "GRAFT_LAW_SEED=\(seed)\n\(catalog.text(atValue: true))\n\(shared)\n\(nested)"
        // A dictionary has its members in a different order, and each key once.
        #expect(results[1] == results[0] || isKeyed, note)
        #expect(results[2] == results[0], note)
        #expect(results[3] == results[0], note)
        let dumps = contexts.map { $0.dump() }
        #expect(dumps[2] == dumps[0], note)
        if !catalog.hasAnonymous {
          #expect(dumps[1] == dumps[0], note)
          try stored.commit()
          let all = try ManagedObjectContext(model: model, store: store)
          for entity in model.entities { _ = try all.fetch(ofEntity: entity.name) }
          #expect(all.dump() == dumps[0], note)
        }
        #expect((contexts + [stored]).flatMap { $0.checkInvariants() } == [], note)
        if results[0].isEmpty { succeeded += 1 } else { failed += 1 }
      }
    }
    if Self.seeds.count > 10 { #expect(succeeded > Self.seeds.count && failed > Self.seeds.count / 4) }
  }

  @Test("E4: importing an export again changes nothing in its own graph, and reproduces the graph in an empty context")
  func export() throws {
    var count = 0
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let catalog = RandomCatalog(&random)
      let context = ManagedObjectContext(model: try catalog.model(atValue: true))
      for _ in 0..<2 { _ = try? object(ofEntity: "List", fromJSON: catalog.payload(&random).shared, in: context) }
      var options = ExportOptions()
      options.omitsNil = random.chance(percent: 30)
      options.sortsKeys = random.chance(percent: 30)
      options.sharedObjects = random.chance(percent: 20) ? .once : .full
      options.incompleteRelationships = random.chance(percent: 30) ? .omit : .error
      if random.chance(percent: 25) { options.maxDepth = 1 + random.below(6) }
      let isChosen = !catalog.hasAnonymous && random.chance(percent: 20)
      if isChosen { options.properties = ["List": ["entries"], "Entry": ["added"]] }
      if !catalog.isIdentifiedBySong, random.chance(percent: 25), let entry = try context.fetch(ofEntity: "Entry").first
      {
        entry["song"] = ManagedObject?.none
      }
      let lists = try context.fetch(ofEntity: "List")
      guard let text = try? jsonString(from: lists, options: options), !lists.isEmpty else { continue }
      let note: Comment = "GRAFT_LAW_SEED=\(seed)\n\(catalog.text(atValue: true))\n\(text)\n\(context.dump())"
      let before = context.dump()
      #expect(throws: Never.self, note) { try objects(ofEntity: "List", fromJSON: text, in: context) }
      if !catalog.hasAnonymous { #expect(context.dump() == before, note) }
      count += 1
      // Some required values can be missing.
      if isChosen || options.maxDepth < 512 { continue }
      let other = ManagedObjectContext(model: context.model)
      #expect(throws: Never.self, note) { try objects(ofEntity: "List", fromJSON: text, in: other) }
      // Omitted values are missing in the copy.
      if options.incompleteRelationships == .omit { continue }
      let again = try jsonString(from: other.fetch(ofEntity: "List"), options: options)
      #expect(again == text, note)
    }
    if Self.seeds.count > 10 { #expect(count > Self.seeds.count / 2) }
  }

  /// Returns the sorted codes of an import's errors.
  private static func result(_ body: () throws -> ManagedObject?) throws -> [String] {
    do {
      _ = try body()
      return []
    } catch let error as ImportError {
      return error.diagnostics.map(\.code.rawValue).sorted()
    }
  }
}

/// A random model with lists of entries, whose `@value` is a song or a medium, and payloads for this model.
struct RandomCatalog {
  let isKeyed: Bool
  private let isOwned: Bool
  let isIdentifiedBySong: Bool
  private let hasIndex: Bool
  private let isHierarchy: Bool
  private let isComposite: Bool
  private let isAnonymous: Bool
  private let hasTitle: Bool
  private let writesIdentifiers: Bool
  private let hasReferences: Bool
  private let isBestOptional: Bool

  /// Whether there are objects without identity, which each import inserts again.
  var hasAnonymous: Bool { isAnonymous || !isOwned && !isKeyed }

  init(_ random: inout SeededRandom) {
    isKeyed = random.chance(percent: 25)
    isOwned = !isKeyed && random.chance(percent: 60)
    hasIndex = !isKeyed && (isOwned || random.chance(percent: 30))
    isAnonymous = random.chance(percent: 15)
    isIdentifiedBySong = isOwned && !isAnonymous && random.chance(percent: 40)
    isHierarchy = random.chance(percent: 35)
    isComposite = random.chance(percent: 25)
    hasTitle = random.chance(percent: 50)
    writesIdentifiers = random.chance(percent: 25)
    hasReferences = !isAnonymous && random.chance(percent: 20)
    isBestOptional = random.chance(percent: 50)
  }

  // MARK: Models

  func model(atValue: Bool) throws -> ManagedObjectModel { try ManagedObjectModel(text: text(atValue: atValue)) }

  func text(atValue: Bool) -> String {
    let place = atValue ? #""JSONKeyPath": "@value""# : #""JSONKeyPath": "song""#
    let identity =
      isOwned
      ? #""identityAttributes": ["list", \#(isIdentifiedBySong ? #""song""# : #""position""#)], "#
      : isKeyed ? #""identityAttributes": ["list", "key"], "# : ""
    let list =
      #""list": {"destination": "List", "inverse": "entries", "JSONKeyPath": null}"#
    let position =
      hasIndex ? #""position": {"type": "integer32", "optional": true, "JSONKeyPath": "@index"}, "# : ""
    let key = isKeyed ? #""key": {"type": "string", "JSONKeyPath": "@key"}, "# : ""
    let songIdentity = isAnonymous ? "" : #""identityAttributes": \#(isComposite ? #"["id", "disc"]"# : #""id""#), "#
    let mapper =
      isHierarchy
      ? #""entityMapper": {"JSONKeyPath": "kind", "entities": {"s": "Song", "f": "Film"}}, "# : ""
    let words =
      (hasReferences ? #", "JSONReferences": true"# : "")
      + (writesIdentifiers && !isAnonymous ? #", "JSONRepresentation": "identifier""# : "")
    let film =
      isHierarchy
      ? #", "Film": {"parent": "Song", "attributes": {"length": {"type": "double", "optional": true}}}"# : ""
    return """
      {"keyStrategy": "sameName", "entities": {
      "List": {"identityAttributes": "lid", "attributes": {"lid": "integer64"}, "relationships": {
        "entries": {"destination": "Entry", "toMany": true, "ordered": \(!isKeyed), "inverse": "list"},
        "shown": {"destination": "Song", "optional": \(isBestOptional)}}},
      "Entry": {\(identity)"attributes": {\(position)\(key)"added": {"type": "string", "optional": true},
        "count": {"type": "integer16", "default": 1, "JSONKeyPath": "stats.count"}}, "relationships": {\(list),
        "by": {"destination": "User", "inverse": "entries"},
        "song": {"destination": "Song", "inverse": "songEntries", \(place)\(words)}}},
      "Song": {\(songIdentity)\(mapper)"attributes": {"id": {"type": "integer64", "optional": \(isAnonymous)},
        "disc": {"type": "string", "optional": \(isAnonymous || !isComposite)},
        "title": {"type": "string", "optional": \(!hasTitle)}, "year": {"type": "integer16", "optional": true}},
        "relationships": {"album": {"destination": "Album"}, "tags": {"destination": "Tag", "toMany": true},
          "songEntries": {"destination": "Entry", "toMany": true, "inverse": "song", "JSONKeyPath": null}}},
      "Album": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}},
      "Tag": {"identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONKeyPath": \
      \(atValue ? #""@value""# : #""name""#)}}},
      "User": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
        "relationships": {"entries": {"destination": "Entry", "toMany": true, "inverse": "by", "JSONKeyPath": null}}}\(film)
      }}
      """
  }

  // MARK: Payloads

  /// Makes the same payload for both models.
  func payload(_ random: inout SeededRandom) -> (shared: String, nested: String) {
    var members = (JSONObject([("lid", .number(JSONNumber(random.below(2))))]), JSONObject([]))
    members.1 = members.0
    var elements: [(shared: JSON, nested: JSON)] = []
    for _ in 0..<random.below(5) { elements.append(entry(&random)) }
    if isKeyed {
      var (shared, nested) = (JSONObject([]), JSONObject([]))
      for (index, element) in elements.enumerated() {
        (shared["k\(index)"], nested["k\(index)"]) = element
      }
      (members.0["entries"], members.1["entries"]) = (.object(shared), .object(nested))
    } else {
      (members.0["entries"], members.1["entries"]) = (
        .array(elements.map(\.shared)), .array(elements.map(\.nested))
      )
    }
    if !isBestOptional || random.chance(percent: 40) {
      let song = song(&random)
      (members.0["shown"], members.1["shown"]) = (.object(JSONObject(song.0)), .object(JSONObject(song.1)))
    }
    return (JSON.object(members.0).description, JSON.object(members.1).description)
  }

  private func entry(_ random: inout SeededRandom) -> (shared: JSON, nested: JSON) {
    if !isIdentifiedBySong, random.chance(percent: 5) { return (.null, .null) }
    if !isAnonymous, random.chance(percent: 35) {
      let identifier = identifier(&random)
      return (identifier, .object(["song": identifier]))
    }
    var own: [JSONObject.Member] = []
    if random.chance(percent: 50) {
      own.append(("added", random.pick(["x", "y", nil, random.chance(percent: 10) ? 7 : "z"])))
    }
    if random.chance(percent: 40) {
      own.append(("stats", .object(["count": random.chance(percent: 8) ? "many" : 4])))
    }
    if random.chance(percent: 30) {
      own.append(("by", random.pick([1, .object(["id": 2, "name": "n"]), nil])))
    }
    if random.chance(percent: 6) { own.append(("strange", .object(["id": 1]))) }
    let song = song(&random)
    // The members can be in any order; the values that an object reads are applied in the same order.
    let mixed = random.chance(percent: 50) ? own + song.0 : song.0 + own
    return (.object(JSONObject(mixed)), .object(JSONObject(own + [("song", .object(JSONObject(song.1)))])))
  }

  /// The members of a song for both models.
  private func song(_ random: inout SeededRandom) -> ([JSONObject.Member], [JSONObject.Member]) {
    var members: [JSONObject.Member] = []
    if isHierarchy, random.chance(percent: 85) { members.append(("kind", random.pick(["s", "f", "f"]))) }
    let number = random.below(4)
    if !random.chance(percent: 4) {
      members.append(("id", random.chance(percent: 4) ? "bad" : .number(JSONNumber(number))))
    }
    if isComposite || random.chance(percent: 20) { members.append(("disc", "d")) }
    if !hasReferences || random.chance(percent: 60) {
      members.append(("title", .string("t\(random.below(3))")))
    }
    if random.chance(percent: 30) { members.append(("year", random.pick([1999, 2000, nil]))) }
    if random.chance(percent: 20), isHierarchy { members.append(("length", 1.5)) }
    if random.chance(percent: 25) {
      members.append(("album", random.pick([1, .object(["id": 2, "name": "a"]), nil])))
    }
    var other = members
    if random.chance(percent: 25) {
      let tags = (0..<random.below(3)).map { _ in JSON.string(random.pick(["p", "q"])) }
      members.append(("tags", .array(tags)))
      other.append(("tags", .array(tags.map { .object(["name": $0]) })))
    }
    return (members, other)
  }

  private func identifier(_ random: inout SeededRandom) -> JSON {
    if random.chance(percent: 3) { return "bad" }
    let number = JSON.number(JSONNumber(random.below(4)))
    return isComposite ? .array([number, "d"]) : number
  }
}
