import GraftTestSupport
import Testing

@testable import Graft

/// The result of a rebase if two sides change one object, for each kind of property and each policy.
///
/// An object is written as `n=1 boss=2`; `-` represents a deleted object, and `.` an object that does not exist.
@Suite("Rebase") struct RebaseTests {
  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Node": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}, "m": {"type": "integer64", "optional": true}},
        "relationships": {
          "boss": {"destination": "Node", "inverse": "team"},
          "team": {"destination": "Node", "toMany": true, "ordered": true, "inverse": "boss"},
          "tags": {"destination": "Tag", "toMany": true, "inverse": "nodes"}}},
      "Tag": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"nodes": {"destination": "Node", "toMany": true, "inverse": "tags"}}}}}
    """

  private static let policies: [ConflictPolicy] = [.refuse, .storeWins, .contextWins, .mergeByProperty]

  /// The layout of the model's store, with short methods for its parts.
  private struct Layout {
    let map: StoreMap
    let node: Int

    init() throws {
      let model = try ManagedObjectModel(text: RebaseTests.model, name: "m.json")
      map = StoreMap(StoreSchema(model))
      node = try #require(map.schema.tables.firstIndex { $0.name == "Node" })
    }

    func column(_ name: String) throws -> Int {
      try #require(map.schema.tables[node].columns.firstIndex { $0.name == name })
    }

    func place(_ id: Int64) -> StoredPlace { StoredPlace(table: node, id: id) }

    func row(_ values: [String: Int64]) throws -> StoredRow {
      var all = Array(repeating: StoreValue.null, count: map.schema.tables[node].columns.count)
      for (name, value) in values { all[try column(name)] = .integer(value) }
      return StoredRow(entity: 0, values: all)
    }

    func text(_ row: StoredRow) throws -> String {
      try ["id", "n", "m", "boss"].compactMap { name in
        guard case .integer(let value) = row.values[try column(name)] else { return nil }
        return "\(name)=\(value)"
      }.joined(separator: " ")
    }
  }

  private struct Row: CustomTestStringConvertible {
    var base: [String: Int64]?
    /// The object after this side's changes and after the other side's changes; nil if the side deleted the object.
    var mine: [String: Int64]?
    var theirs: [String: Int64]?
    /// The result of each policy, in the order refuse, storeWins, contextWins, mergeByProperty.
    var expected: [String]
    var testDescription: String { "\(base ?? [:]): \(mine ?? [:]), \(theirs ?? [:])" }
  }

  private static let table: [Row] = [
    // An attribute that only this side changed.
    Row(base: ["n": 1], mine: ["n": 2], theirs: ["n": 1], expected: ["n=2", "n=2", "n=2", "n=2"]),
    // Both sides changed the same attribute, or different attributes.
    Row(base: ["n": 1], mine: ["n": 2], theirs: ["n": 3], expected: ["conflict", "n=3", "n=2", "n=2"]),
    Row(
      base: ["n": 1, "m": 1], mine: ["n": 2, "m": 1], theirs: ["n": 1, "m": 3],
      expected: ["conflict", "n=1 m=3", "n=2 m=1", "n=2 m=3"]),
    // Both sides made the same change. An attribute could be a count, so for an attribute this is a conflict.
    Row(base: ["n": 1], mine: ["n": 2], theirs: ["n": 2], expected: ["conflict", "n=2", "n=2", "n=2"]),
    Row(base: ["boss": 8], mine: ["boss": 9], theirs: ["boss": 9], expected: ["boss=9", "boss=9", "boss=9", "boss=9"]),
    // One side removed the value.
    Row(base: ["n": 1], mine: [:], theirs: ["n": 3], expected: ["conflict", "n=3", "", ""]),
    // A side changed a to-one.
    Row(base: ["boss": 8], mine: ["boss": 9], theirs: ["boss": 8], expected: ["boss=9", "boss=9", "boss=9", "boss=9"]),
    Row(base: ["boss": 8], mine: ["boss": 9], theirs: [:], expected: ["conflict", "", "boss=9", "boss=9"]),
    Row(
      base: ["boss": 8, "n": 1], mine: ["boss": 9, "n": 1], theirs: ["boss": 8, "n": 2],
      expected: ["conflict", "n=2 boss=8", "n=1 boss=9", "n=2 boss=9"]),
    // A side deleted the object.
    Row(base: ["n": 1], mine: nil, theirs: ["n": 1], expected: ["-", "-", "-", "-"]),
    Row(base: ["n": 1], mine: nil, theirs: ["n": 2], expected: ["conflict", "n=2", "-", "-"]),
    Row(base: ["n": 1], mine: ["n": 2], theirs: nil, expected: ["conflict", "-", "again n=2", "-"]),
    Row(base: ["n": 1], mine: nil, theirs: nil, expected: ["-", "-", "-", "-"]),
    // A side changed the identity.
    Row(base: ["id": 1], mine: ["id": 2], theirs: ["id": 1], expected: ["id=2", "id=2", "id=2", "id=2"]),
    Row(base: ["id": 1], mine: ["id": 2], theirs: ["id": 3], expected: ["conflict", "id=3", "id=2", "id=2"]),
  ]

  @Test("S5: each policy produces its expected result if two sides change one object", arguments: table)
  private func settles(row: Row) throws {
    let layout = try Layout()
    let place = layout.place(1)
    for (policy, expected) in zip(Self.policies, row.expected) {
      let base = try layout.row(row.base ?? [:])
      var own = OwnChanges()
      if let mine = row.mine {
        let changed = try layout.row(mine)
        let columns = Set(base.values.indices.filter { base.values[$0] != changed.values[$0] })
        if !columns.isEmpty { own.updated[place] = .init(row: changed, columns: columns) }
      } else {
        own.deleted = [place]
      }
      var facts = RebaseFacts()
      let theirs = try row.theirs.map { try layout.row($0) }
      if theirs != base {
        facts.base[place] = base
        facts.theirs[place] = theirs
      }
      var found = "conflict"
      do {
        found = try outcome(try Rebase.run(own, facts, layout.map, policy), theirs, place, layout)
      } catch is RebaseConflicts {}
      #expect(found == expected, "\(policy)")
    }
  }

  /// The state of an object after the changes have been applied to the later version.
  private func outcome(
    _ result: Rebase.Result, _ theirs: StoredRow?, _ place: StoredPlace, _ layout: Layout
  ) throws -> String {
    if let again = result.again[place], let row = result.changes.inserted[again] {
      return "again \(try layout.text(row))"
    }
    guard var row = theirs, !result.changes.deleted.contains(place) else { return "-" }
    if let update = result.changes.updated[place] {
      for column in update.columns { row.values[column] = update.row.values[column] }
    }
    return try layout.text(row)
  }

  @Test("S5: two new objects with the same identity become one object under every policy", arguments: policies)
  func unites(policy: ConflictPolicy) throws {
    let layout = try Layout()
    var own = OwnChanges()
    own.inserted[layout.place(-1)] = try layout.row(["id": 7, "n": 1])
    own.updated[layout.place(2)] = .init(row: try layout.row(["boss": -1]), columns: [try layout.column("boss")])
    var facts = RebaseFacts()
    facts.holders[layout.place(-1)] = layout.place(5)
    facts.theirs[layout.place(5)] = try layout.row(["id": 7, "n": 2, "m": 3])
    let result = try Rebase.run(own, facts, layout.map, policy)
    #expect(result.became == [layout.place(-1): layout.place(5)])
    #expect(result.changes.inserted.isEmpty)
    let update = try #require(result.changes.updated[layout.place(5)])
    #expect(update.columns == [try layout.column("id"), try layout.column("n")])
    #expect(result.changes.updated[layout.place(2)]?.row.reference(try layout.column("boss")) == 5)
  }

  @Test("S5: if two existing objects have the same identity, every policy reports a conflict", arguments: policies)
  func contradiction(policy: ConflictPolicy) throws {
    let layout = try Layout()
    var own = OwnChanges()
    own.updated[layout.place(1)] = .init(row: try layout.row(["id": 7]), columns: [try layout.column("id")])
    var facts = RebaseFacts()
    facts.holders[layout.place(1)] = layout.place(5)
    facts.theirs[layout.place(5)] = try layout.row(["id": 7])
    let error = #expect(throws: RebaseConflicts.self) { try Rebase.run(own, facts, layout.map, policy) }
    #expect(error?.all == [RebaseConflict(place: layout.place(1), reason: .identityTaken)])
    // There is no conflict if the other object is deleted.
    own.deleted = [layout.place(5)]
    #expect(throws: Never.self) { try Rebase.run(own, facts, layout.map, policy) }
  }

  @Test("S5: a reference to an object that another context deleted is a conflict, or is removed")
  func referenceToDeleted() throws {
    let layout = try Layout()
    var own = OwnChanges()
    own.updated[layout.place(1)] = .init(row: try layout.row(["boss": 9]), columns: [try layout.column("boss")])
    var facts = RebaseFacts()
    facts.deletedTargets = [layout.place(9)]
    for policy in Self.policies {
      guard policy != .refuse else {
        let error = #expect(throws: RebaseConflicts.self) { try Rebase.run(own, facts, layout.map, policy) }
        #expect(error?.all == [RebaseConflict(place: layout.place(1), reason: .targetDeleted(layout.place(9)))])
        continue
      }
      let result = try Rebase.run(own, facts, layout.map, policy)
      #expect(result.changes.updated[layout.place(1)]?.row.reference(try layout.column("boss")) == nil)
    }
  }

  // MARK: Lists

  private struct List: CustomTestStringConvertible {
    var base: [Int64]
    var added: Set<Int64> = []
    var removed: Set<Int64> = []
    var theirs: [Int64]
    var expected: [String]
    var testDescription: String { "\(base) +\(added) -\(removed), \(theirs)" }
  }

  private static let lists: [List] = [
    List(base: [1, 2], removed: [2], theirs: [2], expected: ["conflict", "[2]", "[1]", "[]"]),
    List(base: [1], added: [2], theirs: [1, 3], expected: ["conflict", "[1, 3]", "[1, 2]", "[1, 2, 3]"]),
    List(base: [1], added: [2], theirs: [1], expected: ["[1, 2]", "[1, 2]", "[1, 2]", "[1, 2]"]),
    List(base: [1], added: [2], theirs: [1, 2], expected: ["[1, 2]", "[1, 2]", "[1, 2]", "[1, 2]"]),
  ]

  @Test("S5: each policy produces its expected result if both sides change a list", arguments: lists)
  private func settles(list: List) throws {
    let layout = try Layout()
    let node = StoredList(owner: layout.place(1), members: .linked(0, isOwner: true))
    for (policy, expected) in zip(Self.policies, list.expected) {
      var own = OwnChanges()
      own.added = Set(list.added.map { StoredPair(link: 0, owner: 1, member: $0) })
      own.removed = Set(list.removed.map { StoredPair(link: 0, owner: 1, member: $0) })
      own.edited = [node]
      var facts = RebaseFacts()
      if list.base != list.theirs { facts.lists[node] = (list.base, list.theirs) }
      var found: String
      do throws(RebaseConflicts) {
        let changes = try Rebase.run(own, facts, layout.map, policy).changes
        let members = Set(list.theirs).union(changes.added.map(\.member)).subtracting(changes.removed.map(\.member))
        found = "\(members.sorted())"
      } catch { found = "conflict" }
      #expect(found == expected, "\(policy)")
    }
  }

  @Test("S5: adding the same tag to different posts is not a conflict")
  func sameTag() throws {
    let layout = try Layout()
    var own = OwnChanges()
    own.added = [StoredPair(link: 0, owner: 1, member: 4)]
    own.edited = [StoredList(owner: layout.place(1), members: .linked(0, isOwner: true))]
    // Another context added the tag to a different node, so the list of this node is unchanged.
    let result = try Rebase.run(own, RebaseFacts(), layout.map, .refuse)
    #expect(result.changes.added == own.added)
  }

  @Test("S5: an ordered list contains the members that both sides append, those of the other side first")
  func appended() throws {
    let layout = try Layout()
    let members = ListMembers.referring(
      table: layout.node, column: try layout.column("boss"), entity: layout.map.entities[layout.node][0])
    let team = StoredList(owner: layout.place(1), members: members)
    var own = OwnChanges()
    own.orders[team] = [2, 3, 8]
    var facts = RebaseFacts()
    facts.lists[team] = ([2, 3], [2, 3, 9])
    for policy in Self.policies {
      let result = try Rebase.run(own, facts, layout.map, policy)
      #expect(result.changes.orders[team] == [2, 3, 9, 8], "\(policy)")
    }
    // Both sides reorder the list.
    own.orders[team] = [3, 2]
    facts.lists[team] = ([2, 3], [9, 2, 3])
    #expect(throws: RebaseConflicts.self) { try Rebase.run(own, facts, layout.map, .refuse) }
    #expect(try Rebase.run(own, facts, layout.map, .storeWins).changes.orders[team] == [9, 2, 3])
    #expect(try Rebase.run(own, facts, layout.map, .contextWins).changes.orders[team] == [3, 2])
  }
}
