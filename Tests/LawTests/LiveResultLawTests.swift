import Foundation
import GraftTestSupport
import Testing

@testable import Graft

/// Live lists and values always equal the result of a new fetch, and their changes lead from one list to the next.
///
/// `GRAFT_RESULTS_CASES` is the number of sequences, 200 by default; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of live results") struct LiveResultLawTests {
  /// The contexts in which live lists are tested: a context without a store, or a context of a store or a parent.
  private static let kinds: [ContextSource.Kind?] = [nil] + ContextSource.Kind.allCases

  /// Seeds that have found defects.
  private static let found: [UInt64] = [1_051, 12_404]

  @Test(
    "S18: after any change, live lists and values equal newly fetched ones, and their changes lead to the new state",
    arguments: kinds)
  func current(kind: ContextSource.Kind?) throws { try ContextSource.Kind.withStorableTexts(kind) { try hold(kind) } }

  private func hold(_ kind: ContextSource.Kind?) throws {
    var counts: [String: Int] = [:]
    var failures = 0
    let seeds = LawSeeds.seeds("GRAFT_RESULTS_CASES", 200, each: Self.kinds.count)
    let found = seeds.count == 1 ? [] : Self.found.filter { !seeds.contains($0) }
    for seed in ContextSource.Kind.part(of: seeds, kind) + found where failures < 3 {
      var sequence = try LiveResultCase(kind, seed: seed)
      do {
        try sequence.run()
      } catch {
        failures += 1
        Issue.record("GRAFT_LAW_SEED=\(seed) \(kind?.rawValue ?? "memory"): \(error)\n\(sequence.one.story)")
      }
      counts.merge(sequence.counts, uniquingKeysWith: +)
    }
    print("S18 law, \(kind?.rawValue ?? "memory"): \(counts.sorted { $0.key < $1.key })")
    guard counts["sequences"] ?? 0 > 20, kind != .postgresql else { return }
    for what in ["inserted", "deleted", "moved", "updated", "sections", "imports", "roll backs", "commits"] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }

  @Test("Keys stay in order and are found by their positions, regardless of insertions and removals")
  func orderedKeys() {
    var random = SeededRandom(seed: 1)
    for count in [0, 1, 2, 3, 50, 400] {
      var expected = (0..<Int64(count)).map { $0 * 3 }.shuffled(using: &random)
      var keys = OrderedKeys(expected)
      for step in 0..<600 {
        if expected.isEmpty || random.chance(percent: 52) {
          let position = random.below(expected.count + 1)
          expected.insert(Int64(1_000_000 + step), at: position)
          keys.insert(Int64(1_000_000 + step), at: position)
        } else {
          let position = random.below(expected.count)
          #expect(keys.remove(expected.remove(at: position)) == position)
        }
        let position = expected.isEmpty ? 0 : random.below(expected.count)
        #expect(keys.count == expected.count && (expected.isEmpty || keys.key(at: position) == expected[position]))
        #expect(expected.isEmpty || keys.position(of: expected[position]) == position)
      }
      #expect(keys.all == expected)
    }
  }
}

/// A sequence of steps, and the live lists that are updated after each step.
struct LiveResultCase {
  private(set) var one: LawCase
  private(set) var counts: [String: Int] = [:]
  private let source: ContextSource?
  /// Another context of the same store or parent.
  private let other: ManagedObjectContext?
  private var lists: [FollowedList] = []
  private var snapshot: ContextSnapshot?

  init(_ kind: ContextSource.Kind?, seed: UInt64) throws {
    one = try LawCase(seed: seed, isRich: true)
    source = try kind.map { [model = one.loaded] in try ContextSource($0, model) }
    other = try source?.context()
    if let source { one.goOn(with: try source.context()) }
  }

  mutating func run() throws {
    counts["sequences"] = 1
    for _ in 0..<one.random.below(3) { try importPayload() }
    if one.random.chance(percent: 30) { one.context.isObservable = true }
    // Nothing in the store has been loaded.
    if let source, one.random.chance(percent: 50) {
      one.note("another context")
      one.goOn(with: try source.context())
    }
    for _ in 0..<3 { try addList() }
    try check()
    for _ in 0..<25 {
      try step()
      // Sometimes, several steps are run before the lists are read.
      if one.random.chance(percent: 80) { try check() }
      if one.random.chance(percent: 4) { try addList() }
    }
    try check()
  }

  // MARK: Steps

  private mutating func step() throws {
    switch one.random.below(20) {
    case 0...7:
      for _ in 0...one.random.below(3) { try one.edit() }
    case 8, 9: try importPayload()
    case 10: rollBack()
    case 11, 12, 13: try commit()
    case 14: try inTransaction()
    case 15:
      one.note("dry run")
      let context = one.context
      try context.dryRun {
        try one.edit()
        if one.random.chance(percent: 50) { try check() }
      }
    case 16, 17: try changeElsewhere()
    case 18: try merge()
    default: try replaceEverything()
    }
  }

