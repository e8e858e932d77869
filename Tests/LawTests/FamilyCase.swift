import Foundation
import Graft
import GraftSQLite
import GraftTestSupport

/// Contexts that change the same random graph: contexts of one store, and their children and grandchildren.
///
///     store --- first --- child --- grandchild
/// \         \-- other child \-- second
struct FamilyCase {
  enum Kind: String, CaseIterable {
    case memory, snapshot, sqlite

    func store(_ model: ManagedObjectModel) throws -> (any StoreBackend)? {
      switch self {
      case .memory: nil
      case .snapshot: SnapshotStore.inMemory(model: model)
      case .sqlite: try SQLiteStore.inMemory(model: model)
      }
    }
  }

  private struct Member {
    var name: String
    var context: ManagedObjectContext
  }

  private(set) var one: LawCase
  private(set) var counts: [String: Int] = [:]
  private let kind: Kind
  private var store: (any StoreBackend)?
  private var members: [Member] = []

  init(_ kind: Kind, seed: UInt64) throws {
    self.kind = kind
    one = try LawCase(ofContexts: seed)
  }

  /// Runs one sequence of steps with new contexts. A failure is reported for the shortest part of the sequence that was found to fail.
  mutating func run() throws {
    let start = one.random.next()
    let steps = (0..<20 + one.random.below(30)).map { _ in one.random.next() }
    let others = one.random
    defer { one.random = others }
    do {
      try run(steps, start)
    } catch {
      throw shorten(steps, start, error)
    }
  }

  /// - Parameter steps: a seed for each step, so that the remaining steps are unchanged if some are left out.
  private mutating func run(_ steps: [UInt64], _ start: UInt64) throws {
    one.random = SeededRandom(seed: start)
    one.startAgain()
    try makeMembers()
    for seed in steps {
      one.random = SeededRandom(seed: seed)
      let number = one.random.below(members.count)
      try step(members[number])
      for member in members { try expectInvariants(member) }
      if one.random.chance(percent: 25) { try expectFound(members[number]) }
    }
    try settle()
  }

  /// Removes steps as long as the remaining steps still fail.
  private mutating func shorten(_ steps: [UInt64], _ start: UInt64, _ failure: any Error) -> any Error {
    var (steps, failure) = (steps, failure)
    var length = steps.count / 2
    while length > 0 {
      var first = 0
      while first < steps.count {
        var fewer = steps
        fewer.removeSubrange(first..<min(first + length, steps.count))
        do {
          try run(fewer, start)
          first += length
        } catch {
          (steps, failure) = (fewer, error)
        }
      }
      length /= 2
    }
    // The story describes only the last run.
    do {
      try run(steps, start)
    } catch { failure = error }
    return failure
  }

  private mutating func makeMembers() throws {
    store = try kind.store(one.loaded)
    let first = try context()
    let child = first.makeChild()
    members = [
      Member(name: "first", context: first), Member(name: "child", context: child),
      Member(name: "other child", context: first.makeChild()), Member(name: "grandchild", context: child.makeChild()),
    ]
    if store != nil { members.append(Member(name: "second", context: try context())) }
    // Pairs of contexts reveal most defects of larger families in fewer steps.
    if one.random.chance(percent: 50) {
      let kept = store != nil && one.random.chance(percent: 50) ? members.last : members[1]
      members = [members[0]] + (kept.map { [$0] } ?? [])
    }
    let mergesChanges = one.random.chance(percent: 30)
    let policy: ConflictPolicy = one.random.pick([.refuse, .storeWins, .contextWins, .mergeByProperty])
    let (kind, names) = (kind, members.map(\.name))
    one.note("\(kind): \(names), \(policy)\(mergesChanges ? ", merging" : "")")
    for member in members {
      member.context.mergesChanges = mergesChanges
      member.context.conflictPolicy = policy
    }
  }

  private func context() throws -> ManagedObjectContext {
    try store.map { try ManagedObjectContext(model: one.loaded, store: $0) } ?? ManagedObjectContext(model: one.loaded)
  }

  /// A new context that reads from the same store or parent as a member; nil if the member has neither.
  private func fresh(besides member: Member) throws -> ManagedObjectContext? {
    if let parent = member.context.parent { return parent.makeChild() }
    return store == nil ? nil : try context()
  }

  // MARK: Steps

  private mutating func step(_ member: Member) throws {
    one.goOn(with: member.context)
    switch one.random.below(12) {
    case 0...2:
      one.note(member.name)
      let (entity, payload) = one.payload()
      count(one.importing(payload, entity, by: .bytes) == nil ? "imports" : "failed imports")
    case 3: try commit(member)
    case 4:
      one.note("roll \(member.name) back")
      member.context.rollBack()
      if member.context.hasChanges { throw LawFailure("\(member.name) has changes after rolling back") }
      try merge(member)
    case 5: try merge(member)
    default:
      one.note(member.name)
      try one.edit()
    }
  }

