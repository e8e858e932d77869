import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// Objects that are loaded while changes are pending.
@Suite("Objects loaded while changes are pending") struct LoadedAmongChangesTests {
  private static func model(isOrdered: Bool = false, isToOne: Bool = false) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}},
            "relationships": {
              "bs": {"destination": "B", "toMany": \#(!isToOne), "ordered": \#(isOrdered), "inverse": "a"}}},
          "B": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}},
            "relationships": {"a": {"destination": "A", "inverse": "bs"}}}}}
        """#)
  }

  @Test(
    "S4: a link that another context made to an object deleted here exists after a rollback and a merge",
    arguments: ContextSource.Kind.allCases, [0, 1, 2])
  func rolledBack(kind: ContextSource.Kind, form: Int) throws {
    let source = try ContextSource(kind, try Self.model(isOrdered: form == 1, isToOne: form == 2))
    let one = try source.context()
    try one.load(#"{"id": 1}"#, "A")
    try one.load(#"[{"id": 2}, {"id": 3}, {"id": 4}]"#, "B")
    for isNested in [false, true] {
      let two = try source.context()
      let owner = try #require(try two.find(ofEntity: "A", identity: 1))
      _ = try? owner.propertyValue(of: "bs")
      let theirs = form == 2 ? #"[{"id": 2, "a": 1}]"# : #"[{"id": 3, "a": 1}, {"id": 2, "a": 1}]"#
      if isNested {
        try two.dryRun {
          try two.delete(owner)
          try one.load(theirs, "B")
          #expect((try #require(try two.find(ofEntity: "B", identity: 2))["a"] as ManagedObject?) == nil)
        }
      } else {
        try two.delete(owner)
        try one.load(theirs, "B")
        #expect((try #require(try two.find(ofEntity: "B", identity: 2))["a"] as ManagedObject?) == nil)
        two.rollBack()
      }
      let member = try #require(try two.find(ofEntity: "B", identity: 2))
      #expect((member["a"] as ManagedObject?) == nil)
      try two.merge()
      #expect((member["a"] as ManagedObject?) == owner)
      member["n"] = "x"
      try two.commit()
      try two.merge()
      #expect(two.dumpText == (try source.context()).dumpText)
      #expect(two.checkInvariants() == [])
      try source.commitParents()
      #expect(try source.faults() == [])
      try one.load(#"[{"id": 2, "a": null}, {"id": 3, "a": null}]"#, "B")
    }
  }

  @Test(
    "S5: if this context deletes an object, objects that another context linked to it in the meantime lose their links",
    arguments: ContextSource.Kind.allCases, [0, 1, 2])
  func committed(kind: ContextSource.Kind, form: Int) throws {
    let source = try ContextSource(kind, try Self.model(isOrdered: form == 1, isToOne: form == 2))
    let (one, two) = (try source.context(), try source.context())
    try one.load(#"{"id": 1}"#, "A")
    try one.load(#"[{"id": 2}, {"id": 3}]"#, "B")
    try two.merge()
    two.conflictPolicy = .contextWins
    try two.delete(#require(try two.find(ofEntity: "A", identity: 1)))
    try one.load(#"[{"id": 2, "a": 1}]"#, "B")
    let member = try #require(try two.find(ofEntity: "B", identity: 2))
    try two.commit()
    member["n"] = "x"
    try two.commit()
    try two.merge()
    #expect(two.dumpText == (try source.context()).dumpText)
    try source.commitParents()
    #expect(try source.faults() == [])
  }

  @Test(
    "S8: members that are loaded one after another have the right positions in an ordered list",
    arguments: ContextSource.Kind.allCases, [false, true])
  func ordered(kind: ContextSource.Kind, hasChanges: Bool) throws {
    let source = try ContextSource(kind, try Self.model(isOrdered: true))
    let one = try source.context()
    try one.load(#"[{"id": 3}, {"id": 2}, {"id": 1}, {"id": 4, "a": 1}, {"id": 5}]"#, "B")
    let two = try source.context()
    let owner = try #require(try two.find(ofEntity: "A", identity: 1))
    let other = try #require(try two.find(ofEntity: "B", identity: 5))
    #expect((owner["bs"] as RelatedObjects<ManagedObject>).count == 1)
    try one.load(#"[{"id": 1, "bs": [1, 4, 2, 3]}]"#, "A")
    if hasChanges { other["n"] = "changed" }
    for id in [3, 2, 1] { #expect(try two.find(ofEntity: "B", identity: id) != nil) }
    if hasChanges { try two.commit() }
    try two.merge()
    #expect((owner["bs"] as RelatedObjects<ManagedObject>).map { $0["id"] as Int? } == [1, 4, 2, 3])
    #expect(two.dumpText == (try source.context()).dumpText)
    #expect(two.checkInvariants() == [])
  }

  @Test("S2: the lists on both sides of a many-to-many keep their order", arguments: ContextSource.Kind.allCases)
  func orderedOnBothSides(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"bs": {"destination": "B", "toMany": true, "ordered": true, "inverse": "as"}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"as": {"destination": "A", "toMany": true, "ordered": true, "inverse": "bs"}}}}}
        """#)
    for (lists, last) in [("A", "B"), ("B", "A")] {
      let source = try ContextSource(kind, model)
      let names = (own: lists == "A" ? "bs" : "as", other: lists == "A" ? "as" : "bs")
      try source.context().load(
        #"[{"id": 1, "\#(names.other)": [1, 2]}, {"id": 2, "\#(names.other)": [1, 2, 3]}]"#, last)
      try source.context().load(#"[{"id": 3, "\#(names.own)": [1, 2]}]"#, lists)
      let before = try source.context().dumpText
      // The second object in the list becomes the first; its own list is not in memory.
      let context = try source.context()
      let third = try #require(try context.find(ofEntity: lists, identity: 3))
      let first = try #require(try context.find(ofEntity: last, identity: 1))
      (third[names.own] as RelatedObjects<ManagedObject>).remove(first)
      try context.commit()
      let second = try #require(try context.find(ofEntity: last, identity: 2))
      #expect((second[names.other] as RelatedObjects<ManagedObject>).map { $0["id"] as Int? } == [1, 2, 3])
      try source.expectAgreement(of: context)
      #expect(try source.context().dumpText != before)
    }
  }

  @Test("C3: a snapshot of a context with a store has all objects of the store", arguments: ContextSource.Kind.allCases)
  func snapshots(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, try Self.model())
    try source.context().load(
      #"[{"id": 1, "n": "one", "bs": [{"id": 1, "n": "é"}, 2]}, {"id": 2, "n": "two", "bs": [3]}, {"id": 3}]"#, "A")
    let context = try source.context()
    // Some of the store's objects are in memory, and something has changed.
    let second = try #require(try context.find(ofEntity: "A", identity: 2))
    for round in 0..<2 {
      let copy = ManagedObjectContext(context.snapshot())
      #expect(copy.dumpText == context.dumpText)
      #expect(copy.checkInvariants() == [] && !copy.hasChanges)
      try copy.load(#"[{"id": 4, "bs": [1]}, {"id": 2, "n": "zwei"}]"#, "A")
      #expect(try copy.count(ofEntity: "A") == 4 + round && copy.find(ofEntity: "A", identity: 2)?["n"] == "zwei")
      let again = ManagedObjectContext(copy.snapshot())
      #expect(again.dumpText == copy.dumpText)
      second["n"] = "changed \(round)"
      context.insert(ofEntity: "A")["id"] = 9 + round
    }
  }

  @Test(
    "S3: an import that looks beyond the last loaded object finds nothing, and inserts a new object",
    arguments: ContextSource.Kind.allCases)
  func afterTheLastRow(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, try Self.model())
    // As many objects as a context keeps in contiguous rows.
    let known = (1...1_024).map { "{\"id\": \($0), \"n\": \"A \($0)\"}" }.joined(separator: ", ")
    try source.context().load("[\(known)]", "A")
    let context = try source.context()
    context.insert(ofEntity: "B")["id"] = 1
    try context.load("[\(known), {\"id\": 2000, \"n\": \"new\"}]", "A")
    #expect(try context.count(ofEntity: "A") == 1_025 && context.find(ofEntity: "A", identity: 2_000)?["n"] == "new")
    #expect(context.checkInvariants() == [])
  }
}