  private mutating func importPayload() throws {
    let (entity, payload) = one.payload()
    if try one.importing(payload, entity) == nil { counts["imports", default: 0] += 1 }
  }

  private mutating func rollBack() {
    one.note("roll back")
    one.context.rollBack()
    counts["roll backs", default: 0] += 1
  }

  private mutating func commit() throws {
    one.note("commit")
    one.context.conflictPolicy = one.random.pick([.refuse, .storeWins, .contextWins, .mergeByProperty])
    do {
      try one.context.commit()
      counts["commits", default: 0] += 1
    } catch {
      one.note("  fails: \(error)")
      if one.random.chance(percent: 70) { rollBack() }
    }
  }

  private mutating func inTransaction() throws {
    struct Stop: Error {}
    one.note("transaction")
    let fails = one.random.chance(percent: 50)
    let context = one.context
    do {
      try context.atomically {
        try one.edit()
        if one.random.chance(percent: 50) { try check() }
        if one.random.chance(percent: 30) { try importPayload() }
        if one.random.chance(percent: 20) { rollBack() }
        try one.edit()
        if fails { throw Stop() }
      }
      one.note("end of the transaction")
    } catch let failure as LawFailure {
      throw failure
    } catch {
      one.note("end of the transaction: \(error)")
    }
  }

  /// Another context changes the store or the parent.
  private mutating func changeElsewhere() throws {
    guard let other else { return try importPayload() }
    let own = one.context
    one.note("in the other context:")
    one.goOn(with: other)
    _ = try? other.merge()
    for _ in 0...one.random.below(3) { try one.edit() }
    if one.random.chance(percent: 30) { try importPayload() }
    do { try other.commit() } catch { other.rollBack() }
    if one.random.chance(percent: 20) { try? source?.commitParents() }
    one.note("in the first context again")
    one.goOn(with: own)
    if one.random.chance(percent: 70) { try merge() }
  }

  private mutating func merge() throws {
    one.note("merge")
    one.context.conflictPolicy = one.random.pick([.refuse, .storeWins, .contextWins, .mergeByProperty])
    do {
      if try one.context.merge() { counts["merges", default: 0] += 1 }
    } catch {
      one.note("  fails: \(error)")
    }
  }

  private mutating func replaceEverything() throws {
    if source == nil, one.random.chance(percent: 70) {
      if let snapshot, one.random.chance(percent: 60) {
        one.note("restore")
        one.context.restore(snapshot)
        counts["restores", default: 0] += 1
      } else {
        one.note("snapshot")
        snapshot = one.context.snapshot()
      }
    } else {
      one.note("reset")
      one.context.reset()
      counts["resets", default: 0] += 1
    }
  }

  // MARK: Lists

  private mutating func addList() throws {
    let context = one.context
    let whole = try source?.context() ?? context
    let entity = one.random.pick(context.model.plan.entities)
    let table = context.model.plan.layouts[entity.index].table
    var conditions = RandomCondition(
      schema: context.queryMap.schema, samples: GraphRows(state: whole.state, map: whole.queryMap), context: whole)
    let condition =
      one.random.chance(percent: 20) ? StoreCondition.always : conditions.condition([table], depth: 2, &one.random)
    var keys = conditions.keys(entity, &one.random)
    let isSectioned = !keys.isEmpty && one.random.chance(percent: 40)
    if isSectioned { keys += conditions.keys(entity, &one.random) }
    let limit = one.random.chance(percent: 25) ? one.random.below(6) : nil
    let offset = one.random.chance(percent: 15) ? one.random.below(3) : 0
    let number = lists.count
    one.note(
      "list \(number) of \(entity.name), sections \(isSectioned), \(limit ?? -1) \(offset) \(keys): \(condition)")
    let column = conditions.column(table, &one.random)
    lists.append(
      try FollowedList(context, entity, condition, keys, isSectioned: isSectioned, limit, offset, groupedBy: column))
  }

  private mutating func check() throws {
    for (number, list) in lists.enumerated() {
      do {
        try list.check(&counts)
      } catch let failure as LawFailure {
        throw LawFailure("list \(number): \(failure)")
      }
    }
  }
}

/// A live list, its first state with all changes applied, and a live value.
private final class FollowedList {
  private let list: ResultList
  private let groups: ComputedSource<[StoreAggregate.Group]>
  private let query: ObjectQuery
  private let aggregate: StoreAggregate
  private let context: ManagedObjectContext
  private let keys: [SortKey<ManagedObject>]
  private let isSectioned: Bool
  private let page: (limit: Int?, offset: Int)
  private var received: [ResultChanges] = []
  private var ids: [ManagedObjectID] = []
  private var sectionIDs: [[ManagedObjectID]] = []
  private var pictures: [ManagedObjectID: String] = [:]

