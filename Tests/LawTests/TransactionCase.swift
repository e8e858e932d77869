import Foundation
import Graft
import GraftTestSupport

/// A context and a simple graph that run the same operations: edits, imports and nested transactions.
///
/// The simple graph is a value. Rolling back a transaction restores the copy that was made when the transaction began.
struct TransactionCase {
  private struct Rollback: Error {}

  private enum Kind: CaseIterable { case atomically, decoding, dryRun, stream }

  static let deepest = 4

  var one: LawCase
  private let empty: ReferenceGraph
  private var graph: ReferenceGraph
  /// The graphs at the last commit and at the beginning of each open transaction.
  private var saved: [ReferenceGraph]
  private var held: [ManagedObject] = []
  private(set) var counts: [String: Int] = [:]
  /// Creates the store or parent of a sequence's contexts; nil for no store or parent.
  private let makeSource: ((ManagedObjectModel) throws -> ContextSource)?
  private var source: ContextSource?
  /// The child that waits while its parent is edited.
  private var waiting: ManagedObjectContext?

  init(seed: UInt64, source: ((ManagedObjectModel) throws -> ContextSource)? = nil) throws {
    one = try LawCase(seed: seed, isRich: true, hasOwners: true, hasSurroundings: seed % 3 == 0)
    makeSource = source
    empty = ReferenceGraph(model: ReferenceModel(one.loaded.contents))
    graph = empty
    saved = [empty]
  }

  private var context: ManagedObjectContext { one.context }
  private var model: ReferenceModel { graph.model }

  /// One sequence with an empty context.
  mutating func run() throws {
    one.startAgain()
    (graph, saved, held) = (empty, [empty], [])
    source = try makeSource?(one.loaded)
    waiting = nil
    if let source { one.goOn(with: try source.context()) }
    try makeSteps((source == nil ? 4 : 10) + one.random.below(8))
    context.rollBack()
    one.note("roll back")
    graph = saved[0]
    try check("rolling back in the end", isThorough: true)
    if source != nil { try reopen() }
    if context.hasChanges || !context.changes.isEmpty { throw LawFailure("changes are left") }
  }

  private mutating func makeSteps(_ count: Int) throws {
    for _ in 0..<count { try step() }
  }

  /// Opens the store again in another context that has nothing in memory.
  private mutating func reopen() throws {
    guard let source else { return }
    waiting = nil
    if one.random.chance(percent: 40) {
      one.note("commit the parents")
      if one.random.chance(percent: 50) { try source.commitParents() } else { try source.replaceParents() }
    }
    one.note("reopen")
    count("reopened")
    for parent in source.parents {
      let faults = parent.checkInvariants()
      if !faults.isEmpty { throw LawFailure("the parent: \(faults)") }
    }
    let whole = try source.context()
    let dump = whole.dumpBytes()
    // If loading failed, the error is thrown here.
    try whole.commit()
    try one.expectSame(
      Array(saved[0].dump.utf8), dump,
      "after opening the store again, the reference (-) and the store (+)")
    try expectSameExports(whole, try source.context())
    one.goOn(with: try source.context())
    held = []
    graph = saved[0]
  }

  /// Expects objects that are loaded while they are exported to be written in the same way as by a context that has everything in memory,
  /// as long as both contexts find the same objects.
  private mutating func expectSameExports(_ whole: ManagedObjectContext, _ part: ManagedObjectContext) throws {
    let roots = one.loaded.contents.entities.filter { $0.parentName == nil }
    // Another context cannot find objects without identity.
    var objects = try roots.flatMap { try whole.fetch(ofEntity: $0.name) }.filter { $0.objectID.identity != nil }
    for _ in 0..<min(3, objects.count) {
      let object = objects.remove(at: one.random.below(objects.count))
      guard let same = try part.find(object.objectID) else {
        throw LawFailure("the store does not find \(object.objectID)")
      }
      let (expected, found) = (export(of: object), export(of: same))
      if expected != found {
        throw LawFailure("the export of \(object) from memory:\n\(expected)\nfrom the store:\n\(found)")
      }
      count("exports")
    }
  }

