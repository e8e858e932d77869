import Foundation
import Graft

extension CostCase {
  /// Transactions and observers: n small transactions in a graph of n objects with live handles. The cost of a transaction must depend only
  /// on its changes.
  static let unitCases: [CostCase] = [
    unit("commit", 300) { context, member, _ in
      member["name"] = "new"
      try context.commit()
    },
    unit("roll-back", 300) { context, member, _ in
      member["name"] = "new"
      context.insert(ofEntity: "Member")
      context.rollBack()
      try expect(member["name"] as String? != "new", "not rolled back")
    },
    unit("dry-run", 300) { context, _, number in
      try context.dryRun { try context.load(#"{"id":\#(-number - 1),"name":"new"}"#, "Member") }
    },
    unit("failed-import", 200) { context, _, number in
      let result = Result { () throws(ImportError) in
        try objects(ofEntity: "Member", fromJSON: #"[{"id":\#(-number - 1)},{"id":true}]"#, in: context)
      }
      guard case .failure = result else { throw CostError("the import did not fail") }
    },
    unit("small-imports", 300) { context, _, number in
      try context.load(#"{"id":\#(number),"name":"new","hub":1}"#, "Member")
    },
    unit("atomically", 300) { context, member, _ in
      context.atomically { member["rank"] = 0 }
    },
    // A child reads from its parent, and commits n changes one at a time.
    CostCase("commits-of-child", 250) { size in
      let (parent, members) = try CostModel.members(size)
      let child = parent.makeChild()
      return Work {
        for number in 0..<size {
          try child.find(ofEntity: "Member", identity: number)?["name"] = "new"
          try child.commit()
        }
      } check: {
        try expect(members.allSatisfy { $0["name"] == "new" }, "not committed")
      }
    },
    // Two contexts of one store. Each commit reaches the other context.
    CostCase("commits-to-shared-store", 600) { size in
      let model = try ManagedObjectModel(
        text:
          #"{"keyStrategy": "sameName", "entities": {"A": {"identityAttributes": "id", "attributes": {"id": "integer64", "v": {"type": "integer64", "optional": true}}}}}"#
      )
      let store = SnapshotStore.inMemory(model: model)
      let (context, other) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
      try context.importJSON("[" + (0..<size).map { #"{"id": \#($0)}"# }.joined(separator: ",") + "]", ofEntity: "A")
      let objects = try other.fetch(ofEntity: "A")
      return Work {
        for number in 0..<size {
          try context.find(ofEntity: "A", identity: number)?["v"] = number
          try context.commit()
          try other.merge()
        }
      } check: {
        try expect(objects.allSatisfy { $0["v"] as Int? == $0["id"] as Int? }, "not merged")
      }
    },
    // A list that grows by n mentions and is ordered on both sides.
    CostCase("unions-with-store", 300) { size in
      let model = try ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "entities": {"P": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "a": {"destination": "P", "toMany": true, "ordered": true, "mergeRule": "union", "inverse": "b"},
            "b": {"destination": "P", "toMany": true, "ordered": true, "inverse": "a"}}}}}
          """)
      let context = try ManagedObjectContext(model: model, store: SnapshotStore.inMemory(model: model))
      let payload = "[" + (0..<size).map { #"{"id":0,"a":[\#($0 + 1)]}"# }.joined(separator: ",") + "]"
      return Work {
        try context.importJSON(payload, ofEntity: "P")
      } check: {
        try expectEqual(try context.count(ofEntity: "P"), size == 0 ? 0 : size + 1)
      }
    },
    CostCase("changes", 600) { size in
      let (context, members) = try CostModel.members(size)
      for member in members { member["name"] = "new" }
      return Work {
        try expectEqual(context.changes.updated.count, size)
      } check: {
        try expect(context.hasChanges == (size > 0), "no changes")
      }
    },
    CostCase("validate", 600) { size in
      let (context, members) = try CostModel.members(size)
      for member in members { member["name"] = "new" }
      return Work {
        try context.validate()
      } check: {
        try expect(context.hasChanges == (size > 0), "no changes")
      }
    },
    CostCase("roll-back-all", 600) { size in
      let (context, members) = try CostModel.members(size)
      let before = context.dump()
      for member in members {
        member["name"] = "new"
        _ = context.insert(ofEntity: "Part").objectID
      }
      return Work {
        context.rollBack()
      } check: {
        try expect(context.dump() == before, "not rolled back")
      }
    },
    // n objects are observed, and each of n commits changes one object.
    CostCase("updates-of-objects", 250) { size in
      let (context, members) = try CostModel.members(size)
      let streams = members.map { $0.updates() }
      return Work {
        for member in members {
          member["name"] = "new"
          try context.commit()
        }
      } check: {
        try expectEqual(streams.count, size)
      }
    },
    CostCase("updates-of-one-commit", 400) { size in
      let (context, members) = try CostModel.members(size)
      let streams = members.map { $0.updates() }
      for member in members { member["name"] = "new" }
      return Work {
        try context.commit()
      } check: {
        try expectEqual(streams.count, size)
      }
    },
    CostCase("updates-of-context", 250) { size in
      let (context, members) = try CostModel.members(size)
      let stream = context.updates()
      return Work {
        for member in members {
          member["name"] = "new"
          try context.commit()
        }
      } check: {
        withExtendedLifetime(stream) {}
      }
    },
    // n objects are in a live list, and each of n commits moves one object.
    CostCase("live-list", 1_000) { size in
      let (context, members) = try CostModel.members(size)
      let list = try context.results(
        ofEntity: "Member", where: "hub.id = 1 or name is null", sortedBy: .ascending("rank"), .ascending("name"))
      try expectEqual(list.count, size)
      return Work {
        for (number, member) in members.enumerated() {
          member["rank"] = (number * 7_919) % (size + 1)
          try context.commit()
        }
      } check: {
        try expectEqual(
          list.map { $0["rank"] as Int? }, members.map { $0["rank"] as Int? }.sorted { ($0 ?? 0) < ($1 ?? 0) })
      }
    },
    // n objects have the same owner, and the condition of a live list reads the number of the owner's objects. Each of n edits changes one
    // object.
    CostCase("live-list-of-siblings", 500) { size in
      let (context, members) = try CostModel.members(size)
      let list = try context.results(
        ofEntity: "Member", where: "hub.members.count > 1", sortedBy: .ascending("id"))
      try expectEqual(list.count, size)
      return Work {
        for (number, member) in members.enumerated() {
          member["rank"] = number
          try context.commit()
        }
        members.last?["hub"] = nil as ManagedObject?
      } check: {
        try expectEqual(list.count, max(0, size - 1))
      }
    },
    // n objects are in a live list that is never read, and each of n edits changes one object without a commit.
    CostCase("live-list-edits", 1_000) { size in
      let (context, members) = try CostModel.members(size)
      let list = try context.results(
        ofEntity: "Member", sortedBy: .ascending("name"), sectionedBy: .ascending("hub.id"))
      try expectEqual(list.count, size)
      return Work {
        for (number, member) in members.enumerated() {
          member["name"] = "\((number * 7_919) % (size + 1))"
          try expectEqual(list.count, size)
        }
      } check: {
        try expect(list.first?["name"] as String? == members.compactMap { $0["name"] }.min(), "not sorted")
      }
    },
    CostCase("observable", 400) { size in
      let (context, members) = try CostModel.members(size)
      context.isObservable = true
      return Work {
        for member in members { member["name"] = "new" }
        try context.commit()
        try context.load(CostModel.memberText(size), "Member")
      } check: {
        try expect(members.allSatisfy { $0["name"] as String? != "new" }, "not imported")
      }
    },
    CostCase("snapshot", 1_000) { size in
      let (context, _) = try CostModel.members(size)
      var snapshot: ContextSnapshot?
      return Work {
        snapshot = context.snapshot()
      } check: {
        try expectEqual(snapshot?.count, size == 0 ? 0 : size + 1)
      }
    },
    CostCase("restore", 600) { size in
      let (context, members) = try CostModel.members(size)
      var snapshot: ContextSnapshot? = context.snapshot()
      for member in members { member["name"] = "new" }
      return Work {
        if let taken = snapshot.take() { context.restore(taken) }
      } check: {
        try expect(members.allSatisfy { $0["name"] as String? != "new" }, "not restored")
      }
    },
    CostCase("restore-followed", 300) { size in
      let (context, members) = try CostModel.members(size)
      let streams = members.map { $0.updates() }
      var snapshot: ContextSnapshot? = context.snapshot()
      for member in members { member["name"] = "new" }
      return Work {
        if let taken = snapshot.take() { context.restore(taken) }
      } check: {
        try expectEqual(streams.count, size)
      }
    },
    CostCase("reset", 1_000) { size in
      let (context, members) = try CostModel.members(size)
      return Work {
        context.reset()
      } check: {
        try expect(members.allSatisfy(\.isDeleted), "something is left")
      }
    },
    // Objects are inserted and deleted in rounds. Deleted objects do not slow down the next round.
    CostCase("come-and-go", 20) { size in
      let context = try CostModel.context()
      let text = CostModel.array(60) { #"{"id":\#($0),"name":"\#(String(repeating: "x", count: 200))","hub":1}"# }
      return Work {
        for _ in 0..<size {
          for member in try objects(ofEntity: "Member", fromJSON: text, in: context) { try context.delete(member) }
          try context.commit()
        }
      } check: {
        try expectEqual(context.count(ofEntity: "Member"), 0)
      }
    },
  ]

  /// n transactions in a graph of n objects.
  private static func unit(
    _ name: String, _ size: Int, _ body: @escaping @Sendable (ManagedObjectContext, ManagedObject, Int) throws -> Void
  ) -> CostCase {
    CostCase(name, size) { size in
      let (context, members) = try CostModel.members(size)
      // Objects without identity get numbers.
      let parts = (0..<size).map { _ in context.insert(ofEntity: "Part") }
      try context.commit()
      try expectEqual(Set(parts.map(\.objectID)).count, size)
      return Work {
        for (number, member) in members.enumerated() { try body(context, member, number) }
      } check: {
        try expectEqual(context.count(ofEntity: "Member"), size)
        try expectEqual(context.count(ofEntity: "Part"), parts.count)
      }
    }
  }
}
