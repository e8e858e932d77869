import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Merging onto an existing object") struct MergeOntoObjectTests {
  private func draft(_ context: ManagedObjectContext) throws -> (order: ManagedObject, lines: [ManagedObject]) {
    let customer = try context.object(ofEntity: "Customer", fromJSON: #"{"name": "Ann"}"#)
    let order = context.insert(ofEntity: "Order")
    order["note"] = "now"
    order["customer"] = customer
    customer["favorite"] = order
    let lines = (0..<2).map { index in
      let line = context.insert(ofEntity: "Line")
      line["position"] = index
      line["sku"] = "s\(index)"
      return line
    }
    order["lines"] = lines
    return (order, lines)
  }

  private static let threads = #"""
    "Thread": {
      "identityAttributes": "id", "modificationAttribute": "version",
      "attributes": {
        "id": {"type": "integer64", "optional": true}, "version": {"type": "integer64", "optional": true},
        "title": {"type": "string", "optional": true}, "mood": {"type": "string", "default": "calm"}},
      "relationships": {
        "posts": {"destination": "Post", "toMany": true, "ordered": true, "inverse": "thread"},
        "next": {"destination": "Thread", "inverse": "previous"}, "previous": {"destination": "Thread", "inverse": "next"},
        "related": {"destination": "Thread", "toMany": true, "inverse": "related"},
        "pinned": {"destination": "Thread", "toMany": true, "ordered": true}}
    },
    "Post": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "thread": {"destination": "Thread", "inverse": "posts"}, "origin": {"destination": "Thread"}}}
    """#

  @Test(
    "I23: nested objects can refer to the object by the identity that it gets from the payload",
    arguments: [
      #"{"id": 7, "posts": [{"id": 1, "thread": 7, "origin": 7}]}"#,
      #"{"posts": [{"id": 1, "thread": 7, "origin": 7}], "id": 7}"#,
      #"{"id": 7, "posts": [{"id": 1, "origin": 7}], "related": [7], "pinned": [7, 7]}"#,
      #"{"next": 7, "posts": [{"id": 1, "origin": 7}], "id": 7, "pinned": [7]}"#,
    ])
  func backReferences(payload: String) throws {
    for mode in [IdentityConflict.refuse, .unite] {
      let context = try Fixture.context(Self.threads)
      let thread = context.insert(ofEntity: "Thread")
      thread["title"] = "draft"
      thread["mood"] = "wild"
      try context.commit()
      let report = try thread.merge(fromJSON: payload, ifIdentityIsTaken: mode)
      #expect(report.inserted == ["Post": 1] && report.deleted.isEmpty && report.updated == ["Thread": 1], "\(report)")
      #expect(context.checkInvariants() == [])
      #expect(try context.count(ofEntity: "Thread") == 1 && context.find(ofEntity: "Thread", id: 7) === thread)
      #expect(thread["title"] == "draft" && thread["mood"] == "wild" && !thread.isDeleted)
      let post = try #require(try context.find(ofEntity: "Post", id: 1))
      #expect(post["origin"] as ManagedObject? === thread && post["thread"] as ManagedObject? === thread)
      #expect((thread["pinned"] as [ManagedObject]).count == (payload.contains("pinned") ? 1 : 0))
      #expect((thread["related"] as [ManagedObject]).count == (payload.contains("related") ? 1 : 0))
      #expect((thread["next"] as ManagedObject?) === (payload.contains("next") ? thread : nil))
    }
  }

  @Test("I23: a nested dictionary with the object's new identity and different values is refused")
  func otherValues() throws {
    let context = try Fixture.context(Self.threads)
    let thread = context.insert(ofEntity: "Thread")
    thread["title"] = "draft"
    let before = context.dump()
    for inner in [#""title": "other""#, #""title": null"#, #""mood": "calm""#, #""posts": []"#] {
      let payload = #"{"id": 7, "posts": [{"id": 1, "origin": {"id": 7, \#(inner)}}]}"#
      #expect(throws: ImportError.self, "\(inner)") { try thread.merge(fromJSON: payload) }
      #expect(context.dump() == before && context.checkInvariants() == [])
    }
  }

  @Test("I23, M17: a payload that is not newer than the object is skipped, regardless of its identity")
  func notNewer() throws {
    let context = try Fixture.context(Self.threads)
    try context.importJSON(#"{"id": 7, "version": 5, "title": "old"}"#, ofEntity: "Thread")
    let thread = try #require(try context.find(ofEntity: "Thread", id: 7))
    for payload in [
      #"{"id": 7, "version": 5, "title": "new"}"#, #"{"version": 5, "title": "new"}"#,
      #"{"version": 4, "title": "new"}"#,
      #"{"id": 8, "version": 3, "title": "new"}"#,
    ] {
      let report = try thread.merge(fromJSON: payload)
      #expect(report.skipped == ["Thread": 1] && report.updated.isEmpty, "\(payload): \(report)")
      #expect(thread["title"] == "old" && thread["id"] == 7)
    }
    #expect(try thread.merge(fromJSON: #"{"version": 6, "title": "new"}"#).updated == ["Thread": 1])
    #expect(thread["title"] == "new" && thread["version"] == 6)
    #expect(context.checkInvariants() == [])
  }

  @Test("I23: a payload that completes a partial identity is refused if another object has that identity")
  func partOfIdentity() throws {
    let context = try Fixture.context(
      #"""
      "Issue": {"identityAttributes": ["repository", "number"],
        "attributes": {
          "repository": "string", "number": {"type": "integer64", "optional": true}, "title": {"type": "string", "optional": true}
        }}
      """#)
    try context.importJSON(#"{"repository": "a", "number": 1, "title": "first"}"#, ofEntity: "Issue")
    let draft = context.insert(ofEntity: "Issue")
    draft["repository"] = "a"
    draft["title"] = "draft"
    try context.commit()
    let error = #expect(throws: ImportError.self) { try draft.merge(fromJSON: #"{"number": 1}"#) }
    #expect(
      error?.diagnostics.first?.message.contains(
        "is merged onto 'Issue#1', but has the identity of another object, 'Issue(a,1)'") == true, "\(error as Any)")
    #expect(draft["number"] as Int? == nil && context.checkInvariants().isEmpty)
    try draft.merge(fromJSON: #"{"number": 1}"#, ifIdentityIsTaken: .unite)
    #expect(try context.fetch(ofEntity: "Issue").map { $0["title"] as String? } == ["first"])
    #expect(context.checkInvariants().isEmpty)
    context.insert(ofEntity: "Issue")["repository"] = "a"
    try context.fetch(ofEntity: "Issue")[1].merge(fromJSON: #"{"number": 2}"#)
    #expect(try context.find(ofEntity: "Issue", identity: "a", 2) != nil)
  }

  @Test("I23: a draft gets the payload's identity, and its lines get their identities by position")
  func answer() throws {
    let context = try Fixture.context(Fixture.orders)
    let (order, lines) = try draft(context)
    try context.commit()
    let report = try order.merge(fromJSON: #"{"id": 7, "lines": [{"id": 21}, {"id": 22, "sku": "x"}, {"id": 23}]}"#)
    #expect(report.inserted == ["Line": 1])
    #expect(order["id"] == 7 && order["note"] == "now" && (order["customer"] as ManagedObject?)?["name"] == "Ann")
    let now: [ManagedObject] = order["lines"]
    #expect(now.map { $0["id"] as Int? } == [21, 22, 23] && now[0] === lines[0] && now[1] === lines[1])
    #expect(now.map { $0["sku"] as String? } == ["s0", "x", nil])
    #expect(try context.find(ofEntity: "Order", id: 7) === order)
    #expect(try context.find(ofEntity: "Line", id: 22) === lines[1])
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("I23, M27: lines are found by an alternate identity, at any position in the list")
  func tokens() throws {
    let context = try Fixture.context(Fixture.orders)
    let (order, lines) = try draft(context)
    for (line, token) in zip(lines, ["a", "b"]) {
      line["token"] = token
      line["position"] = Int?.none
    }
    try order.merge(
      fromJSON: #"{"data": {"id": 7, "lines": [{"id": 1, "token": "b"}, {"id": 2, "token": "a"}]}}"#, at: "data")
    #expect(lines[0]["id"] == 2 && lines[1]["id"] == 1)
    #expect((order["lines"] as [ManagedObject]).map { $0["id"] as Int? } == [1, 2])
  }

  @Test("I23: a provisional identity is replaced; if the payload has no identity, the provisional identity stays")
  func otherIdentity() throws {
    let context = try Fixture.context(Fixture.orders)
    let order = context.insert(ofEntity: "Order")
    order["id"] = -1
    try order.merge(fromJSON: #"{"note": "x"}"#)
    #expect(order["id"] == -1 && order["note"] == "x")
    try order.merge(fromJSON: ["id": 8] as [String: Any])
    #expect(order["id"] == 8)
    #expect(try context.find(ofEntity: "Order", id: -1) == nil && context.find(ofEntity: "Order", id: 8) === order)
  }

  @Test("I23: the identity of another object is refused, and the import changes nothing")
  func refused() throws {
    let context = try Fixture.context(Fixture.orders)
    let (order, _) = try draft(context)
    try context.importJSON(#"{"id": 7, "note": "theirs"}"#, ofEntity: "Order")
    let before = context.dump()
    for (payload, words) in [
      (#"{"id": 7}"#, "has the identity of another object, 'Order(7)'"), (#"{"id": "x"}"#, "$.id"),
      ("null", "expected an object of 'Order' in the payload, found none"), ("7", "found none"),
      ("[]", "found an array"),
    ] {
      let error = #expect(throws: ImportError.self, "\(payload)") { try order.merge(fromJSON: payload) }
      #expect("\(try #require(error))".contains(words), "\(payload): \(error as Any)")
      #expect(context.dump() == before)
    }
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("I23: two objects are united, including their links, values and handles")
  func unite() throws {
    let context = try Fixture.context(Fixture.orders)
    let (order, lines) = try draft(context)
    try context.importJSON(
      #"{"id": 7, "customer": "Bob", "lines": [{"id": 40, "sku": "old"}]}"#, ofEntity: "Order")
    let other = try #require(try context.find(ofEntity: "Order", id: 7))
    try order.merge(fromJSON: #"{"id": 7, "customer": "Cid"}"#, ifIdentityIsTaken: .unite)
    #expect(!order.isDeleted && order == other && order["id"] == 7 && order["note"] == "now")
    #expect((order["customer"] as ManagedObject?)?["name"] == "Cid")
    #expect((order["lines"] as [ManagedObject]).map { $0["sku"] as String? } == ["old", "s0", "s1"])
    #expect((lines[0]["order"] as ManagedObject?) == other)
    let ann = try #require(try context.find(ofEntity: "Customer", id: "Ann"))
    #expect((ann["favorite"] as ManagedObject?) == other && (ann["orders"] as [ManagedObject]).isEmpty)
    #expect(try context.count(ofEntity: "Order") == 1)
    #expect(context.checkInvariants().isEmpty)
    order["note"] = "later"
    #expect(other["note"] == "later")
  }

  @Test("I23: a placeholder with the payload's identity is united with the object")
  func placeholder() throws {
    let context = try Fixture.context(Fixture.orders)
    try context.importJSON(#"{"name": "Bob", "favorite": 7}"#, ofEntity: "Customer")
    let (order, _) = try draft(context)
    try order.merge(fromJSON: #"{"id": 7}"#, ifIdentityIsTaken: .unite)
    let bob = try #require(try context.find(ofEntity: "Customer", id: "Bob"))
    #expect((bob["favorite"] as ManagedObject?) == order && !order.isPlaceholder && order["note"] == "now")
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("I23: inside a transaction, two objects cannot be united")
  func transaction() throws {
    let context = try Fixture.context(Fixture.orders)
    let (order, _) = try draft(context)
    try context.importJSON(#"{"id": 7}"#, ofEntity: "Order")
    try context.atomically {
      #expect(throws: ImportError.self) { try order.merge(fromJSON: #"{"id": 7}"#, ifIdentityIsTaken: .unite) }
      try order.merge(fromJSON: #"{"id": 9}"#)
    }
    #expect(order["id"] == 9)
    try context.delete(order)
    #expect(throws: ImportError.self) { try order.merge(fromJSON: #"{"id": 10}"#) }
  }

  @Test(
    "I23: a payload can refer to the object by its former identity, even after the object is united",
    arguments: [
      #""fr": [4, 1]"#, #""likes": [4, 3, 1]"#, #""boss": 4"#, #""team": [4]"#, #""fr": [{"id": 4, "n": "x"}]"#,
      #""foes": [4]"#, #""foes": [{"id": 4, "n": "x"}, 1]"#,
    ])
  func formerIdentity(member: String) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"P": {
          "identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}},
          "relationships": {
            "fr": {"destination": "P", "toMany": true, "inverse": "fr"},
            "likes": {"destination": "P", "toMany": true, "ordered": true},
            "foes": {"destination": "P", "toMany": true, "inverse": "hunters"},
            "hunters": {"destination": "P", "toMany": true, "inverse": "foes"},
            "boss": {"destination": "P", "inverse": "team"}, "team": {"destination": "P", "toMany": true, "inverse": "boss"}}}}}
        """)
    for payload in [#"[{"id": 4}, {"id": 3}, {"id": 1}]"#, #"[{"id": 1}, {"id": 3}, {"id": 4, "fr": [3]}]"#] {
      let source = try ContextSource(.sqlite, model)
      let context = try source.context()
      try context.importJSON(payload, ofEntity: "P")
      let object = try #require(try context.find(ofEntity: "P", id: 4))
      try object.merge(fromJSON: "{\"id\": 3, \"hunters\": [], \(member)}", ifIdentityIsTaken: .unite)
      let name = String(try #require(member.split(separator: "\"").first))
      let linked: [ManagedObject] = name == "boss" ? [object[name]].compactMap(\.self) : object[name]
      #expect(linked.contains(object) && !linked.contains { $0.isDeleted } && object["id"] == 3)
      #expect(try context.checkInvariants() == [] && context.count(ofEntity: "P") == 2)
      #expect(try source.context().dumpText == context.dumpText)
    }
  }

  @Test(
    "I23, S12: lists without an inverse refer to the united object, whether or not they are in memory",
    arguments: ContextSource.Kind.allCases, ["", #", "ordered": true"#, #", "mergeRule": "union""#])
  func unloadedLists(kind: ContextSource.Kind, more: String) throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"pins": {"destination": "Pin", "toMany": true\(more)}, "best": {"destination": "Pin"}}},
          "Pin": {"identityAttributes": "id", "attributes": {"id": "integer64"}}}}
        """)
    let memory = ManagedObjectContext(model: model)
    let source = try ContextSource(kind, model)
    var dumps: [String] = []
    for (first, second) in [(memory, memory), (try source.context(), try source.context())] {
      try first.importJSON(
        "[{\"id\": 3, \"pins\": [2, 1], \"best\": 2}, {\"id\": 4, \"pins\": [2, 5]}]", ofEntity: "Box")
      try first.importJSON(#"[{"id": 1}, {"id": 2}, {"id": 5}]"#, ofEntity: "Pin")
      try second.merge()
      try second.find(ofEntity: "Pin", id: 2)?.merge(fromJSON: #"{"id": 5}"#, ifIdentityIsTaken: .unite)
      #expect(second.checkInvariants() == [])
      dumps.append(second.dumpText)
    }
    #expect(dumps[0] == dumps[1])
    #expect(try source.context().dumpText == dumps[0])
  }

  @Test("I23: if the payload narrows the other object to another entity, uniting causes an error, not a wrong link")
  func narrowedOther() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "P": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "entityMapper": {"JSONKeyPath": "type", "entities": {"p": "P", "player": "Player", "coach": "Coach"}}},
          "Player": {"parent": "P", "relationships": {"coach": {"destination": "Coach", "inverse": "players"}}},
          "Coach": {"parent": "P", "relationships": {"players": {"destination": "Player", "toMany": true, "inverse": "coach"}}}}}
        """)
    let context = ManagedObjectContext(model: model)
    try context.importJSON("[2, 3]", ofEntity: "P")
    let object = try #require(try context.find(ofEntity: "P", id: 2))
    let before = context.dumpText
    do {
      try object.merge(fromJSON: #"{"type": "coach", "id": 3, "players": [3, 0]}"#, ifIdentityIsTaken: .unite)
      Issue.record("a coach is one of its own players")
    } catch { #expect("\(error)".contains("belongs to 'Player'"), "\(error)") }
    #expect(context.dumpText == before && context.checkInvariants() == [])
  }
}
