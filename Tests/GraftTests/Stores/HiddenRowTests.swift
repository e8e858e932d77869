import Foundation
import Graft
import GraftTestSupport
import Testing

/// Objects that others committed, whose identity another object has here.
@Suite("Objects with an identity that is taken here") struct HiddenRowTests {
  private static let model = #"""
    {"keyStrategy": "sameName", "entities": {
      "A": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}, "m": {"type": "string", "optional": true}},
        "relationships": {
          "bs": {"destination": "B", "toMany": true, "ordered": true, "inverse": "a"},
          "o": {"destination": "B", "inverse": "p"},
          "many": {"destination": "B", "toMany": true, "inverse": "back"}}},
      "B": {"identityAttributes": "id",
        "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}},
        "relationships": {
          "a": {"destination": "A", "inverse": "bs"}, "p": {"destination": "A", "inverse": "o"},
          "back": {"destination": "A", "toMany": true, "ordered": true, "inverse": "many"},
          "plain": {"destination": "A"}}}}}
    """#
  /// An A that others link to in every way.
  private static let theirs =
    #"[{"id": 1, "a": 7, "p": 7, "back": [7], "plain": {"id": 7, "n": "theirs", "m": "theirs"}}, {"id": 2, "a": 7}]"#

  private func source(_ kind: ContextSource.Kind) throws -> ContextSource {
    let source = try ContextSource(kind, try ManagedObjectModel(text: Self.model))
    try source.context().load(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, "B")
    return source
  }

  @Test(
    "S5: an object that others inserted as well is there once, and has their links after the commit",
    arguments: ContextSource.Kind.allCases, [false, true])
  func inserted(kind: ContextSource.Kind, isLinkedFirst: Bool) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    let hero = mine.insert(ofEntity: "A")
    hero["n"] = "mine"
    if !isLinkedFirst { hero["id"] = 7 }
    try theirs.load(Self.theirs, "B")
    // Their object is known before the identity is set here, or is met when it is set.
    let one = try #require(mine.find(ofEntity: "B", identity: 1))
    if isLinkedFirst { try? hero.setValue(7, of: "id") }
    if hero["id"] == nil {
      // It was found in the store.
      mine.rollBack()
      return try source.expectAgreement(of: mine, theirs)
    }
    #expect(mine.fetch(ofEntity: "A") == [hero])
    #expect(mine.find(hero.objectID) == hero)
    #expect((one["plain"] as ManagedObject?) == nil && (one["a"] as ManagedObject?) == nil)
    #expect((one["back"] as RelatedObjects<ManagedObject>).isEmpty)
    #expect(mine.checkInvariants() == [])
    try mine.commit()
    #expect(mine.fetch(ofEntity: "A") == [hero])
    #expect(hero["n"] == "mine" && hero["m"] == "theirs")
    #expect((one["plain"] as ManagedObject?) == hero && (one["a"] as ManagedObject?) == hero)
    #expect((one["p"] as ManagedObject?) == hero)
    #expect((hero["bs"] as RelatedObjects<ManagedObject>).map { $0["id"] as Int? } == [1, 2])
    #expect((hero["many"] as RelatedObjects<ManagedObject>).map { $0["id"] as Int? } == [1])
    #expect((one["back"] as RelatedObjects<ManagedObject>).map { $0["id"] as Int? } == [7])
    #expect(mine.checkInvariants() == [])
    try source.expectAgreement(of: mine, theirs)
  }

  @Test("S5: an object that others inserted as well is theirs after a rollback", arguments: ContextSource.Kind.allCases)
  func rolledBack(kind: ContextSource.Kind) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    let hero = mine.insert(ofEntity: "A")
    hero["id"] = 7
    try theirs.load(Self.theirs, "B")
    let one = try #require(mine.find(ofEntity: "B", identity: 1))
    #expect(mine.fetch(ofEntity: "A") == [hero])
    mine.rollBack()
    #expect(hero.isDeleted)
    let other = try #require(mine.find(ofEntity: "A", identity: 7))
    #expect(mine.fetch(ofEntity: "A") == [other] && other["n"] == "theirs")
    #expect((one["plain"] as ManagedObject?) == other && (one["a"] as ManagedObject?) == other)
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: when the object here is deleted or gets another identity, theirs is there",
    arguments: ContextSource.Kind.allCases,
    [false, true])
  func freed(kind: ContextSource.Kind, isDeleted: Bool) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    let hero = mine.insert(ofEntity: "A")
    hero["id"] = 7
    try theirs.load(Self.theirs, "B")
    #expect(mine.fetch(ofEntity: "A") == [hero])
    if isDeleted { try mine.delete(hero) } else { hero["id"] = 8 }
    #expect(mine.find(ofEntity: "A", identity: 7)?["n"] == "theirs")
    #expect(mine.fetch(ofEntity: "A").count == (isDeleted ? 1 : 2))
    try mine.commit()
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: an identity that others took is refused by the commit, and theirs after a rollback",
    arguments: ContextSource.Kind.allCases)
  func renamed(kind: ContextSource.Kind) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    try theirs.load(#"{"id": 5}"#, "A")
    try mine.merge()
    let hero = try #require(mine.find(ofEntity: "A", identity: 5))
    hero["id"] = 7
    try theirs.load(Self.theirs, "B")
    #expect(mine.fetch(ofEntity: "A") == [hero])
    #expect(throws: ConflictError.self) { try mine.commit() }
    #expect(mine.fetch(ofEntity: "A") == [hero] && hero["id"] == 7)
    mine.rollBack()
    #expect(mine.fetch(ofEntity: "A").map { $0["id"] as Int? } == [5, 7])
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S8: an object that others deleted and inserted anew is theirs after the merge",
    arguments: ContextSource.Kind.allCases, [false, true])
  func anew(kind: ContextSource.Kind, isUnlinked: Bool) throws {
    let source = try source(kind)
    let theirs = try source.context()
    try theirs.load(#"{"id": 7, "n": "old"}"#, "A")
    let mine = try source.context()
    let old = try #require(mine.find(ofEntity: "A", identity: 7))
    try theirs.delete(#require(theirs.find(ofEntity: "A", identity: 7)))
    try theirs.commit()
    try theirs.load(Self.theirs, "B")
    #expect(mine.fetch(ofEntity: "A") == [old] && old["n"] == "old")
    _ = mine.fetch(ofEntity: "B")
    if isUnlinked { try theirs.load(#"{"id": 1, "a": null, "p": null, "plain": null}"#, "B") }
    try mine.merge()
    #expect(old.isDeleted)
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "I6: a link that others made as well is there once, on both sides", arguments: ContextSource.Kind.allCases)
  func linked(kind: ContextSource.Kind) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    try theirs.load(#"{"id": 7}"#, "A")
    let hero = try #require(mine.find(ofEntity: "A", identity: 7))
    #expect((hero["many"] as RelatedObjects<ManagedObject>).isEmpty)
    try theirs.load(#"{"id": 1, "back": [7]}"#, "B")
    let one = try #require(mine.find(ofEntity: "B", identity: 1))
    (hero["many"] as RelatedObjects<ManagedObject>).insert(one)
    #expect((one["back"] as RelatedObjects<ManagedObject>).map { $0["id"] as Int? } == [7])
    #expect((hero["many"] as RelatedObjects<ManagedObject>).map { $0["id"] as Int? } == [1])
    #expect(mine.checkInvariants() == [])
    mine.conflictPolicy = .mergeByProperty
    try mine.commit()
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: a link to an object that is not shown here is kept by a commit of other properties",
    arguments: ContextSource.Kind.allCases,
    [ConflictPolicy.refuse, .mergeByProperty])
  func kept(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let source = try source(kind)
    let theirs = try source.context()
    try theirs.load(#"{"id": 7, "n": "old"}"#, "A")
    let mine = try source.context()
    mine.conflictPolicy = policy
    let old = try #require(mine.find(ofEntity: "A", identity: 7))
    if policy != .refuse { #expect(mine.fetch(ofEntity: "B").count == 3) }
    try theirs.delete(#require(theirs.find(ofEntity: "A", identity: 7)))
    try theirs.commit()
    try theirs.load(Self.theirs, "B")
    #expect(mine.fetch(ofEntity: "A") == [old])
    try #require(mine.find(ofEntity: "B", identity: 2))["n"] = "mine"
    try mine.commit()
    let stored = try #require(try source.context().find(ofEntity: "B", identity: 2))
    #expect(stored["n"] == "mine")
    #expect((stored["a"] as ManagedObject?)?["n"] == "theirs")
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5, I8: an object that a failed import finds not to be there is no object afterwards",
    arguments: ContextSource.Kind.allCases)
  func failedImport(kind: ContextSource.Kind) throws {
    let model = """
      {"keyStrategy": "sameName", "entities": {
        "Desk": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "user": {"destination": "User", "inverse": "desk", "optional": false}}},
        "User": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "desk": {"destination": "Desk", "inverse": "user"}}}}}
      """
    let source = try ContextSource(kind, try ManagedObjectModel(text: model))
    let (mine, theirs) = (try source.context(), try source.context())
    mine.insert(ofEntity: "Desk")["id"] = 7
    try theirs.load(#"{"id": 1, "desk": {"id": 7}}"#, "User")
    let child = mine.makeChild()
    // The user leaves a desk that is not there.
    let error = #expect(throws: ImportError.self) { try child.load(#"[{"id": 8, "user": 1}, {"id": 9}]"#, "Desk") }
    #expect(error?.description.contains("expected a value for 'Desk.user'") == true)
    #expect(child.checkInvariants() == [])
    #expect(child.fetch(ofEntity: "Desk").map { $0["id"] as Int? } == [7])
    #expect(child.dumpText == mine.dumpText)
    #expect(child.checkInvariants() == [])
  }

  @Test(
    "S4: an object that is shown after a rollback has the links that the store has by then",
    arguments: ContextSource.Kind.allCases)
  func shownLater(kind: ContextSource.Kind) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    try #require(mine.find(ofEntity: "B", identity: 2))["n"] = "mine"
    #expect(mine.find(ofEntity: "A", identity: 7) == nil)
    try theirs.load(#"{"id": 7, "o": {"id": 9}, "many": [3]}"#, "A")
    // Their object is hidden by a new one until the import is rolled back.
    #expect(throws: ImportError.self) {
      try mine.load(#"[{"id": 2, "back": [{"id": 7}]}, {"id": 3, "back": []}, {}]"#, "B")
    }
    try theirs.load(#"{"id": 7, "o": null}"#, "A")
    mine.rollBack()
    try source.expectAgreement(of: mine, theirs)
  }

  @Test("S5: a rollback does not mark links to hidden rows as given", arguments: ContextSource.Kind.allCases)
  func linkMarkedByRollback(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {"Node": {
          "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
          "relationships": {
            "next": {"destination": "Node", "inverse": "previous"},
            "previous": {"destination": "Node", "inverse": "next"}
          }}}}
        """#)
    let source = try ContextSource(kind, model)
    let other = try source.context()
    try other.load(#"[{"id": 1}, {"id": 2}]"#, "Node")
    let one = try source.context()
    let first = try #require(one.find(ofEntity: "Node", identity: 1))
    // Others replace the first node, which stays in memory as it was.
    try other.delete(try #require(other.find(ofEntity: "Node", identity: 1)))
    try other.load(#"[{"id": 3, "next": 1}]"#, "Node")
    let third = try #require(one.find(ofEntity: "Node", identity: 3))
    third["name"] = "changed"
    #expect(third["next"] as ManagedObject? == nil)
    #expect(one.checkInvariants() == [])
    one.rollBack()
    #expect(one.checkInvariants() == [])
    #expect(first["previous"] as ManagedObject? == nil)
    try source.expectAgreement(of: one, other)
  }

  @Test(
    "S5: what leads to an object that a failed commit took for another one leads to that after a rollback",
    arguments: ContextSource.Kind.allCases, [false, true])
  func failedAdoption(kind: ContextSource.Kind, isLoadedByCommit: Bool) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"bs": {"destination": "B", "toMany": true, "inverse": "a"}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}},
            "relationships": {
              "a": {"destination": "A", "inverse": "bs"}, "plain": {"destination": "A"},
              "next": {"destination": "B", "inverse": "previous"}, "previous": {"destination": "B", "inverse": "next"}}},
          "C": {"parent": "B"}}}
        """#)
    let source = try ContextSource(kind, model)
    let (mine, theirs) = (try source.context(), try source.context())
    try theirs.load(#"{"id": 3, "next": {"id": 1}}"#, "B")
    try mine.merge()
    mine.conflictPolicy = .contextWins
    try #require(mine.find(ofEntity: "B", identity: 3))["n"] = "mine"
    mine.insert(ofEntity: "A")["id"] = 7
    // The commit takes A(7) for theirs, restores B(3), which leads to B(1), and then finds that C(3) has its identity.
    try theirs.load(#"{"id": 1, "a": 7, "plain": 7}"#, "B")
    try theirs.delete(#require(theirs.find(ofEntity: "B", identity: 3)))
    try theirs.commit()
    try theirs.load(#"{"id": 3}"#, "C")
    if !isLoadedByCommit { #expect(mine.find(ofEntity: "B", identity: 1) != nil) }
    for _ in 0..<2 {
      #expect(throws: ConflictError.self) { try mine.commit() }
      #expect(mine.checkInvariants() == [])
      let one = try #require(mine.find(ofEntity: "B", identity: 1))
      #expect((one["a"] as ManagedObject?) == nil && (one["plain"] as ManagedObject?) == nil)
    }
    mine.rollBack()
    #expect(mine.checkInvariants() == [])
    let one = try #require(mine.find(ofEntity: "B", identity: 1))
    #expect((one["a"] as ManagedObject?)?["id"] == 7 && (one["plain"] as ManagedObject?)?["id"] == 7)
    #expect(mine.checkInvariants() == [])
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: a commit that fails keeps what links lead to in the store", arguments: ContextSource.Kind.allCases,
    ["plain", "a"])
  func failedRefresh(kind: ContextSource.Kind, name: String) throws {
    for former in [nil, 7, 8] as [Int?] {
      let source = try source(kind)
      let (mine, theirs) = (try source.context(), try source.context())
      func load(_ id: Int?) throws {
        try theirs.load(#"{"id": 1, "\#(name)": \#(id.map { "{\"id\": \($0)}" } ?? "null")}"#, "B")
      }
      func number(_ object: ManagedObject) -> Int? { (object[name] as ManagedObject?)?["id"] }
      mine.conflictPolicy = .mergeByProperty
      mine.insert(ofEntity: "A")["id"] = 7
      mine.insert(ofEntity: "B")["id"] = 22
      try theirs.load(#"{"id": 3, "plain": {"id": 7}}"#, "B")
      try load(former)
      // Their A(7) is hidden before what links to it is loaded.
      #expect((mine.find(ofEntity: "B", identity: 3)?["plain"] as ManagedObject?) == nil)
      let one = try #require(mine.find(ofEntity: "B", identity: 1))
      one["n"] = "mine"
      try #require(mine.find(ofEntity: "B", identity: 2))["n"] = "mine"
      let link = number(one)
      // The commit gives B(1) its new link, and then refuses to give B(2) the identity of the new object here.
      try #require(theirs.find(ofEntity: "B", identity: 2))["id"] = 22
      for id in [7, 8, nil] where id != former {
        try load(id)
        #expect(throws: ConflictError.self) { try mine.commit() }
        #expect(mine.checkInvariants() == [])
        #expect(number(one) == link, "\(former ?? 0), then \(id ?? 0)")
      }
      mine.rollBack()
      #expect(number(one) == former, "\(former ?? 0)")
      #expect(mine.checkInvariants() == [])
      try source.expectAgreement(of: mine, theirs)
    }
  }

  @Test(
    "S5: an object that others inserted as well keeps its places in ordered lists",
    arguments: ContextSource.Kind.allCases, [false, true])
  func order(kind: ContextSource.Kind, isRead: Bool) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {
              "bs": {"destination": "B", "toMany": true, "ordered": true, "inverse": "a"},
              "list": {"destination": "B", "toMany": true, "ordered": true},
              "many": {"destination": "B", "toMany": true, "ordered": true, "inverse": "back"}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}},
            "relationships": {
              "a": {"destination": "A", "inverse": "bs"},
              "back": {"destination": "A", "toMany": true, "ordered": true, "inverse": "many"}}}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().load(#"{"id": 4}"#, "B")
    let (mine, theirs) = (try source.context(), try source.context())
    let names = ["bs", "list", "many"]
    func ids(_ owner: ManagedObject?, _ name: String) -> [Int]? {
      (owner?[name] as RelatedObjects<ManagedObject>?)?.compactMap { $0["id"] as Int? }
    }
    let own = mine.insert(ofEntity: "B")
    own["id"] = 2
    try theirs.load(
      #"{"id": 10, "bs": [{"id": 3}, {"id": 2}, {"id": 1}], "list": [3, 2, 1], "many": [3, 2, 1]}"#, "A")
    let owner = try #require(mine.find(ofEntity: "A", identity: 10))
    if isRead { for name in names { #expect(ids(owner, name) == [3, 1]) } }
    own["n"] = "mine"
    try mine.commit()
    let fresh = try source.context().find(ofEntity: "A", identity: 10)
    for name in names {
      #expect(ids(fresh, name) == [3, 2, 1], "\(name) in the store")
      #expect(ids(owner, name) == [3, 2, 1], "\(name)")
    }
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: setting nil where a link reads nil keeps what it leads to in the store",
    arguments: ContextSource.Kind.allCases, [false, true])
  func setToNil(kind: ContextSource.Kind, isImport: Bool) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    mine.insert(ofEntity: "A")["id"] = 7
    try theirs.load(#"{"id": 1, "plain": {"id": 7}}"#, "B")
    let one = try #require(mine.find(ofEntity: "B", identity: 1))
    if isImport { try mine.load(#"{"id": 1, "plain": null}"#, "B") } else { one["plain"] = nil as ManagedObject? }
    try mine.commit()
    #expect((one["plain"] as ManagedObject?)?["id"] == 7)
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: an object has the link to one that was hidden again after a rollback",
    arguments: ContextSource.Kind.allCases, [false, true])
  func shownInBetween(kind: ContextSource.Kind, isDeleted: Bool) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    let own = mine.insert(ofEntity: "A")
    own["id"] = 7
    try theirs.load(#"{"id": 1, "a": {"id": 7}}"#, "B")
    let one = try #require(mine.find(ofEntity: "B", identity: 1))
    #expect((one["a"] as ManagedObject?) == nil)
    // The link cannot be made when their A(7) is shown.
    if isDeleted { try mine.delete(one) } else { one["a"] = own }
    own["id"] = 8
    let other = try #require(mine.find(ofEntity: "A", identity: 7))
    #expect((other["bs"] as RelatedObjects<ManagedObject>).isEmpty)
    mine.dryRun {}
    mine.rollBack()
    #expect(mine.checkInvariants() == [])
    #expect((one["a"] as ManagedObject?) == other)
    #expect(Array(other["bs"] as RelatedObjects<ManagedObject>) == [one])
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: a link that others removed while an object was hidden does not come back",
    arguments: ContextSource.Kind.allCases)
  func unlinkedMeanwhile(kind: ContextSource.Kind) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    try theirs.load(#"{"id": 1}"#, "A")
    try mine.merge()
    let own = mine.insert(ofEntity: "B")
    own["id"] = 7
    let owner = try #require(mine.find(ofEntity: "A", identity: 1))
    try mine.delete(owner)
    try theirs.load(#"{"id": 7, "a": 1, "p": 1, "plain": 1}"#, "B")
    #expect(mine.fetch(ofEntity: "B").count == 4)
    try theirs.load(#"{"id": 7, "a": null, "p": null, "plain": null}"#, "B")
    own["id"] = 8
    let other = try #require(mine.find(ofEntity: "B", identity: 7))
    mine.rollBack()
    for name in ["a", "p", "plain"] { #expect((other[name] as ManagedObject?) == nil, "\(name)") }
    #expect((owner["bs"] as RelatedObjects<ManagedObject>).isEmpty)
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: nothing is left of an object that others deleted after it was hidden", arguments: ContextSource.Kind.allCases)
  func deletedFault(kind: ContextSource.Kind) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    let own = mine.insert(ofEntity: "A")
    own["id"] = 7
    try theirs.load(#"{"id": 1, "p": {"id": 7}}"#, "B")
    let one = try #require(mine.find(ofEntity: "B", identity: 1))
    #expect((one["p"] as ManagedObject?) == nil)
    own["id"] = 8
    // Reading all shows their A(7), without loading it.
    #expect(mine.fetch(ofEntity: "B").count == 3)
    mine.rollBack()
    try theirs.delete(try #require(theirs.find(ofEntity: "A", identity: 7)))
    try theirs.commit()
    try mine.merge()
    #expect((one["p"] as ManagedObject?) == nil)
    #expect(mine.checkInvariants() == [])
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: an object that others inserted as well, and that has not been read, is there once",
    arguments: ContextSource.Kind.allCases)
  func unread(kind: ContextSource.Kind) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    let hero = mine.insert(ofEntity: "A")
    hero["id"] = 7
    try theirs.load(#"{"id": 1, "plain": {"id": 7, "n": "theirs"}}"#, "B")
    let one = try #require(mine.find(ofEntity: "B", identity: 1))
    try mine.commit()
    #expect(mine.fetch(ofEntity: "A") == [hero] && hero["n"] == "theirs")
    #expect((one["plain"] as ManagedObject?) == hero)
    #expect(mine.checkInvariants() == [])
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S8: a child has a link again when its parent no longer hides what it leads to",
    arguments: ContextSource.Kind.allCases)
  func hiddenInParent(kind: ContextSource.Kind) throws {
    let source = try source(kind)
    let (parent, theirs) = (try source.context(), try source.context())
    parent.insert(ofEntity: "A")["id"] = 7
    try theirs.load(#"{"id": 1, "p": {"id": 7}, "plain": 7}"#, "B")
    let child = parent.makeChild()
    let one = try #require(child.find(ofEntity: "B", identity: 1))
    for name in ["p", "plain"] { #expect((one[name] as ManagedObject?) == nil) }
    parent.rollBack()
    try child.merge()
    for name in ["p", "plain"] { #expect((one[name] as ManagedObject?)?["id"] == 7, "\(name)") }
    #expect(child.checkInvariants() == [])
    try source.expectAgreement(of: parent, theirs)
  }

  @Test(
    "S5: a refused commit leaves an object that others inserted as well as it was",
    arguments: ContextSource.Kind.allCases)
  func refusedAfterAdoption(kind: ContextSource.Kind) throws {
    let source = try source(kind)
    let (mine, theirs) = (try source.context(), try source.context())
    try theirs.load(#"[{"id": 8, "o": {"id": 11}}]"#, "A")
    try theirs.load(#"[{"id": 12}, {"id": 13}]"#, "B")
    try mine.merge()
    mine.conflictPolicy = .storeWins
    let bs = try [1, 11, 12, 13].map { try #require(mine.find(ofEntity: "B", identity: $0)) }
    try #require(mine.find(ofEntity: "A", identity: 8))["n"] = "mine"
    let own = mine.insert(ofEntity: "A")
    own["id"] = 9
    own["o"] = bs[0]
    // The commit gives A(8) its new link, and then refuses to give B(11) the identity of B(13).
    func others(_ id: Int) throws -> ManagedObject { try #require(theirs.find(ofEntity: "B", identity: id)) }
    try #require(theirs.find(ofEntity: "A", identity: 8))["o"] = try others(12)
    try others(13)["id"] = 14
    try others(11)["id"] = 13
    try theirs.commit()
    // Before that, their A(9) is linked to another B(11), which is hidden.
    try theirs.load(#"{"id": 9, "o": {"id": 11}}"#, "A")
    let error = #expect(throws: ConflictError.self) { try mine.commit() }
    #expect(error.map { "\($0)".contains("would get the identity of another object") } == true)
    #expect(mine.checkInvariants() == [])
    mine.rollBack()
    try source.expectAgreement(of: mine, theirs)
  }
}
