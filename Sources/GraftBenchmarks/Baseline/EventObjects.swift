import Foundation

final class TypedActor {
  let id: Int
  var login = ""
  var gravatarID = ""
  var url = ""
  var avatarURL = ""
  var events: [TypedEvent] = []

  init(id: Int) { self.id = id }
}

final class TypedRepo {
  let id: Int
  var name = ""
  var url = ""
  var events: [TypedEvent] = []

  init(id: Int) { self.id = id }
}

final class TypedOrg {
  let id: Int
  var login = ""
  var url = ""
  var events: [TypedEvent] = []

  init(id: Int) { self.id = id }
}

final class TypedCommit {
  let sha: String
  var authorName = ""
  var authorEmail = ""
  var message = ""
  var isDistinct = false
  var url = ""
  fileprivate(set) var event: TypedEvent?

  init(sha: String) { self.sha = sha }
}

final class TypedEvent {
  let id: String
  var type = ""
  var pushID = 0
  var size = 0
  var ref = ""
  var isPublic = false
  var createdAt = Date(timeIntervalSince1970: 0)
  private(set) var actor: TypedActor?
  private(set) var repo: TypedRepo?
  private(set) var org: TypedOrg?
  private(set) var commits: [TypedCommit] = []

  init(id: String) { self.id = id }

  func setActor(_ new: TypedActor) {
    if actor === new { return }
    actor?.events.removeIdentical(self)
    new.events.append(self)
    actor = new
  }

  func setRepo(_ new: TypedRepo) {
    if repo === new { return }
    repo?.events.removeIdentical(self)
    new.events.append(self)
    repo = new
  }

  func setOrg(_ new: TypedOrg?) {
    if org === new { return }
    org?.events.removeIdentical(self)
    new?.events.append(self)
    org = new
  }

  func setCommits(_ new: [TypedCommit]) {
    if commits.elementsEqual(new, by: ===) { return }
    for commit in commits where !new.contains(where: { $0 === commit }) { commit.event = nil }
    for commit in new where commit.event !== self {
      commit.event?.commits.removeIdentical(commit)
      commit.event = self
    }
    commits = new
  }

  func unlink() {
    for commit in commits { commit.event = nil }
    commits = []
  }
}
