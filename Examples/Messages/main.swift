// Messages: inheritance. "type" selects the kind of a message, and the class follows. Replies may refer to messages that come
// later or never, and payloads add to a conversation instead of replacing it.
//
//     swift run MessagesExample

import Foundation
import Graft

let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/Messages.json", relativeTo: package),
  classes: [
    Conversation.self, User.self, Message.self, TextMessage.self, ImageMessage.self, LocationMessage.self,
  ])
let context = ManagedObjectContext(model: model)

func payload(_ name: String) -> URL { URL(filePath: "Examples/Payloads/\(name)", relativeTo: package) }

// The payload contains one conversation twice. The second part adds its messages, because "mergeRule" is "union".
let mentions = try objects(Conversation.self, fromJSON: payload("messages.json"), in: context)
let walk = mentions[0]
print("One conversation:", walk === mentions[1], "-", walk.title ?? "?", "of", walk.participants.compactMap(\.name))

// Each message has the class of its kind. The entity "Message" itself is abstract.
for message in walk.messages {
  let answer = message.replyTo.map { ", in reply to: \($0.summary)" } ?? ""
  print("\(type(of: message)) by \(message.sender?.name ?? "?"): \(message.summary)\(answer)")
}

// The last message answers a message that has not been sent yet: a placeholder whose kind is not known.
try print("Placeholders:", context.placeholders)

// Now the message arrives. It is a text message, so the placeholder becomes a text message and keeps its reply.
let late = try object(
  Message.self,
  fromJSON: """
    {
      "type": "text", "id": "7D4A1B0C-52E8-4D4B-9C53-0F2B6E6A1D99", "sent_at": 1726998200000,
      "sender": {"id": 9}, "conversation": 1, "text": "Send me a picture!"
    }
    """, in: context)
print("\(type(of: late)):", late.summary, "- replies:", late.replies.map(\.summary))
try print("Placeholders:", context.placeholders, "- messages in the conversation:", walk.messages.count)

// Fetch all messages, or only the messages of one kind.
let texts = try context.fetch(TextMessage.self, sortedBy: \.sentAt)
print("\(try context.count(Message.self)) messages, \(texts.count) texts:", texts.compactMap(\.text))

// A kind that the model does not list is rejected, with its location in the payload and in the model. This uses another
// context, because here the message with this identifier is a known text message and would be updated.
do {
  let other = ManagedObjectContext(model: model)
  try objects(Message.self, fromJSON: payload("Faulty/unknown-type.json"), in: other)
} catch {
  print(DiagnosticRenderer().render(error.diagnostics))
}

// The export writes "type" according to the object's kind.
if let picture = try context.fetch(ImageMessage.self).first {
  print(try jsonString(from: picture, options: ExportOptions(indents: true)))
}
