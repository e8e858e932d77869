import Graft
import GraftTestSupport
import Testing

@Suite("Objects that another context deleted and inserted again") struct InsertedAgainTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Customer": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"favorites": {"destination": "Order", "toMany": true, "ordered": true}}},
          "Order": {"identityAttributes": "id", "alternateIdentities": ["token"],
            "attributes": {
              "id": {"type": "integer64", "optional": true}, "token": {"type": "string", "optional": true},
              "name": {"type": "string", "optional": true}},
            "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order", "deleteRule": "cascade"}}},
          "Line": {"identityAttributes": ["order", "key"],
            "attributes": {"key": "string", "n": {"type": "integer64", "optional": true}},
            "relationships": {
              "order": {"destination": "Order", "inverse": "lines"},
              "parts": {"destination": "Part", "toMany": true, "inverse": "line", "deleteRule": "cascade"}}},
          "Part": {"identityAttributes": ["line", "number"], "attributes": {"number": "integer64"},
            "relationships": {"line": {"destination": "Line", "inverse": "parts"}}}}}
        """)
  }

  /// A source with an order, and two contexts: one shows the order, and the other has since deleted it and inserted another order.
  private func contexts(
    _ kind: ContextSource.Kind, _ policy: ConflictPolicy, base: String, again: String,
    edit: (ManagedObjectContext) throws -> Void
  ) throws -> (source: ContextSource, context: ManagedObjectContext, other: ManagedObjectContext) {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(base, ofEntity: "Order")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = policy
    try edit(context)
    try other.delete(first(other, "Order"))
    try other.commit()
    try other.importJSON(again, ofEntity: "Order")
    return (source, context, other)
  }

  private func first(_ context: ManagedObjectContext, _ entity: String) throws -> ManagedObject {
    try #require(context.fetch(ofEntity: entity).first)
  }

  private func lines(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(ofEntity: "Line").map { line in
      let order: ManagedObject? = line["order"]
      let (key, n): (String?, Int?) = (line["key"], line["n"])
      return "\(order.map { "\($0)" } ?? "-") \(key ?? "-") \(n.map(String.init) ?? "-")"
    }.sorted()
  }

  /// The order has an ID, or it only has a token until another context sets the ID.
  private static let orders = [
    (#"{"id": 1, "name": "old", "lines": [{"key": "k", "n": 1}]}"#, #"{"id": 1, "lines": [{"key": "k", "n": 2}]}"#),
    (#"{"token": "t", "lines": [{"key": "k", "n": 1}]}"#, #"{"id": 1, "token": "t", "lines": [{"key": "k", "n": 2}]}"#),
  ]

  @Test(
    "M12, S5: a line that is new in an order belongs to the order that another context inserted in its place",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty, .storeWins, .refuse])
  func newLine(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    for (base, again) in Self.orders {
      for isMerged in [false, true] {
        let (source, context, other) = try contexts(kind, policy, base: base, again: again) { context in
          let line = context.insert(ofEntity: "Line")
          line["key"] = "new"
          line["order"] = try first(context, "Order")
        }
        if isMerged { try context.merge() }
        #expect(context.checkInvariants() == [])
        try context.commit()
        #expect(try lines(context) == ["Order(1) k 2", "Order(1) new -"])
        try source.expectAgreement(of: context, other)
      }
    }
  }

  @Test("M12, S5: contextWins: a changed line stays in its order", arguments: ContextSource.Kind.allCases)
  func changedLine(kind: ContextSource.Kind) throws {
    for (base, again) in Self.orders {
      let (source, context, other) = try contexts(kind, .contextWins, base: base, again: again) { context in
        try first(context, "Line")["n"] = 9
      }
      try context.commit()
      #expect(try lines(context) == ["Order(1) k 9"])
      try source.expectAgreement(of: context, other)
    }
  }

  @Test(
    "M12: an owner is found before the objects that are identified inside it", arguments: ContextSource.Kind.allCases)
  func nested(kind: ContextSource.Kind) throws {
    let (source, context, other) = try contexts(
      kind, .mergeByProperty, base: Self.orders[0].0, again: Self.orders[0].1
    ) { context in
      let part = context.insert(ofEntity: "Part")
      part["number"] = 5
      part["line"] = try first(context, "Line")
    }
    try context.commit()
    #expect(try context.fetch(ofEntity: "Part").map { "\($0)" } == ["Part(1,k,5)"])
    try source.expectAgreement(of: context, other)
  }

  @Test(
    "S5: references and lists lead to the object that another context inserted again",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty, .storeWins, .refuse])
  func references(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    for again in [#"{"id": 1, "name": "new"}"#, #"{"id": 2}"#] {
      let (source, context, other) = try contexts(kind, policy, base: #"{"id": 1}"#, again: again) { context in
        let order = try first(context, "Order")
        let customer = context.insert(ofEntity: "Customer")
        customer["id"] = 7
        let favorites: RelatedObjects<ManagedObject> = customer["favorites"]
        favorites.insert(order)
      }
      if policy == .refuse, !again.contains("1") {
        #expect(throws: ConflictError.self) { try context.commit() }
        continue
      }
      try context.commit()
      let customer = try #require(try context.find(ofEntity: "Customer", id: 7))
      let favorites: RelatedObjects<ManagedObject> = customer["favorites"]
      #expect(favorites.map { "\($0)" } == (again.contains("1") ? ["Order(1)"] : []))
      try source.expectAgreement(of: context, other)
    }
  }

  @Test(
    "S5: storeWins: an object that this context deleted and inserted again by its alternate identity is discarded",
    arguments: ContextSource.Kind.allCases, ["id", "token"])
  func discarded(kind: ContextSource.Kind, key: String) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(#"{"id": 1, "token": "t", "lines": [{"key": "k", "n": 1}]}"#, ofEntity: "Order")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = .storeWins
    try context.delete(#require(try context.find(ofEntity: "Order", id: 1)))
    let order = context.insert(ofEntity: "Order")
    if key == "id" { order["id"] = 1 } else { order["token"] = "t" }
    order["name"] = "mine"
    let line = context.insert(ofEntity: "Line")
    line["key"] = "k"
    line["n"] = 9
    line["order"] = order
    try other.importJSON(#"{"id": 1, "name": "theirs", "lines": [{"key": "k", "n": 2}]}"#, ofEntity: "Order")
    try context.commit()
    #expect(try context.fetch(ofEntity: "Order").map { $0["name"] as String? } == ["theirs"])
    #expect(try lines(context) == ["Order(1) k 2"])
    try source.expectAgreement(of: context, other)
  }

  /// Repeats all changes to a context in a mirror. A final object marks the end of the changes.
  private func follow(
    _ updates: AsyncStream<ContextChanges>, of context: ManagedObjectContext, in mirror: ManagedObjectContext
  ) async throws {
    let last = context.insert(ofEntity: "Customer")
    last["id"] = 99
    try context.commit()
    for await changes in updates {
      if changes.cause != .pending { #expect(mirror.merge(changes) == []) }
      if changes.inserted.contains(last.objectID) { break }
    }
  }

  @Test(
    "M12, C2: a mirror is notified of a part under the ID that the part got when its owner changed",
    arguments: ContextSource.Kind.allCases, ["Line", "Part"])
  func partOfChangedOwner(kind: ContextSource.Kind, deleted: String) async throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(
      #"[{"id": 1, "lines": [{"key": "k", "parts": [{"number": 1}]}]}, {"id": 2}]"#, ofEntity: "Order")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = .contextWins
    for entity in ["Order", "Line", "Part"] { _ = try context.fetch(ofEntity: entity) }
    let mirror = ManagedObjectContext(context.snapshot())
    let updates = context.updates()
    try first(context, "Line")["order"] = try context.find(ofEntity: "Order", id: 2)
    try other.delete(first(other, deleted))
    try other.commit()
    try context.commit()
    try await follow(updates, of: context, in: mirror)
    #expect(mirror.dump() == context.dump())
    #expect(try lines(context) == ["Order(2) k -"] && mirror.count(ofEntity: "Part") == 0)
    try source.expectAgreement(of: context, other)
  }

  private static func tagged(isOrdered: Bool) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Tag": {"identityAttributes": "name", "attributes": {"name": "string"}, "relationships": {
            "heroes": {"destination": "Hero", "toMany": true, "ordered": \(isOrdered), "inverse": "tags"}}},
          "Hero": {"identityAttributes": "id",
            "attributes": {
              "id": "integer64", "age": {"type": "integer64", "optional": true},
              "note": {"type": "string", "optional": true}},
            "relationships": {
              "tags": {"destination": "Tag", "toMany": true, "ordered": \(isOrdered), "inverse": "heroes", "JSONKeyPath": null},
              "lines": {"destination": "Line", "toMany": true, "ordered": \(isOrdered), "inverse": "hero", "deleteRule": "cascade"}}},
          "Line": {"identityAttributes": ["hero", "key"], "attributes": {"key": "integer64"},
            "relationships": {"hero": {"destination": "Hero", "inverse": "lines", "JSONKeyPath": null}}}}}
        """)
  }

  /// Returns the state of a context after it has edited a tag with heroes 1, 2 and 3. Meanwhile, another context has imported the tag with
  /// a different age for hero 1, either into the existing hero or after deleting that hero.
  private func outcome(
    _ kind: ContextSource.Kind, _ policy: ConflictPolicy, isOrdered: Bool, isMerged: Bool, age: Int = 5,
    isReplaced: Bool = true, _ edit: (ManagedObjectContext, _ tag: ManagedObject, _ hero: ManagedObject) throws -> Void
  ) throws -> String {
    func payload(_ age: Int) -> String {
      #"{"name": "a", "heroes": [{"id": 1, "age": \#(age), "lines": [{"key": 1}, {"key": 2}]}, {"id": 2}, {"id": 3}]}"#
    }
    let source = try ContextSource(kind, Self.tagged(isOrdered: isOrdered))
    try source.context().importJSON(payload(5), ofEntity: "Tag")
    try source.context().importJSON(#"{"id": 4}"#, ofEntity: "Hero")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = policy
    let tag = try #require(try context.find(ofEntity: "Tag", id: "a"))
    try edit(context, tag, #require(try context.find(ofEntity: "Hero", id: 1)))
    if isReplaced { try other.delete(#require(try other.find(ofEntity: "Hero", id: 1))) }
    try other.importJSON(payload(age), ofEntity: "Tag")
    do {
      if isMerged { try context.merge() }
      #expect(context.checkInvariants() == [])
      try context.commit()
    } catch let error as ConflictError {
      #expect(context.checkInvariants() == [])
      return "conflict: \(error.diagnostics.map(\.message).sorted())"
    }
    try source.expectAgreement(of: context, other)
    let heroes: RelatedObjects<ManagedObject> = tag["heroes"]
    let shown = heroes.map { hero in
      let (age, note): (Int?, String?) = (hero["age"], hero["note"])
      let lines: RelatedObjects<ManagedObject> = hero["lines"]
      return "\(hero["id"] as Int? ?? 0)" + (age.map { "(\($0))" } ?? "") + (note ?? "")
        + (lines.isEmpty ? "" : "[\(lines.map { "\($0["key"] as Int? ?? 0)" }.joined(separator: " "))]")
    }
    return (isOrdered ? shown : shown.sorted()).joined(separator: " ")
  }

  @Test(
    "S5: lists keep and lose an object that another context inserted again like any other object",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty])
  func lists(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    for (isOrdered, isMerged) in [(false, false), (true, false), (false, true), (true, true)] {
      func expect(
        _ expected: String, _ edit: (ManagedObjectContext, ManagedObject, ManagedObject) throws -> Void
      ) throws {
        let found = try outcome(kind, policy, isOrdered: isOrdered, isMerged: isMerged, edit)
        #expect(found == expected, "\(isOrdered) \(isMerged)")
      }
      func heroes(_ tag: ManagedObject) -> RelatedObjects<ManagedObject> { tag["heroes"] }
      try expect("1(5)[1 2] 2 3 4") { context, tag, _ in
        heroes(tag).append(try #require(try context.find(ofEntity: "Hero", id: 4)))
      }
      try expect("1(5)[1 2] 3") { context, tag, _ in
        heroes(tag).remove(try #require(try context.find(ofEntity: "Hero", id: 2)))
      }
      try expect("2 3") { _, tag, hero in heroes(tag).remove(hero) }
      try expect("1(5)[1 2 9] 2 3") { context, _, hero in
        let line = context.insert(ofEntity: "Line")
        line["key"] = 9
        let lines: RelatedObjects<ManagedObject> = hero["lines"]
        lines.append(line)
      }
      if isOrdered {
        try expect("3 1(5)[1 2] 2") { _, tag, _ in
          let members = Array(heroes(tag))
          try tag.setValue([members[2], members[0], members[1]], of: "heroes")
        }
      }
    }
  }

  @Test(
    "S5: it makes no difference whether another context changes an object, or deletes and reinserts it",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.refuse, .storeWins, .contextWins, .mergeByProperty])
  func same(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    typealias Edit = (ManagedObjectContext, ManagedObject, ManagedObject) throws -> Void
    let edits: [(String, Edit)] = [
      ("delete", { context, _, hero in try context.delete(hero) }),
      ("note", { _, _, hero in hero["note"] = "mine" }), ("nil", { _, _, hero in hero["age"] = nil }),
      ("same", { _, _, hero in hero["age"] = 6 }),
      ("tag", { _, tag, hero in (tag["heroes"] as RelatedObjects<ManagedObject>).remove(hero) }),
      (
        "other",
        { context, _, hero in
          let tag = context.insert(ofEntity: "Tag")
          tag["name"] = "b"
          (hero["tags"] as RelatedObjects<ManagedObject>).append(tag)
        }
      ),
      (
        "move",
        { context, _, _ in
          let line = try #require(try context.fetch(ofEntity: "Line").first)
          line["hero"] = try context.find(ofEntity: "Hero", id: 2)
        }
      ),
      (
        "line",
        { context, _, hero in
          let line = context.insert(ofEntity: "Line")
          line["key"] = 9
          line["hero"] = hero
        }
      ),
      (
        "replace",
        { context, _, hero in
          try context.delete(hero)
          let new = context.insert(ofEntity: "Hero")
          new["id"] = 1
          new["note"] = "mine"
        }
      ),
    ]
    let kinds = ContextSource.Kind.allCases
    for (number, (name, edit)) in edits.enumerated() {
      for (turn, (isMerged, age)) in [(true, 6), (false, 6), (true, 5), (false, 5)].enumerated() {
        // Each kind of store tests a third of the edits, so all of the edits are tested on several kinds.
        guard kinds.count == 1 || (number + turn + (kinds.firstIndex(of: kind) ?? 0)) % 3 == 0 else { continue }
        func outcome(_ isReplaced: Bool) throws -> String {
          try self.outcome(
            kind, policy, isOrdered: false, isMerged: isMerged, age: age, isReplaced: isReplaced, edit)
        }
        #expect(try outcome(true) == outcome(false), "\(name) \(isMerged) \(age)")
      }
    }
  }

  @Test(
    "S5: an existing object stays a different object, regardless of the identity that another context sets on it",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.refuse, .storeWins, .contextWins, .mergeByProperty])
  func renumbered(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(#"[{"id": 1, "name": "one"}, {"id": 2, "name": "two"}]"#, ofEntity: "Order")
    for isDeleted in [true, false] {
      let (context, other) = (try source.context(), try source.context())
      context.conflictPolicy = policy
      let order = try #require(try context.find(ofEntity: "Order", id: 1))
      if isDeleted { try context.delete(order) } else { order["token"] = "mine" }
      try other.delete(#require(try other.find(ofEntity: "Order", id: 1)))
      try #require(try other.find(ofEntity: "Order", id: 2))["id"] = 1
      try other.commit()
      do { try context.commit() } catch is ConflictError { context.rollBack() }
      try context.merge()
      let left = try #require(try context.find(ofEntity: "Order", id: 1))
      #expect(left["name"] == "two" && left["token"] as String? == nil, "\(isDeleted)")
      try source.expectAgreement(of: context, other)
      try other.merge()
      try #require(try other.find(ofEntity: "Order", id: 1))["id"] = 2
      try other.commit()
      try other.importJSON(#"{"id": 1, "name": "one"}"#, ofEntity: "Order")
    }
  }

  @Test("C2: a mirror updates a part whose owner's owner has no identity", arguments: ContextSource.Kind.allCases)
  func numberedPart(kind: ContextSource.Kind) async throws {
    let source = try ContextSource(kind, Self.model())
    let context = try source.context()
    try context.importJSON(#"{"id": 1, "lines": [{"key": "k", "parts": [{"number": 1}]}]}"#, ofEntity: "Order")
    let (line, part) = (try first(context, "Line"), try first(context, "Part"))
    let mirror = ManagedObjectContext(context.snapshot())
    let updates = context.updates()
    line["order"] = context.insert(ofEntity: "Order")
    try context.commit()
    try context.delete(part)
    try await follow(updates, of: context, in: mirror)
    #expect(try mirror.count(ofEntity: "Part") == 0 && mirror.count(ofEntity: "Line") == 1)
  }

  @Test(
    "M27, S5: two objects stay separate if another context gave both of their alternate identities to one object",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.refuse, .storeWins, .contextWins, .mergeByProperty])
  func halves(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"Order": {"identityAttributes": "id", "alternateIdentities": ["token", "slug"],
          "attributes": {"id": {"type": "integer64", "optional": true}, "token": {"type": "string", "optional": true},
            "slug": {"type": "string", "optional": true}, "name": {"type": "string", "optional": true}}}}}
        """)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"[{"token": "t"}, {"slug": "s"}]"#, ofEntity: "Order")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = policy
    for order in try context.fetch(ofEntity: "Order") { order["name"] = "mine" }
    for order in try other.fetch(ofEntity: "Order") { try other.delete(order) }
    try other.commit()
    try other.importJSON(#"{"id": 7, "token": "t", "slug": "s", "name": "theirs"}"#, ofEntity: "Order")
    do {
      try context.commit()
    } catch is ConflictError {
      #expect(policy == .refuse || policy == .contextWins)
      context.rollBack()
    }
    try context.merge()
    #expect(context.checkInvariants() == [])
    #expect(try context.fetch(ofEntity: "Order").map { $0["name"] as String? } == ["theirs"])
    try source.expectAgreement(of: context, other)
  }

  @Test("M27, S5: merging a change to a deep chain of objects that others inserted again takes linear time")
  func deepChain() throws {
    let model = try ManagedObjectModel(
      entities: #"""
        "Folder": {"identityAttributes": "id", "alternateIdentities": [["parent", "name"]],
          "attributes": {"id": {"type": "integer64", "optional": true}, "name": {"type": "integer64", "optional": true},
            "title": {"type": "string", "optional": true}},
          "relationships": {
            "parent": {"destination": "Folder", "inverse": "folders"},
            "folders": {"destination": "Folder", "toMany": true, "inverse": "parent", "deleteRule": "cascade"}}}
        """#)
    func insertChain(_ depth: Int, _ context: ManagedObjectContext) {
      var place = context.insert(ofEntity: "Folder")
      place["id"] = 1
      for name in 0..<depth {
        let folder = context.insert(ofEntity: "Folder")
        folder["parent"] = place
        folder["name"] = name
        place = folder
      }
    }
    func merging(_ depth: Int) throws -> Duration {
      let store = SnapshotStore.inMemory(model: model)
      let (mine, theirs) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
      mine.conflictPolicy = .mergeByProperty
      insertChain(depth, theirs)
      try theirs.commit()
      let last = try #require(try mine.fetch(ofEntity: "Folder", where: ObjectCondition("name = \(depth - 1)")).first)
      last["title"] = "Mine"
      try theirs.delete(theirs.object("Folder", 1))
      try theirs.commit()
      insertChain(depth, theirs)
      try theirs.commit()
      let duration = try ContinuousClock().measure { _ = try mine.merge() }
      try mine.commit()
      try theirs.merge()
      #expect(try theirs.fetch(ofEntity: "Folder", where: "title = 'Mine'").map { $0["name"] as Int? } == [depth - 1])
      return duration
    }
    _ = try merging(10)
    let (short, long) = (try merging(100), try merging(1_000))
    // Ten times as much work; a hundred times in quadratic time.
    #expect(long < short * 30, "\(short), then \(long)")
  }
}
