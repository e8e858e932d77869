import Foundation

extension EventGraph {
  func merge(_ dictionaries: [Any]) throws {
    reserve(dictionaries.count)
    for element in dictionaries {
      let dictionary = try asDictionary(element)
      let event = event(try dictionary.required("id"))
      event.type = try dictionary.required("type")
      let payload = try dictionary.required("payload", as: [String: Any].self)
      event.pushID = try payload.required("push_id")
      event.size = try payload.required("size")
      event.ref = try payload.required("ref")
      event.isPublic = try dictionary.required("public")
      event.createdAt = try dictionary.date("created_at")
      event.setActor(try mergeActor(dictionary.required("actor")))
      event.setRepo(try mergeRepo(dictionary.required("repo")))
      event.setOrg(try dictionary.optional("org").map(mergeOrg))
      event.setCommits(try payload.required("commits", as: [Any].self).map { try mergeCommit(asDictionary($0)) })
    }
  }

  private func mergeActor(_ dictionary: [String: Any]) throws -> TypedActor {
    let actor = actor(try dictionary.required("id"))
    actor.login = try dictionary.required("login")
    actor.gravatarID = try dictionary.required("gravatar_id")
    actor.url = try dictionary.required("url")
    actor.avatarURL = try dictionary.required("avatar_url")
    return actor
  }

  private func mergeRepo(_ dictionary: [String: Any]) throws -> TypedRepo {
    let repo = repo(try dictionary.required("id"))
    repo.name = try dictionary.required("name")
    repo.url = try dictionary.required("url")
    return repo
  }

  private func mergeOrg(_ dictionary: [String: Any]) throws -> TypedOrg {
    let org = org(try dictionary.required("id"))
    org.login = try dictionary.required("login")
    org.url = try dictionary.required("url")
    return org
  }

  private func mergeCommit(_ dictionary: [String: Any]) throws -> TypedCommit {
    let commit = commit(try dictionary.required("sha"))
    let author = try dictionary.required("author", as: [String: Any].self)
    commit.authorName = try author.required("name")
    commit.authorEmail = try author.required("email")
    commit.message = try dictionary.required("message")
    commit.isDistinct = try dictionary.required("distinct")
    commit.url = try dictionary.required("url")
    return commit
  }
}
