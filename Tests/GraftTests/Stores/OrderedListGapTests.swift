import GraftTestSupport
import Testing

@testable import Graft

/// Ordered lists of links after members were deleted: the others keep their positions in the store, and new ones come behind them.
@Suite("Ordered lists with gaps") struct OrderedListGapTests {
  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "A": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "path": {"destination": "B", "toMany": true, "ordered": true, "mergeRule": "union"},
        "row": {"destination": "B", "toMany": true, "ordered": true, "inverse": "rows"}}},
      "B": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "rows": {"destination": "A", "toMany": true, "ordered": true, "inverse": "row"}}}}}
    """

  private func list(_ name: String, _ context: ManagedObjectContext) throws -> [Int] {
    let owner = try #require(try context.find(ofEntity: "A", id: 1))
    return (owner[name] as [ManagedObject]).map { ($0["id"] as Int?) ?? 0 }
  }

  /// Who deletes a member before others are appended.
  enum Deletion: CaseIterable { case inOneCommit, before, byOthers }

  @Test(
    "S4: after a member was deleted, what is appended to an ordered list comes last",
    arguments: ContextSource.Kind.allCases, Deletion.allCases)
  func append(kind: ContextSource.Kind, deletion: Deletion) throws {
    for isLoaded in [true, false] {
      for name in ["path", "row"] {
        let source = try ContextSource(kind, ManagedObjectModel(text: Self.model))
        let first = try source.context()
        try first.importJSON(#"[{"id": 5}, {"id": 4}, {"id": 3}]"#, ofEntity: "B")
        try first.importJSON(#"{"id": 1, "\#(name)": [4, 3]}"#, ofEntity: "A")
        try first.commit()

        let one = try source.context()
        if isLoaded { #expect(try list(name, one) == [4, 3]) }
        let deleting = deletion == .byOthers ? try source.context() : one
        try deleting.delete(try #require(try deleting.find(ofEntity: "B", id: 4)))
        if deletion != .inOneCommit { try deleting.commit() }
        try one.merge()
        let owner = try #require(try one.find(ofEntity: "A", id: 1))
        let new = try #require(try one.find(ofEntity: "B", id: 5))
        owner[name] = (owner[name] as [ManagedObject]) + [new]
        try one.commit()
        let comment = "\(kind) \(name), loaded: \(isLoaded)"
        #expect(try list(name, one) == [3, 5], "\(comment)")
        #expect(try list(name, source.context()) == [3, 5], "\(comment)")
        try one.importJSON(#"[{"id": 6}]"#, ofEntity: "B")
        owner[name] = (owner[name] as [ManagedObject]) + [try #require(try one.find(ofEntity: "B", id: 6))]
        try one.commit()
        #expect(try list(name, source.context()) == [3, 5, 6], "\(comment)")
      }
    }
  }

  @Test(
    "S4: reordering one side of a relationship leaves the order of the other side alone",
    arguments: ContextSource.Kind.allCases)
  func otherSide(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, ManagedObjectModel(text: Self.model))
    let first = try source.context()
    try first.importJSON(
      #"[{"id": 1, "row": [1]}, {"id": 2, "row": [1]}, {"id": 3, "row": [1]}, {"id": 4, "row": [1, 2]}]"#, ofEntity: "A"
    )
    try first.commit()
    let other = try source.context()
    for id in [1, 2] { try other.delete(try #require(try other.find(ofEntity: "A", id: id))) }
    try other.commit()

    let one = try source.context()
    try one.merge()
    let owner = try #require(try one.find(ofEntity: "A", id: 4))
    owner["row"] = Array((owner["row"] as [ManagedObject]).reversed())
    try one.commit()
    for context in [one, try source.context()] {
      let member = try #require(try context.find(ofEntity: "B", id: 1))
      #expect((member["rows"] as [ManagedObject]).map { ($0["id"] as Int?) ?? 0 } == [3, 4], "\(kind)")
      let owner = try #require(try context.find(ofEntity: "A", id: 4))
      #expect((owner["row"] as [ManagedObject]).map { ($0["id"] as Int?) ?? 0 } == [2, 1], "\(kind)")
    }
    // Both sides at once.
    let member = try #require(try one.find(ofEntity: "B", id: 1))
    member["rows"] = Array((member["rows"] as [ManagedObject]).reversed())
    owner["row"] = Array((owner["row"] as [ManagedObject]).reversed())
    try one.commit()
    try source.expectAgreement(of: one)
    #expect((member["rows"] as [ManagedObject]).map { ($0["id"] as Int?) ?? 0 } == [4, 3])
  }
}
