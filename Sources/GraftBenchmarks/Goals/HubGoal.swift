import Graft

/// P16: changes to a to-many relationship with very many members, against changes to a relationship with a hundred.
extension Benchmark {
  func measureHubs(_ report: inout Report) throws {
    let model = try MembersModel.load()
    try measureHubChanges(model, &report)
    try measureFirstChange(model, &report)
    try measureDeletionOfFirst(model, &report)
  }

  /// Measures transactions with one change each, on graphs of the same size. The first round, which is not counted, performs work
  /// that is needed only for the first change of a relationship.
  private func measureHubChanges(_ model: ManagedObjectModel, _ report: inout Report) throws {
    let size = options.largestCount
    let count = min(1000, size / 100)
    for change in HubChange.allCases {
      Standard.progress("hubs: \(change.rawValue)")
      let samples = try Samples(
        rounds: options.graphRounds,
        [
          try contender(.many, change, count, HubGraph(model, size, perHub: size)),
          try contender(.few, change, count, HubGraph(model, size, perHub: 100)),
        ])
      let microseconds = { (name: Contender.Name) in
        Quantity(samples.median(name).map { $0 / Double(count) * 1e6 }, "us")
      }
      report.add(
        Row(
          goal: .p16, measure: "\(change.rawValue), \(size) members against 100", graft: microseconds(.many),
          baseline: microseconds(.few), result: Quantity(samples.ratio(.many, to: .few), "x"), target: .hubChange))
    }
  }

  private func contender(
    _ name: Contender.Name, _ change: HubChange, _ count: Int, _ graph: HubGraph
  ) throws -> Contender {
    var round = 0
    return Contender(
      name,
      prepare: {
        defer { round += 1 }
        return try graph.input(of: change, MemberValues.chosen(count, of: graph.size, round: round))
      }, run: { try graph.run(change, $0) }, finish: { input, _ in try graph.check(change, input) })
  }

  /// Measures the first change of a graph that has just been imported.
  private func measureFirstChange(_ model: ManagedObjectModel, _ report: inout Report) throws {
    Standard.progress("hubs: the first change")
    let size = options.largestCount
    let contender = { (name: Contender.Name, perHub: Int) in
      Contender(
        name,
        prepare: {
          let graph = try HubGraph(model, size, perHub: perHub)
          return (graph, try graph.input(of: .move, [size / 2]))
        }, run: { graph, input in try graph.run(.move, input) },
        finish: { prepared, _ in try prepared.0.check(.move, prepared.1) })
    }
    let samples = try Samples(rounds: min(options.graphRounds, 3), [contender(.many, size), contender(.few, 100)])
    let microseconds = { (name: Contender.Name) in Quantity(samples.median(name).map { $0 * 1e6 }, "us") }
    report.add(
      Row(
        goal: .p16, measure: "the first move, \(size) members against 100", graft: microseconds(.many),
        baseline: microseconds(.few), result: Quantity(samples.ratio(.many, to: .few), "x"), target: .hubChange))
  }

  /// Measures `while let member = hub.members.first { try context.delete(member) }`.
  private func measureDeletionOfFirst(_ model: ManagedObjectModel, _ report: inout Report) throws {
    Standard.progress("hubs: deleting the first member until none is left")
    let sizes = options.objectCounts
    let payloads = MemberPayloads(sizes)
    let contenders = sizes.map { size in
      Contender(
        .size(size), repetitions: max(1, min(10, sizes[sizes.count - 1] / size / 10)),
        prepare: { try MemberGraph(model, payloads[size]) },
        run: { graph in
          let hub = try graph.hub(0)
          while let member = hub.members.first { try graph.context.delete(member) }
        },
        finish: { graph, _ in
          try require(graph.context.count(Member.self) == 0, "\(graph.context.count(Member.self)) members are left")
        })
    }
    let samples = try Samples(rounds: options.graphRounds, contenders)
    let exponent = Quantity(exponent(samples, sizes) { .size($0) }, "")
    report.add(
      Row(
        goal: .p16, measure: "delete the first until none is left, exponent", graft: exponent, result: exponent,
        target: .operationGrowth))
  }
}

/// The way in which one member of a hub changes.
private enum HubChange: String, CaseIterable {
  case move = "move by hand"
  case moveInOneTransaction = "move by hand, in one transaction"
  case moveByImport = "move by import"
  case delete = "delete by hand"
  case deleteByImport = "delete by import"
}

/// A graph of hubs with the same number of members each, and a hub to which members move.
private final class HubGraph {
  struct Input {
    var ids: [Int]
    var members: [Member]
    var payloads: [[UInt8]]
  }

  let size: Int
  private let graph: MemberGraph
  private let target: Hub

  init(_ model: ManagedObjectModel, _ size: Int, perHub: Int) throws {
    self.size = size
    graph = try MemberGraph(model, MemberValues.payload(size, perHub: perHub))
    target = try object(fromJSON: #"{"id":-1}"#, in: graph.context)
  }

  func input(of change: HubChange, _ ids: [Int]) throws -> Input {
    let payload: (Int) -> [UInt8] = { id in
      Array(#"{"id":\#(id),\#(change == .moveByImport ? #""hub":-1"# : #""gone":true"#)}"#.utf8)
    }
    switch change {
    case .moveByImport, .deleteByImport: return Input(ids: ids, members: [], payloads: ids.map(payload))
    default: return Input(ids: ids, members: try ids.map(graph.member), payloads: [])
    }
  }

  func run(_ change: HubChange, _ input: Input) throws {
    switch change {
    case .move:
      for member in input.members {
        member.hub = target
        try graph.context.commit()
      }
    case .moveInOneTransaction:
      for member in input.members { member.hub = target }
      try graph.context.commit()
    case .delete:
      for member in input.members {
        try graph.context.delete(member)
        try graph.context.commit()
      }
    case .moveByImport, .deleteByImport:
      for payload in input.payloads { try graph.context.importJSON(payload, ofEntity: "Member") }
    }
  }

  func check(_ change: HubChange, _ input: Input) throws {
    switch change {
    case .delete, .deleteByImport:
      try require(
        input.ids.allSatisfy { try graph.context.find(Member.self, identity: $0) == nil }, "a member was not deleted")
    case .move, .moveInOneTransaction, .moveByImport:
      try require(input.ids.allSatisfy { try graph.member($0).hub === target }, "a member was not moved")
    }
  }
}
