import Foundation
import Graft

final class Post: ManagedObject {
  var id: Int? { self["id"] }
  var title: String? { self["title"] }
  var likes: Int? { self["likes"] }
  var updatedAt: Date? { self["updatedAt"] }
  var author: User? { self["author"] }
}

final class User: ManagedObject {
  var name: String? { self["name"] }
}

/// The server's version up to which the store is complete.
final class Cursor: ManagedObject {
  var version: Int? { self["version"] }
  var remaining: Int? { self["remaining"] }
}