  init(
    _ context: ManagedObjectContext, _ entity: EntityPlan, _ condition: StoreCondition,
    _ keys: [SortKey<ManagedObject>], isSectioned: Bool, _ limit: Int?, _ offset: Int, groupedBy column: Int?
  ) throws {
    self.context = context
    self.keys = keys
    self.isSectioned = isSectioned
    page = (limit, offset)
    query = ObjectQuery(context, entity, condition)
    list = try ResultList(
      context,
      ResultQuery(
        query, context, section: isSectioned ? keys[0] : nil, Array(keys.dropFirst(isSectioned ? 1 : 0)), limit, offset)
    )
    let aggregate = StoreAggregate(.count, groupedBy: column)
    self.aggregate = aggregate
    groups = try ComputedSource(context, query) { [query] () throws(StoreError) in try query.groups(aggregate) }
    list.onChange { [weak self] in self?.received.append($0) }
    ids = list.ids
    sectionIDs = sections(of: ids)
    pictures = picturesNow()
  }

  /// The IDs of each section, with the list's own counts.
  private func sections(of ids: [ManagedObjectID]) -> [[ManagedObjectID]] {
    guard let counts = list.shown.sections?.counts else { return ids.isEmpty ? [] : [ids] }
    var start = 0
    return counts.map { count in
      defer { start += count }
      return Array(ids.dropFirst(start).prefix(count))
    }
  }

  /// The attributes of the objects in the list.
  private func picturesNow() -> [ManagedObjectID: String] {
    var pictures: [ManagedObjectID: String] = [:]
    let reader = RowReader(context.state)
    for key in list.shownKeys(0..<list.shownCount) {
      guard let number = list.rows.row(of: key) else { continue }
      let row = reader.row(query.table, number)
      let layout = context.state.layouts[row.entity]
      let slots = (0..<layout.slotCount).map { layout.slots[$0] }.filter { !$0.kind.isRelationship }
      pictures[list.rows.id(of: key)] =
        "\(row.isPlaceholder) \(slots.map { reader.storedJSON(row, $0).description }.joined(separator: ", "))"
    }
    return pictures
  }

  func check(_ counts: inout [String: Int]) throws {
    list.refresh()
    if let failure = list.failure { throw LawFailure("the list fails: \(failure)") }
    let expected = try query.rows(keys, page.limit, page.offset)
    let found = list.shownKeys(0..<list.shownCount).map { list.rows.row(of: $0) }
    guard found == expected.map(Optional.init) else {
      throw LawFailure("shows rows \(found.map { $0.map(Int.init) ?? -1 }), but a fetch returns \(expected)")
    }
    let now = list.ids
    try checkSections(now)
    try checkChanges(now, &counts)
    try checkValues()
  }

  private func checkSections(_ now: [ManagedObjectID]) throws {
    guard isSectioned else { return }
    guard let sections = list.shown.sections else { throw LawFailure("has no sections") }
    let values = list.shownKeys(0..<list.shownCount).map { list.rows.section(of: $0) }
    var expected = ResultSections()
    for value in values { expected.append(value) }
    guard sections.values == expected.values, sections.counts == expected.counts else {
      throw LawFailure("sections \(sections), not \(expected)")
    }
  }

  private func checkChanges(_ now: [ManagedObjectID], _ counts: inout [String: Int]) throws {
    var touched: Set<ManagedObjectID> = []
    let before = ids
    for changes in received {
      ids = ids.applying(changes)
      if isSectioned { sectionIDs = sectionIDs.applying(changes) }
      for step in changes.steps {
        switch step {
        case .inserted(let id, _):
          touched.insert(id)
          counts["inserted", default: 0] += 1
        case .deleted: counts["deleted", default: 0] += 1
        case .moved(let id, _, _):
          touched.insert(id)
          counts["moved", default: 0] += 1
        case .updated(let id, _):
          touched.insert(id)
          counts["updated", default: 0] += 1
        case .sectionInserted, .sectionDeleted: counts["sections", default: 0] += 1
        }
      }
    }
    guard ids == now else {
      throw LawFailure("the changes lead from \(before) to \(ids), not to \(now):\n\(received)")
    }
    if isSectioned, sectionIDs != sections(of: now) {
      throw LawFailure("the changes lead to the sections \(sectionIDs), not to \(sections(of: now)):\n\(received)")
    }
    let old = pictures
    pictures = picturesNow()
    for (id, picture) in pictures {
      if let previous = old[id], previous != picture, !touched.contains(id) {
        throw LawFailure("\(id) changed from \(previous) to \(picture), but the changes do not report it: \(received)")
      }
    }
    received = []
  }

  private func checkValues() throws {
    groups.refresh()
    if let failure = groups.failure { throw LawFailure("the value fails: \(failure)") }
    let expected = try query.groups(aggregate)
    guard groups.latest == expected else { throw LawFailure("value \(groups.latest), not \(expected)") }
  }
}
