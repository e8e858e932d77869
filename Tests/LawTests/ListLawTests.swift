import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// Lists of a few objects. Contexts change the lists before loading them, and roll the changes back.
///
/// `GRAFT_LIST_CASES` is the number of sequences for each kind of context; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of lists that are not loaded") struct ListLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_LIST_CASES", 60, found: [62, 303, 466, 619, 934, 2833])

  @Test(
    "S4: changes that are rolled back leave no trace in lists, regardless of what was loaded in the meantime",
    arguments: ContextSource.Kind.allCases)
  func takenBack(kind: ContextSource.Kind) throws { try ContextSource.Kind.withStorableTexts(kind) { try hold(kind) } }

  private func hold(_ kind: ContextSource.Kind) throws {
    var counts: [String: Int] = [:]
    var failures = 0
    for seed in ContextSource.Kind.part(of: Self.seeds, kind) where failures < 3 {
      var one = try ListCase(kind, seed: seed)
      do {
        try one.run()
      } catch {
        failures += 1
        Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)\n\(one.story.joined(separator: "\n"))")
      }
      counts.merge(one.counts, uniquingKeysWith: +)
    }
    print("S4 law of lists, \(kind): \(counts.sorted { $0.key < $1.key })")
    guard Self.seeds.count > 20, kind != .postgresql else { return }
    for what in ["commits", "failed imports", "failed transactions", "rollbacks", "merges"] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }
}

/// A sequence of steps of one or two contexts, on objects of two entities and their lists of all kinds.
struct ListCase {
  static let loaded = try? ManagedObjectModel(
    text: """
      {"keyStrategy": "sameName", "entities": {
        "A": {
          "identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}},
          "relationships": {
            "queue": {"destination": "B", "toMany": true, "ordered": true, "inverse": "inQueue"},
            "bag": {"destination": "B", "toMany": true, "inverse": "inBag", "mergeRule": "union"},
            "row": {"destination": "B", "toMany": true, "ordered": true, "inverse": "rows"},
            "web": {"destination": "B", "toMany": true, "inverse": "webs", "mergeRule": "union"},
            "path": {"destination": "B", "toMany": true, "ordered": true, "mergeRule": "union"},
            "heap": {"destination": "B", "toMany": true}}},
        "B": {
          "identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}},
          "relationships": {
            "inQueue": {"destination": "A", "inverse": "queue"},
            "inBag": {"destination": "A", "inverse": "bag"},
            "rows": {"destination": "A", "toMany": true, "ordered": true, "inverse": "row"},
            "webs": {"destination": "A", "toMany": true, "inverse": "web", "mergeRule": "union"},
            "next": {"destination": "B"}}}}}
      """, name: "m.json")
  private static let lists = [
    "A": ["queue", "bag", "row", "web", "path", "heap"], "B": ["rows", "webs"],
  ]
  private static let toOnes = ["inQueue", "inBag"]

  private struct Refusal: Error {}

  private(set) var story: [String] = []
  private(set) var counts: [String: Int] = [:]
  private let kind: ContextSource.Kind
  private var random: SeededRandom
  private var members: [(name: String, context: ManagedObjectContext)] = []
  private var source: ContextSource?

  init(_ kind: ContextSource.Kind, seed: UInt64) throws {
    self.kind = kind
    random = SeededRandom(seed: seed)
  }

  mutating func run() throws {
    let start = random.next()
    let steps = (0..<4 + random.below(24)).map { _ in random.next() }
    try LawSeeds.run(steps) { try compare($0, start) }
  }

  /// Runs the steps, and compares the final graph with that of a context that skips the steps that fail and are rolled back.
  private mutating func compare(_ steps: [UInt64], _ start: UInt64) throws {
    guard try run(steps, start) else { return }
    let (dump, story) = (lines(members[0].context.dumpText), story)
    _ = try run(steps, start, skipsFailures: true)
    let other = lines(members[0].context.dumpText)
    self.story = story
    if dump != other {
      throw LawFailure("a context that never failed, and one that did:\n\(difference(other, dump))")
    }
    try settle()
  }

