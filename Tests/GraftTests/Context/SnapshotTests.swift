import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Context: snapshots") struct SnapshotTests {
  private static let model = #"""
    "Message": {"identityAttributes": "id", "abstract": true, "attributes": {"id": "integer64",
      "text": {"type": "string", "optional": true}},
      "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "TextMessage", "photo": "Photo"}},
      "relationships": {"replyTo": {"destination": "Message", "inverse": "replies"},
        "replies": {"destination": "Message", "toMany": true, "inverse": "replyTo", "JSONKeyPath": null},
        "tags": {"destination": "Tag", "toMany": true, "ordered": true, "JSONKeyPath": null},
        "notes": {"destination": "Note", "toMany": true, "inverse": "message"}}},
    "TextMessage": {"parent": "Message"}, "Photo": {"parent": "Message"},
    "Tag": {"identityAttributes": "name", "attributes": {"name": "string", "extra": {"type": "json", "optional": true}}},
    "Note": {"attributes": {"body": {"type": "string", "optional": true}},
      "relationships": {"message": {"destination": "Message", "inverse": "notes"}}}
    """#

  private func filled() throws -> ManagedObjectContext {
    let context = try Fixture.context(Self.model)
    let long = String(repeating: "ä", count: 40_000)
    let messages = try context.load(
      #"""
      [{"id": 1, "type": "text", "text": "\#(long)", "replyTo": 9, "notes": [{"body": "x"}, {"body": "y"}]},
       {"id": 2, "type": "photo", "text": "", "replyTo": 1}, {"id": 3, "type": "text", "replyTo": 1}]
      """#, "Message")
    let tags = try context.load(
      #"[{"name": "b", "extra": {"k": [1.50, null]}}, {"name": "a"}, {"name": "gone"}]"#, "Tag")
    messages[0]["tags"] = tags
    try context.delete(tags[2])
    context.insert(ofEntity: "Note")["body"] = "pending"
    return context
  }

  @Test(
    "C3: a restored snapshot has the same values, order, placeholders, objects without identity and pending changes")
  func equal() throws {
    let context = try filled()
    let before = context.dumpText
    let snapshot = context.snapshot()
    #expect(snapshot.count == 9 && context.dumpText == before && context.checkInvariants() == [])
    let other = ManagedObjectContext(snapshot)
    #expect(other.dumpText == before && other.checkInvariants() == [])
    #expect(try !other.hasChanges && other.placeholders.map(\.description) == ["Message(9)"])
    #expect(try other.exported("Message") == context.exported("Message"))
    // The two contexts do not share any state.
    context.reset()
    try other.load(#"{"id": 1, "type": "text", "text": "new", "notes": []}"#, "Message")
    #expect(ManagedObjectContext(snapshot).dumpText == before)
    #expect(other.checkInvariants() == [] && context.dumpText == "{}\n")
  }

  @Test("C3: edits, imports, commits, rollbacks and gaps work in a restored context as in an imported one")
  func goesOn() throws {
    let context = ManagedObjectContext(try filled().snapshot())
    let before = context.dumpText
    let message = try #require(try context.find(ofEntity: "Message", identity: 1))
    message["replies"] = [ManagedObject]()
    for note in try context.fetch(ofEntity: "Note") { try context.delete(note) }
    context.insert(ofEntity: "TextMessage")["id"] = 50
    context.rollBack()
    #expect(context.dumpText == before && context.checkInvariants() == [])
    try context.load(
      "[\((100..<1_500).map { #"{"id": \#($0), "type": "text", "replyTo": 1}"# }.joined(separator: ","))]", "Message")
    #expect((message["replies"] as RelatedObjects<ManagedObject>).count == 1_402)
    let copy = ManagedObjectContext(context.snapshot())
    #expect(copy.dumpText == context.dumpText && copy.checkInvariants() == [])
    for reply in try copy.fetch(ofEntity: "TextMessage") where reply["id"] as Int? != 1 { try copy.delete(reply) }
    try copy.commit()
    #expect(try copy.count(ofEntity: "TextMessage") == 1 && copy.checkInvariants() == [])
    #expect(ManagedObjectContext(copy.snapshot()).dumpText == copy.dumpText)
  }

  @Test("C3: a restored random graph equals the original, and so does the copy of a copy")
  func random() throws {
    var random = SeededRandom(seed: 77)
    for round in 0..<30 {
      let context = try Fixture.context(Self.model)
      for _ in 0..<4 {
        let texts = (0..<40).map { _ -> String in
          let (id, reply) = (Int.random(in: 0..<60, using: &random), Int.random(in: 0..<60, using: &random))
          return
            #"{"id": \#(id), "type": "\#(id % 2 == 0 ? "text" : "photo")", "replyTo": \#(reply), "notes": [{}, {"body": "\#(round)"}]}"#
        }
        try context.load("[\(texts.joined(separator: ","))]", "Message")
        for message in try context.fetch(ofEntity: "Message") where Bool.random(using: &random) {
          try context.delete(message)
        }
      }
      let copy = ManagedObjectContext(context.snapshot())
      #expect(copy.dumpText == context.dumpText && copy.checkInvariants() == [], "round \(round)")
      #expect(ManagedObjectContext(copy.snapshot()).dumpText == context.dumpText, "round \(round)")
    }
  }

  @Test(
    "C3: handles refer to the same objects after a restore; handles of other objects report isDeleted")
  func handles() throws {
    let context = try filled()
    let message = try #require(try context.find(ofEntity: "Message", identity: 1))
    let placeholder = try #require(try context.find(ofEntity: "Message", identity: 9))
    let photo = try #require(try context.find(ofEntity: "Message", identity: 2))
    let notes: [ManagedObject] = message["notes"]
    let background = ManagedObjectContext(context.snapshot())
    try background.load(
      #"[{"id": 9, "type": "photo", "text": "filled"}, {"id": 5, "type": "text"}, {"id": 1, "type": "text", "text": "edited"}]"#,
      "Message")
    try background.delete(try #require(try background.find(ofEntity: "Message", identity: 2)))
    try background.delete(try #require(try background.find(notes[1].objectID)))
    try background.find(notes[0].objectID)?.setValue(.string("edited"), of: "body")
    try background.commit()
    let stray = context.insert(ofEntity: "TextMessage")
    context.restore(background.snapshot())
    #expect(context.dumpText == background.dumpText && context.checkInvariants() == [])
    #expect(try message["text"] as String? == "edited" && context.find(ofEntity: "Message", identity: 1) === message)
    #expect(photo.isDeleted && stray.isDeleted && !context.hasChanges)
    #expect(notes[0]["body"] as String? == "edited" && notes[1].isDeleted)
    let filledPhoto = try #require(try context.find(ofEntity: "Photo", identity: 9))
    #expect(filledPhoto == placeholder && placeholder["text"] as String? == "filled")
    #expect((message["replyTo"] as ManagedObject?) == placeholder)
  }

  @Test("C3: a handle whose object a snapshot restores as an object of another sub-entity reports isDeleted")
  func otherBranch() throws {
    let context = try filled()
    let photo = try #require(try context.find(ofEntity: "Message", identity: 2))
    let other = ManagedObjectContext(model: context.model)
    try other.load(#"{"id": 2, "type": "text", "text": "was a photo"}"#, "Message")
    context.restore(other.snapshot())
    #expect(
      try photo.isDeleted && context.find(ofEntity: "TextMessage", identity: 2)?["text"] as String? == "was a photo")
    #expect(context.checkInvariants() == [])
  }

  @Test("C3: a shared snapshot can be restored in several contexts, and stays usable while a restored context changes")
  func shared() throws {
    let snapshot = try filled().snapshot()
    let before = ManagedObjectContext(snapshot).dumpText
    let context = ManagedObjectContext(model: snapshot.model)
    for _ in 0..<3 {
      context.restore(snapshot)
      try context.load(#"{"id": 1, "type": "text", "text": "changed"}"#, "Message")
      #expect(context.dumpText != before)
    }
    context.restore(snapshot)
    #expect(context.dumpText == before && context.checkInvariants() == [])
  }

  @Test("C3: different objects have different IDs in the rollback and the changes that a restore reports")
  func numbersOfBoth() async throws {
    var stream: AsyncStream<ContextChanges>?
    do {
      let context = try Fixture.context(#""Note": {"attributes": {"text": {"type": "string", "optional": true}}}"#)
      context.insert(ofEntity: "Note")["text"] = "committed"
      try context.commit()
      let empty = ManagedObjectContext(model: context.model).snapshot()
      stream = context.updates()
      context.insert(ofEntity: "Note")["text"] = "pending"
      context.restore(empty)
    }
    var deleted: [[ManagedObjectID]] = []
    for await changes in try #require(stream) { deleted.append(changes.deleted) }
    #expect(deleted.map(\.count) == [1, 1] && Set(deleted.joined()).count == 2)
  }
}
