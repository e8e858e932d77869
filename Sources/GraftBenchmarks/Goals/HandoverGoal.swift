import Foundation
import Graft

/// P22: passing one change of many objects from one context to another, until it can be read there.
extension Benchmark {
  func measureHandover(_ report: inout Report) throws {
    let model = try MembersModel.load()
    let sizes = [options.objectCounts[0], options.largestCount]
    for way in HandoverWay.allCases {
      var milliseconds: [Quantity?] = []
      for size in sizes {
        Standard.progress("handing over: \(way.rawValue), \(size) objects")
        let handover = try Handover(way, model, size)
        var round = 0
        let count = way.isProportional ? 100 : 1
        let contender = Contender(
          .graft,
          prepare: {
            defer { round += 1 }
            return MemberValues.chosen(count, of: size, round: round)
          }, run: { try handover.run($0) }, finish: { ids, _ in try handover.check(ids) })
        let samples = try Samples(rounds: options.graphRounds, [contender])
        milliseconds.append(.milliseconds(samples.median(.graft).map { $0 / Double(count) }))
      }
      report.add(
        Row(
          goal: .p22, measure: "\(way.rawValue), \(sizes[1]) objects (baseline: \(sizes[0]))", graft: milliseconds[1],
          baseline: milliseconds[0], result: milliseconds[1], target: .handover))
    }
  }
}

/// The way in which a change reaches the other context.
private enum HandoverWay: String, CaseIterable {
  /// The other context repeats the changes.
  case changes = "merge(changes)"
  /// The other context is the parent.
  case child = "commit of a child"
  /// Both contexts have the same store, and the other context merges.
  case store = "a shared store in memory"
  /// The other context restores a snapshot of the first.
  case snapshot = "a snapshot"

  /// Whether the time is expected to depend only on the change, so many changes can be measured.
  var isProportional: Bool { self != .snapshot }
}

/// Two contexts with the same objects.
private struct Handover {
  let way: HandoverWay
  let source: ManagedObjectContext
  let target: ManagedObjectContext
  /// The changes that the source has committed.
  private var commits: ChangeBox<ContextChanges>?

  init(_ way: HandoverWay, _ model: ManagedObjectModel, _ size: Int) throws {
    self.way = way
    let payload = MemberValues.payload(size, perHub: 100)
    switch way {
    case .child:
      target = try MemberGraph(model, payload).context
      source = target.makeChild()
    case .store:
      let store = SnapshotStore.inMemory(model: model)
      source = try ManagedObjectContext(model: model, store: store)
      try source.importJSON(payload, ofEntity: "Member")
      target = try ManagedObjectContext(model: model, store: store)
      // The objects are in both contexts.
      try require(target.fetch(Member.self).count == size, "not all objects were loaded")
    case .snapshot, .changes:
      source = try MemberGraph(model, payload).context
      target = ManagedObjectContext(source.snapshot())
      if way == .changes { commits = ChangeBox(source.updates()) }
    }
  }

  func run(_ ids: [Int]) throws {
    for id in ids {
      try source.find(Member.self, identity: id)?.score = -1
      try source.commit()
      switch way {
      case .child: break
      case .changes:
        guard let changes = commits?.next() else { throw BenchmarkError("no changes arrived") }
        try require(target.merge(changes).isEmpty, "some changes were not merged")
      case .store: try target.merge()
      case .snapshot: target.restore(source.snapshot())
      }
      try require(target.find(Member.self, identity: id)?.score == -1, "the change did not arrive")
    }
  }

  func check(_ ids: [Int]) throws {
    try require(target.count(Member.self) == source.count(Member.self), "\(target.count(Member.self)) objects")
  }
}
