import GraftTestSupport
import Testing

@testable import Graft

/// The changes that contexts of a store report lead exactly from each committed state to the next.
///
/// `GRAFT_NOTICE_CASES` is the number of models, 20 by default; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of the changes that contexts report") struct NoticeLawTests {
  private static let seeds = LawSeeds.seeds(
    "GRAFT_NOTICE_CASES", 20, found: [117, 182, 230, 242, 323, 614, 748, 129, 364, 567])

  @Test(
    "S14: commits, imports and merges report the difference between committed states, regardless of pending changes",
    arguments: ContextSource.Kind.allCases)
  func notices(kind: ContextSource.Kind) throws { try ContextSource.Kind.withStorableTexts(kind) { try hold(kind) } }

  private func hold(_ kind: ContextSource.Kind) throws {
    var causes: [ContextChanges.Cause: Int] = [:]
    var failures = 0
    for seed in ContextSource.Kind.part(of: Self.seeds, kind) where failures < 3 {
      var one = try NoticeCase(kind, seed: seed)
      do {
        for _ in 0..<4 { try one.run() }
      } catch {
        failures += 1
        Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)\n\(one.story)")
      }
      causes.merge(one.causes, uniquingKeysWith: +)
    }
    print("S14 law, \(kind): \(causes.map { "\($1) \($0)" }.sorted())")
    guard Self.seeds.count > 10, kind != .postgresql else { return }
    for cause in [ContextChanges.Cause.commit, .import, .merge, .rollBack, .pending] {
      #expect(causes[cause] ?? 0 > 0, "\(cause)")
    }
  }
}

/// Two contexts of one source, which show the whole graph.
private struct NoticeCase {
  /// A context, and the changes that it has reported since the last check.
  private final class Member {
    let name: String
    let context: ManagedObjectContext
    var told: [ContextChanges] = []
    /// The graph that the context shows without its pending changes; nil if that is not known.
    var committed: GraphPicture?

    init(_ name: String, _ context: ManagedObjectContext, _ model: RandomModel) throws {
      (self.name, self.context) = (name, context)
      committed = try GraphPicture(context, model)
      context.observers.add { [weak self] in self?.told.append($0) }
    }
  }

  /// The reported changes of a context, and the states before and after.
  private typealias Event = (cause: ContextChanges.Cause, before: GraphPicture?, after: GraphPicture?)

  private var one: LawCase
  private let kind: ContextSource.Kind
  private var source: ContextSource?
  private(set) var causes: [ContextChanges.Cause: Int] = [:]

  var story: String { one.story }

  init(_ kind: ContextSource.Kind, seed: UInt64) throws {
    self.kind = kind
    one = try LawCase(ofContexts: seed)
  }

  /// A sequence of steps with new contexts.
  mutating func run() throws {
    let start = one.random.next()
    let steps = (0..<10 + one.random.below(20)).map { _ in one.random.next() }
    let others = one.random
    defer { one.random = others }
    try LawSeeds.run(steps) { try run($0, start) }
  }

  private mutating func run(_ steps: [UInt64], _ start: UInt64) throws {
    one.random = SeededRandom(seed: start)
    one.startAgain()
    let source = try ContextSource(kind, one.loaded)
    self.source = source
    let policy: ConflictPolicy = one.random.pick([.refuse, .storeWins, .contextWins, .mergeByProperty])
    one.note("\(policy)")
    let members = try ["mine", "theirs"].map { try Member($0, source.context(), one.model) }
    for member in members { member.context.conflictPolicy = policy }
    for seed in steps {
      one.random = SeededRandom(seed: seed)
      let member = one.random.pick(members)
      one.goOn(with: member.context)
      try step(member)
      for other in members where !other.told.isEmpty {
        throw LawFailure("\(other.name) reported changes, although nothing happened to it: \(other.told)")
      }
      try one.expectInvariants("a step")
    }
  }

  private mutating func step(_ member: Member) throws {
    switch one.random.below(10) {
    case 0, 1:
      // An import merges before it begins. The changes of that merge are checked separately.
      guard try merge(member) else { return }
      one.note("import into \(member.name)")
      let (entity, payload) = one.payload()
      guard one.importing(payload, entity, by: .bytes) == nil else { return }
      let now = try shown(member)
      try expect([(.import, member.committed, now)], member)
      member.committed = now
    case 2, 3:
      let before = try shown(member)
      let hasChanges = member.context.hasChanges
      one.note("commit \(member.name)")
      do {
        try member.context.commit()
      } catch {
        guard error is ConflictError || error is ValidationError else { throw error }
        return
      }
      // A commit without changes does not merge.
      let now = try shown(member)
      try expect([(.commit, member.committed, hasChanges ? before : now), (.merge, before, now)], member)
      member.committed = now
    case 4:
      let before = try shown(member)
      one.note("roll \(member.name) back")
      member.context.rollBack()
      try expect([(.rollBack, before, try shown(member))], member)
    case 5, 6: _ = try merge(member)
    default:
      one.note(member.name)
      for _ in 0...one.random.below(3) { try one.edit() }
      guard let committed = member.committed else { return }
      try ChangeCheck(member.context.changes, committed, shown(member), one.model).check(causes: &causes)
    }
  }

  private func shown(_ member: Member) throws -> GraphPicture { try GraphPicture(member.context, one.model) }

  /// - Returns: whether the commit caused no conflict.
  private mutating func merge(_ member: Member) throws -> Bool {
    one.note("merge into \(member.name)")
    guard try member.context.mergeOrStay() != nil, let source else { return false }
    var now: GraphPicture? = try shown(member)
    if member.context.hasChanges {
      // No other context commits in the meantime. Objects without identity have different IDs in another context.
      now = try GraphPicture(source.context(), one.model)
      if now?.objects.values.contains(where: { $0.name.hasPrefix("\($0.entityName)#") }) == true { now = nil }
    }
    try expect([(.merge, member.committed, now)], member)
    member.committed = now
    return true
  }

  /// Expects that a context reported the given events, in this order, except events that changed nothing.
  private mutating func expect(_ events: [Event], _ member: Member) throws {
    var told = member.told[...]
    member.told = []
    for event in events {
      if let changes = told.first, changes.cause == event.cause {
        told.removeFirst()
        guard let before = event.before, let after = event.after else { continue }
        do {
          try ChangeCheck(changes, before, after, one.model).check(causes: &causes)
        } catch { throw LawFailure("\(member.name), \(event.cause): \(error)") }
      } else if let before = event.before, let after = event.after,
        try !ChangeCheck.isEmpty(before, after, one.model)
      {
        throw LawFailure("\(member.name) does not report its \(event.cause), but \(Array(told))")
      }
    }
    if let changes = told.first { throw LawFailure("\(member.name) tells without need: \(changes)") }
  }
}
