import Foundation
import Graft

final class Conversation: ManagedObject {
  var title: String? {
    get { self["title"] }
    set { self["title"] = newValue }
  }
  var participants: RelatedObjects<User> { self["participants"] }
  var messages: RelatedObjects<Message> { self["messages"] }
}

final class User: ManagedObject {
  var name: String? { self["name"] }
  var messages: RelatedObjects<Message> { self["messages"] }
}

/// The class of an abstract entity. The classes of its sub-entities inherit from it and have its properties.
class Message: ManagedObject {
  var sentAt: Date? { self["sentAt"] }
  var sender: User? {
    get { self["sender"] }
    set { self["sender"] = newValue }
  }
  var conversation: Conversation? { self["conversation"] }
  var replyTo: Message? { self["replyTo"] }
  var replies: RelatedObjects<Message> { self["replies"] }

  var summary: String { "(not here yet)" }
}

final class TextMessage: Message {
  var text: String? {
    get { self["text"] }
    set { self["text"] = newValue }
  }
  override var summary: String { text ?? "" }
}

final class ImageMessage: Message {
  var imageURL: URL? { self["imageURL"] }
  var thumbnail: Data? { self["thumbnail"] }
  override var summary: String { "a picture, \(imageURL?.lastPathComponent ?? "?")" }
}

final class LocationMessage: Message {
  var latitude: Double? { self["latitude"] }
  var longitude: Double? { self["longitude"] }
  override var summary: String { "a place, \(latitude ?? 0) / \(longitude ?? 0)" }
}
