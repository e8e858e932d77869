import Foundation
import Graft
import GraftTestSupport
import Testing

/// A context shows one version of its store, and each commit is also a merge (S13-S15).
@Suite("A context shows one version of its store") struct OneVersionTests {
  private static let kinds = StoreKind.allCases.map(\.source) + [.childOfMemory, .childOfSQLite]

  @Test("S13: a context with pending edits can merge other changes", arguments: kinds)
  func mergesUnderEdits(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let mine = try comics.context()
    let (heron, otter) = (try hero(1, mine), try hero(2, mine))
    heron["name"] = "Edited"
    try comics.context().load(#"[{"id": 2, "name": "Theirs"}, {"id": 4, "name": "New"}]"#, "Hero")
    #expect(otter["name"] == "Otter")
    #expect(try mine.merge())
    #expect(otter["name"] == "Theirs" && heron["name"] == "Edited")
    #expect(mine.hasChanges && mine.changes.updated.map(\.id) == [heron.objectID])
    #expect(try hero(4, mine)["name"] == "New")
    try mine.commit()
    #expect(try hero(1, comics.context())["name"] == "Edited")
    try comics.source.expectAgreement(of: mine)
  }

  @Test(
    "S13: a condition agrees with the objects that it selects while other contexts write",
    arguments: StoreKind.allCases)
  func queriesAgree(kind: StoreKind) throws {
    let comics = try StoredComics(kind.source, StoredComics.heroes)
    let mine = try comics.context()
    let otter = try hero(2, mine)
    try hero(1, mine)["name"] = "Edited"
    try comics.context().load(#"[{"id": 2, "name": "Theirs"}]"#, "Hero")
    #expect(try mine.fetch(ofEntity: "Hero", where: "name = 'Theirs'").isEmpty)
    #expect(try mine.fetch(ofEntity: "Hero", where: "name = 'Otter'") == [otter])
    try mine.merge()
    #expect(try mine.fetch(ofEntity: "Hero", where: "name = 'Theirs'") == [otter])
    #expect(try mine.fetch(ofEntity: "Hero", where: "name = 'Otter'").isEmpty)
  }

  @Test("S13: a refused merge changes nothing, and the next commit reports the conflict", arguments: kinds)
  func refusedMerge(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let mine = try comics.context()
    mine.mergesChanges = true
    let (heron, otter) = (try hero(1, mine), try hero(2, mine))
    heron["name"] = "Mine"
    try comics.context().load(#"[{"id": 1, "name": "Theirs"}, {"id": 2, "name": "Theirs"}]"#, "Hero")
    // Without an explicit merge, the context stays at its version.
    #expect(try mine.fetch(ofEntity: "Hero").count == 3)
    #expect(heron["name"] == "Mine" && otter["name"] == "Otter")
    #expect(throws: ConflictError.self) { try mine.merge() }
    #expect(throws: ConflictError.self) { try mine.commit() }
    #expect(heron["name"] == "Mine" && otter["name"] == "Otter")
    mine.conflictPolicy = .mergeByProperty
    try mine.commit()
    #expect(heron["name"] == "Mine" && otter["name"] == "Theirs")
    try comics.source.expectAgreement(of: mine)
  }

  @Test("S15: after a commit, the context also shows earlier commits of other contexts", arguments: kinds)
  func commitIsMerge(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let mine = try comics.context()
    let (heron, otter) = (try hero(1, mine), try hero(2, mine))
    try comics.context().load(#"[{"id": 2, "name": "Theirs"}]"#, "Hero")
    heron["name"] = "Mine"
    try mine.commit()
    #expect(otter["name"] == "Theirs")
    #expect(!mine.hasChanges)
    try comics.source.expectAgreement(of: mine)
  }

  @Test("S13: a context shows the version at its first read, not at its creation", arguments: StoreKind.allCases)
  func firstRead(kind: StoreKind) throws {
    let comics = try StoredComics(kind.source, StoredComics.heroes)
    let mine = try comics.context()
    try comics.context().load(#"[{"id": 4, "name": "New"}]"#, "Hero")
    #expect(try mine.count(ofEntity: "Hero") == 4)
  }

  @Test("S13: setting a value back, or deleting a new object again, leaves no change", arguments: kinds)
  func netChanges(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let mine = try comics.context()
    let heron = try hero(1, mine)
    heron["name"] = "Other"
    #expect(mine.hasChanges)
    heron["name"] = "Heron"
    try mine.delete(mine.insert(ofEntity: "Hero"))
    #expect(!mine.hasChanges && mine.changes.isEmpty)
    #expect(throws: PropertyError.self) { try heron.setValue(2, of: "id") }
    #expect(!mine.hasChanges && mine.changes.isEmpty)
  }

  // MARK: Notifications

  @Test("S14: updates report objects that other contexts inserted into fetched lists", arguments: StoreKind.allCases)
  func insertedByOthers(kind: StoreKind) async throws {
    let comics = try StoredComics(kind.source, StoredComics.heroes)
    let mine = try comics.context()
    #expect(try mine.fetch(ofEntity: "Hero").count == 3)
    var updates = mine.updates().makeAsyncIterator()
    try comics.context().load(#"[{"id": 4, "name": "New"}, {"id": 1, "name": "Theirs"}]"#, "Hero")
    try mine.merge()
    let changes = try #require(await updates.next())
    #expect(changes.cause == .merge)
    #expect(changes.inserted.map(\.description) == ["Hero(4)"])
    #expect(changes.updated.map(\.description) == [#"Hero(1) name: "Heron" -> "Theirs""#])
    #expect(changes.deleted.isEmpty)
  }

  #if canImport(Observation)
    @Test("S14: a merge notifies readers of changed objects", arguments: StoreKind.allCases)
    func notifiesReaders(kind: StoreKind) throws {
      let comics = try StoredComics(kind.source)
      try comics.context().load(
        "[\((0..<100).map { "{\"id\": \($0), \"name\": \"\($0)\"}" }.joined(separator: ","))]", "Hero")
      let mine = try comics.context()
      mine.isObservable = true
      let heroes = try mine.fetch(ofEntity: "Hero")
      let told = Locked(0)
      for hero in heroes { observe(hero, told) }
      try comics.context().load(#"[{"id": 5, "name": "Theirs"}]"#, "Hero")
      try mine.merge()
      #expect(told.withLock { $0 } == 1)
    }
  #endif

  // MARK: Conflicts

  @Test(
    "S5: two contexts' edits to a list are not combined: they cause an error, or a policy chooses one",
    arguments: StoreKind.allCases)
  func editedLists(kind: StoreKind) throws {
    for policy in [ConflictPolicy.refuse, .storeWins, .contextWins, .mergeByProperty] {
      let comics = try StoredComics(kind.source, StoredComics.heroes)
      let (mine, theirs) = (try comics.context(), try comics.context())
      mine.conflictPolicy = policy
      try hero(1, mine)["powers"] = [try power(1, mine)]
      try hero(1, theirs)["powers"] = [try power(2, theirs)]
      try theirs.commit()
      if policy == .refuse {
        let error = #expect(throws: ConflictError.self) { try mine.commit() }
        #expect(error?.description.contains("'powers'") == true, "\(error?.description ?? "")")
      } else {
        try mine.commit()
        let powers = (try hero(1, comics.context())["powers"] as [ManagedObject]).map { $0["id"] as Int? }
        #expect(powers == (policy == .storeWins ? [2] : policy == .contextWins ? [1] : []), "\(policy)")
      }
    }
  }

  @Test("S5: two contexts that give heroes the same power have no conflict", arguments: StoreKind.allCases)
  func sharedMember(kind: StoreKind) throws {
    let comics = try StoredComics(kind.source, StoredComics.heroes)
    let (mine, theirs) = (try comics.context(), try comics.context())
    try hero(3, mine)["powers"] = [try power(1, mine)]
    try hero(2, theirs)["powers"] = [try power(2, theirs), try power(1, theirs)]
    try theirs.commit()
    try mine.commit()
    let heroes = (try power(1, comics.context())["heroes"] as [ManagedObject]).compactMap { $0["id"] as Int? }
    #expect(heroes.sorted() == [1, 2, 3])
    try comics.source.expectAgreement(of: mine, theirs)
  }

  @Test("S5: a commit without effective changes writes nothing", arguments: StoreKind.allCases)
  func lostChangesAreNotWritten(kind: StoreKind) throws {
    let comics = try StoredComics(kind.source, StoredComics.heroes)
    let (mine, theirs) = (try comics.context(), try comics.context())
    mine.conflictPolicy = .storeWins
    let heron = try hero(1, mine)
    heron["name"] = "Mine"
    try hero(1, theirs)["name"] = "Theirs"
    try theirs.commit()
    let latest = try comics.source.store?.latestCommit()
    try mine.commit()
    #expect(heron["name"] == "Theirs")
    #expect(try comics.source.store?.latestCommit() == latest)
    // A deletion that is discarded also writes nothing.
    try mine.delete(heron)
    try hero(1, theirs)["name"] = "Again"
    try theirs.commit()
    try mine.commit()
    #expect(!(try hero(1, mine)).isDeleted)
    #expect(try hero(1, comics.context())["name"] == "Again")
  }

  @Test("S13: a list in memory gets a member that was only known by its identifier", arguments: kinds)
  func faultJoinsList(kind: ContextSource.Kind) throws {
    let model = """
      {"keyStrategy": "sameName", "entities": {
        "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "team"}}},
        "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "team": {"destination": "Team", "inverse": "heroes"}, "rival": {"destination": "Hero"}}}}}
      """
    let source = try ContextSource(kind, ManagedObjectModel(text: model, name: "m.json"))
    try source.context().load(#"[{"id": 1, "team": 1, "rival": {"id": 9}}]"#, "Hero")
    let mine = try source.context()
    let team = try #require(try mine.find(ofEntity: "Team", identity: 1))
    #expect((team["heroes"] as [ManagedObject]).count == 1)
    try source.context().load(#"[{"id": 9, "team": 1}]"#, "Hero")
    try mine.merge()
    #expect((team["heroes"] as [ManagedObject]).compactMap { $0["id"] as Int? }.sorted() == [1, 9])
    #expect(mine.checkInvariants() == [])
  }

  @Test("S5: a placeholder that another context fills keeps the links that it has in this context", arguments: kinds)
  func filledPlaceholder(kind: ContextSource.Kind) throws {
    for policy in [ConflictPolicy.contextWins, .mergeByProperty] {
      let comics = try StoredComics(kind, StoredComics.heroes)
      let (mine, theirs) = (try comics.context(), try comics.context())
      mine.conflictPolicy = policy
      // Both contexts insert publisher 77: this context as a placeholder, the other context with a name.
      try mine.atomically {
        try mine.importJSON(#"[{"id": 3, "publisher": 77}]"#, ofEntity: "Hero")
        try theirs.load(#"[{"id": 77, "name": "Fen"}]"#, "Publisher")
      }
      #expect((try hero(3, mine)["publisher"] as ManagedObject?)?["name"] == "Fen", "\(policy)")
      #expect((try hero(3, comics.context())["publisher"] as ManagedObject?)?["name"] == "Fen", "\(policy)")
    }
  }

  @Test("S5: an edit to a list that was undone causes no conflict", arguments: StoreKind.allCases)
  func undoneEdit(kind: StoreKind) throws {
    struct Undone: Error {}
    let comics = try StoredComics(kind.source, StoredComics.heroes)
    let (mine, theirs) = (try comics.context(), try comics.context())
    let newt = try hero(3, mine)
    #expect(throws: Undone.self) {
      try mine.atomically {
        newt["powers"] = [try power(1, mine)]
        throw Undone()
      }
    }
    try power(2, mine)["heroes"] = [try hero(1, mine), try hero(2, mine), newt]
    try hero(3, theirs)["powers"] = [try power(1, theirs)]
    try theirs.commit()
    try mine.commit()
    #expect((try hero(3, comics.context())["powers"] as [ManagedObject]).count == 2)
  }

  @Test("S5: the merged graph is validated", arguments: StoreKind.allCases)
  func validatesMergedGraph(kind: StoreKind) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"players": {"destination": "Player", "toMany": true, "inverse": "team", "minCount": 1}}},
          "Player": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"team": {"destination": "Team", "inverse": "players"}}}}}
        """, name: "m.json")
    let source = try ContextSource(kind.source, model)
    try source.context().load(#"[{"id": 1, "players": [{"id": 1}, {"id": 2}]}]"#, "Team")
    let (mine, theirs) = (try source.context(), try source.context())
    func leave(_ id: Int, _ context: ManagedObjectContext) throws {
      try #require(try context.find(ofEntity: "Player", identity: id))["team"] = nil as ManagedObject?
    }
    try leave(1, mine)
    try leave(2, theirs)
    try theirs.commit()
    #expect(throws: ValidationError.self) { try mine.commit() }
    #expect(mine.hasChanges)
    mine.rollBack()
    try source.expectAgreement(of: mine, theirs)
  }

  @Test("S3: an import that changes a list twice has the same result on a store as in memory", arguments: kinds)
  func halfLoadedList(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"r3": {"destination": "B", "toMany": true, "inverse": "r3i"}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"r3i": {"destination": "A", "toMany": true, "inverse": "r3", "optional": false}}}}}
        """, name: "m.json")
    let source = try ContextSource(kind, model)
    try source.context().load(#"[{"id": 0, "r3i": [{"id": 0}, {"id": 2}]}]"#, "B")
    let memory = ManagedObjectContext(model: model)
    try memory.load(#"[{"id": 0, "r3i": [{"id": 0}, {"id": 2}]}]"#, "B")
    let payload = #"[{"id": 3, "r3": [0]}, {"id": 3, "r3": []}]"#
    try memory.load(payload, "A")
    try source.context().load(payload, "A")
    #expect(try source.context().dumpText == memory.dumpText)
  }

  @Test("S3: if two lists are read alternately, each is loaded for many objects at once")
  func listsInTurns() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {
              "powers": {"destination": "Thing", "toMany": true}, "costumes": {"destination": "Thing", "toMany": true}}},
          "Thing": {"identityAttributes": "id", "attributes": {"id": "integer64"}}}}
        """, name: "m.json")
    let store = CountingStore(model)
    try ManagedObjectContext(store: store).load(
      "[\((0..<500).map { "{\"id\": \($0), \"powers\": [\($0)], \"costumes\": [\($0 + 1)]}" }.joined(separator: ","))]",
      "Hero")
    let context = ManagedObjectContext(store: store)
    let heroes = try context.fetch(ofEntity: "Hero")
    let reads = store.reads {
      for hero in heroes {
        _ = (hero["powers"] as [ManagedObject]).count
        _ = (hero["costumes"] as [ManagedObject]).count
      }
    }
    #expect(reads <= 40)
  }

  @Test(
    "S8: a merge under pending changes leaves no object at the old version, regardless of observers",
    arguments: ContextSource.Kind.allCases)
  func oldVersion(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let (mine, theirs) = (try comics.context(), try comics.context())
    let updates = mine.updates()
    // The publisher is not loaded.
    let hero = try mine.object("Hero", 1)
    hero["name"] = "Mine"
    try theirs.object("Publisher", 9)["name"] = "Theirs"
    try theirs.commit()
    #expect(try mine.merge())
    let publisher = try #require(hero["publisher"] as ManagedObject?)
    #expect(publisher["name"] == "Theirs")
    try mine.commit()
    try comics.source.expectAgreement(of: mine, theirs)
    withExtendedLifetime(updates) {}
  }
}

private func hero(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
  try #require(try context.find(ofEntity: "Hero", identity: id))
}

private func power(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
  try #require(try context.find(ofEntity: "Power", identity: id))
}

#if canImport(Observation)
  import Observation

  private func observe(_ hero: ManagedObject, _ told: Locked<Int>) {
    withObservationTracking {
      _ = hero["name"] as String?
    } onChange: {
      told.withLock { $0 += 1 }
    }
  }
#endif
