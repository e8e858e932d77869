import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Context: long lists") struct LongListTests {
  private static let model = #"""
    "Hub": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "members": {"destination": "Member", "toMany": true, "inverse": "hub"},
      "tags": {"destination": "Member", "toMany": true, "mergeRule": "union"},
      "ranks": {"destination": "Member", "toMany": true, "mergeRule": "union", "ordered": true, "inverse": "ranked"}}},
    "Member": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "hub": {"destination": "Hub", "inverse": "members"}, "ranked": {"destination": "Hub", "inverse": "ranks"}}}
    """#

  private func numbers(_ count: Range<Int>) -> String { "[\(count.map(String.init).joined(separator: ","))]" }

  @Test(
    "I6: removing members from the beginning, end and middle of a long list keeps the order of the remaining members")
  func goingObjects() throws {
    for seed in [1, 3] {
      var random = SeededRandom(seed: UInt64(seed))
      let context = try Fixture.context(Self.model)
      try context.load(#"{"id": 1, "members": \#(numbers(0..<1_500)), "tags": \#(numbers(0..<1_500))}"#, "Hub")
      let hub = try #require(try context.find(ofEntity: "Hub", identity: 1))
      let list: RelatedObjects<ManagedObject> = hub["members"]
      let tags: RelatedObjects<ManagedObject> = hub["tags"]
      var expected = Array(list)
      for step in 0..<1_400 {
        let position =
          switch Int.random(in: 0..<(seed % 3 + 2), using: &random) {
          case 0: 0
          case 1: expected.count - 1
          default: Int.random(in: 0..<expected.count, using: &random)
          }
        #expect(list.first === expected.first && list.last === expected.last)
        #expect(list[position] === expected[position])
        let object = expected.remove(at: position)
        if step % 3 == 0 { try context.delete(object) } else { object["hub"] = nil as ManagedObject? }
        if step % 400 == 0 {
          #expect(Array(list) == expected && list.count == expected.count)
          #expect(tags.count == tags.map(\.self).count && tags.last?.isDeleted == false)
          #expect(context.checkInvariants() == [])
        }
      }
      #expect(Array(list) == expected)
      let back = try #require(expected.first)
      list.remove(back)
      list.insert(back)
      #expect(list.last === back)
      context.rollBack()
      #expect(list.map { $0["id"] as Int? } == Array(0..<1_500))
      #expect(context.checkInvariants() == [])
    }
  }

  @Test("I5: a union appends missing elements to a long list, and rolling back removes only these elements")
  func union() throws {
    let context = try Fixture.context(Self.model)
    try context.load(#"{"id": 1, "ranks": \#(numbers(0..<2_000)), "tags": \#(numbers(0..<2_000))}"#, "Hub")
    let hub = try #require(try context.find(ofEntity: "Hub", identity: 1))
    func ids(_ name: String) -> [Int] { (hub[name] as [ManagedObject]).compactMap { $0["id"] } }
    // Sets of few, some and many elements, both already in the list and new, in any order.
    let lists = [[7, 3_000], [3_001, 3, 3_000, 3_001], Array(1_900..<2_100), Array((1_000..<4_000).reversed())]
    var expected = Array(0..<2_000)
    var known = Set(expected)
    for list in lists {
      try context.load(#"{"id": 1, "ranks": \#(list), "tags": \#(list)}"#, "Hub")
      for id in list where known.insert(id).inserted { expected.append(id) }
      #expect(ids("ranks") == expected && ids("tags") == expected)
      #expect(context.checkInvariants() == [])
      #expect(throws: ImportError.self) {
        try context.load(#"[{"id": 1, "ranks": [9000, 1], "tags": [9001]}, {"id": true}]"#, "Hub")
      }
      #expect(ids("ranks") == expected && ids("tags") == expected)
      #expect(context.checkInvariants() == [])
    }
    #expect(try (context.find(ofEntity: "Member", identity: 3_001)?["ranked"] as ManagedObject?) === hub)
  }

  @Test("I5: a union that takes objects from another owner's long list leaves that owner's list correct")
  func takingUnion() throws {
    let context = try Fixture.context(Self.model)
    try context.load(#"[{"id": 1, "ranks": \#(numbers(0..<1_500))}, {"id": 2, "ranks": [9000]}]"#, "Hub")
    for number in stride(from: 0, to: 1_500, by: 2) {
      try context.load(#"{"id": 2, "ranks": [\#(number), 9000]}"#, "Hub")
    }
    let hubs = try context.fetch(ofEntity: "Hub")
    #expect(
      (hubs[0]["ranks"] as RelatedObjects<ManagedObject>).map { $0["id"] as Int? }
        == Array(stride(from: 1, to: 1_500, by: 2)))
    #expect((hubs[1]["ranks"] as RelatedObjects<ManagedObject>).count == 751)
    #expect(context.checkInvariants() == [])
  }

  @Test(
    "D10: importing the same ordered list again leaves it unchanged, even after removals from the list")
  func sameList() throws {
    let context = try Fixture.context(
      Self.model.replacingOccurrences(of: #""mergeRule": "union", "ordered""#, with: #""ordered""#))
    try context.load(#"{"id": 1, "ranks": \#(numbers(0..<2_000))}"#, "Hub")
    try context.delete(#require(try context.find(ofEntity: "Member", identity: 0)))
    try context.commit()
    // The object gains another member through the inverse, which alone does not update the list.
    let report = try context.importJSON(
      #"{"hubs": [{"id": 1, "ranks": \#(numbers(1..<2_000))}], "members": [{"id": 2000, "ranked": 1}]}"#,
      [.objects(ofEntity: "Hub", at: "hubs"), .objects(ofEntity: "Member", at: "members")])
    #expect(report.unchanged == ["Hub": 1] && report.updated.isEmpty)
  }
}
