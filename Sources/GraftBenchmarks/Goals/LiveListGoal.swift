import Foundation
import Graft
import GraftSQLite

/// Q7: changes to a live list sorted by text, from the commit to the difference, and the memory of a window over many rows.
extension Benchmark {
  func measureLiveLists(_ report: inout Report) throws {
    let folder = try BenchmarkFolder()
    defer { folder.remove() }
    let model = try MembersModel.load()
    let size = options.largestCount / 10
    for way in LiveListWay.allCases {
      Standard.progress("live lists: \(way.rawValue)")
      let (few, many) = (try LiveList(way, model, size, shown: 100, folder), try LiveList(way, model, size, folder))
      let samples = try Samples(
        rounds: options.graphRounds,
        [
          few.contender(.few, changes: 100, each: 1), many.contender(.many, changes: 100, each: 1),
          many.contender(.way(1_000), changes: 1, each: 1_000),
        ])
      let milliseconds = { (name: Contender.Name, count: Double) in
        Quantity.milliseconds(samples.median(name).map { $0 / count })
      }
      report.add(
        Row(
          goal: .q7, measure: "\(way.rawValue), one change, \(size) shown (baseline: 100)",
          graft: milliseconds(.many, 100), baseline: milliseconds(.few, 100),
          result: Quantity(samples.ratio(.many, to: .few), "x"), target: .liveList))
      report.add(
        Row(
          goal: .q7, measure: "\(way.rawValue), 1000 changes at once, each (baseline: one by one)",
          graft: milliseconds(.way(1_000), 1_000), baseline: milliseconds(.many, 100),
          result: Quantity(samples.ratio(.way(1_000), to: .many).map { $0 / 10 }, "x"), target: .liveListBulk))
    }
    try measureWindow(model, folder, &report)
  }

  /// Measures a page of 50 objects, over a few and over many rows.
  private func measureWindow(
    _ model: ManagedObjectModel, _ folder: BenchmarkFolder, _ report: inout Report
  ) throws {
    let sizes = [options.largestCount / 20, options.largestCount * 5]
    let bytes = try sizes.map { size in
      Standard.progress("a window over \(size) rows")
      let store = try SQLiteStore(at: folder.file(), model: model)
      try LiveList.fill(store, model, size)
      return try LiveList.bytesOfWindow(store, model, size)
    }
    let kilobytes = bytes.map { Quantity($0.map { Double($0) / 1000 }, "kB") }
    report.add(
      Row(
        goal: .q7, measure: "memory of a window over \(sizes[1]) rows (baseline: \(sizes[0]))", graft: kilobytes[1],
        baseline: kilobytes[0],
        result: Quantity(bytes[0].flatMap { few in bytes[1].map { Double($0) / Double(few) } }, "x"), target: .window))
  }
}

private enum LiveListWay: String, CaseIterable {
  /// The context of the list changes.
  case memory = "in memory"
  /// Another context of the same store changes, and the context of the list merges.
  case store = "a SQLite store"
}

/// A live list of members, sorted by name.
private final class LiveList {
  private let way: LiveListWay
  private let source: ManagedObjectContext
  private let target: ManagedObjectContext
  private let results: LiveResults<Member>
  private let changes: ChangeBox<ResultChanges>
  private let shown: Int
  private var round = 0
  /// The IDs in the list, updated with its differences.
  private var ids: [ManagedObjectID]

  /// - Parameter shown: the number of objects in the list; nil for all.
  init(
    _ way: LiveListWay, _ model: ManagedObjectModel, _ size: Int, shown: Int? = nil, _ folder: BenchmarkFolder
  ) throws {
    self.way = way
    self.shown = shown ?? size
    switch way {
    case .memory:
      source = try MemberGraph(model, MemberValues.payload(size, perHub: 100)).context
      target = source
    case .store:
      let store = try SQLiteStore(at: folder.file(), model: model)
      try LiveList.fill(store, model, size)
      source = try ManagedObjectContext(model: model, store: store)
      target = try ManagedObjectContext(model: model, store: store)
    }
    results = try target.results(Member.self, where: "id < \(self.shown)", sortedBy: .ascending("name"))
    ids = results.objectIDs
    changes = ChangeBox(results.updates())
    try require(ids.count == self.shown, "\(ids.count) members are shown, not \(self.shown)")
  }

  static func fill(_ store: SQLiteStore, _ model: ManagedObjectModel, _ size: Int) throws {
    let batch = 100_000
    for start in stride(from: 0, to: size, by: batch) {
      let context = try ManagedObjectContext(model: model, store: store)
      try context.importJSON(
        MemberValues.payload(from: start, min(batch, size - start), perHub: 100), ofEntity: "Member")
    }
  }

  // MARK: Changes

  /// - Parameters:
  ///   - changes: the number of commits.
  ///   - each: the number of objects that each commit changes.
  func contender(_ name: Contender.Name, changes: Int, each: Int) -> Contender {
    Contender(
      name,
      prepare: { [self] in
        round += 1
        return (0..<changes).map { MemberValues.chosen(each, of: shown, round: round * changes + $0) }
      }, run: { [self] commits in try commits.map { try change($0) } },
      finish: { [self] commits, differences in
        for difference in differences { ids = ids.applying(difference) }
        // An object that moves is also updated.
        for difference in differences where !(each...2 * each ~= difference.steps.count) {
          throw BenchmarkError("a difference of \(each) changes has \(difference.steps.count) steps")
        }
        try require(ids == results.objectIDs, "the differences do not lead to the list")
      })
  }

  private func change(_ members: [Int]) throws -> ResultChanges {
    for id in members {
      let member = try source.find(Member.self, identity: id)
      member?.name = "member \(MemberValues.rank(id &* 31 &+ round &* 1_013))"
    }
    try source.commit()
    if way == .store { try target.merge() }
    guard let difference = changes.next() else { throw BenchmarkError("the list reported no difference") }
    return difference
  }

  // MARK: Memory

  /// Returns the live bytes of a context that shows a page in the middle of a list, or nil if they cannot be counted.
  static func bytesOfWindow(_ store: SQLiteStore, _ model: ManagedObjectModel, _ size: Int) throws -> Int? {
    let before = LiveMemory.bytes()
    let context = try ManagedObjectContext(model: model, store: store)
    let page = try context.results(Member.self, sortedBy: .ascending("id"), limit: 50, offset: size / 2)
    let names = page.map { $0.name }
    let after = LiveMemory.bytes()
    try require(names == (0..<50).map { MemberValues.name(size / 2 + $0) }, "the window shows other members")
    return withExtendedLifetime((context, page)) { before.flatMap { before in after.map { $0 - before } } }
  }
}
