import Graft
import GraftTestSupport
import Testing

@Suite("Context: changes to long lists") struct LongListJournalTests {
  private static let model = #"""
    "Hub": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "members": {"destination": "Member", "toMany": true, "inverse": "hub"},
      "ranks": {"destination": "Member", "toMany": true, "ordered": true, "inverse": "ranked"}}},
    "Member": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "hub": {"destination": "Hub", "inverse": "members"}, "ranked": {"destination": "Hub", "inverse": "ranks"}}}
    """#

  private struct Stop: Error {}

  /// A list, and the contents that it is expected to have.
  private final class Scene {
    let context: ManagedObjectContext
    let list: RelatedObjects<ManagedObject>
    var expected: [ManagedObject]
    var committed: [ManagedObject]
    var random: SeededRandom
    private var nextID = 100_000

    init(_ relationship: String, seed: Int) throws {
      context = try Fixture.context(LongListJournalTests.model)
      let numbers = (0..<1_100).map(String.init).joined(separator: ",")
      try context.load(#"{"id": 1, "\#(relationship)": [\#(numbers)]}"#, "Hub")
      list = try #require(try context.find(ofEntity: "Hub", identity: 1))[relationship]
      expected = Array(list)
      committed = expected
      random = SeededRandom(seed: UInt64(seed))
    }

    /// Removes members from one place in the list, or adds members.
    func edit() {
      let position = Int.random(in: 0..<expected.count, using: &random)
      let places = [0, expected.count - 1, position]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = min(places[Int.random(in: 0..<3, using: &random)], expected.count - 1)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          nextID += 1
          let member = context.insert(ofEntity: "Member")
          member["id"] = nextID
          list.insert(member)
          expected.append(member)
        case 1:
          // Adds members to the end of the list.
          let member = expected.remove(at: place)
          list.remove(member)
          list.insert(member)
          expected.append(member)
        default: list.remove(expected.remove(at: place))
        }
      }
      #expect(list.last === expected.last && list.first === expected.first)
    }

    func check() {
      let isSame = list.elementsEqual(expected, by: ===)
      #expect(isSame && list.count == expected.count)
      let position = Int.random(in: 0..<expected.count, using: &random)
      #expect(list[position] === expected[position])
      #expect(context.checkInvariants() == [])
    }

    /// Checks that the changes that the context reports are the difference from the last commit.
    func checkChanges(of relationship: String) {
      let removed = Set(committed).subtracting(expected)
      let inserted = Set(expected).subtracting(committed)
      let change = context.changes.updated.first { $0.id.entityName == "Hub" }?[relationship]
      guard case .toMany(let reportedInserted, let reportedRemoved) = change else {
        #expect(removed.isEmpty && inserted.isEmpty)
        return
      }
      #expect(Set(reportedRemoved) == Set(removed.map(\.objectID)))
      #expect(Set(reportedInserted) == Set(inserted.map(\.objectID)))
    }

    /// Edits the list, rolls back and nests transactions at random.
    func step(depth: Int = 0) throws {
      edit()
      if depth < 3, Int.random(in: 0..<3, using: &random) == 0 {
        let before = expected
        let fails = Bool.random(using: &random)
        do {
          try context.atomically {
            try step(depth: depth + 1)
            if Bool.random(using: &random) { edit() }
            if fails { throw Stop() }
          }
          // The end of the outermost transaction commits all changes.
          if depth == 0 { committed = expected }
        } catch is Stop {
          expected = before
        }
        check()
      }
    }
  }

  @Test(
    "C2: a long list is restored by rollbacks at any depth, and its changes are reported",
    arguments: ["members", "ranks"])
  func rollbacks(relationship: String) throws {
    let scene = try Scene(relationship, seed: 1)
    for _ in 0..<12 {
      try scene.step()
      switch Int.random(in: 0..<6, using: &scene.random) {
      case 0:
        try scene.context.commit()
        scene.committed = scene.expected
      case 1:
        scene.context.rollBack()
        scene.expected = scene.committed
      default: scene.checkChanges(of: relationship)
      }
      scene.check()
    }
  }

  @Test("C2: a long list from which one transaction removes most members is restored by a rollback")
  func emptied() throws {
    for isOrdered in [false, true] {
      let scene = try Scene(isOrdered ? "ranks" : "members", seed: 1)
      let (context, list) = (scene.context, scene.list)
      for position in [600, 0, 1_000, 3] { list.remove(list[position]) }
      try context.commit()
      let committed = Array(list)
      for member in committed[3..<committed.count - 2] { list.remove(member) }
      let other = context.insert(ofEntity: "Member")
      other["id"] = -1
      list.insert(other)
      #expect(list.count == 6 && list.last === other && context.checkInvariants() == [])
      let snapshot = ManagedObjectContext(context.snapshot())
      #expect(snapshot.checkInvariants() == [])
      context.rollBack()
      #expect(Array(list) == committed && list.count == 1_096 && context.checkInvariants() == [])
      try context.delete(committed[700])
      try context.commit()
      #expect(list.count == 1_095 && list[700] === committed[701] && context.checkInvariants() == [])
    }
  }
}