  private mutating func commit(_ member: Member) throws {
    one.note("commit \(member.name)")
    let hasChanges = member.context.hasChanges
    // Reading loads other contexts' commits, which a parent with changes does not take over.
    let stored = one.random.chance(percent: 40) ? try fresh(besides: member)?.dumpBytes() : nil
    do {
      try member.context.commit()
      if hasChanges { count("commits") }
    } catch {
      guard error is ConflictError || error is ValidationError else { throw error }
      one.note("  \(error)")
      count(error is ConflictError ? "conflicts" : "invalid commits")
      if let stored, let now = try fresh(besides: member)?.dumpBytes() {
        try one.expectSame(stored, now, "the store before (-) and after (+) a refused commit")
      }
      if one.random.chance(percent: 50) {
        one.note("roll \(member.name) back")
        member.context.rollBack()
        try merge(member)
      }
    }
  }

  private mutating func merge(_ member: Member) throws {
    // A context that has not merged can load a later state of its store or parent than its children have.
    var line = [member.context]
    while let parent = line[0].parent { line.insert(parent, at: 0) }
    one.note("merge into \(member.name)\(line.count > 1 ? " and its parents" : "")")
    for context in line {
      switch try context.mergeOrStay() {
      case true?: count("merges")
      case nil:
        one.note("  in conflict")
        count("refused merges")
      case false?: break
      }
    }
    guard !member.context.hasChanges, one.random.chance(percent: 40), let fresh = try fresh(besides: member) else {
      return
    }
    if line.dropLast().contains(where: { $0.hasChanges && ($0.parent != nil || store != nil) }) { return }
    try expectSame(fresh, member, "a new context (-) and \(member.name) (+) after a merge")
  }

  /// In the end, all contexts have the contents of the store.
  private mutating func settle() throws {
    one.random = SeededRandom(seed: 1)
    for member in members.reversed() {
      one.note("commit \(member.name) in the end")
      do {
        try member.context.commit()
      } catch {
        one.note("  \(error)")
        try expectInvariants(member)
        one.note("roll \(member.name) back")
        member.context.rollBack()
        try expectInvariants(member)
        try member.context.commit()
      }
      for member in members { try expectInvariants(member) }
    }
    // The last commits of the children.
    for member in members.reversed() {
      do {
        try member.context.commit()
      } catch { member.context.rollBack() }
      try expectInvariants(member)
    }
    for member in members {
      one.note("merge into \(member.name) in the end")
      try member.context.merge()
      try expectInvariants(member)
      guard !member.context.hasChanges else { throw LawFailure("\(member.name) has changes at the end") }
      try expectSame(members[0].context, member, "the first context (-) and \(member.name) (+) in the end")
      try expectInvariants(member)
    }
    guard store != nil else { return }
    try expectSame(try context(), members[0], "a new context (-) and the first one (+) in the end")
    if let store = store as? SQLiteStore, case let faults = try store.verify(), !faults.isEmpty {
      throw LawFailure("the store is damaged: \(faults)")
    }
  }

  private mutating func count(_ what: String) { counts[what, default: 0] += 1 }

  // MARK: Expecting

  private func expectInvariants(_ member: Member) throws {
    let faults = member.context.checkInvariants()
    if !faults.isEmpty { throw LawFailure("\(member.name): \(faults)") }
  }

  /// Each object is found by its ID, and no other object has the same ID.
  private mutating func expectFound(_ member: Member) throws {
    one.note("look for all objects of \(member.name)")
    let roots = one.model.entities.filter { $0.parent == nil }.map(\.name)
    for object in try roots.flatMap({ try member.context.fetch(ofEntity: $0) }) {
      let found = try member.context.find(object.objectID)
      if found != object {
        throw LawFailure(
          "\(member.name): '\(object)' is fetched, and its ID finds \(found.map { "'\($0)'" } ?? "nothing")")
      }
    }
  }

  private func expectSame(_ expected: ManagedObjectContext, _ member: Member, _ what: String) throws {
    let (left, right) = (expected.dumpBytes(), member.context.dumpBytes())
    // Objects without identity are named by their order.
    if Self.lines(left) == Self.lines(right) { return }
    try one.expectSame(left, right, what)
  }

  private static func lines(_ dump: [UInt8]) -> [String] {
    String(decoding: dump, as: UTF8.self).split(separator: "\n").map {
      $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
    }
    .sorted()
  }
}
