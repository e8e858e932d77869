import Foundation

/// Events with a shared actor, repo and org, and with their own commits.
final class EventGraph: TypedGraph {
  private var events: [String: TypedEvent] = [:]
  private var actors: [Int: TypedActor] = [:]
  private var repos: [Int: TypedRepo] = [:]
  private var orgs: [Int: TypedOrg] = [:]
  private var commits: [String: TypedCommit] = [:]
  private(set) var roots: [TypedEvent] = []

  var counts: [String: Int] {
    [
      "Event": events.count, "Actor": actors.count, "Repo": repos.count, "Org": orgs.count, "Commit": commits.count,
    ]
  }

  func prepareExport() { roots = events.values.sorted { $0.id < $1.id } }

  func dismantle() {
    for event in events.values { event.unlink() }
    for actor in actors.values { actor.events = [] }
    for repo in repos.values { repo.events = [] }
    for org in orgs.values { org.events = [] }
  }

  func reserve(_ count: Int) { events.reserveCapacity(count) }

  func event(_ id: String) -> TypedEvent {
    if let known = events[id] { return known }
    let new = TypedEvent(id: id)
    events[id] = new
    return new
  }

  func actor(_ id: Int) -> TypedActor {
    if let known = actors[id] { return known }
    let new = TypedActor(id: id)
    actors[id] = new
    return new
  }

  func repo(_ id: Int) -> TypedRepo {
    if let known = repos[id] { return known }
    let new = TypedRepo(id: id)
    repos[id] = new
    return new
  }

  func org(_ id: Int) -> TypedOrg {
    if let known = orgs[id] { return known }
    let new = TypedOrg(id: id)
    orgs[id] = new
    return new
  }

  func commit(_ sha: String) -> TypedCommit {
    if let known = commits[sha] { return known }
    let new = TypedCommit(sha: sha)
    commits[sha] = new
    return new
  }
}
