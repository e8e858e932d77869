import Foundation

/// A server of posts, for this example: it has a log of versions, and returns what has changed since a version.
///
///     GET /posts?since=4800
///     {"posts": [{"id": 4801, "author": 7, ...}], "users": [{"id": 7, "name": "User 7"}],
///      "cursor": {"name": "posts", "version": 5000, "remaining": 0}}
final class FeedServer: Sendable {
  private let postCount: Int
  private let lock = NSLock()
  nonisolated(unsafe) private var edits = 0

  init(postCount: Int) { self.postCount = postCount }

  /// Edits some posts. Each edit is a new version.
  func edit(_ count: Int) { lock.withLock { edits += count } }

  /// Starts to answer requests to the loopback address, on a separate thread.
  func start() throws -> HTTPServer {
    try HTTPServer { [self] request in
      guard request.path == "/posts" else { return nil }
      let since = request.queryItems?.first { $0.name == "since" }?.value.flatMap { Int($0) } ?? 0
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      return try? encoder.encode(page(since: max(0, since)))
    }
  }

  // MARK: The log

  /// Each version of the log is the creation of a post or, after all posts have been created, an edit.
  private func page(since: Int) -> Page {
    let last = postCount + lock.withLock { edits }
    var page = Page(cursor: Page.Cursor(version: since, remaining: max(0, last - since)))
    while page.cursor.version < last, page.posts.count < 100 {
      page.cursor.version += 1
      page.cursor.remaining -= 1
      let version = page.cursor.version
      page.posts.append(post(version <= postCount ? version : (version * 37) % postCount + 1, version))
    }
    page.users = Set(page.posts.map(\.author)).sorted().map { Page.User(id: $0, name: "User \($0)") }
    return page
  }

  private func post(_ id: Int, _ version: Int) -> Page.Post {
    Page.Post(
      id: id, title: version == id ? "Post \(id)" : "Post \(id), edited",
      body: String(repeating: "This is post \(id). ", count: 1 + id % 20), likes: id % 50 + (version == id ? 0 : 3),
      updatedAt: Date(timeIntervalSince1970: 1_767_225_600 + 60 * Double(version)).formatted(.iso8601),
      author: (id * 7919) % 200 + 1)
  }

  private struct Page: Encodable {
    struct Post: Encodable {
      let id: Int
      let title: String
      let body: String
      let likes: Int
      let updatedAt: String
      let author: Int
    }

    struct User: Encodable {
      let id: Int
      let name: String
    }

    struct Cursor: Encodable {
      var name = "posts"
      var version: Int
      var remaining: Int
    }

    var posts: [Post] = []
    var users: [User] = []
    var cursor: Cursor
  }
}
