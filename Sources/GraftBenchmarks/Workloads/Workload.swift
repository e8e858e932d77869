/// The four kinds of JSON that the goals use.
enum Workload: String, CaseIterable, Sendable {
  /// Heroes with nested, shared powers and a publisher; identifiers are strings of digits.
  case heroes
  /// The same heroes, with identifiers for powers and publisher.
  case ids
  /// Flat records of ten scalars.
  case posts
  /// Events with a nested, shared actor, repo and org, with commits, and with key paths of two keys.
  case events

  /// The entity of the top-level objects.
  var entity: String {
    switch self {
    case .heroes, .ids: "Hero"
    case .posts: "Post"
    case .events: "Event"
    }
  }

  /// All entities, for counting.
  var entities: [String] {
    switch self {
    case .heroes, .ids: ["Hero", "Power", "Publisher"]
    case .posts: ["Post"]
    case .events: ["Event", "Actor", "Repo", "Org", "Commit"]
    }
  }

  /// The keys of arrays whose order does not matter.
  var unorderedKeys: Set<String> { self == .events ? ["commits"] : [] }

  var modelText: String {
    switch self {
    case .heroes: HeroesModel.text(nested: true)
    case .ids: HeroesModel.text(nested: false)
    case .posts: PostsModel.text
    case .events: EventsModel.text
    }
  }
}
