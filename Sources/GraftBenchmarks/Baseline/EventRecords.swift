import Foundation

struct ActorRecord: Codable {
  var id: Int
  var login: String
  var gravatarID: String
  var url: String
  var avatarURL: String

  enum CodingKeys: String, CodingKey {
    case id, login, url
    case gravatarID = "gravatar_id"
    case avatarURL = "avatar_url"
  }
}

struct RepoRecord: Codable {
  var id: Int
  var name: String
  var url: String
}

struct OrgRecord: Codable {
  var id: Int
  var login: String
  var url: String
}

struct CommitRecord: Codable {
  struct Author: Codable {
    var name: String
    var email: String
  }
  var sha: String
  var author: Author
  var message: String
  var distinct: Bool
  var url: String
}

struct EventRecord: Codable {
  struct Payload: Codable {
    var pushID: Int
    var size: Int
    var ref: String
    var commits: [CommitRecord]

    enum CodingKeys: String, CodingKey {
      case size, ref, commits
      case pushID = "push_id"
    }
  }
  var id: String
  var type: String
  var actor: ActorRecord
  var repo: RepoRecord
  var payload: Payload
  var `public`: Bool
  var createdAt: Date
  var org: OrgRecord?

  enum CodingKeys: String, CodingKey {
    case id, type, actor, repo, payload, `public`, org
    case createdAt = "created_at"
  }
}
