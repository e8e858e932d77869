import Foundation
import Graft
import GraftTestSupport
import Testing

/// Two contexts that change the same objects.
@Suite("Conflicts") struct ConflictTests {
  private struct Two {
    let comics: StoredComics
    let mine: ManagedObjectContext
    let hero: ManagedObject

    /// Another context renames hero 1 after this context has loaded it.
    init(
      _ kind: ContextSource.Kind, _ policy: ConflictPolicy, other: (ManagedObjectContext, ManagedObject) throws -> Void
    )
      throws
    {
      comics = try StoredComics(kind, StoredComics.heroes)
      mine = try comics.context()
      mine.conflictPolicy = policy
      hero = try #require(try mine.find(ofEntity: "Hero", identity: 1))
      let theirs = try comics.context()
      try other(theirs, try #require(try theirs.find(ofEntity: "Hero", identity: 1)))
      try theirs.commit()
    }

    func stored() throws -> ManagedObject? { try comics.context().find(ofEntity: "Hero", identity: 1) }
  }

  private func renamed(_ kind: ContextSource.Kind, _ policy: ConflictPolicy) throws -> Two {
    try Two(kind, policy) { context, hero in
      hero["name"] = "Theirs"
      hero["publisher"] = try context.find(ofEntity: "Publisher", identity: 8)
    }
  }

  @Test(
    "S5: discarding a deletion or a removal leaves ordered lists in order", arguments: ContextSource.Kind.allCases,
    [[1], [2], [4], [1, 2], [1, 3, 4]])
  func discardedDeletions(kind: ContextSource.Kind, deleted: [Int]) throws {
    try discarded(kind, deleted, hasFans: true) { try $0.delete($1) }
    try discarded(kind, deleted, hasFans: false) { $1["team"] = nil as ManagedObject? }
  }

