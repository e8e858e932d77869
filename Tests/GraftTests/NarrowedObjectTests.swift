import Graft
import Testing

@Suite("Narrowed placeholders") struct NarrowedObjectTests {
  class Message: ManagedObject {
    override class var entityName: String { "Message" }
    var text: String? { self["text"] }
    var replies: RelatedObjects<Message> { self["replies"] }
    var replyTo: Message? { self["replyTo"] }
  }

  final class TextMessage: Message {
    override class var entityName: String { "TextMessage" }
    var quotes: RelatedObjects<Message> { self["quotes"] }
  }

  private struct Failure: Error {}

  let context: ManagedObjectContext

  init() throws {
    context = ManagedObjectContext(
      model: try ManagedObjectModel(
        text: """
          {
            "name": "Messages",
            "keyStrategy": "sameName",
            "entities": {
              "Message": {
                "identityAttributes": "id",
                "attributes": { "id": "integer64" },
                "relationships": {
                  "replyTo": { "destination": "Message", "inverse": "replies" },
                  "replies": { "destination": "Message", "toMany": true, "inverse": "replyTo", "JSONKeyPath": null }
                }
              },
              "TextMessage": {
                "parent": "Message", "attributes": { "text": "string" },
                "relationships": { "quotes": { "destination": "Message", "toMany": true } }
              },
              "Poem": { "parent": "TextMessage", "attributes": { "metre": { "type": "string", "optional": true } } }
            }
          }
          """, classes: [Message.self, TextMessage.self]))
  }

