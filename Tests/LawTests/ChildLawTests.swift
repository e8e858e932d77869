import Foundation
import Graft
import GraftTestSupport
import Testing

/// A parent and two of its children that change the same random graph at the same time.
///
/// `GRAFT_CHILD_CASES` is the number of models, 60 by default; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of child contexts") struct ChildLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_CHILD_CASES", 60, found: [443])

  @Test(
    "S8: after merging, a child has its parent's graph, regardless of the changes in both",
    arguments: ContextSource.Kind.allCases.filter(\.isOfChildren))
  func together(kind: ContextSource.Kind) throws {
    var counts: [String: Int] = [:]
    var failures = 0
    for seed in Self.seeds where failures < 3 {
      var one = try LawCase(seed: seed, isRich: true, hasOwners: true, hasSurroundings: seed % 3 == 0)
      do {
        for _ in 0..<4 {
          one.startAgain()
          try run(&one, kind, &counts)
        }
      } catch {
        failures += 1
        Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)\n\(one.story)")
      }
    }
    print("S8 law, \(kind): \(counts.sorted { $0.key < $1.key })")
    guard Self.seeds.count > 20 else { return }
    for what in ["commits", "conflicts", "imports", "rollbacks of the parent", "merges"] {
      #expect(counts[what] ?? 0 > 0, "\(what)")
    }
  }

  private func run(_ one: inout LawCase, _ kind: ContextSource.Kind, _ counts: inout [String: Int]) throws {
    let source = try ContextSource(kind, one.loaded)
    let parent = try #require(source.parents.last)
    let children = [try source.context(), try source.context()]
    for _ in 0..<40 {
      let child = one.random.pick(children)
      switch one.random.below(10) {
      case 0...3:
        one.goOn(with: child)
        one.note("child \(child === children[0] ? 0 : 1)")
        try one.edit()
      case 4, 5:
        one.goOn(with: one.random.chance(percent: 50) ? parent : child)
        let name = one.context === parent ? "parent" : "child \(child === children[0] ? 0 : 1)"
        one.note(name)
        let (entity, payload) = one.payload()
        if one.importing(payload, entity, by: .bytes) == nil { counts["imports", default: 0] += 1 }
      case 6:
        one.goOn(with: parent)
        one.note("parent")
        try one.edit()
      case 7:
        let isRolledBack = one.random.chance(percent: 50)
        one.note(isRolledBack ? "roll the parent back" : "commit the parents")
        if isRolledBack {
          parent.rollBack()
          counts["rollbacks of the parent", default: 0] += 1
        } else {
          do {
            try source.commitParents()
          } catch is ValidationError { parent.rollBack() } catch is ConflictError {
            parent.rollBack()
          }
        }
      default: try commit(child, &one, children, &counts)
      }
      try compare(parent, children, &one, &counts)
    }
  }

  private func commit(
    _ child: ManagedObjectContext, _ one: inout LawCase, _ children: [ManagedObjectContext],
    _ counts: inout [String: Int]
  ) throws {
    let policy: ConflictPolicy = one.random.pick([.refuse, .storeWins, .contextWins, .mergeByProperty])
    child.conflictPolicy = policy
    one.note("commit child \(child === children[0] ? 0 : 1), \(policy)")
    let hasChanges = child.hasChanges
    do {
      try child.commit()
      if hasChanges { counts["commits", default: 0] += 1 }
    } catch let error as ConflictError {
      one.note("  \(error.diagnostics.map(\.message))")
      counts["conflicts", default: 0] += 1
      child.rollBack()
    } catch let error as ValidationError {
      one.note("  \(error.diagnostics.map(\.message))")
      child.rollBack()
    }
    child.conflictPolicy = .refuse
  }

  private func compare(
    _ parent: ManagedObjectContext, _ children: [ManagedObjectContext], _ one: inout LawCase,
    _ counts: inout [String: Int]
  ) throws {
    try expectInvariants(parent, "the parent")
    for (number, child) in children.enumerated() {
      try expectInvariants(child, "child \(number)")
      guard !child.hasChanges, one.random.chance(percent: 30) else { continue }
      one.note("merge into child \(number)")
      if try child.merge() { counts["merges", default: 0] += 1 }
      let (left, right) = (parent.dumpBytes(), child.dumpBytes())
      try one.expectSame(left, right, "the parent (-) and child \(number) (+)")
      try expectInvariants(child, "child \(number) after the merge")
    }
  }

  private func expectInvariants(_ context: ManagedObjectContext, _ name: String) throws {
    let faults = context.checkInvariants()
    if !faults.isEmpty { throw LawFailure("\(name): \(faults)") }
  }
}
