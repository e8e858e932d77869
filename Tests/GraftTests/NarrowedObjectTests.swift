import Graft
import Testing

@Suite("Placeholders that become objects of a sub-entity") struct NarrowedObjectTests {
  class Message: ManagedObject {
    override class var entityName: String { "Message" }
    var text: String? { self["text"] }
    var replies: RelatedObjects<Message> { self["replies"] }
    var replyTo: Message? { self["replyTo"] }
  }

  final class TextMessage: Message {
    override class var entityName: String { "TextMessage" }
  }

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
              "TextMessage": { "parent": "Message", "attributes": { "text": "string" } }
            }
          }
          """, classes: [Message.self, TextMessage.self]))
  }

  @Test("I4: whoever holds the placeholder sees the object of the sub-entity that it became")
  func held() throws {
    let reply = try object(Message.self, fromJSON: #"{"id": 2, "replyTo": 1}"#, in: context)
    let placeholder = try #require(reply.replyTo)
    #expect(placeholder.isPlaceholder)
    let filled = try object(TextMessage.self, fromJSON: #"{"id": 1, "text": "here"}"#, in: context)
    #expect(type(of: filled) == TextMessage.self && filled.text == "here")
    #expect(placeholder.entity.name == "TextMessage" && placeholder.text == "here" && !placeholder.isPlaceholder)
    #expect(reply.replyTo === filled)
    #expect(context.find(TextMessage.self, 1) === filled)
  }

  @Test("C1: the handle of the placeholder and that of the object are equal, whichever lives longer")
  func equality() throws {
    let reply = try object(Message.self, fromJSON: #"{"id": 2, "replyTo": 1}"#, in: context)
    let placeholder = try #require(reply.replyTo)
    let known: Set = [placeholder]
    try objects(TextMessage.self, fromJSON: #"{"id": 1, "text": "here"}"#, in: context)
    // Each look makes a handle and lets go of it.
    for _ in 0..<3 {
      let found = try #require(context.find(TextMessage.self, 1))
      #expect(found == placeholder && known.contains(found) && found.replies.contains(reply))
    }
    reply["replyTo"] = nil as Message?
    placeholder.replies.insert(reply)
    placeholder.replies.remove(reply)
    #expect(reply.replyTo == nil)
    try context.delete(placeholder)
    #expect(placeholder.isDeleted && context.find(TextMessage.self, 1) == nil)
  }

  @Test("C2: both handles follow the object when deletions leave gaps that are closed")
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
}
