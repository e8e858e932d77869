import Graft
import GraftTestSupport
import Testing

/// Inner transactions that change objects which are new in the outer transaction, before the outer transaction changes them again.
@Suite("Context: nested transactions") struct NestedTransactionTests {
  private struct Failure: Error {}

  private let context: ManagedObjectContext

  init() throws {
    context = try Fixture.context(
      #"""
      "A": {"identityAttributes": "id", "attributes": {"id": "integer64", "s": {"type": "string", "optional": true}},
        "relationships": {
          "o": {"destination": "A", "inverse": "l"}, "l": {"destination": "A", "toMany": true, "inverse": "o"},
          "free": {"destination": "A", "toMany": true, "ordered": true}}}
      """#)
  }

  private func find(_ id: Int) throws -> ManagedObject? { try context.find(ofEntity: "A", identity: id) }

  private func expectEmpty() throws {
    #expect(try context.dumpText == "{}\n" && context.count(ofEntity: "A") == 0 && !context.hasChanges)
    #expect(try (0..<10).allSatisfy { try find($0) == nil })
    #expect(context.checkInvariants() == [])
  }

  /// An import links to objects that another import inserted, and then an edit removes the links.
  private func importTwiceAndClear() throws {
    try context.load(#"{"id": 1, "l": [2, 3], "free": [2]}"#, "A")
    try context.load(#"{"id": 4, "o": 1, "free": [1, 2]}"#, "A")
    try context.load(#"{"id": 1, "free": [4, 3, 2, 1]}"#, "A")
    try find(1)?["l"] = [] as [ManagedObject]
    try find(1)?["free"] = [] as [ManagedObject]
  }

  /// Makes changes in a transaction that then fails.
  private func failing(_ body: () throws -> Void) throws {
    do {
      try context.atomically { () throws -> Void in
        try body()
        throw Failure()
      }
    } catch is Failure {
      return
    }
    Issue.record("the transaction succeeded")
  }

  private func failingToDecode() throws {
    do {
      try context.decoding { () throws -> Void in
        try importTwiceAndClear()
        throw Failure()
      }
    } catch is Failure {
      return
    }
    Issue.record("decoding succeeded")
  }

  private func rollBackTwice() throws {
    for _ in 0..<2 {
      try importTwiceAndClear()
      context.rollBack()
      try expectEmpty()
    }
  }

  private func nestTwice() throws {
    try context.dryRun { try importTwiceAndClear() }
    try expectEmpty()
    try failing {
      try context.atomically { try importTwiceAndClear() }
    }
    try expectEmpty()
  }

  enum Way: CaseIterable { case dryRun, atomically, decoding, rollBack, twice }

  @Test(
    "I10: rolling back an outer transaction discards the changes of inner transactions and frees their memory once",
    arguments: Way.allCases)
  func links(way: Way) throws {
    switch way {
    case .dryRun: try context.dryRun { try importTwiceAndClear() }
    case .atomically: try failing { try importTwiceAndClear() }
    case .decoding: try failingToDecode()
    case .rollBack: try context.atomically { try rollBackTwice() }
    case .twice: try context.dryRun { try nestTwice() }
    }
    try expectEmpty()
    try importTwiceAndClear()
    try context.load(#"{"id": 4, "o": 1}"#, "A")
    #expect(try (find(1)?["l"] as [ManagedObject]?)?.map(\.description) == ["A(4)"])
    #expect(context.checkInvariants() == [])
  }

  @Test("I10: if a whole stream fails, changes that its batches made to each other's objects are discarded")
  func stream() throws {
    let lines = #"""
      {"id": 1, "l": [2, 3], "free": [2]}
      {"id": 4, "o": 1, "free": [1, 2]}
      {"id": 1, "l": [], "free": [4, 3, 2, 1]}
      {"id": 1, "s": 5}

      """#
    #expect(throws: ImportError.self) {
      let stream = try ImportStream(
        ofEntity: "A", in: context, format: .lines, batches: ImportBatches(size: 1, atomicity: .whole))
      try stream.append(Array(lines.utf8))
      try stream.finish()
    }
    try expectEmpty()
  }

  @Test("I10: an identity set in an inner transaction finds no object after the outer transaction is rolled back")
  func identities() throws {
    try failing {
      let object = context.insert(ofEntity: "A")
      object["id"] = 0
      context.atomically { object["id"] = 5 }
      try context.delete(object)
    }
    try expectEmpty()
    try failing {
      let object = context.insert(ofEntity: "A")
      object["id"] = 0
      context.atomically { object["id"] = 5 }
      object["id"] = 7
      context.atomically { object["id"] = nil as Int? }
      object["id"] = 8
    }
    try expectEmpty()
    let report = try context.importJSON(#"[{"id": 0, "s": "new"}, {"id": 5}, {"id": 8}]"#, ofEntity: "A")
    #expect(try report.inserted == ["A": 3] && find(0)?["s"] as String? == "new")
  }

  private func failInside() throws {
    try context.load(#"[{"id": 1, "s": "one", "l": [2, 3], "free": [3, 2]}, {"id": 4, "s": "four"}]"#, "A")
    context.insert(ofEntity: "A")["s"] = "nameless"
    let before = context.dumpText
    for _ in 0..<3 {
      try failing {
        try importTwiceAndClear()
        try find(4)?["s"] = String(repeating: "a long text ", count: 100)
        try find(1)?["id"] = 9
        try context.delete(try #require(try find(2)))
      }
      #expect(context.dumpText == before && context.checkInvariants() == [])
      // The new value overwrites the text of the rolled-back transaction.
      try find(4)?["s"] = "four and more"
      try find(4)?["s"] = "four"
      #expect(context.dumpText == before)
    }
  }

  @Test("I10: rolling back the inner transaction exactly restores objects that are new in the outer transaction")
  func inner() throws {
    try context.atomically { try failInside() }
    #expect(try context.count(ofEntity: "A") == 5 && find(4)?["s"] as String? == "four" && find(9) == nil)
    #expect(context.checkInvariants() == [])
  }

  @Test(
    "I10: an outer transaction's changes to existing objects after an inner transaction are rolled back")
  func older() throws {
    try context.load(#"[{"id": 1, "s": "one", "l": [2, 3], "free": [3, 2]}, {"id": 4}]"#, "A")
    let before = context.dumpText
    try context.dryRun {
      let new = context.insert(ofEntity: "A")
      try context.atomically {
        try find(1)?["l"] = [new]
        try find(1)?["free"] = try [new, new, find(4)!]
        new["free"] = try [new, find(1)!]
      }
      new["free"] = try [find(2)!]
      try find(1)?["free"] = try [find(3)!]
      try find(2)?["o"] = new
      try context.atomically { new["o"] = try find(3) }
    }
    #expect(context.dumpText == before && context.checkInvariants() == [])
  }

  @Test("C2: objects decoded without a commit can be rolled back in code")
  func uncommitted() throws {
    let object = context.insert(ofEntity: "A")
    object["id"] = 1
    #expect(throws: ImportError.self) { try context.load(#"[{"id": 1, "l": [2]}, {"id": 3, "s": 4}]"#, "A") }
    #expect(try object["id"] as Int? == 1 && context.count(ofEntity: "A") == 1)
    object["l"] = [object]
    context.rollBack()
    #expect(object.isDeleted)
    try expectEmpty()
  }

  @Test("D14: a whole stream that links to one object from many batches reuses that object's list memory")
  func manyBatches() throws {
    try context.load(#"{"id": 0}"#, "A")
    try context.atomically {
      for id in 1...600 { try context.load(#"{"id": \#(id), "o": 1000}"#, "A") }
    }
    #expect(try (find(1000)?["l"] as [ManagedObject]?)?.count == 600)
    #expect(context.checkInvariants() == [])
  }
}
