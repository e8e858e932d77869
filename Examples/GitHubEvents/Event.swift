import Foundation
import Graft

/// Only the entities that the program uses have a class, and only the values that it reads have a property. The rest can be read by name.
class Event: ManagedObject {
  var createdAt: Date? { self["createdAt"] }
  var actor: User? { self["actor"] }
  var repository: Repository? { self["repository"] }

  var summary: String { "\(entity.name)" }
}

final class PushEvent: Event {
  var ref: String? { self["ref"] }
  var commits: [Commit] { self["commits"] }
  override var summary: String { "pushed \(commits.count) commits to \(ref ?? "?")" }
}

final class CreateEvent: Event {
  var refType: String? { self["refType"] }
  override var summary: String { "made a \(refType ?? "?")" }
}

final class User: ManagedObject {
  var login: String? { self["login"] }
  var kind: String? { self["kind"] }
  var reposURL: URL? { self["reposURL"] }
  var events: RelatedObjects<Event> { self["events"] }
}

final class Repository: ManagedObject {
  var fullName: String? { self["fullName"] }
  var events: RelatedObjects<Event> { self["events"] }
}

final class Commit: ManagedObject {
  var message: String? { self["message"] }
  var authorName: String? { self["authorName"] }
}