  @Test("I4: a held reference to a placeholder shows the sub-entity's object that fills the placeholder")
  func held() throws {
    let reply = try object(Message.self, fromJSON: #"{"id": 2, "replyTo": 1}"#, in: context)
    let placeholder = try #require(reply.replyTo)
    #expect(placeholder.isPlaceholder)
    let filled = try object(TextMessage.self, fromJSON: #"{"id": 1, "text": "here"}"#, in: context)
    #expect(type(of: filled) == TextMessage.self && filled.text == "here")
    #expect(placeholder.entity.name == "TextMessage" && placeholder.text == "here" && !placeholder.isPlaceholder)
    #expect(reply.replyTo === filled)
    #expect(try context.find(TextMessage.self, identity: 1) === filled)
  }

  @Test("C1: the handle of the placeholder and the handle of the object are equal, even if one of them is released")
  func equality() throws {
    let reply = try object(Message.self, fromJSON: #"{"id": 2, "replyTo": 1}"#, in: context)
    let placeholder = try #require(reply.replyTo)
    let known: Set = [placeholder]
    try objects(TextMessage.self, fromJSON: #"{"id": 1, "text": "here"}"#, in: context)
    // Each look-up creates a handle and releases it.
    for _ in 0..<3 {
      let found = try #require(try context.find(TextMessage.self, identity: 1))
      #expect(found == placeholder && known.contains(found) && found.replies.contains(reply))
    }
    reply["replyTo"] = nil as Message?
    placeholder.replies.insert(reply)
    placeholder.replies.remove(reply)
    #expect(reply.replyTo == nil)
    try context.delete(placeholder)
    #expect(try placeholder.isDeleted && context.find(TextMessage.self, identity: 1) == nil)
  }

  @Test("C2: both handles refer to the same object after gaps from deletions are closed")
  func gaps() throws {
    let others = (0..<5_000).map { _ in context.insert(Message.self) }
    let reply = try object(Message.self, fromJSON: #"{"id": 2, "replyTo": 1}"#, in: context)
    let placeholder = try #require(reply.replyTo)
    let filled = try object(TextMessage.self, fromJSON: #"{"id": 1, "text": "here"}"#, in: context)
    for other in others { try context.delete(other) }
    try context.commit()
    #expect(placeholder.description == "TextMessage(1)" && filled.description == "TextMessage(1)")
    #expect(placeholder == filled && placeholder.text == "here" && reply.replyTo === filled)
  }

  @Test("I10: if the narrowing is rolled back, the object reports isDeleted and the placeholder's handle works")
  func rolledBack() throws {
    let reply = try object(Message.self, fromJSON: #"{"id": 2, "replyTo": 1}"#, in: context)
    let placeholder = try #require(reply.replyTo)
    var filled: TextMessage?
    var quotes: RelatedObjects<Message>?
    for round in 0..<3 {
      #expect(throws: Failure.self) {
        try context.atomically {
          filled = try object(TextMessage.self, fromJSON: #"{"id": 1, "text": "here", "quotes": [2]}"#, in: context)
          quotes = filled?.quotes
          #expect(filled == placeholder && placeholder.text == "here" && quotes?.count == 1)
          if round == 1 { try objects(ofEntity: "Message", fromJSON: #"{"id": 3, "replyTo": 1}"#, in: context) }
          throw Failure()
        }
      }
      let filled = try #require(filled)
      #expect(filled.isDeleted && !filled.isPlaceholder && filled.text == nil && filled.replies.isEmpty)
      #expect(quotes?.isEmpty == true && quotes?.contains(reply) == false && quotes.map(Array.init) == [])
      #expect(throws: PropertyError.self) { try filled.setValue(.string("x"), of: "text") }
      #expect(!placeholder.isDeleted && placeholder.isPlaceholder && placeholder.entity.name == "Message")
      #expect(try reply.replyTo === placeholder && context.find(Message.self, identity: 1) === placeholder)
      #expect(placeholder.replies.map(\.description) == ["Message(2)"])
      #expect(try context.find(TextMessage.self, identity: 1) == nil)
    }
    let again = try object(TextMessage.self, fromJSON: #"{"id": 1, "text": "again"}"#, in: context)
    #expect(again == placeholder && placeholder.text == "again" && reply.replyTo === again && !again.isDeleted)
    #expect(context.checkInvariants() == [])
  }

  @Test("I10: the object is also rolled back without a held placeholder, after a failed import, and by rollBack()")
  func rolledBackAlone() throws {
    try objects(Message.self, fromJSON: #"{"id": 2, "replyTo": 1}"#, in: context)
    var filled: [TextMessage] = []
    try context.atomically {
      filled.append(try object(fromJSON: #"{"id": 1, "text": "here"}"#, in: context))
      context.rollBack()
      #expect(filled[0].isDeleted && filled[0].text == nil)
      filled.append(try object(fromJSON: #"{"id": 1, "text": "here"}"#, in: context))
      #expect(!filled[1].isDeleted && filled[0].isDeleted)
      context.rollBack()
    }
    context.dryRun { _ = try? filled.append(object(fromJSON: #"{"id": 1, "text": "here"}"#, in: context)) }
    #expect(filled.count == 3 && filled.allSatisfy { $0.isDeleted && $0.text == nil })
    let placeholder = try #require(try context.find(Message.self, identity: 1))
    #expect(placeholder.isPlaceholder && !filled.contains { $0 === placeholder })
    filled = []
    #expect(try placeholder.description == "Message(1)" && context.find(Message.self, identity: 1) === placeholder)
    #expect(context.checkInvariants() == [])
  }

  @Test("I10: several narrowings are rolled back in reverse order")
  func rolledBackByAndBy() throws {
    let reply = try object(Message.self, fromJSON: #"{"id": 2, "replyTo": 1}"#, in: context)
    let placeholder = try #require(reply.replyTo)
    try context.dryRun {
      try objects(ofEntity: "TextMessage", fromJSON: "[1]", in: context)
      let text = try #require(try context.find(TextMessage.self, identity: 1))
      try context.dryRun {
        try objects(ofEntity: "Poem", fromJSON: #"{"id": 1, "text": "here", "metre": "iambic"}"#, in: context)
        // A poem has the class of its parent entity.
        #expect(try context.find(TextMessage.self, identity: 1) === text && text["metre"] as String? == "iambic")
      }
      #expect(!text.isDeleted && text.isPlaceholder && text.entity.name == "TextMessage" && text.text == nil)
    }
    #expect(!placeholder.isDeleted && placeholder.entity.name == "Message" && reply.replyTo === placeholder)
    #expect(context.checkInvariants() == [])
  }

  @Test("C3: restoring a snapshot from before the narrowing has the same effect as rolling back")
  func restored() throws {
    let reply = try object(Message.self, fromJSON: #"{"id": 2, "replyTo": 1}"#, in: context)
    let placeholder = try #require(reply.replyTo)
    let snapshot = context.snapshot()
    let filled = try object(TextMessage.self, fromJSON: #"{"id": 1, "text": "here"}"#, in: context)
    let later = context.snapshot()
    context.restore(snapshot)
    #expect(filled.isDeleted && filled.text == nil)
    #expect(
      try placeholder.isPlaceholder && reply.replyTo === placeholder
        && context.find(Message.self, identity: 1) === placeholder)
    context.restore(later)
    #expect(placeholder.text == "here" && reply.replyTo == placeholder)
    #expect(context.checkInvariants() == [])
  }
}
