import Graft
import GraftTestSupport
import Testing

@testable import Graft

/// Ordered lists of links from which members were deleted: the remaining members keep their positions in the store, and new members come
/// after them.
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

  /// The context that deletes a member before another context appends members.
  enum Deletion: CaseIterable { case inOneCommit, before, byOthers }

  @Test(
    "S4: after a member is deleted, appended members come last in an ordered list",
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
    "S4: reordering one side of a relationship leaves the order of the other side unchanged",
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
    // Changes both sides at the same time.
    let member = try #require(try one.find(ofEntity: "B", id: 1))
    member["rows"] = Array((member["rows"] as [ManagedObject]).reversed())
    owner["row"] = Array((owner["row"] as [ManagedObject]).reversed())
    try one.commit()
    try source.expectAgreement(of: one)
    #expect((member["rows"] as [ManagedObject]).map { ($0["id"] as Int?) ?? 0 } == [4, 3])
  }

  @Test(
    "S15: links that only get new positions are not added again after another context has removed them",
    arguments: ContextSource.Kind.allCases)
  func removedByOthers(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, ManagedObjectModel(text: Self.model))
    let first = try source.context()
    try first.importJSON(#"[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": 9}]"#, ofEntity: "B")
    try first.importJSON(#"{"id": 1, "row": [1, 2, 3]}"#, ofEntity: "A")
    try first.commit()

    func object(_ entity: String, _ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
      try #require(try context.find(ofEntity: entity, id: id))
    }
    // Changes the list from the other side, in a transaction that leaves gaps.
    let one = try source.context()
    #expect(try list("row", one) == [1, 2, 3])
    let two = try source.context()
    try object("A", 1, two)["row"] = [try object("B", 1, two), try object("B", 2, two)]
    try two.commit()
    try one.delete(try object("B", 9, one))
    try object("B", 4, one)["rows"] = [try object("A", 1, one)]
    try one.commit()
    #expect(try list("row", source.context()) == [1, 2, 4])

    // Reorders the list while another context removes a member.
    let three = try source.context()
    three.conflictPolicy = .mergeByProperty
    #expect(try list("row", three) == [1, 2, 4])
    let four = try source.context()
    try object("A", 1, four)["row"] = [try object("B", 1, four), try object("B", 4, four)]
    try four.commit()
    try object("A", 1, three)["row"] = try [4, 1, 2].map { try object("B", $0, three) }
    try three.commit()
    #expect(try list("row", source.context()) == [4, 1])
    try source.expectAgreement(of: three)
  }

  @Test("S10: a file with positions that are too large does not crash the process", arguments: StoreKind.allCases)
  func largePosition(kind: StoreKind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "User": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "pens": {"destination": "Pen", "toMany": true, "ordered": true, "inverse": "user"}}},
          "Pen": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"user": {"destination": "User", "inverse": "pens"}}}}}
        """#)
    let source = try ContextSource(kind.source, model)
    try source.context().importJSON(#"{"id": 1, "pens": [{"id": 1}]}"#, ofEntity: "User")
    try source.context().importJSON(#"{"id": 2}"#, ofEntity: "Pen")
    let store = try #require(source.store)
    let table = try #require(store.schema.tables.firstIndex { $0.name == "Pen" })
    let column = try #require(
      store.schema.tables[table].columns.firstIndex { if case .position = $0.content { true } else { false } })
    let snapshot = try store.snapshot()
    var change = StoreChanges.TableChanges(table: table, columnCount: store.schema.tables[table].columns.count)
    change.updated = try snapshot.rows(in: table, ids: [1])
    change.updated.values.setInteger(.max, row: 0, column: column)
    change.changedColumns = [[column]]
    var changes = StoreChanges()
    changes.tables = [change]
    _ = try store.write(changes, basedOn: snapshot.sequence)
    let context = try source.context()
    let user = try #require(try context.find(ofEntity: "User", id: 1))
    let pen = try #require(try context.find(ofEntity: "Pen", id: 2))
    user["pens"] = (user["pens"] as [ManagedObject]) + [pen]
    try context.commit()
    let found = try #require(try source.context().find(ofEntity: "User", id: 1))
    #expect((found["pens"] as [ManagedObject]).compactMap { $0["id"] as Int? } == [1, 2])
  }
}
