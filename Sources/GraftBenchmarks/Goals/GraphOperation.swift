import Graft

/// An operation on a graph of n members, or n operations, whose time should be proportional to n (P15).
struct GraphOperation {
  /// The measured work, and the check of its result.
  struct Work {
    var run: () throws -> Void
    var check: () throws -> Void

    init(_ run: @escaping () throws -> Void, check: @escaping () throws -> Void) {
      self.run = run
      self.check = check
    }
  }

  var name: String
  /// Creates the input.
  var prepare: (Int) throws -> Work
  /// The same operation with class instances; nil if it has no meaning for them.
  var typed: ((Int) throws -> Work)?

  init(_ name: String, _ prepare: @escaping (Int) throws -> Work, typed: ((Int) throws -> Work)? = nil) {
    self.name = name
    self.prepare = prepare
    self.typed = typed
  }
}

/// Creates all operations.
struct GraphOperations {
  let model: ManagedObjectModel
  let payloads: MemberPayloads

  var all: [GraphOperation] { edits + deletions + transactions + reads + copies }

  /// Returns an operation on n members of one hub, each of which has a handle.
  private func edit(
    _ name: String, _ run: @escaping (MemberGraph, [Member]) throws -> Void,
    check: @escaping (MemberGraph, [Member]) throws -> Void,
    typed: ((TypedMembers) throws -> Void)? = nil
  ) -> GraphOperation {
    let withClasses: ((Int) throws -> GraphOperation.Work)? = typed.map { run in
      { size in
        let graph = TypedMembers(size, perHub: size)
        return GraphOperation.Work {
          try run(graph)
        } check: {
          graph.dismantle()
        }
      }
    }
    return GraphOperation(
      name,
      { size in
        let graph = try MemberGraph(model, payloads[size])
        let members = try graph.context.fetch(Member.self)
        try require(members.count == size, "\(members.count) members, not \(size)")
        return GraphOperation.Work {
          try run(graph, members)
        } check: {
          try check(graph, members)
        }
      }, typed: withClasses)
  }

  private func edit(
    _ name: String, _ run: @escaping (MemberGraph, [Member]) throws -> Void
  ) -> GraphOperation {
    edit(name, run, check: { _, _ in })
  }

  // MARK: Edits

  private var edits: [GraphOperation] {
    [
      GraphOperation("insert") { size in
        let context = ManagedObjectContext(model: model)
        return GraphOperation.Work {
          for number in 0..<size {
            let member = context.insert(Member.self)
            member.id = number
            member.name = "new"
            member.rank = number
            member.score = 0
            member.isActive = true
          }
          try context.commit()
        } check: {
          try require(context.count(Member.self) == size, "\(context.count(Member.self)) members")
        }
      } typed: { size in
        let graph = TypedMembers()
        return GraphOperation.Work {
          for number in 0..<size {
            graph.insert(TypedMember(id: number, name: "new", rank: number, score: 0, isActive: true))
          }
        } check: {
          try require(graph.byID.count == size, "\(graph.byID.count) members")
        }
      },
      edit("set") { _, members in
        for member in members { member.name = "another name" }
      } check: { graph, members in
        try require(graph.context.changes.updated.count == members.count, "not all changed")
      } typed: { graph in
        for member in graph.all { member.name = "another name" }
      },
      edit("link") { graph, members in
        let hub = graph.context.insert(Hub.self)
        for member in members { member.hub = hub }
      } check: { graph, members in
        try require(members.last?.hub?.members.count == members.count, "not all linked")
      } typed: { graph in
        let hub = TypedHub(id: -1)
        for member in graph.all { member.setHub(hub) }
        hub.members = [:]
      },
      edit("unlink") { _, members in
        for member in members { member.hub = nil }
      } check: { graph, _ in
        try require(graph.hub(0).members.isEmpty, "some are left")
      } typed: { graph in
        for member in graph.all { member.setHub(nil) }
      },
    ]
  }

  // MARK: Deletions