  private func export(of object: ManagedObject) -> String {
    switch Result(catching: { () throws(ExportError) in try jsonData(from: object) }) {
    case .success(let data): String(decoding: data, as: UTF8.self)
    case .failure(let error): error.description
    }
  }

  /// Continues in the parent, or in the child that was waiting.
  private mutating func `switch`() throws {
    guard let source, let parent = source.parents.last else { return }
    let isBack = one.random.chance(percent: 50)
    if isBack || waiting == nil { try source.commitParents() }
    if let child = waiting {
      one.note("switch back")
      count("switched back")
      waiting = nil
      one.goOn(with: child)
      try child.merge()
    } else {
      one.note("switch to the parent")
      count("switched to the parent")
      waiting = context
      one.goOn(with: parent)
    }
    held = []
    graph = saved[0]
    try check("switching", isThorough: true)
  }

  private mutating func count(_ what: String) { counts[what, default: 0] += 1 }

  private mutating func step() throws {
    if saved.count == 1, let source, one.random.chance(percent: source.kind.isOfChildren ? 25 : 15) {
      if context.hasChanges {
        context.rollBack()
        graph = saved[0]
        one.note("roll back")
      }
      return source.kind.isOfChildren && one.random.chance(percent: 50) ? try `switch`() : try reopen()
    }
    switch one.random.below(100) {
    case ..<52:
      try edit()
      try check("an edit")
    case ..<72:
      try importPayload()
      try check("an import")
    case ..<76:
      one.note("commit")
      guard (try? context.commit()) != nil else { return one.note("  refused") }
      if saved.count == 1 { saved[0] = graph }
      try check("a commit")
    case ..<81:
      one.note("roll back")
      count("rollbacks \(saved.count - 1) deep")
      context.rollBack()
      graph = saved[saved.count - 1]
      try check("rolling back", isThorough: true)
    default:
      if saved.count <= Self.deepest { try transaction() }
    }
  }

  // MARK: Transactions

  private mutating func transaction() throws {
    let kind = one.random.pick(Kind.allCases)
    if kind == .stream { return try failingStream() }
    let isRolledBack = one.random.chance(percent: 50)
    let steps = 1 + one.random.below(5)
    one.note("\(kind) {")
    count("\(kind) \(saved.count) deep")
    saved.append(graph)
    let context = context
    let body = { [isRolledBack] (self: inout TransactionCase) throws in
      try self.makeSteps(steps)
      if isRolledBack { throw Rollback() }
    }
    var hasThrown = false
    do {
      switch kind {
      case .atomically: try context.atomically { try body(&self) }
      case .decoding: try context.decoding { try body(&self) }
      default: try context.dryRun { try body(&self) }
      }
    } catch is Rollback {
      hasThrown = true
    } catch let error as ValidationError where source != nil && saved.count == 2 {
      one.note("  refused: \(error)")
      hasThrown = true
    }
    one.note(hasThrown ? "} rolled back" : "}")
    let before = saved.removeLast()
    if hasThrown || kind == .dryRun {
      graph = before
    } else if saved.count == 1 {
      saved[0] = graph
    }
    try check("a transaction", isThorough: true)
  }

  /// A whole stream of payloads, the last of which fails.
  private mutating func failingStream() throws {
    let (entity, _) = one.payload()
    let name = one.model.entities[entity].name
    one.note("stream {")
    count("stream \(saved.count) deep")
    do throws(ImportError) {
      let stream = try ImportStream(
        ofEntity: name, in: context, format: .lines, batches: ImportBatches(size: 1, atomicity: .whole))
      for _ in 0..<1 + one.random.below(4) {
        let line = one.payload(of: entity)
        one.note("line \(name): \(line)")
        try stream.append(Array("\(line)\n".utf8))
      }
      stream.cancel()
    } catch {
      one.note("  fails: \(error)")
    }
    one.note("} cancelled")
    try check("a stream", isThorough: true)
  }

  // MARK: Imports

