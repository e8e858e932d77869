/// The four kinds of JSON that the goals speak of.
enum Workload: String, CaseIterable, Sendable {
  /// Heroes with nested, shared powers and a publisher; identifiers are digits in strings.
  case heroes
  /// The same, but powers and publisher are mentioned by their identifiers only.
  case ids
  /// Flat records of ten scalars.
  case posts
  /// Nested and shared actor, repo and org, commits, key paths two keys deep.
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

  /// Keys of arrays whose order means nothing.
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
