import Graft

/// The sites whose objects belong to one entity.
final class EntityGroup {
  var sites: [ObjectSite]
  /// The key of the identity attribute, and the facts about it.
  var identity: (key: String, strength: IdentityKeys.Strength, facts: IdentityFacts)?
  /// The key that identifies the objects together with the identity: each of its values has its own IDs.
  var typeKey: String?
  /// The values of that key.
  var types: Set<String> = []
  /// A key that looks like an identity but is contradicted by the samples.
  var refuted: (key: String, facts: IdentityFacts)?
  /// A key that identifies the objects within their owner, because their values seem to depend on it.
  var ownedKey: String?
  /// A key that may be an identity, although the samples do not show it.
  var unconfirmed: String?
  /// The group that this one was merged into.
  var target: EntityGroup?
  /// Whether the objects are part of the object that contains them: their members are its properties.
  var isPart = false
  /// Whether some of its sites also have identifiers of its objects.
  var hasIdentifiers = false
  /// Whether its objects were at several sites before their shapes were merged.
  var isMerged = false

  init(_ site: ObjectSite) { sites = [site] }

  var names: [String] { sites.map(\.name) }
  var hasList: Bool { sites.contains(where: \.isElement) }
  /// Whether objects under keys that are data are also in arrays elsewhere.
  var isKeyedAndListed: Bool { sites.contains(where: \.isKeyed) && sites.contains { $0.isElement && !$0.isKeyed } }
}

/// Words for people, who have many roles: two kinds of objects that have such names and the same identity are one entity.
enum PersonWords {
  static let general: Set<String> = ["user", "person", "member", "people", "account", "human"]
  static let roles: Set<String> = [
    "author", "owner", "creator", "commenter", "assignee", "actor", "sender", "recipient", "reviewer", "editor",
    "contributor", "committer", "follower", "friend", "participant", "moderator", "reporter", "manager", "employee",
    "customer", "buyer", "seller", "speaker", "contact", "organizer", "host", "guest", "uploader",
    "subscriber", "responsible", "landlord", "tenant", "occupant", "roommate",
  ]

  static func isPerson(_ site: ObjectSite) -> Bool {
    guard let last = site.words.last else { return false }
    return general.contains(last) || roles.contains(last)
  }
}
