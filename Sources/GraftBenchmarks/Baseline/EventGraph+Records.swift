import Foundation

extension EventGraph {
  func merge(_ json: Data) throws {
    let records = try TypedCoding.decoder.decode([EventRecord].self, from: json)
    reserve(records.count)
    for record in records {
      let event = event(record.id)
      event.type = record.type
      event.pushID = record.payload.pushID
      event.size = record.payload.size
      event.ref = record.payload.ref
      event.isPublic = record.public
      event.createdAt = record.createdAt
      event.setActor(merge(record.actor))
      event.setRepo(merge(record.repo))
      event.setOrg(record.org.map(merge))
      event.setCommits(record.payload.commits.map(merge))
    }
  }

  func export() throws -> Data {
    try TypedCoding.encoder.encode(roots.map(record))
  }

  private func merge(_ record: ActorRecord) -> TypedActor {
    let actor = actor(record.id)
    actor.login = record.login
    actor.gravatarID = record.gravatarID
    actor.url = record.url
    actor.avatarURL = record.avatarURL
    return actor
  }

  private func merge(_ record: RepoRecord) -> TypedRepo {
    let repo = repo(record.id)
    repo.name = record.name
    repo.url = record.url
    return repo
  }

  private func merge(_ record: OrgRecord) -> TypedOrg {
    let org = org(record.id)
    org.login = record.login
    org.url = record.url
    return org
  }

  private func merge(_ record: CommitRecord) -> TypedCommit {
    let commit = commit(record.sha)
    commit.authorName = record.author.name
    commit.authorEmail = record.author.email
    commit.message = record.message
    commit.isDistinct = record.distinct
    commit.url = record.url
    return commit
  }

  private func record(_ event: TypedEvent) throws -> EventRecord {
    guard let actor = event.actor, let repo = event.repo else { throw TypedGraphError.malformed(event.id) }
    return EventRecord(
      id: event.id, type: event.type,
      actor: ActorRecord(
        id: actor.id, login: actor.login, gravatarID: actor.gravatarID, url: actor.url, avatarURL: actor.avatarURL),
      repo: RepoRecord(id: repo.id, name: repo.name, url: repo.url),
      payload: EventRecord.Payload(
        pushID: event.pushID, size: event.size, ref: event.ref, commits: event.commits.map(record)),
      public: event.isPublic, createdAt: event.createdAt,
      org: event.org.map { OrgRecord(id: $0.id, login: $0.login, url: $0.url) })
  }

  private func record(_ commit: TypedCommit) -> CommitRecord {
    CommitRecord(
      sha: commit.sha, author: CommitRecord.Author(name: commit.authorName, email: commit.authorEmail),
      message: commit.message, distinct: commit.isDistinct, url: commit.url)
  }
}
