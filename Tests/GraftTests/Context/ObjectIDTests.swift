import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Context: object IDs") struct ObjectIDTests {
  private static let model = #"""
    "Message": {"identityAttributes": "id", "abstract": true, "attributes": {"id": "integer64"},
      "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "TextMessage", "photo": "Photo"}},
      "relationships": {"replyTo": {"destination": "Message"}}},
    "TextMessage": {"parent": "Message"}, "Photo": {"parent": "Message"},
    "Card": {"identityAttributes": ["set", "number"], "attributes": {"set": "string", "number": "integer32"}},
    "Note": {"attributes": {"text": {"type": "string", "optional": true}}}
    """#

  @Test("C3: an ID finds its object and equals every other ID of that object, regardless of changes to the object")
  func finds() throws {
    let context = try Fixture.context(Self.model)
    let text = try context.load(#"{"id": 1, "type": "text", "replyTo": 2}"#, "Message")[0]
    let placeholder: ManagedObject? = text["replyTo"]
    let id = try #require(placeholder?.objectID)
    #expect(id.description == "Message(2)" && id.entityName == "Message" && id.identity == [2])
    let photo = try context.load(#"{"id": 2, "type": "photo"}"#, "Message")[0]
    #expect(photo.objectID == id && photo.objectID.entityName == "Photo" && Set([id, photo.objectID]).count == 1)
    #expect(try context.find(id) === photo && context.find(id) == placeholder)
    try context.delete(photo)
    #expect(try context.find(id) == nil && photo.objectID == id)
    context.rollBack()
    #expect(try context.find(id) == photo)
  }

  @Test("C3: in another context, even with a different model, an ID finds the object with the same identity, or nil")
  func otherContexts() throws {
    let context = try Fixture.context(Self.model)
    let card = try context.load(#"{"set": "DAW", "number": 12}"#, "Card")[0]
    let other = ManagedObjectContext(model: context.model)
    #expect(try other.find(card.objectID) == nil)
    let same = try other.load(#"{"set": "DAW", "number": 12}"#, "Card")[0]
    #expect(try other.find(card.objectID) === same && same.objectID == card.objectID && same != card)
    let again = try Fixture.context(Self.model)
    try again.load(#"{"set": "DAW", "number": 12}"#, "Card")
    #expect(try again.find(card.objectID)?.objectID == card.objectID)
    #expect(try Fixture.context(Fixture.comics).find(card.objectID) == nil)
    let changed = try Fixture.context(#""Card": {"identityAttributes": "set", "attributes": {"set": "integer64"}}"#)
    try changed.load("[1]", "Card")
    #expect(try changed.find(card.objectID) == nil)
  }

  @Test("C3: an object without identity has its own ID, which is unknown in other contexts and never reused")
  func withoutIdentity() throws {
    let context = try Fixture.context(Self.model)
    let other = ManagedObjectContext(model: context.model)
    let notes = try context.load(#"[{"text": "a"}, {"text": "a"}]"#, "Note")
    let foreign = try other.load(#"{"text": "a"}"#, "Note")[0]
    #expect(notes[0].objectID == notes[0].objectID && notes[0].objectID != notes[1].objectID)
    #expect(try context.find(notes[1].objectID) === notes[1] && notes[0].objectID.identity == nil)
    #expect(try other.find(notes[0].objectID) == nil && foreign.objectID != notes[0].objectID)
    let new = context.insert(ofEntity: "Note")
    let id = new.objectID
    context.rollBack()
    #expect(try context.find(id) == nil && context.find(new.objectID) == nil)
    let next = context.insert(ofEntity: "Note")
    #expect(try next.objectID != id && context.find(id) == nil)
  }

  @Test("C3: contexts that share a snapshot assign different IDs to later insertions")
  func sharedSnapshot() throws {
    let context = try Fixture.context(Self.model)
    let old = context.insert(ofEntity: "Note")
    let snapshot = context.snapshot()
    let copies = [ManagedObjectContext(snapshot), ManagedObjectContext(snapshot), context]
    #expect(try copies.allSatisfy { try $0.find(old.objectID) != nil })
    let notes = copies.map { $0.insert(ofEntity: "Note") }
    #expect(Set(notes.map(\.objectID)).count == 3)
    for (number, note) in notes.enumerated() {
      #expect(try copies.indices.filter { try copies[$0].find(note.objectID) != nil } == [number])
    }
  }

  @Test("C3: IDs of objects without identity find the same objects after gaps are closed, and no object after a reset")
  func moved() throws {
    let context = try Fixture.context(Self.model)
    let notes = try context.load("[\(Array(repeating: "{}", count: 2_000).joined(separator: ","))]", "Note")
    let kept = Array(notes.suffix(10))
    let ids = kept.map(\.objectID)
    let lost = notes[0].objectID
    for note in notes.dropLast(10) { try context.delete(note) }
    try context.commit()
    #expect(try ids.compactMap { try context.find($0) } == kept && context.find(lost) == nil)
    context.reset()
    #expect(try ids.allSatisfy { try context.find($0) == nil })
  }

  @Test(
    "C3: an ID with any type of identity round-trips through JSON, and finds its object",
    arguments: [
      ("integer64", "-9007199254740993"), ("string", #""é\" \u0000""#), ("uri", #""https://a.b/é%20""#),
      ("decimal", "1.50"),
      ("date", #""2014-08-31T00:29:15.123456Z""#), ("uuid", #""123E4567-e89b-12d3-a456-42661417400f""#),
      ("binary", #""Zm9v""#), ("double", "0.1"), ("float", "0.1"), ("boolean", "true"),
    ])
  func codable(type: String, value: String) throws {
    let context = try Fixture.context(#""X": {"identityAttributes": "a", "attributes": {"a": "\#(type)"}}"#)
    let object = try context.load("[{\"a\": \(value)}]", "X")[0]
    let data = try JSONEncoder().encode([object.objectID])
    let ids = try JSONDecoder().decode([ManagedObjectID].self, from: data)
    #expect(ids == [object.objectID] && ids[0].description == object.description)
    #expect(try context.find(ids[0]) === object)
  }

  @Test("C3: the ID of an object without identity cannot be encoded, and text that is not an ID cannot be decoded")
  func notCodable() throws {
    let context = try Fixture.context(Self.model)
    let note = try context.load("[{}]", "Note")[0]
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([note.objectID]) }
    for text in [
      "{}", #"{"entity": "A", "space": "A", "identity": []}"#, #"{"entity": "A", "space": "A", "identity": ["x"]}"#,
      #"{"entity": "A", "space": "A", "identity": ["null"]}"#, #"{"entity": "A", "space": "A", "identity": [1]}"#,
    ] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(ManagedObjectID.self, from: Data(text.utf8)) }
    }
    let hostile = #"{"entity": "Card", "space": "Card", "identity": ["[[[1]]]", "1e999999"]}"#
    #expect(try context.find(try JSONDecoder().decode(ManagedObjectID.self, from: Data(hostile.utf8))) == nil)
  }

  @Test("I2: a URL finds the object with the equivalent URI, escaped or not")
  func urls() throws {
    let context = try Fixture.context(#""Page": {"identityAttributes": "url", "attributes": {"url": "uri"}}"#)
    let texts = [
      "https://de.wikipedia.org/wiki/Österreich", "https://a.b/%C3%A9", "https://a.b/x%20y", "https://a.b/日本/%2F",
      "https://a.b/plain",
    ]
    let pages = try context.load("[\(texts.map { "\"\($0)\"" }.joined(separator: ","))]", "Page")
    for (text, page) in zip(texts, pages) {
      let url = try #require(URL(string: text))
      #expect(try context.find(ofEntity: "Page", identity: url) === page, "\(text)")
      #expect(page["url"] as URL? == url)
      #expect(try context.find(page.objectID) === page)
      // Setting the value that was just read changes nothing, although the URL is spelled differently.
      page["url"] = page["url"] as URL?
    }
    #expect(context.changes.isEmpty)
    #expect(try context.find(ofEntity: "Page", identity: try #require(URL(string: "https://a.b/é"))) === pages[1])
    #expect(try context.find(ofEntity: "Page", identity: try #require(URL(string: "https://a.b/ö"))) == nil)
    #expect(try context.find(ofEntity: "Page", identity: try #require(URL(string: "https://a.b/%FF%C3"))) == nil)
  }
}