  private mutating func importPayload() throws {
    var (entity, payload) = one.payload()
    if one.random.chance(percent: 20) { payload = RandomPayload.damaged(payload, &one.random) }
    let error = one.importing(payload, entity, by: .bytes)
    count(error == nil ? "imports" : "failed imports")
    guard error == nil else { return }
    var importer = ReferenceImporter(graph)
    importer.run(payload, into: entity)
    // Earlier edits can leave objects that violate a rule and that the payload does not touch.
    let faults = importer.faults.filter { $0.code != "missing-value" && $0.code != "invalid-value" }
    guard faults.isEmpty else { throw LawFailure("the reference fails: \(faults)") }
    graph = importer.graph
    graph.orphans = []
    if saved.count == 1 { saved[0] = graph }
  }

  // MARK: Edits

  /// The context's objects by the bytes of their names, because names that only look the same are different.
  private func objects() throws -> [[UInt8]: ManagedObject] {
    let roots = one.model.entities.indices.filter { one.model.entities[$0].parent == nil }
    let all = try roots.flatMap { try context.fetch(ofEntity: one.model.entities[$0].name) }
    return Dictionary(all.map { (Array($0.description.utf8), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func edit() throws {
    let live = graph.live
    guard !live.isEmpty, !one.random.chance(percent: 20) else { return insert() }
    let number = one.random.pick(live)
    let isPartial = source != nil && one.random.chance(percent: 60)
    let objects = try isPartial ? [:] : self.objects()
    let names = graph.names
    guard let object = try found(number) ?? self.objects()[Array(names[number].utf8)] else {
      throw LawFailure("there is no \(names[number])")
    }
    if held.count < 6, one.random.chance(percent: 20) { held.append(object) }
    if one.random.chance(percent: 18) { return try delete(number, object) }
    let properties = model.entities[graph.objects[number].entity].properties
    guard !properties.isEmpty else { return }
    let property = one.random.pick(properties)
    if let attribute = property.attribute {
      try set(attribute, number, object)
    } else if let relationship = property.relationship {
      let destination = model.numbers[relationship.destinationName]!
      let targets = live.filter { model.inherits(graph.objects[$0].entity, from: destination) }
      let known = try isPartial ? targets.filter { try found($0) != nil } : targets
      let chosen: [Int: ManagedObject] = try Dictionary(
        uniqueKeysWithValues: known.compactMap { target in
          try (isPartial ? found(target) : objects[Array(names[target].utf8)]).map { (target, $0) }
        })
      set(relationship, number, object, known) { chosen[$0] }
    }
  }

  /// The object with the identity of one of the reference's objects, so no other object is loaded; nil if it has no identity.
  private func found(_ number: Int) throws -> ManagedObject? {
    guard source != nil, let identity = graph.values(number) else { return nil }
    return try context.find(ofEntity: model.entities[graph.objects[number].entity].name, values: identity)
  }

  private mutating func insert() {
    let entities = one.model.entities.indices.filter { !one.model.entities[$0].isAbstract }
    guard !entities.isEmpty else { return }
    let entity = one.random.pick(entities)
    let object = context.insert(ofEntity: one.model.entities[entity].name)
    one.note("insert \(object)")
    count("inserts")
    if held.count < 6, one.random.chance(percent: 30) { held.append(object) }
    var made = ReferenceGraph.Object(entity: entity)
    for property in model.entities[entity].properties {
      guard let attribute = property.attribute, !model.entities[entity].identity.contains(attribute.name) else {
        continue
      }
      made.values[attribute.name] = attribute.defaultValue
    }
    graph.objects.append(made)
  }

  private mutating func delete(_ number: Int, _ object: ManagedObject) throws {
    one.note("delete \(object)")
    count("deletions")
    var changed = graph
    let isDone = changed.delete(number, path: nil)
    if isDone { graph = changed }
    graph.orphans = []
    let isDoneToo = (try? context.delete(object)) != nil
    guard isDone == isDoneToo else { throw LawFailure("the engine \(isDoneToo ? "deletes" : "denies") it") }
  }

  private mutating func set(_ attribute: AttributeDescription, _ number: Int, _ object: ManagedObject) throws {
    // The effect on a placeholder, and the spelling of URIs by URLs, are covered by other tests.
    guard !graph.objects[number].isPlaceholder, attribute.type != .uri else { return }
    let lineage = one.model.lineage(graph.objects[number].entity)
    guard var plain = lineage.flatMap(\.attributes).first(where: { $0.name == attribute.name }) else { return }
    plain.transformer = nil
    let json = RandomPayload.value(plain, &one.random)
    let value = one.random.chance(percent: 20) ? nil : try attribute.value(from: json)
    one.note("set \(object).\(attribute.name) = \(value?.description ?? "nil")")
    count("attributes")
    var changed = graph
    // If the JSON value is the same, its first spelling is kept.
    if attribute.type != .json || changed.objects[number].values[attribute.name] != value {
      changed.objects[number].values[attribute.name] = value
    }
    let entity = model.entities[graph.objects[number].entity]
    var isTaken = false
    if entity.identity.contains(attribute.name) {
      if !entity.hasOwner {
        let values = entity.identity.compactMap { changed.objects[number].values[$0] }
        let isWhole = values.count == entity.identity.count
        changed.objects[number].identity = isWhole ? values.map { .value($0) } : nil
      }
      if let identity = changed.identity(number) {
        var others = changed
        others.objects[number].isDeleted = true
        isTaken = others.find(graph.objects[number].entity, identity) != nil
      }
    }
    if !isTaken { graph = changed }
    let isRefused = (try? object.setValue(value, of: attribute.name)) == nil
    guard isRefused == isTaken else { throw LawFailure("the engine \(isRefused ? "refuses" : "takes") it") }
  }

  private mutating func set(
    _ relationship: RelationshipDescription, _ number: Int, _ object: ManagedObject, _ targets: [Int],
    _ find: (Int) -> ManagedObject?
  ) {
    defer { graph.orphans = [] }
    let name = relationship.name
    count("links")
    guard relationship.isToMany else {
      let target = targets.isEmpty || one.random.chance(percent: 30) ? nil : one.random.pick(targets)
      let found = target.flatMap(find)
      one.note("set \(object).\(name) = \(found?.description ?? "nil")")
      var changed = graph
      changed.set(number, relationship, target.map { [$0] } ?? [], adds: false, path: nil)
      // The engine would trap here (M12).
      if changed.hasRepeats { return }
      graph = changed
      object[name] = found
      return
    }
    let related: RelatedObjects<ManagedObject> = object[name]
    let current = graph.links(number, relationship)
    switch one.random.below(5) {
    case 0 where !current.isEmpty:
      let target = one.random.pick(current)
      guard let found = find(target) else { return }
      one.note("remove \(found) from \(object).\(name)")
      graph.unlink(number, relationship, target)
      related.remove(found)
    case 1, 2:
      guard !targets.isEmpty else { return }
      let target = one.random.pick(targets)
      guard let found = find(target) else { return }
      one.note("insert \(found) into \(object).\(name)")
      var changed = graph
      changed.set(number, relationship, [target], adds: true, path: nil)
      if changed.hasRepeats { return }
      graph = changed
      related.insert(found)
    default:
      let chosen = targets.isEmpty ? [] : (0..<one.random.below(5)).map { _ in one.random.pick(targets) }
      let found = chosen.compactMap(find)
      let list = found.map(\.description)
      one.note("set \(object).\(name) = \(list)")
      var changed = graph
      changed.set(number, relationship, chosen, adds: false, path: nil)
      if changed.hasRepeats { return }
      graph = changed
      object[name] = found
    }
  }

  // MARK: Expecting

  /// - Parameter isThorough: whether to compare the whole graph, which is slow.
  private mutating func check(_ what: String, isThorough: Bool = false) throws {
    try one.expectInvariants(what)
    guard isThorough || one.random.chance(percent: 20) else { return }
    try one.expectSame(
      Array(graph.dump.utf8), context.dumpBytes(), "after \(what), the reference (-) and the engine (+)")
    guard isThorough else { return }
    let objects = try self.objects()
    for handle in held where !handle.isDeleted && objects[Array(handle.description.utf8)] !== handle {
      throw LawFailure("after \(what), \(handle) is not the object that is found")
    }
    held.removeAll(where: \.isDeleted)
  }
}
