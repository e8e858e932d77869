import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

@Suite("Alternate identities, with stores") struct AlternateIdentityStoreTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(text: "{\"keyStrategy\": \"sameName\", \"entities\": {\(Fixture.uniqueKeys)}}")
  }

  private func heroes(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(ofEntity: "Hero").map { hero in
      let (id, slug, name) = (hero["id"] as Int?, hero["slug"] as String?, hero["name"] as String?)
      return "\(id.map(String.init) ?? "-") \(slug ?? "-") \(name ?? "-")"
    }.sorted()
  }

  @Test(
    "M27: an import finds objects that only the store has by their alternate identities",
    arguments: ContextSource.Kind.allCases)
  func stored(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(
      #"[{"id": 1, "slug": "a"}, {"slug": "b"}, {"id": 3, "team": "x", "number": 1}, {"slug": "v"}]"#, ofEntity: "Hero")
    let context = try source.context()
    let report = try context.importJSON(
      #"[{"slug": "a", "name": "A"}, {"id": 2, "slug": "b", "name": "B"}, {"team": "x", "number": 1, "name": "C"}, {"slug": "n"}]"#,
      ofEntity: "Hero")
    #expect(report.updated["Hero"] == 3 && report.inserted["Hero"] == 1)
    let expected = ["- n -", "- v -", "1 a A", "2 b B", "3 - C"]
    #expect(try heroes(context) == expected)
    #expect(try heroes(source.context()) == expected)
    try source.expectAgreement(of: context)
  }

  @Test(
    "M27: a new object with the alternate identity of an object in the store is refused",
    arguments: ContextSource.Kind.allCases)
  func taken(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(#"[{"id": 1, "slug": "a"}, {"id": 2, "slug": "b"}]"#, ofEntity: "Hero")
    let context = try source.context()
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(#"[{"id": 9, "slug": "a"}]"#, ofEntity: "Hero")
    }
    #expect("\(try #require(error))".contains("as in 'Hero(1)'"))
    let hero = try #require(try context.find(ofEntity: "Hero", id: 2))
    hero["slug"] = "a"
    #expect(throws: ValidationError.self) { try context.commit() }
    context.rollBack()
    #expect(try heroes(source.context()) == ["1 a -", "2 b -"])
    try source.expectAgreement(of: context)
  }

  @Test(
    "M27: two objects can exchange their alternate identities in one commit", arguments: ContextSource.Kind.allCases)
  func exchange(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(#"[{"id": 1, "slug": "a"}, {"id": 2, "slug": "b"}]"#, ofEntity: "Hero")
    let context = try source.context()
    try context.importJSON(#"[{"id": 1, "slug": "b"}, {"id": 2, "slug": "a"}]"#, ofEntity: "Hero")
    let other = try source.context()
    let (first, second) = (try other.find(ofEntity: "Hero", id: 1), try other.find(ofEntity: "Hero", id: 2))
    first?["slug"] = "a"
    second?["slug"] = "b"
    try other.commit()
    #expect(try heroes(source.context()) == ["1 a -", "2 b -"])
    try source.expectAgreement(of: context, other)
  }

  @Test(
    "M27, S5: if another context commits an alternate identity first, that context's object has it",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty, .storeWins, .refuse])
  func rivals(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(#"[{"id": 1}]"#, ofEntity: "Hero")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = policy
    _ = try heroes(context)
    // The import is repeated, and finds the current object.
    try other.importJSON(#"[{"slug": "a", "name": "theirs"}]"#, ofEntity: "Hero")
    try context.importJSON(#"[{"slug": "a", "id": 5}]"#, ofEntity: "Hero")
    #expect(try heroes(source.context()) == ["1 - -", "5 a theirs"])
    // A commit of changes made in code is refused.
    let hero = try #require(try context.find(ofEntity: "Hero", id: 1))
    hero["slug"] = "b"
    try other.importJSON(#"[{"id": 6, "slug": "b"}]"#, ofEntity: "Hero")
    #expect(throws: (any Error).self) { try context.commit() }
    context.rollBack()
    #expect(try heroes(source.context()) == ["1 - -", "5 a theirs", "6 b -"])
    try source.expectAgreement(of: context, other)
  }

  @Test(
    "M27, S5: a new object without an identity unites with another context's object that has its alternate identity",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty, .storeWins, .refuse])
  func answered(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    for (isMerged, hasIdentity) in [(true, false), (false, false), (true, true), (false, true)] {
      let source = try ContextSource(kind, Self.model())
      try source.context().importJSON(#"[{"id": 1, "name": "old"}]"#, ofEntity: "Hero")
      let (context, other) = (try source.context(), try source.context())
      context.conflictPolicy = policy
      let (edited, new) = (try #require(try context.find(ofEntity: "Hero", id: 1)), context.insert(ofEntity: "Hero"))
      edited["name"] = "pending"
      new["slug"] = "t"
      if hasIdentity { new["id"] = 7 }
      new["name"] = "mine"
      try other.importJSON(hasIdentity ? #"{"slug": "t"}"# : #"{"id": 7, "slug": "t"}"#, ofEntity: "Hero")
      if isMerged {
        try context.merge()
        #expect(context.hasChanges && !new.isDeleted)
        #expect(try context.count(ofEntity: "Hero") == 2)
      }
      try context.commit()
      #expect(try heroes(context) == ["1 - pending", "7 t mine"])
      #expect(new["id"] as Int? == 7)
      try source.expectAgreement(of: context, other)
    }
  }

  @Test(
    "M27, M12: if a new object becomes the store's object, the objects identified inside it do, too",
    arguments: ContextSource.Kind.allCases,
    [true, false])
  func answeredOwner(kind: ContextSource.Kind, isMerged: Bool) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Order": {"identityAttributes": "id", "alternateIdentities": ["token"],
            "attributes": {"id": {"type": "integer64", "optional": true}, "token": {"type": "string", "optional": true}},
            "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
          "Line": {"identityAttributes": ["order", "key"], "alternateIdentities": [["order", "code"]],
            "attributes": {"key": "string", "n": {"type": "integer64", "optional": true},
              "code": {"type": "string", "optional": true}},
            "relationships": {"order": {"destination": "Order", "inverse": "lines"},
              "parts": {"destination": "Part", "toMany": true, "inverse": "line"}}},
          "Part": {"identityAttributes": ["line", "no"],
            "attributes": {"no": "integer64", "w": {"type": "integer64", "optional": true}},
            "relationships": {"line": {"destination": "Line", "inverse": "parts"}}}}}
        """)
    let source = try ContextSource(kind, model)
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = .mergeByProperty
    _ = try context.fetch(ofEntity: "Order")
    let order = context.insert(ofEntity: "Order")
    order["token"] = "t"
    let line = context.insert(ofEntity: "Line")
    line["key"] = "k"
    line["n"] = 1
    line["order"] = order
    let part = context.insert(ofEntity: "Part")
    part["no"] = 1
    part["w"] = 5
    part["line"] = line
    try other.importJSON(
      #"{"id": 7, "token": "t", "lines": [{"key": "k", "code": "c", "parts": [{"no": 1}, {"no": 2}]}]}"#,
      ofEntity: "Order")
    if isMerged {
      try context.merge()
      #expect(context.checkInvariants() == [] && order["id"] as Int? == 7 && part["w"] as Int? == 5)
    }
    try context.commit()
    #expect(try context.count(ofEntity: "Line") == 1 && context.count(ofEntity: "Part") == 2)
    #expect(line["n"] as Int? == 1 && line["code"] as String? == "c")
    try source.expectAgreement(of: context, other)
  }

  @Test(
    "M27: an object whose alternate identity has a new owner is still found by its other identities",
    arguments: ContextSource.Kind.allCases, [true, false])
  func answeredInNewOwner(kind: ContextSource.Kind, hasIdentity: Bool) throws {
    let source = try ContextSource(kind, Self.model())
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = .mergeByProperty
    _ = try heroes(context)
    let (team, hero) = (context.insert(ofEntity: "Team"), context.insert(ofEntity: "Hero"))
    team["name"] = "x"
    hero["team"] = team as ManagedObject?
    hero["number"] = 1
    hero["name"] = "mine"
    if hasIdentity { hero["id"] = 7 } else { hero["slug"] = "t" }
    try other.importJSON(#"{"id": 7, "slug": "t"}"#, ofEntity: "Hero")
    try context.commit()
    #expect(try heroes(context) == ["7 t mine"])
    try source.expectAgreement(of: context, other)
  }

  @Test("M27: a mirror learns which object a new object without any identity has become", arguments: [true, false])
  func mirroredAnswer(isDeleted: Bool) async throws {
    let source = try ContextSource(.sqlite, Self.model())
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = .mergeByProperty
    _ = try heroes(context)
    let mirror = ManagedObjectContext(context.snapshot())
    var updates = context.updates().makeAsyncIterator()
    let hero = context.insert(ofEntity: "Hero")
    hero["slug"] = "t"
    hero["name"] = "mine"
    try other.importJSON(#"{"slug": "t", "name": "theirs"}"#, ofEntity: "Hero")
    try context.merge()
    if isDeleted { try context.delete(hero) }
    try context.commit()
    let last = context.insert(ofEntity: "Team")
    last["name"] = "end"
    try context.commit()
    while let changes = await updates.next() {
      if changes.cause != .pending { #expect(mirror.merge(changes) == []) }
      if changes.inserted.contains(last.objectID) { break }
    }
    #expect(try heroes(mirror) == (isDeleted ? [] : ["- t mine"]) && heroes(context) == heroes(mirror))
  }

  @Test(
    "M27, S5: contextWins: an object that another context deleted and inserted again is treated as the same object",
    arguments: ContextSource.Kind.allCases)
  func insertedAgain(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(#"{"slug": "t", "name": "old"}"#, ofEntity: "Hero")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = .contextWins
    let hero = try #require(try context.fetch(ofEntity: "Hero").first)
    hero["name"] = "mine"
    try other.delete(try #require(try other.fetch(ofEntity: "Hero").first))
    try other.commit()
    try other.importJSON(#"{"id": 7, "slug": "t"}"#, ofEntity: "Hero")
    try context.commit()
    #expect(try heroes(context) == ["7 t mine"])
    try source.expectAgreement(of: context, other)
  }

  @Test(
    "M27, S5: a new object with the alternate identity of an existing object is refused, regardless of other commits",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty, .storeWins, .refuse])
  func taken(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(#"{"id": 1, "slug": "a", "name": "first"}"#, ofEntity: "Hero")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = policy
    _ = try heroes(context)
    let new = context.insert(ofEntity: "Hero")
    new["slug"] = "a"
    new["name"] = "second"
    try other.importJSON(#"{"name": "x"}"#, ofEntity: "Team")
    #expect(throws: (any Error).self) {
      try context.merge(); try context.commit()
    }
    #expect(throws: (any Error).self) { try context.commit() }
    context.rollBack()
    #expect(try heroes(source.context()) == ["1 a first"])
    try source.expectAgreement(of: context, other)
  }

  @Test(
    "M27, M12: two new objects that each have half of an alternate identity do not become a third object",
    arguments: ContextSource.Kind.allCases)
  func thirdObject(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
          "Line": {"identityAttributes": ["order", "key"], "alternateIdentities": ["code"],
            "attributes": {"key": {"type": "string", "optional": true}, "code": {"type": "string", "optional": true}},
            "relationships": {"order": {"destination": "Order", "inverse": "lines"}}}}}
        """)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"[{"id": 1, "lines": [{"key": "k"}]}, {"id": 2}]"#, ofEntity: "Order")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = .mergeByProperty
    let line = context.insert(ofEntity: "Line")
    line["code"] = "c"
    line["order"] = try context.find(ofEntity: "Order", id: 1)
    try other.importJSON(#"{"id": 2, "lines": [{"key": "k", "code": "c"}]}"#, ofEntity: "Order")
    #expect(throws: (any Error).self) { try context.merge() }
    #expect(throws: (any Error).self) { try context.commit() }
    #expect(context.checkInvariants() == [])
    context.rollBack()
    try source.expectAgreement(of: context, other)
  }

  @Test(
    "M12, S5: contextWins: parts of an object that another context inserted again belong to the new object",
    arguments: ContextSource.Kind.allCases, [true, false])
  func ownerInsertedAgain(kind: ContextSource.Kind, isMerged: Bool) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Order": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order", "deleteRule": "cascade"}}},
          "Line": {"identityAttributes": ["order", "key"],
            "attributes": {"key": "string", "n": {"type": "integer64", "optional": true}},
            "relationships": {"order": {"destination": "Order", "inverse": "lines"}}}}}
        """)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"{"id": 1, "lines": [{"key": "k", "n": 1}]}"#, ofEntity: "Order")
    let (context, other) = (try source.context(), try source.context())
    context.conflictPolicy = .contextWins
    let order = try #require(try context.find(ofEntity: "Order", id: 1))
    order["name"] = "mine"
    let line = try #require(try context.fetch(ofEntity: "Line").first)
    line["n"] = 9
    try other.delete(try #require(try other.find(ofEntity: "Order", id: 1)))
    try other.commit()
    try other.importJSON(#"{"id": 1, "name": "theirs", "lines": [{"key": "k", "n": 2}]}"#, ofEntity: "Order")
    if isMerged {
      try context.merge()
      #expect(context.checkInvariants() == [])
    }
    try context.commit()
    #expect(
      try jsonString(from: context.fetch(ofEntity: "Order"))
        == #"[{"id":1,"name":"mine","lines":[{"key":"k","n":9}]}]"#)
    try source.expectAgreement(of: context, other)
  }

  @Test("M27: two new objects never become one object", arguments: ContextSource.Kind.allCases, [true, false])
  func twoAnswered(kind: ContextSource.Kind, hasIdentity: Bool) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"Hero": {"identityAttributes": "id", "alternateIdentities": ["slug", "code"],
          "attributes": {"id": {"type": "integer64", "optional": true}, "slug": {"type": "string", "optional": true},
            "code": {"type": "string", "optional": true}, "name": {"type": "string", "optional": true}}}}}
        """)
    let source = try ContextSource(kind, model)
    let (context, other) = (try source.context(), try source.context())
    _ = try context.fetch(ofEntity: "Hero")
    let (first, second) = (context.insert(ofEntity: "Hero"), context.insert(ofEntity: "Hero"))
    first["slug"] = "t"
    first["name"] = "A"
    if hasIdentity { second["id"] = 7 } else { second["code"] = "u" }
    second["name"] = "B"
    try other.importJSON(#"{"id": 7, "slug": "t", "code": "u"}"#, ofEntity: "Hero")
    #expect(throws: ConflictError.self) { try context.merge() }
    #expect(throws: ConflictError.self) { try context.commit() }
    #expect(first["name"] as String? == "A" && second["name"] as String? == "B")
    context.rollBack()
    try source.expectAgreement(of: context, other)
  }

  @Test(
    "I9, M27: validating a single object compares it with objects that are not in memory, even in a child",
    arguments: ContextSource.Kind.allCases)
  func checked(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(#"[{"id": 1, "slug": "a"}, {"id": 2, "slug": "b"}]"#, ofEntity: "Hero")
    let context = try source.context()
    for place in [context, context.makeChild()] {
      let hero = try #require(try place.find(ofEntity: "Hero", id: 1))
      hero["slug"] = "b"
      let error = try #require(throws: PropertyError.self) { try hero.validate() }
      #expect(error.description.contains("as in 'Hero(2)'"), "\(error)")
      hero["slug"] = "c"
      try hero.validate()
      hero["slug"] = "a"
    }
  }

  @Test(
    "M27: a store gets a unique index; objects with equal alternate identities are found before the store is migrated",
    arguments: StoreKind.allCases)
  func migration(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let url = folder.file("heroes.graft")
    func model(_ alternates: String) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        text: #"""
          {"keyStrategy": "sameName", "entities": {"Hero": {"identityAttributes": "id", \#(alternates)
            "attributes": {"id": "integer64", "slug": {"type": "string", "optional": true}}}}}
          """#)
    }
    let plain = try model("")
    let context = try ManagedObjectContext(store: kind.open(url, plain))
    try context.importJSON(#"[{"id": 1, "slug": "a"}, {"id": 2, "slug": "a"}, {"id": 3}, {"id": 4}]"#, ofEntity: "Hero")
    let unique = try model("\"alternateIdentities\": [\"slug\"],")
    let error = #expect(throws: StoreError.self) { try kind.open(url, unique) }
    #expect(
      "\(try #require(error))".contains("must differ, and the store has duplicates: Hero(1) and Hero(2)"),
      "\(error as Any)")
    #expect(error?.diagnostics.last?.location?.column == 102)
    try context.importJSON(#"[{"id": 2, "slug": "b"}]"#, ofEntity: "Hero")
    let migrated = try ManagedObjectContext(store: kind.open(url, unique))
    try migrated.importJSON(#"[{"slug": "a", "id": 1}]"#, ofEntity: "Hero")
    #expect(throws: ImportError.self) { try migrated.importJSON(#"[{"id": 9, "slug": "b"}]"#, ofEntity: "Hero") }
    if let store = migrated.store as? SQLiteStore { #expect(try store.verify() == []) }
  }

  @Test(
    "I23: when two objects are united, their parts with equal identities are also united, even parts not in memory",
    arguments: ContextSource.Kind.allCases)
  func uniteParts(kind: ContextSource.Kind) throws {
    let source = try ContextSource(
      kind,
      ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "entities": {
            "Order": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "optional": true}},
              "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
            "Line": {"identityAttributes": ["order", "position"],
              "attributes": {"position": {"type": "integer32", "JSONKeyPath": "@index"}, "sku": {"type": "string", "optional": true},
                "note": {"type": "string", "optional": true}},
              "relationships": {"order": {"destination": "Order", "inverse": "lines", "JSONKeyPath": null}}}}}
          """))
    let context = try source.context()
    try source.context().importJSON(#"{"id": 7, "lines": [{"sku": "a"}, {"sku": "b"}]}"#, ofEntity: "Order")
    let order = context.insert(ofEntity: "Order")
    order["id"] = -1
    let lines = (0..<3).map { position in
      let line = context.insert(ofEntity: "Line")
      line["position"] = position
      line["order"] = order
      line["note"] = "n\(position)"
      return line
    }
    lines[1]["position"] = 5
    try order.merge(fromJSON: #"{"id": 7}"#, ifIdentityIsTaken: .unite)
    let all = (order["lines"] as [ManagedObject]).sorted { $0["position"] as Int? ?? 0 < $1["position"] as Int? ?? 0 }
    #expect(all.map { $0["position"] as Int? } == [0, 1, 2, 5])
    #expect(all.map { $0["sku"] as String? } == ["a", "b", nil, nil])
    #expect(all.map { $0["note"] as String? } == ["n0", nil, "n2", "n1"])
    #expect(lines[0] == all[0] && !lines[0].isDeleted && context.checkInvariants().isEmpty)
    try source.expectAgreement(of: context)
  }

  @Test(
    "I23: a draft in a store becomes the object that another context imported",
    arguments: ContextSource.Kind.allCases)
  func unite(kind: ContextSource.Kind) throws {
    let source = try ContextSource(
      kind, ManagedObjectModel(text: "{\"keyStrategy\": \"sameName\", \"entities\": {\(Fixture.orders)}}"))
    let context = try source.context()
    let order = context.insert(ofEntity: "Order")
    order["note"] = "now"
    try context.commit()
    try source.context().importJSON(
      #"[{"id": 7, "lines": [{"id": 40}], "customer": {"name": "Bob", "favorite": 7}}]"#, ofEntity: "Order")
    #expect(throws: ImportError.self) { try order.merge(fromJSON: #"{"id": 7}"#) }
    try order.merge(fromJSON: #"{"id": 7}"#, ifIdentityIsTaken: .unite)
    #expect(order["note"] == "now" && (order["lines"] as [ManagedObject]).count == 1)
    let fresh = try source.context()
    #expect(try fresh.count(ofEntity: "Order") == 1)
    let bob = try #require(try fresh.find(ofEntity: "Customer", id: "Bob"))
    #expect((bob["favorite"] as ManagedObject?)?["note"] == "now")
    try source.expectAgreement(of: context)
  }

  @Test(
    "M27: a context can merge another context's changes while two of its new objects have the same alternate identity",
    arguments: ContextSource.Kind.allCases)
  func pendingTwins(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.model())
    try source.context().importJSON(#"{"id": 1, "slug": "a"}"#, ofEntity: "Hero")
    let (context, other) = (try source.context(), try source.context())
    #expect(try heroes(context) == ["1 a -"])
    let new = [2, 3].map { id in
      let hero = context.insert(ofEntity: "Hero")
      hero["id"] = id
      hero["slug"] = "x"
      return hero
    }
    try other.importJSON(#"{"id": 1, "name": "A"}"#, ofEntity: "Hero")
    try context.merge()
    #expect(try heroes(context) == ["1 a A", "2 x -", "3 x -"])
    #expect(throws: ValidationError.self) { try context.commit() }
    new[1]["slug"] = "y"
    try context.commit()
    #expect(try heroes(source.context()) == ["1 a A", "2 x -", "3 y -"])
  }
}
