import Foundation
import Graft

extension CostCase {
  /// Reading and editing a graph.
  static let graphCases: [CostCase] = [
    CostCase("insert", 600) { size in
      let context = try CostModel.context()
      return Work {
        for number in 0..<size {
          let member = context.insert(ofEntity: "Member")
          member["id"] = number
          member["name"] = "member"
        }
        try context.commit()
      } check: {
        try expectEqual(context.count(ofEntity: "Member"), size)
      }
    },
    edit("set", 600) { _, members in
      for member in members { member["name"] = "another name" }
    } check: { context, members in
      try expectEqual(context.changes.updated.count, members.count)
    },
    edit("set-identity", 600) { _, members in
      for (number, member) in members.enumerated() { member["id"] = 1_000_000 + number }
    } check: { context, members in
      try expect(members.isEmpty || context.find(ofEntity: "Member", identity: 1_000_000) === members[0], "not found")
    },
    edit("link", 6_000) { context, members in
      let hub = context.insert(ofEntity: "Hub")
      for member in members { member["hub"] = hub }
      try expectEqual((hub["members"] as RelatedObjects<ManagedObject>).count, members.count)
    },
    edit("link-list", 1_500) { context, members in
      let list: RelatedObjects<ManagedObject> = context.insert(ofEntity: "Hub")["members"]
      for member in members { list.insert(member) }
      try expectEqual(list.count, members.count)
    },
    edit("unlink", 6_000) { _, members in
      for member in members { member["hub"] = nil as ManagedObject? }
    } check: { context, members in
      try expect(
        members.isEmpty || (try context.hub()["members"] as RelatedObjects<ManagedObject>).isEmpty, "some left")
    },
    edit("unlink-list", 6_000) { context, members in
      guard !members.isEmpty else { return }
      let list: RelatedObjects<ManagedObject> = try context.hub()["members"]
      for member in members { list.remove(member) }
      try expect(list.isEmpty, "some are left")
    },
    edit("walk-list", 1_500) { context, members in
      guard !members.isEmpty else { return }
      let list: RelatedObjects<ManagedObject> = try context.hub()["members"]
      for position in list.indices { try expect(list[position] === members[position], "another order") }
      try expect(list.allSatisfy(list.contains), "what is in the list is not contained in it")
    },
    edit("delete", 1_200) { context, members in
      for member in members { try context.delete(member) }
    } check: { context, _ in
      try expectEqual(context.count(ofEntity: "Member"), 0)
    },
    edit("delete-first", 1_500) { context, members in
      guard !members.isEmpty else { return }
      let list: RelatedObjects<ManagedObject> = try context.hub()["members"]
      while let first = list.first { try context.delete(first) }
    } check: { context, _ in
      try expectEqual(context.count(ofEntity: "Member"), 0)
    },
    edit("delete-last", 1_500) { context, members in
      guard !members.isEmpty else { return }
      let list: RelatedObjects<ManagedObject> = try context.hub()["members"]
      while let last = list.last { try context.delete(last) }
    } check: { context, _ in
      try expectEqual(context.count(ofEntity: "Member"), 0)
    },
    edit("delete-hub", 2_000) { context, members in
      if !members.isEmpty { try context.delete(context.hub()) }
    } check: { _, members in
      try expect(members.allSatisfy { ($0["hub"] as ManagedObject?) == nil }, "a hub that was deleted has members")
    },
    CostCase("delete-cascade", 1_000) { size in
      let context = try CostModel.context()
      try context.load(#"{"id":1,"parts":\#(CostModel.array(size) { #"{"note":"\#($0)"}"# })}"#, "Hub")
      return Work {
        try context.delete(context.hub())
      } check: {
        try expectEqual(context.count(ofEntity: "Part"), 0)
      }
    },
    edit("delete-and-commit", 1_200) { context, members in
      for member in members { try context.delete(member) }
      try context.commit()
      try expectEqual(context.count(ofEntity: "Member"), 0)
    },
    edit("fetch", 1_500) { context, members in
      try expectEqual(context.fetch(CostMember.self).count, members.count)
    },
    edit("fetch-where", 1_000) { context, members in
      try expect(context.fetch(CostMember.self) { ($0.rank ?? 0) % 2 == 0 }.count <= members.count, "too many")
    },
    edit("fetch-sorted", 1_500) { context, members in
      let sorted = try context.fetch(CostMember.self, sortedBy: [.descending("rank"), .ascending(\.name)])
      try expect(zip(sorted, sorted.dropFirst()).allSatisfy { ($0.rank ?? 0) >= ($1.rank ?? 0) }, "not in order")
    },
    edit("fetch-limit", 1_500) { context, members in
      let sorted = try context.fetch(CostMember.self, sortedBy: [.ascending("rank")], limit: 10)
      try expectEqual(sorted.count, min(10, members.count))
    },
    edit("find", 1_000) { context, members in
      for (number, member) in members.enumerated() {
        try expect(context.find(CostMember.self, identity: number) === member, "another object")
      }
    },
    edit("find-ids", 500) { context, members in
      let ids = members.map(\.objectID)
      try expect(zip(ids, members).allSatisfy { try context.find($0) === $1 }, "another object")
    },
    CostCase("placeholders", 1_500) { size in
      let context = try CostModel.context()
      try context.load(#"{"id":1,"members":\#(CostModel.array(size, String.init))}"#, "Hub")
      return Work {
        try expectEqual(context.placeholders.count, size)
      } check: {
        try expectEqual(context.count(ofEntity: "Member"), size)
      }
    },
  ]

  /// An operation on n members of a hub.
  private static func edit(
    _ name: String, _ size: Int, _ body: @escaping @Sendable (ManagedObjectContext, [ManagedObject]) throws -> Void,
    check: @escaping @Sendable (ManagedObjectContext, [ManagedObject]) throws -> Void = { _, _ in }
  ) -> CostCase {
    CostCase(name, size) { size in
      let (context, members) = try CostModel.members(size)
      return Work {
        try body(context, members)
      } check: {
        try check(context, members)
      }
    }
  }
}
