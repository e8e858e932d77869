import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Context: changes made by another context") struct MergedChangesTests {
  private static let model = #"""
    {"entities": {
      "Order": {"identityAttributes": "id", "attributes": {"id": "integer64", "note": {"type": "string", "optional": true}},
        "relationships": {
          "lines": {"destination": "Line", "toMany": true, "ordered": true, "inverse": "order", "deleteRule": "cascade"},
          "tags": {"destination": "Tag", "toMany": true, "inverse": "orders"}}},
      "Line": {"attributes": {"text": "string"}, "relationships": {"order": {"destination": "Order", "inverse": "lines"}}},
      "Tag": {"identityAttributes": "name", "attributes": {"name": "string", "url": {"type": "uri", "optional": true}},
        "relationships": {"orders": {"destination": "Order", "toMany": true, "inverse": "tags"}}}},
     "keyStrategy": "sameName"}
    """#

  private static let orders = #"""
    [{"id": 1, "lines": [{"text": "a"}, {"text": "b"}], "tags": [{"name": "x", "url": "http://a.example/%7Eb"}, "y"]},
     {"id": 2, "note": "late", "lines": [{"text": "c"}], "tags": ["x"]}]
    """#

  private func contexts() throws -> (ManagedObjectContext, ManagedObjectContext) {
    let model = try ManagedObjectModel(text: Self.model)
    return (ManagedObjectContext(model: model), ManagedObjectContext(model: model))
  }

  /// Runs a closure and returns the changes that observers receive.
  private func changes(
    _ context: ManagedObjectContext, _ body: () throws -> Void
  ) async throws -> ContextChanges {
    var updates = context.updates().makeAsyncIterator()
    try body()
    return try #require(await updates.next())
  }

  @Test(
    "I21: a member of a list that takes the identity of a deleted object stays in the list",
    arguments: [
      "renamed", "renamed and removed", "another", "another removed", "renamed; the target had deleted the other one",
      "renamed; the target had removed the other one",
    ], [true, false])
  func takenIdentity(variant: String, isOrdered: Bool) async throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "List": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
          "Tag": {"identityAttributes": "name", "attributes": {"name": "string"},
            "relationships": {"lists": {"destination": "List", "toMany": true\(isOrdered ? #", "ordered": true"# : "")}}}}}
        """)
    let (source, target) = (ManagedObjectContext(model: model), ManagedObjectContext(model: model))
    let first = try await changes(source) {
      try source.importJSON(
        #"[{"name": "x", "lists": [{"id": 2}, {"id": 3}]}, {"name": "y", "lists": [{"id": 1}]}]"#, ofEntity: "Tag")
    }
    #expect(target.merge(first) == [])
    let other = try #require(try target.find(ofEntity: "List", id: 3))
    if variant.hasSuffix("had deleted the other one") { try target.delete(other) }
    if variant.hasSuffix("had removed the other one") {
      let lists: RelatedObjects<ManagedObject>? = try target.find(ofEntity: "Tag", id: "x")?["lists"]
      lists?.remove(other)
    }
    try target.commit()
    let tag = try #require(try source.find(ofEntity: "Tag", id: "x"))
    let lists: RelatedObjects<ManagedObject> = tag["lists"]
    func object(_ id: Int) throws -> ManagedObject { try #require(try source.find(ofEntity: "List", id: id)) }
    let second = try await changes(source) {
      let (one, two, three) = (try object(1), try object(2), try object(3))
      let isOther = variant.hasPrefix("another")
      // The deleted object is a member of the same list, or of another list.
      try source.delete(isOther ? one : three)
      two["id"] = isOther ? 1 : 3
      if variant.hasSuffix(" removed") { lists.remove(two) }
      try source.commit()
    }
    #expect(target.merge(second) == [])
    #expect(source.dump() == target.dump(), "\(second)")
  }

  @Test(
    "I21, M12: objects that are identified inside their owners stay the same, regardless of the order of the changes",
    arguments: [true, false])
  func owned(isOrdered: Bool) async throws {
    let order = isOrdered ? #""ordered": true, "# : ""
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"lines": {"destination": "Line", "toMany": true, \(order)"inverse": "order"}}},
          "Line": {"identityAttributes": ["order", "number"], "attributes": {"number": "integer64"},
            "relationships": {"order": {"destination": "Order", "inverse": "lines"},
              "parts": {"destination": "APart", "toMany": true, \(order)"inverse": "line"}}},
          "APart": {"identityAttributes": ["line", "code"], "attributes": {"code": "string"},
            "relationships": {"line": {"destination": "Line", "inverse": "parts"},
              "spare": {"destination": "Line", "optional": true, "JSONKeyPath": null}}}}}
        """)
    let (source, target) = (ManagedObjectContext(model: model), ManagedObjectContext(model: model))
    let payload = #"""
      [{"id": 1, "lines": [{"number": 2, "parts": [{"code": "b"}, {"code": "a"}]}, {"number": 1, "parts": [{"code": "a"}]}]},
       {"id": 2, "lines": [{"number": 1, "parts": []}]}]
      """#
    let first = try await changes(source) {
      try source.atomically {
        try source.importJSON(payload, ofEntity: "Order")
        let lines = try source.fetch(ofEntity: "Line")
        for part in try source.fetch(ofEntity: "APart") { part["spare"] = lines.last }
      }
    }
    #expect(target.merge(first) == [])
    #expect(target.dumpText == source.dumpText && target.checkInvariants() == [])
    let second = try await changes(source) {
      try source.importJSON(
        #"[{"id": 2, "lines": [{"number": 1, "parts": [{"code": "c"}]}, {"number": 5, "parts": [{"code": "c"}]}]}]"#,
        ofEntity: "Order")
    }
    #expect(target.merge(second) == [])
    #expect(target.dumpText == source.dumpText && target.checkInvariants() == [])
  }

  @Test("I21, M12: objects exchange their owners while other objects move into them")
  func exchangedOwners() async throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"cards": {"destination": "Card", "toMany": true, "inverse": "box"}}},
          "Card": {"identityAttributes": ["box", "number"],
            "attributes": {"number": "integer64", "text": {"type": "string", "optional": true}},
            "relationships": {"box": {"destination": "Box", "inverse": "cards"},
              "notes": {"destination": "ANote", "toMany": true, "inverse": "card"}}},
          "ANote": {"identityAttributes": ["card", "code"], "attributes": {"code": "string"},
            "relationships": {"card": {"destination": "Card", "inverse": "notes"},
              "seeAlso": {"destination": "ANote", "optional": true, "JSONKeyPath": null}}}}}
        """)
    let (source, target) = (ManagedObjectContext(model: model), ManagedObjectContext(model: model))
    let payload = #"""
      [{"id": 1, "cards": [{"number": 1, "text": "a", "notes": [{"code": "x"}, {"code": "y"}]}]},
       {"id": 2, "cards": [{"number": 1, "text": "b", "notes": [{"code": "x"}]}]}, {"id": 3, "cards": []}]
      """#
    target.merge(try await changes(source) { try source.importJSON(payload, ofEntity: "Box") })
    let cards = try source.fetch(ofEntity: "Card").sorted {
      ($0["text"] as String? ?? "") < ($1["text"] as String? ?? "")
    }
    let exchanged = try await changes(source) {
      try source.atomically {
        let boxes = try source.fetch(ofEntity: "Box")
        cards[0]["box"] = boxes[2]
        cards[1]["box"] = boxes[0]
        cards[0]["box"] = boxes[1]
        for card in cards {
          let note = source.insert(ofEntity: "ANote")
          let notes: [ManagedObject] = card["notes"]
          note["code"] = "new"
          note["card"] = card
          note["seeAlso"] = notes.first
        }
      }
    }
    #expect(exchanged.updated.count + exchanged.inserted.count >= 6)
    #expect(target.merge(exchanged) == [])
    #expect(target.dumpText == source.dumpText && target.checkInvariants() == [])
    // The identities find the objects at their new locations.
    for id in try source.fetch(ofEntity: "ANote").map(\.objectID) { #expect(try target.find(id)?.objectID == id) }
    #expect(try target.fetch(ofEntity: "ANote").count == 5)

    // A box is deleted, and its card has moved to another box.
    let emptied = try await changes(source) {
      try source.atomically {
        let boxes = try source.fetch(ofEntity: "Box").sorted { ($0["id"] as Int? ?? 0) < ($1["id"] as Int? ?? 0) }
        cards[1]["number"] = 8
        cards[1]["box"] = boxes[1]
        try source.delete(boxes[0])
      }
    }
    #expect(target.merge(emptied) == [])
    #expect(target.dumpText == source.dumpText && target.checkInvariants() == [])

    // The other context's card has the identity of a card of this context: this context's card stays unchanged, and the change is returned.
    let own = target.insert(ofEntity: "Card")
    own["number"] = 1
    own["box"] = try target.fetch(ofEntity: "Box").first { $0["id"] as Int? == 3 }
    try target.commit()
    let moved = try await changes(source) {
      try source.atomically { cards[0]["box"] = try source.fetch(ofEntity: "Box").first { $0["id"] as Int? == 3 } }
    }
    #expect(target.merge(moved).contains(cards[0].objectID))
    #expect(target.checkInvariants() == [])
    #expect(try target.fetch(ofEntity: "Card").count == 3)
  }

  @Test(
    "I21, S13: if two new objects are the same object in the store, the removal of one of them is reported",
    arguments: [StoreKind.sqlite, .snapshot])
  func united(kind: StoreKind) async throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Tag": {"identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}}},
          "Post": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"tag": {"destination": "Tag", "optional": true},
              "tags": {"destination": "Tag", "toMany": true, "ordered": true}}}}}
        """#)
    let source = try ContextSource(kind.source, model)
    let (one, two) = (try source.context(), try source.context())
    try one.importJSON(#"[{"id": 1, "tag": {"id": 4, "n": 7}, "tags": [4]}]"#, ofEntity: "Post")
    try two.merge()
    _ = two.dumpText
    let mirror = ManagedObjectContext(two.snapshot())
    var updates = two.updates().makeAsyncIterator()
    try one.find(ofEntity: "Tag", id: 4)?.setValue(0, of: "id")
    try one.commit()
    let tag = two.insert(ofEntity: "Tag")
    tag["id"] = 0
    tag["n"] = 1
    let post = two.insert(ofEntity: "Post")
    post["id"] = 2
    post["tag"] = tag
    post["tags"] = [tag]
    try two.commit()
    for _ in 0..<2 { #expect(mirror.merge(try #require(await updates.next())) == []) }
    #expect(mirror.dumpText == two.dumpText && mirror.checkInvariants() == [])
    #expect(try mirror.fetch(ofEntity: "Tag").count == 1)
    #expect(try two.dumpText == source.context().dumpText)
  }

  @Test(
    "I21, S13: changes that a commit has reported are not reported again with other contexts' changes",
    arguments: [StoreKind.sqlite, .snapshot], [ConflictPolicy.contextWins, .mergeByProperty])
  func toldOnce(kind: StoreKind, policy: ConflictPolicy) async throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Card": {"identityAttributes": "number", "attributes": {"number": "integer64",
            "text": {"type": "string", "optional": true}, "extra": {"type": "string", "optional": true}}}}}
        """#)
    let source = try ContextSource(kind.source, model)
    let (one, two) = (try source.context(), try source.context())
    two.conflictPolicy = policy
    try one.importJSON(#"[{"number": 1}, {"number": 2}, {"number": 3}]"#, ofEntity: "Card")
    try two.merge()
    _ = two.dumpText
    let mirror = ManagedObjectContext(two.snapshot())
    var updates = two.updates().makeAsyncIterator()
    let (a, b) = (try two.find(ofEntity: "Card", id: 1), try two.find(ofEntity: "Card", id: 2))
    a?["number"] = 9
    b?["number"] = 1
    a?["number"] = 2
    a?["extra"] = "mine"
    for (number, text) in [(2, "set"), (3, "other")] {
      try one.find(ofEntity: "Card", id: number)?.setValue(text, of: "text")
    }
    try one.commit()
    try two.commit()
    for _ in 0..<2 { #expect(mirror.merge(try #require(await updates.next())) == []) }
    #expect(mirror.dumpText == two.dumpText && mirror.checkInvariants() == [])
    #expect(try two.dumpText == source.context().dumpText)
  }

  @Test(
    "I21, S13: a placeholder that another context makes a sub-entity's object is reported with its lists",
    arguments: [StoreKind.sqlite, .snapshot], ["", #""ordered": true, "#])
  func narrowed(kind: StoreKind, order: String) async throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Part": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "entityMapper": {"JSONKeyPath": "kind", "entities": {"whole": "Whole"}}},
          "Whole": {"parent": "Part", "relationships": {
            "others": {"destination": "Whole", "toMany": true, \(order)"inverse": "backs"},
            "backs": {"destination": "Whole", "toMany": true, \(order)"inverse": "others", "JSONKeyPath": null},
            "pins": {"destination": "Pin", "toMany": true, \(order)"inverse": "whole"}}},
          "Pin": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"whole": {"destination": "Whole", "inverse": "pins", "JSONKeyPath": null}}},
          "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"part": {"destination": "Part"}}}}}
        """)
    let source = try ContextSource(kind.source, model)
    let (one, two) = (try source.context(), try source.context())
    try one.importJSON(#"[{"id": 1, "part": 3}, {"id": 2, "part": 4}]"#, ofEntity: "Box")
    try two.merge()
    _ = two.dumpText
    let mirror = ManagedObjectContext(two.snapshot())
    var updates = two.updates().makeAsyncIterator()
    try one.importJSON(
      #"[{"kind": "whole", "id": 3, "others": [5, 3, 4], "pins": [{"id": 8}, {"id": 7}]}, {"kind": "whole", "id": 4, "others": [], "pins": []}]"#,
      ofEntity: "Part")
    try two.merge()
    #expect(mirror.merge(try #require(await updates.next())) == [])
    #expect(mirror.dumpText == two.dumpText && mirror.checkInvariants() == [] && two.checkInvariants() == [])
    #expect(try two.dumpText == source.context().dumpText)
  }

  @Test("I21, S13: a placeholder whose local values are discarded is again reported as a placeholder to other contexts")
  func emptied() async throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Tag": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}},
            "relationships": {"next": {"destination": "Tag", "optional": true}}}}}
        """#)
    let source = try ContextSource(.sqlite, model)
    let (one, two) = (try source.context(), try source.context())
    two.conflictPolicy = .storeWins
    try one.importJSON(#"[{"id": 1, "n": 1, "next": 3}]"#, ofEntity: "Tag")
    try two.merge()
    _ = two.dumpText
    let mirror = ManagedObjectContext(two.snapshot())
    var updates = two.updates().makeAsyncIterator()
    try one.atomically {
      try one.find(ofEntity: "Tag", id: 1)?.setValue(2, of: "n")
      try one.find(ofEntity: "Tag", id: 3)?["next"] = one.find(ofEntity: "Tag", id: 1)
    }
    try two.find(ofEntity: "Tag", id: 3)?.setValue(5, of: "n")
    try two.commit()
    #expect(try two.find(ofEntity: "Tag", id: 3)?.isPlaceholder == true)
    #expect(try two.dumpText == source.context().dumpText)
    for _ in 0..<2 { #expect(mirror.merge(try #require(await updates.next())) == []) }
    #expect(mirror.dumpText == two.dumpText)
  }

  @Test(
    "I21, S13: objects inserted by other contexts are reported with the order of their lists",
    arguments: [StoreKind.sqlite, .snapshot])
  func othersOrder(kind: StoreKind) async throws {
    let source = try ContextSource(kind.source, try ManagedObjectModel(text: Self.model))
    let (here, other) = (try source.context(), try source.context())
    let copy = ManagedObjectContext(model: here.model)
    copy.merge(try await changes(here) { try here.importJSON(Self.orders, ofEntity: "Order") })
    _ = try here.fetch(ofEntity: "Order")
    let change = try await changes(here) {
      try other.importJSON(
        #"[{"id": 3, "lines": [{"text": "p"}, {"text": "q"}, {"text": "r"}], "tags": []}]"#, ofEntity: "Order")
      let order = try #require(try other.fetch(ofEntity: "Order").first { $0["id"] as Int? == 3 })
      let lines: [ManagedObject] = order["lines"]
      order["lines"] = Array(lines.reversed())
      try other.commit()
      try here.merge()
    }
    #expect(copy.merge(change) == [])
    #expect(copy.dumpText == here.dumpText && copy.checkInvariants() == [] && here.checkInvariants() == [])
    #expect(try here.dumpText == source.context().dumpText)
  }

  @Test(
    "I21, S13: objects inserted by other contexts are reported with all of their links",
    arguments: [StoreKind.sqlite, .snapshot])
  func othersLinks(kind: StoreKind) async throws {
    for order in ["", #""ordered": true, "#] {
      let model = try ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "entities": {
            "Person": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
              "skills": {"destination": "Skill", "toMany": true, \(order)"inverse": "people"},
              "friends": {"destination": "Person", "toMany": true, "inverse": "friends"},
              "wishes": {"destination": "Skill", "toMany": true, \(order)"optional": true}}},
            "Skill": {"identityAttributes": "id", "attributes": {"id": "string"},
              "relationships": {"people": {"destination": "Person", "toMany": true, "inverse": "skills"}}}}}
          """)
      let source = try ContextSource(kind.source, model)
      let (here, other) = (try source.context(), try source.context())
      let copy = ManagedObjectContext(model: model)
      copy.merge(
        try await changes(here) {
          try here.importJSON(#"[{"id": 9, "skills": ["y"], "friends": [], "wishes": []}]"#, ofEntity: "Person")
        })
      _ = try here.fetch(ofEntity: "Person")
      _ = try here.fetch(ofEntity: "Skill")
      let change = try await changes(here) {
        try other.importJSON(
          #"[{"id": 1, "skills": ["z", "x", "y"], "friends": [1, 9, 2], "wishes": ["y", "x"]}, {"id": 2, "skills": [], "friends": [1], "wishes": []}]"#,
          ofEntity: "Person")
        try here.merge()
      }
      #expect(copy.merge(change) == [])
      #expect(copy.dumpText == here.dumpText)
      #expect(copy.checkInvariants() == [] && here.checkInvariants() == [])
      #expect(try here.dumpText == source.context().dumpText)
    }
  }

  @Test(
    "I21, S13: changes that a conflict policy makes during a commit are reported, so a following context stays equal",
    arguments: [StoreKind.sqlite, .snapshot], [ConflictPolicy.storeWins, .contextWins, .mergeByProperty])
  func settledConflicts(kind: StoreKind, policy: ConflictPolicy) async throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Team": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"members": {"destination": "Player", "toMany": true, "ordered": true, "inverse": "team"},
              "fans": {"destination": "Player", "toMany": true, "inverse": "idols"}}},
          "Player": {"identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}},
            "relationships": {"team": {"destination": "Team", "inverse": "members"},
              "idols": {"destination": "Team", "toMany": true, "inverse": "fans"}}}}}
        """)
    func object(_ context: ManagedObjectContext, _ entity: String, _ id: Int) throws -> ManagedObject? {
      try context.find(ofEntity: entity, id: id)
    }
    let edits: [(ManagedObjectContext) throws -> Void] = [
      { try object($0, "Player", 1)?["team"] = nil as ManagedObject? },
      { try object($0, "Player", 3)?["team"] = object($0, "Team", 1) },
      { context in try object(context, "Player", 1).map { try context.delete($0) } },
      { context in try object(context, "Team", 2).map { try context.delete($0) } },
      { try object($0, "Player", 3)?["idols"] = [object($0, "Team", 2)].compactMap(\.self) },
      { try object($0, "Team", 1)?["members"] = try $0.fetch(ofEntity: "Player").reversed() as [ManagedObject] },
    ]
    let others: [(ManagedObjectContext) throws -> Void] = [
      { context in for id in [1, 3] { try object(context, "Player", id)?["n"] = 4 } },
      { try $0.importJSON(#"[{"id": 2, "members": [3, 4], "fans": [1]}, {"id": 1, "name": "x"}]"#, ofEntity: "Team") },
      { context in try object(context, "Player", 3).map { try context.delete($0) } },
    ]
    for (number, edit) in edits.enumerated() {
      for (other, change) in others.enumerated() {
        let source = try ContextSource(kind.source, model)
        let (here, there) = (try source.context(), try source.context())
        here.conflictPolicy = policy
        let copy = ManagedObjectContext(model: model)
        let start = try await changes(here) {
          try here.importJSON(
            #"[{"id": 1, "members": [{"id": 1}, {"id": 2}], "fans": [2, 3]}, {"id": 2, "members": [{"id": 3}], "fans": [3]}]"#,
            ofEntity: "Team")
        }
        #expect(copy.merge(start) == [])
        _ = here.dumpText
        try there.merge()
        try change(there)
        try there.commit()
        var updates = here.updates().makeAsyncIterator()
        try edit(here)
        try here.commit()
        // The last update reports that the context has no more uncommitted changes.
        here.insert(ofEntity: "Team")["id"] = 99
        try here.commit()
        while let update = await updates.next() {
          #expect(copy.merge(update) == [], "edit \(number), other \(other)")
          if try copy.find(ofEntity: "Team", id: 99) != nil { break }
        }
        #expect(copy.dumpText == here.dumpText, "edit \(number), other \(other)")
        #expect(copy.checkInvariants() == [], "edit \(number), other \(other)")
      }
    }
  }

  @Test(
    "I21: a context merges another context's insertions, changes, moves and deletions, and reports the changes")
  func everything() async throws {
    let (source, target) = try contexts()
    let first = try await changes(source) { try source.importJSON(Self.orders, ofEntity: "Order") }
    #expect(target.merge(first) == [])
    #expect(try target.dumpText == source.dumpText && !target.hasChanges && target.count(ofEntity: "Line") == 3)
    let held = try #require(try target.find(ofEntity: "Order", identity: 1))
    let second = try await changes(source) {
      let order = try #require(try source.find(ofEntity: "Order", identity: 1))
      let lines: RelatedObjects<ManagedObject> = order["lines"]
      order["lines"] = [lines[1], lines[0]]
      order["note"] = "gift"
      order["id"] = 5
      try source.delete(#require(try source.find(ofEntity: "Order", identity: 2)))
      source.insert(ofEntity: "Order")["id"] = 1
      try source.find(ofEntity: "Tag", identity: "y")?["orders"] = try source.fetch(ofEntity: "Order")
      try source.commit()
    }
    var reported = target.updates().makeAsyncIterator()
    #expect(target.merge(second) == [])
    #expect(target.dumpText == source.dumpText && target.checkInvariants() == [])
    #expect(held["id"] as Int? == 5 && held["note"] as String? == "gift" && !held.isDeleted)
    let report = try #require(await reported.next())
    #expect(report.cause == .merge && report.deleted.count == 2 && report.inserted.map(\.description) == ["Order(1)"])
    // A third context that follows the second context receives the same changes.
    let third = ManagedObjectContext(model: target.model)
    third.merge(first)
    third.merge(report)
    #expect(third.dumpText == source.dumpText)
  }

  @Test("I21: applying changes sets only the properties that the other context changed")
  func properties() async throws {
    let (source, target) = try contexts()
    target.merge(try await changes(source) { try source.importJSON(Self.orders, ofEntity: "Order") })
    try target.find(ofEntity: "Order", identity: 1)?["note"] = "mine"
    let line = target.insert(ofEntity: "Line")
    line["text"] = "mine"
    line["order"] = try target.find(ofEntity: "Order", identity: 1)
    let update = try await changes(source) {
      try source.find(ofEntity: "Tag", identity: "x")?["name"] = "z"
      let order = try #require(try source.find(ofEntity: "Order", identity: 1))
      let lines: RelatedObjects<ManagedObject> = order["lines"]
      order["lines"] = [lines[1]]
      try source.commit()
    }
    #expect(target.merge(update) == [] && !target.hasChanges)
    let order = try #require(try target.find(ofEntity: "Order", identity: 1))
    let lines: RelatedObjects<ManagedObject> = order["lines"]
    #expect(lines.map { $0["text"] as String? ?? "" } == ["b", "mine"] && order["note"] as String? == "mine")
    #expect(try target.find(ofEntity: "Tag", identity: "z") != nil && target.checkInvariants() == [])
  }

  @Test("I21: changes that cannot be applied are returned, and missing objects become placeholders")
  func unmerged() async throws {
    let (source, target) = try contexts()
    target.merge(try await changes(source) { try source.importJSON(Self.orders, ofEntity: "Order") })
    try target.delete(#require(try target.find(ofEntity: "Order", identity: 2)))
    try target.delete(#require(try target.find(ofEntity: "Tag", identity: "y")))
    target.insert(ofEntity: "Order")["id"] = 9
    try target.commit()
    let update = try await changes(source) {
      try source.find(ofEntity: "Order", identity: 2)?["note"] = nil
      try source.find(ofEntity: "Order", identity: 1)?["id"] = 9
      source.insert(ofEntity: "Order")["id"] = 3
      try source.find(ofEntity: "Order", identity: 3)?["tags"] = try [source.find(ofEntity: "Tag", identity: "y")!]
      try source.commit()
    }
    let unmerged = target.merge(update)
    #expect(Set(unmerged.map(\.description)) == ["Order(9)", "Order(2)", "Tag(y)"], "\(unmerged)")
    #expect(try target.placeholders.map(\.description) == ["Tag(y)"] && target.checkInvariants() == [])
    #expect(try target.find(ofEntity: "Order", identity: 1) != nil)
  }

  @Test("I21: rolled-back changes are not applied to the other context, and a reset empties the other context")
  func otherCauses() async throws {
    let (source, target) = try contexts()
    target.merge(try await changes(source) { try source.importJSON(Self.orders, ofEntity: "Order") })
    let snapshot = source.snapshot()
    let rolledBack = try await changes(source) {
      try source.find(ofEntity: "Order", identity: 1)?["note"] = "x"
      source.rollBack()
    }
    #expect(rolledBack.cause == .rollBack && target.merge(rolledBack) == [])
    #expect(target.dumpText == source.dumpText)
    target.merge(try await changes(source) { source.reset() })
    #expect(try target.count(ofEntity: "Order") == 0 && target.dumpText == source.dumpText)
    target.merge(try await changes(source) { source.restore(snapshot) })
    #expect(try target.count(ofEntity: "Order") == 2 && target.dumpText == source.dumpText)
    let text = #"{"id": 2, "note": "again", "lines": []}"#
    target.merge(try await changes(source) { try source.importJSON(text, ofEntity: "Order") })
    #expect(target.dumpText == source.dumpText && target.checkInvariants() == [])
  }

  @Test("I21: the reported changes of a restored snapshot start from the last commit, even if changes were pending")
  func restoredOnPendingChanges() async throws {
    let (source, target) = try contexts()
    target.merge(try await changes(source) { try source.importJSON(Self.orders, ofEntity: "Order") })
    let stream = source.updates()
    let snapshot = source.snapshot()
    // Objects are deleted, renamed and inserted, and one gets the name that another object had.
    for tag in try source.fetch(ofEntity: "Tag") { try source.delete(tag) }
    try source.find(ofEntity: "Order", identity: 1)?["id"] = 7
    try source.find(ofEntity: "Order", identity: 2)?["id"] = 1
    source.insert(ofEntity: "Order")["id"] = 2
    let later = source.snapshot()
    let inserted = try #require(try source.find(ofEntity: "Order", identity: 2))
    source.restore(later)
    #expect(!inserted.isDeleted, "the snapshot contains the object")
    source.insert(ofEntity: "Order")["id"] = 9
    source.restore(snapshot)
    var causes: [ContextChanges.Cause] = []
    var pictures: [String] = []
    for await update in stream {
      causes.append(update.cause)
      #expect(target.merge(update) == [], "\(update)")
      pictures.append(target.dumpText)
      if causes.count == 4 { break }
    }
    #expect(causes == [.rollBack, .restore, .rollBack, .restore])
    #expect(pictures[1] == ManagedObjectContext(later).dumpText)
    #expect(target.dumpText == source.dumpText && target.checkInvariants() == [])
  }

  @Test("I21: a background context imports, and another context applies its commits")
  func background() async throws {
    let model = try ManagedObjectModel(text: Self.model)
    let main = ManagedObjectContext(model: model)
    let background = BackgroundContext(model: model)
    var updates = await background.updates().makeAsyncIterator()
    let report = try await background.importJSON(Self.orders, ofEntity: "Order")
    #expect(report.inserted["Order"] == 2)
    main.merge(try #require(await updates.next()))
    let chunks = AsyncStream<[UInt8]> { stream in
      for text in [#"{"id": 2, "no"#, "te\": \"soon\"}\n{\"id\"", ": 3}\n"] { stream.yield(Array(text.utf8)) }
      stream.finish()
    }
    let streamed = try await background.importStream(chunks, ofEntity: "Order", format: .lines)
    #expect(streamed.updated["Order"] == 1 && streamed.inserted["Order"] == 1)
    main.merge(try #require(await updates.next()))
    #expect(
      try main.find(ofEntity: "Order", identity: 2)?["note"] as String? == "soon" && main.count(ofEntity: "Order") == 3)
    let dump = await background.perform { $0.dumpText }
    #expect(dump == main.dumpText)
  }
}