  private func discarded(
    _ kind: ContextSource.Kind, _ deleted: [Int], hasFans: Bool,
    _ take: (ManagedObjectContext, ManagedObject) throws -> Void
  ) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "members": {"destination": "Player", "toMany": true, "ordered": true, "inverse": "team"},
            "fans": {"destination": "Player", "toMany": true, "ordered": true, "inverse": "idols"}}},
          "Player": {"identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}},
            "relationships": {"team": {"destination": "Team", "inverse": "members"},
              "idols": {"destination": "Team", "toMany": true, "inverse": "fans"}}}}}
        """)
    // Either all deletions are discarded, or only the first, and the other objects are deleted.
    for changed in [deleted, Array(deleted.prefix(1))] {
      let source = try ContextSource(kind, model)
      let (mine, theirs) = (try source.context(), try source.context())
      try mine.importJSON(
        #"[{"id": 1, "members": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}], "fans": [4, 3, 2, 1]}]"#, ofEntity: "Team"
      )
      try mine.commit()
      _ = mine.dumpText
      try theirs.merge()
      for id in changed { try theirs.find(ofEntity: "Player", id: id)?["n"] = 5 }
      try theirs.commit()
      mine.conflictPolicy = .storeWins
      for id in deleted { try take(mine, #require(try mine.find(ofEntity: "Player", id: id))) }
      try mine.commit()
      let left = (1...4).filter { !deleted.contains($0) || changed.contains($0) }
      for context in [mine, try source.context()] {
        let team = try #require(try context.find(ofEntity: "Team", id: 1))
        let (members, fans): (RelatedObjects<ManagedObject>, RelatedObjects<ManagedObject>) = (
          team["members"], team["fans"]
        )
        #expect(members.compactMap { $0["id"] as Int? } == left, "changed \(changed)")
        #expect(
          fans.compactMap { $0["id"] as Int? } == (hasFans ? left : [1, 2, 3, 4]).reversed(), "changed \(changed)")
      }
    }
  }

  @Test(
    "S5: the error of a commit that would overwrite a newer version names the object and the property",
    arguments: ContextSource.Kind.allCases
  )
  func refuses(kind: ContextSource.Kind) throws {
    let two = try renamed(kind, .refuse)
    two.hero["name"] = "Mine"
    let error = #expect(throws: ConflictError.self) { try two.mine.commit() }
    #expect(error?.objects.first?.id.description == "Hero(1)")
    #expect(error?.objects.first?.properties == ["name"])
    #expect(error?.diagnostics.first?.code == .commitConflict)
    #expect(two.mine.hasChanges)
    #expect(try two.stored()?["name"] == "Theirs")
    two.mine.rollBack()
    try two.mine.merge()
    #expect(two.hero["name"] == "Theirs")
  }

  @Test("S5: mergeByProperty keeps the properties that each context changed", arguments: ContextSource.Kind.allCases)
  func merges(kind: ContextSource.Kind) throws {
    let two = try renamed(kind, .mergeByProperty)
    two.hero["name"] = "Mine"
    try two.mine.commit()
    let stored = try #require(try two.stored())
    #expect(stored["name"] == "Mine")
    #expect((stored["publisher"] as ManagedObject?)?["id"] == 8)
    #expect((two.hero["publisher"] as ManagedObject?)?["id"] == 8)
  }

  @Test("S5: storeWins discards the context's changes", arguments: ContextSource.Kind.allCases)
  func storeWins(kind: ContextSource.Kind) throws {
    let two = try renamed(kind, .storeWins)
    two.hero["name"] = "Mine"
    try two.mine.commit()
    #expect(try two.stored()?["name"] == "Theirs")
    #expect(two.hero["name"] == "Theirs")
  }

  @Test("S5: contextWins overwrites the whole object", arguments: ContextSource.Kind.allCases)
  func contextWins(kind: ContextSource.Kind) throws {
    let two = try renamed(kind, .contextWins)
    two.hero["name"] = "Mine"
    try two.mine.commit()
    let stored = try #require(try two.stored())
    #expect(stored["name"] == "Mine")
    #expect((stored["publisher"] as ManagedObject?)?["id"] == 9)
  }

  @Test(
    "S5: each policy resolves a change to an object that another context deleted",
    arguments: ContextSource.Kind.allCases)
  func deletedElsewhere(kind: ContextSource.Kind) throws {
    for policy in [ConflictPolicy.refuse, .storeWins, .mergeByProperty, .contextWins] {
      let two = try Two(kind, policy) { context, hero in try context.delete(hero) }
      two.hero["name"] = "Mine"
      switch policy {
      case .refuse:
        #expect(throws: ConflictError.self) { try two.mine.commit() }
        #expect(two.hero["name"] == "Mine")
      case .storeWins, .mergeByProperty:
        try two.mine.commit()
        #expect(two.hero.isDeleted)
        #expect(try two.stored() == nil)
      case .contextWins:
        try two.mine.commit()
        #expect(try two.stored()?["name"] == "Mine")
        #expect(try two.mine.find(ofEntity: "Hero", identity: 1) === two.hero)
      }
    }
  }

  @Test(
    "S5: if two contexts insert the same identity, the second commit merges the objects",
    arguments: ContextSource.Kind.allCases)
  func sameIdentity(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let mine = try comics.context()
    let hero = mine.insert(ofEntity: "Hero")
    try hero.setValue(7, of: "id")
    hero["name"] = "Mine"
    try comics.context().load(#"{"id": 7, "name": "Theirs", "publisher": 8, "powers": [1]}"#, "Hero")
    try mine.commit()
    let stored = try #require(try comics.context().find(ofEntity: "Hero", identity: 7))
    #expect(stored["name"] == "Mine")
    #expect((stored["publisher"] as ManagedObject?)?["id"] == 8)
    #expect((stored["powers"] as RelatedObjects<ManagedObject>).count == 1)
    #expect((hero["powers"] as RelatedObjects<ManagedObject>).count == 1)
    #expect(try comics.context().count(ofEntity: "Hero") == 4)
  }

  @Test(
    "S5: a link to an object that another context deleted is refused, or is removed by mergeByProperty",
    arguments: ContextSource.Kind.allCases)
  func linkToDeleted(kind: ContextSource.Kind) throws {
    for policy in [ConflictPolicy.refuse, .mergeByProperty] {
      let two = try Two(kind, policy) { context, _ in
        try context.delete(try #require(try context.find(ofEntity: "Publisher", identity: 8)))
      }
      // This context needs the publisher in memory before the other context deletes it: a merge would remove it.
      let comics = two.comics
      let mine = try comics.context()
      mine.conflictPolicy = policy
      let marsh = try #require(try mine.find(ofEntity: "Publisher", identity: 9))
      let theirs = try comics.context()
      try theirs.delete(try #require(try theirs.find(ofEntity: "Publisher", identity: 9)))
      try theirs.commit()
      let hero = mine.insert(ofEntity: "Hero")
      try hero.setValue(20, of: "id")
      hero["publisher"] = marsh
      if policy == .refuse {
        #expect(throws: ConflictError.self) { try mine.commit() }
      } else {
        try mine.commit()
        #expect(marsh.isDeleted)
        #expect(hero["publisher"] as ManagedObject? == nil)
      }
    }
  }

  @Test("S8: a context takes over another context's commits", arguments: ContextSource.Kind.allCases)
  func takesOver(kind: ContextSource.Kind) throws {
    let comics = try StoredComics(kind, StoredComics.heroes)
    let mine = try comics.context()
    let hero = try #require(try mine.find(ofEntity: "Hero", identity: 1))
    let otter = try #require(try mine.find(ofEntity: "Hero", identity: 2))
    let marsh = try #require(try mine.find(ofEntity: "Publisher", identity: 9))
    #expect((marsh["heroes"] as RelatedObjects<ManagedObject>).count == 2)
    #expect((hero["powers"] as RelatedObjects<ManagedObject>).count == 2)
    #expect(try mine.count(ofEntity: "Hero") == 3)
    let theirs = try comics.context()
    try theirs.load(
      #"[{"id": 1, "name": "Bittern", "powers": [2]}, {"id": 11, "name": "Crane", "publisher": 9}]"#, "Hero")
    try theirs.delete(try #require(try theirs.find(ofEntity: "Hero", identity: 2)))
    try theirs.commit()
    #expect(try mine.merge())
    #expect(hero["name"] == "Bittern")
    #expect(otter.isDeleted)
    #expect((hero["powers"] as RelatedObjects<ManagedObject>).map { $0["id"] as Int? } == [2])
    #expect((marsh["heroes"] as RelatedObjects<ManagedObject>).count == 2)
    #expect(try mine.count(ofEntity: "Hero") == 3)
    #expect(mine.checkInvariants() == [])
    #expect(try !mine.merge())
    #expect(!mine.hasChanges)
  }
}

@Suite("Conflicts about the order of lists") struct OrderConflictTests {
  /// - Parameter inverse: members to add to the inverse of the list, such as `toMany`; nil for a list without an inverse.
  private static func model(_ inverse: String?) throws -> ManagedObjectModel {
    let back = inverse.map {
      #", "relationships": {"users": {"destination": "User", "inverse": "pens", "JSONKeyPath": null\#($0)}}"#
    }
    return try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "User": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "pens": {"destination": "Pen", "toMany": true, "ordered": true\#(back == nil ? "" : #", "inverse": "users""#)}}},
          "Pen": {"identityAttributes": "id", "attributes": {"id": "integer64"}\#(back ?? "")}}}
        """#)
  }

  private static func pens(_ context: ManagedObjectContext) throws -> [Int] {
    let user = try #require(try context.find(ofEntity: "User", id: 1))
    return (user["pens"] as [ManagedObject]).map { $0["id"] as Int? ?? 0 }
  }

  private static func set(_ pens: [Int], in context: ManagedObjectContext) throws {
    try context.find(ofEntity: "User", id: 1)?["pens"] = pens.compactMap { try context.find(ofEntity: "Pen", id: $0) }
  }

  @Test(
    "S13: contextWins: a list that two contexts changed is as this context left it, even if it only added members",
    arguments: [", \"toMany\": true", nil], [StoreKind.sqlite, .snapshot])
  func contextWins(inverse: String?, kind: StoreKind) throws {
    let model = try Self.model(inverse)
    for there in [[5, 2], [], [5], [5, 2, 3], [3, 5, 2]] {
      for here in [[2, 5, 1], [2, 5, 4, 1], [5], [5, 2], [2]] {
        let source = try ContextSource(kind.source, model)
        let context = try source.context()
        try context.importJSON("[1, 3, 4]", ofEntity: "Pen")
        try context.importJSON(#"{"id": 1, "pens": [2, 5]}"#, ofEntity: "User")
        let other = try source.context()
        context.conflictPolicy = .contextWins
        try Self.set(here, in: context)
        try Self.set(there, in: other)
        try other.commit()
        try context.commit()
        #expect(try Self.pens(source.context()) == here, "\(here) \(there)")
      }
    }
  }

  @Test(
    "S13: storeWins: a list that two contexts changed has the other context's order, whatever this context did to it",
    arguments: [", \"toMany\": true", "", nil], [StoreKind.sqlite, .snapshot])
  func storeWins(inverse: String?, kind: StoreKind) throws {
    let model = try Self.model(inverse)
    let changes: [[Int]] = [[2, 1, 3], [2, 3], [1, 3], [], [2], [3, 2, 1], [1, 2, 3, 5]]
    let others: [[Int]] = [[1, 2, 3, 4], [4, 1, 2, 3], [1, 2], [3, 1, 2]]
    for here in changes {
      for there in others {
        let source = try ContextSource(kind.source, model)
        let context = try source.context()
        try context.importJSON("[4, 5]", ofEntity: "Pen")
        try context.importJSON(#"{"id": 1, "pens": [1, 2, 3]}"#, ofEntity: "User")
        let other = try source.context()
        context.conflictPolicy = .storeWins
        try Self.set(here, in: context)
        try Self.set(there, in: other)
        try other.commit()
        try context.commit()
        let pens = try Self.pens(source.context())
        // In a one-to-many, the outcome is decided separately for each member.
        #expect(pens.filter(there.contains) == there.filter(pens.contains), "\(here) \(there) \(pens)")
        if inverse != "" { #expect(pens == there, "\(here) \(there)") }
      }
    }
  }

  @Test(
    "S5: contextWins: an object that another context deleted stays deleted if this context only reordered its list",
    arguments: ContextSource.Kind.allCases, [true, false])
  func reordered(kind: ContextSource.Kind, hasInverse: Bool) throws {
    let back = #", "relationships": {"user": {"destination": "User", "inverse": "pens"}}"#
    let model = try ManagedObjectModel(
      entities: #"""
        "User": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "pens": {"destination": "Pen", "toMany": true, "ordered": true\#(hasInverse ? #", "inverse": "user""# : "")}}},
        "Pen": {"identityAttributes": "id", "attributes": {"id": "integer64"}\#(hasInverse ? back : "")}
        """#)
    // Pen 3 keeps its position, while pens 1 and 2 get new ones.
    for deleted in [2, 3] {
      let source = try ContextSource(kind, model)
      try source.context().importJSON(#"{"id": 1, "pens": [{"id": 1}, {"id": 2}, {"id": 3}]}"#, ofEntity: "User")
      let (mine, theirs) = (try source.context(), try source.context())
      mine.conflictPolicy = .contextWins
      try mine.object("User", 1)["pens"] = [3, 1, 2].map { try mine.object("Pen", $0) }
      try theirs.delete(theirs.object("Pen", deleted))
      try theirs.commit()
      try mine.commit()
      let found = try source.context()
      #expect(try found.ids(of: "Pen") == [1, 2, 3].filter { $0 != deleted }, "\(deleted)")
      #expect(try found.list("pens", of: "User", 1) == [3, 1, 2].filter { $0 != deleted }, "\(deleted)")
      try source.expectAgreement(of: mine, theirs)
    }
  }
}