  private var deletions: [GraphOperation] {
    [
      edit("delete") { graph, members in
        for member in members { try graph.context.delete(member) }
        try graph.context.commit()
      } check: { graph, _ in
        try require(graph.context.count(Member.self) == 0 && graph.hub(0).members.isEmpty, "some are left")
      },
      GraphOperation("cascade") { size in
        let context = ManagedObjectContext(model: model)
        let parts = (0..<size).map { #"{"number":\#($0)}"# }.joined(separator: ",")
        let hub: Hub = try object(fromJSON: #"{"id":0,"parts":[\#(parts)]}"#, in: context)
        try require(context.count(Part.self) == size, "\(context.count(Part.self)) parts")
        return GraphOperation.Work {
          try context.delete(hub)
          try context.commit()
        } check: {
          try require(context.count(Part.self) == 0, "some parts are left")
        }
      },
    ]
  }

  // MARK: Transactions

  private var transactions: [GraphOperation] {
    [
      edit("commit, each of one change") { graph, members in
        for member in members {
          member.rank = -1
          try graph.context.commit()
        }
      } check: { graph, members in
        try require(!graph.context.hasChanges && members.allSatisfy { $0.rank == -1 }, "not committed")
      },
      edit("rollBack, each of one change") { graph, members in
        for member in members {
          member.rank = -1
          graph.context.rollBack()
        }
      } check: { _, members in
        try require(members.allSatisfy { $0.rank != -1 }, "not rolled back")
      },
      edit("observe, commits of one change") { graph, members in
        let changes = graph.context.updates()
        let updates = stride(from: 0, to: members.count, by: 100).map { members[$0].updates() }
        for member in members {
          member.rank = -1
          try graph.context.commit()
        }
        withExtendedLifetime((changes, updates)) {}
      } check: { graph, members in
        try require(!graph.context.hasChanges && members.allSatisfy { $0.rank == -1 }, "not committed")
      },
    ]
  }

  // MARK: Reads

  private var reads: [GraphOperation] {
    [
      edit("find") { graph, members in
        var found = 0
        for number in members.indices where try graph.context.find(Member.self, identity: number) != nil { found += 1 }
        try require(found == members.count, "\(found) found")
      } check: { _, _ in
      } typed: { graph in
        var found = 0
        for number in graph.all.indices where graph.byID[number] != nil { found += 1 }
        try require(found == graph.all.count, "\(found) found")
      },
      edit("fetch with a filter") { graph, members in
        let active = try graph.context.fetch(Member.self) { $0.isActive == true }
        try require(active.count == members.indices.count { MemberValues.isActive($0) }, "\(active.count) fetched")
      } check: { _, _ in
      } typed: { graph in
        let active = graph.all.filter(\.isActive)
        try require(active.count == graph.all.indices.count { MemberValues.isActive($0) }, "\(active.count) found")
      },
      edit("fetch sorted, limit 10") { graph, members in
        let first = try graph.context.fetch(Member.self, sortedBy: [.ascending(\.rank)], limit: 10)
        try require(first.count == 10 && first[0].rank == 0, "another member is the first")
      } check: { _, _ in
      } typed: { graph in
        let first = graph.all.min { $0.rank < $1.rank }
        try require(first?.rank == 0, "another member is the first")
      },
    ]
  }

  // MARK: Copies

  private var copies: [GraphOperation] {
    [
      edit("snapshot") { graph, members in
        let snapshot = graph.context.snapshot()
        try require(snapshot.count == members.count + 1, "\(snapshot.count) objects")
      },
      GraphOperation("restore") { size in
        let graph = try MemberGraph(model, payloads[size])
        let members = try graph.context.fetch(Member.self)
        var snapshot: ContextSnapshot? = graph.context.snapshot()
        for member in members { member.rank = -1 }
        return GraphOperation.Work {
          if let taken = snapshot.take() { graph.context.restore(taken) }
        } check: {
          try require(members.allSatisfy { $0.rank != -1 }, "not restored")
        }
      },
    ]
  }
}