  /// - Parameter steps: a seed for each step, so that the remaining steps are unchanged if some are left out.
  /// - Returns: whether there is only one context, whose changes are still pending.
  private mutating func run(_ steps: [UInt64], _ start: UInt64, skipsFailures: Bool = false) throws -> Bool {
    random = SeededRandom(seed: start)
    story = []
    let source = try ContextSource(kind, #require(Self.loaded))
    self.source = source
    let isAlone = random.chance(percent: 40)
    try fill(source)
    members = [("mine", try source.context())]
    if !isAlone { members.append(("theirs", try source.context())) }
    let policy: ConflictPolicy = random.pick([.refuse, .storeWins, .contextWins, .mergeByProperty])
    story.append("\(kind), \(policy)")
    for member in members { member.context.conflictPolicy = policy }
    for seed in steps {
      random = SeededRandom(seed: seed)
      let (name, context) = random.pick(members)
      try step(name, context, skipsFailures)
      try expectInvariants()
    }
    if !isAlone { try settle() }
    return isAlone
  }

  /// Objects that the contexts have not loaded.
  private mutating func fill(_ source: ContextSource) throws {
    let context = try source.context()
    for _ in 0..<6 {
      let (payload, entity) = payload()
      story.append("import \(entity) \(payload)")
      try context.load(payload, entity)
    }
    try source.replaceParents()
  }

  // MARK: Steps

  private mutating func step(_ name: String, _ context: ManagedObjectContext, _ skipsFailures: Bool) throws {
    switch random.below(16) {
    case 0: try commit(name, context)
    case 1, 2:
      story.append("\(name): roll back")
      context.rollBack()
      count("rollbacks")
      if context.hasChanges { throw LawFailure("\(name) has changes after rolling back") }
      try expectStored(name, context)
    case 3:
      story.append("\(name): merge")
      count(try context.mergeOrStay() ?? false ? "merges" : "merges without effect")
    case 4, 5, 6:
      let fails = random.chance(percent: 70)
      if fails, skipsFailures { return }
      let count = 1 + random.below(5)
      story.append("\(name): \(count) in a transaction that \(fails ? "fails" : "succeeds")")
      do {
        try context.atomically {
          for _ in 0..<count { try change(name, context, skipsFailures) }
          if fails { throw Refusal() }
        }
      } catch is Refusal {
        self.count("failed transactions")
      } catch is ConflictError {
        self.count("conflicts")
      }
    default: try change(name, context, skipsFailures)
    }
  }

  private mutating func change(_ name: String, _ context: ManagedObjectContext, _ skipsFailures: Bool) throws {
    switch random.below(10) {
    case 0: try load(name, context)
    case 1...3:
      var (payload, entity) = payload()
      let fails = random.chance(percent: 30)
      if fails {
        if skipsFailures { return }
        payload = "\(payload.dropLast()), {\"id\": 1, \"n\": \"wrong\"}]"
      }
      story.append("\(name): import \(entity) \(payload)")
      do {
        try context.load(payload, entity)
      } catch is ImportError {
        count("failed imports")
      } catch is ConflictError {
        count("conflicts")
      }
    case 4:
      let (entity, id) = (random.pick(["A", "B"]), id())
      if random.chance(percent: 50) { return try load(name, context) }
      story.append("\(name): delete \(entity) \(id)")
      if let object = try context.find(ofEntity: entity, identity: id) { try context.delete(object) }
    case 5, 6:
      let (id, property, target) = (id(), random.pick(Self.toOnes), random.chance(percent: 20) ? nil : self.id())
      story.append("\(name): set B \(id).\(property) = \(target.map { "\($0)" } ?? "nil")")
      guard let object = try context.find(ofEntity: "B", identity: id) else { return }
      object[property] = try target.flatMap { try context.find(ofEntity: "A", identity: $0) }
    default: try edit(name, context)
    }
  }

  /// Reads an object or a list that might not be in memory.
  private mutating func load(_ name: String, _ context: ManagedObjectContext) throws {
    let (entity, id) = (random.pick(["A", "B"]), id())
    let list = random.pick(Self.lists[entity] ?? [])
    if random.chance(percent: 20) {
      story.append("\(name): fetch all \(entity)")
      _ = try context.fetch(ofEntity: entity)
      return
    }
    story.append("\(name): read \(entity) \(id).\(list)")
    guard let object = try context.find(ofEntity: entity, identity: id) else { return }
    if random.chance(percent: 60) { _ = (object[list] as RelatedObjects<ManagedObject>).count }
  }

  /// Changes a list in code.
  private mutating func edit(_ name: String, _ context: ManagedObjectContext) throws {
    let (entity, id, other) = (random.pick(["A", "B"]), id(), id())
    let list = random.pick(Self.lists[entity] ?? [])
    let isInsertion = random.chance(percent: 65)
    story.append("\(name): \(isInsertion ? "insert \(other) into" : "remove \(other) from") \(entity) \(id).\(list)")
    guard let object = try context.find(ofEntity: entity, identity: id),
      let member = try context.find(ofEntity: entity == "A" ? "B" : "A", identity: other)
    else { return }
    let members: RelatedObjects<ManagedObject> = object[list]
    if isInsertion { members.insert(member) } else { members.remove(member) }
  }

  private mutating func id() -> Int { 1 + random.below(6) }

  /// An array of one to three objects.
  private mutating func payload() -> (payload: String, entity: String) {
    let entity = random.pick(["A", "B"])
    let objects = (0..<1 + random.below(3)).map { _ in
      var fields = ["\"id\": \(id())"]
      if random.chance(percent: 30) { fields.append("\"n\": \(random.below(9))") }
      for list in Self.lists[entity] ?? [] where random.chance(percent: 35) {
        let members = (0..<random.below(5)).map { _ in "\(id())" }
        fields.append("\"\(list)\": [\(members.joined(separator: ", "))]")
      }
      if entity == "B" {
        for property in Self.toOnes where random.chance(percent: 40) {
          fields.append("\"\(property)\": \(random.chance(percent: 20) ? "null" : "\(id())")")
        }
      }
      return "{\(fields.joined(separator: ", "))}"
    }
    return ("[\(objects.joined(separator: ", "))]", entity)
  }

  private mutating func commit(_ name: String, _ context: ManagedObjectContext) throws {
    story.append("\(name): commit")
    do {
      try context.commit()
      count("commits")
    } catch is ConflictError {
      count("conflicts")
      story.append("  conflict, roll back")
      context.rollBack()
      try expectStored(name, context)
    }
  }

  // MARK: Expecting

  /// Checks that a context without changes has the same contents as a new context.
  private mutating func expectStored(_ name: String, _ context: ManagedObjectContext) throws {
    try expectInvariants()
    // Reading the whole graph would hide the effect on lists that are not loaded.
    guard random.chance(percent: 50), let source else { return }
    story.append("\(name): merge and compare")
    try context.merge()
    let (expected, found) = (lines(try source.context().dumpText), lines(context.dumpText))
    if expected != found {
      throw LawFailure("a new context and \(name) after a merge:\n\(difference(expected, found))")
    }
  }

  /// Checks that all contexts have the same contents as a new context at the end.
  private mutating func settle() throws {
    guard let source else { return }
    story.append("in the end:")
    for (name, context) in members.reversed() {
      try commit(name, context)
      try expectInvariants()
    }
    for (name, context) in members {
      try context.merge()
      try expectInvariants()
      let (expected, found) = (lines(try source.context().dumpText), lines(context.dumpText))
      if expected != found {
        throw LawFailure("a new context and \(name) at the end:\n\(difference(expected, found))")
      }
    }
    try source.commitParents()
    if case let faults = try source.faults(), !faults.isEmpty {
      throw LawFailure("the store is damaged: \(faults)")
    }
  }

  /// The lines of a dump, regardless of the order of the objects.
  private func lines(_ dump: String) -> [String] {
    dump.split(separator: "\n").map { String($0.hasSuffix(",") ? $0.dropLast() : $0) }.sorted()
  }

  private func difference(_ expected: [String], _ found: [String]) -> String {
    (expected.filter { !found.contains($0) }.map { "- \($0)" }
      + found.filter { !expected.contains($0) }.map { "+ \($0)" })
      .joined(separator: "\n")
  }

  private func expectInvariants() throws {
    for (name, context) in members {
      let faults = context.checkInvariants()
      if !faults.isEmpty { throw LawFailure("\(name): \(faults)") }
    }
  }

  private mutating func count(_ what: String) { counts[what, default: 0] += 1 }
}
