import Foundation
import Graft
import GraftSQLite

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A local copy of a server's posts and their users.
@MainActor struct Feed {
  private let context: ManagedObjectContext

  /// Opens the store, or creates it.
  init(at url: URL) throws {
    let modelFile = URL(filePath: "Feed.model.json", relativeTo: URL(filePath: #filePath))
    let model = try ManagedObjectModel(contentsOf: modelFile, classes: [Post.self, User.self, Cursor.self])
    context = try ManagedObjectContext(model: model, store: try SQLiteStore(at: url, model: model))
  }

  /// The changes that a synchronization made.
  struct Changes {
    var newPosts = 0
    /// The posts that changed, with old and new values.
    var changedPosts: [String] = []
  }

  /// Imports what is new or changed since the last synchronization, page by page.
  ///
  /// A page has posts, their users, and the cursor that comes after them. It is imported as one payload, which is one durable
  /// transaction. If the process is killed, the store contains only whole pages, and the next synchronization continues after the
  /// last page.
  ///
  /// - Parameter progress: called after each page with the number of changes received, and the number of all changes.
  func sync(from server: URL, progress: (_ done: Int, _ total: Int) -> Void) async throws -> Changes {
    var changes = Changes()
    var done = 0
    while true {
      let since = try cursor()?.version ?? 0
      let url = server.appending(path: "posts").appending(queryItems: [URLQueryItem(name: "since", value: "\(since)")])
      let (page, _) = try await URLSession.shared.data(from: url)
      let report = try context.importJSON(
        page,
        [.objects(User.self, at: "users"), .objects(Post.self, at: "posts"), .objects(Cursor.self, at: "cursor")],
        options: ImportOptions(sourceName: "\(url)", reportsDetails: true))
      changes.newPosts += report.inserted["Post"] ?? 0
      for post in report.details where post.entityName == "Post" && post.outcome == .updated {
        let values = post.changes.map { "\($0.name) \($0.old) -> \($0.new)" }
        changes.changedPosts.append("\(post.name): \(values.joined(separator: ", "))")
      }
      guard let cursor = try cursor(), let version = cursor.version, let remaining = cursor.remaining else {
        return changes
      }
      done += version - since
      progress(done, done + remaining)
      if remaining == 0 { return changes }
    }
  }

  /// Follows the posts that changed last, even if another process imports them.
  ///
  /// - Parameter show: called with the list at the beginning, and with each of its changes.
  func watch(_ count: Int, show: (LiveResults<Post>, ResultChanges?) -> Void) async throws {
    let posts = try context.results(Post.self, sortedBy: .descending("updatedAt"), .descending("id"), limit: count)
    // A separate task would also work. Here, each merge is followed by the changes that it made.
    var updates = posts.updates().makeAsyncIterator()
    show(posts, nil)
    guard let store = context.store else { return }
    for await _ in store.commits(every: .milliseconds(50)) {
      let before = posts.objectIDs
      try context.merge()
      if posts.objectIDs != before, let changes = await updates.next() { show(posts, changes) }
    }
  }

  private func cursor() throws -> Cursor? { try context.find(Cursor.self, id: "posts") }

  func postCount() throws -> Int { try context.count(Post.self) }

  /// The posts that changed last. They are read from the store, so no server is needed.
  func latestPosts(_ count: Int) throws -> [Post] {
    try context.fetch(Post.self, sortedBy: .descending("updatedAt"), .descending("id"), limit: count)
  }
}
