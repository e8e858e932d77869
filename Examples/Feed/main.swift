// Feed: a small program with a store. It keeps posts and their users up to date from a server, works offline, shows its
// progress, and can be killed at any moment. Copy Feed.swift for your own program; the server is only for this example.
//
//     swift run FeedExample
//     swift run FeedExample serve 5000               prints the server's URL
//     swift run FeedExample sync feed.graft URL      fetches what is new
//     swift run FeedExample list feed.graft          needs no server
//     swift run FeedExample watch feed.graft         shows the latest posts, while another process imports

import Foundation
import Graft

let words = Array(CommandLine.arguments.dropFirst())
switch (words.first, words.count) {
case (nil, _): try await demonstrate()
case ("serve", 2):
  let server = try FeedServer(postCount: Int(words[1]) ?? 5000).start()
  FileHandle.standardOutput.write(Data("\(server.url)\n".utf8))
  while true { try await Task.sleep(for: .seconds(3600)) }
case ("sync", 3):
  guard let server = URL(string: words[2]) else { fatalError("'\(words[2])' is not a URL") }
  let feed = try Feed(at: URL(filePath: words[1]))
  exit(await sync(feed, server) ? 0 : 1)
case ("list", 2): try list(try Feed(at: URL(filePath: words[1])))
case ("watch", 2): try await watch(try Feed(at: URL(filePath: words[1])))
default:
  print("usage: FeedExample [serve POSTS | sync STORE URL | list STORE | watch STORE]")
  exit(2)
}

/// Fetches what is new. Without a server, the program continues with what it has.
@MainActor func sync(_ feed: Feed, _ server: URL) async -> Bool {
  let isTerminal = isatty(STDERR_FILENO) == 1
  do {
    let changes = try await feed.sync(from: server) { done, total in
      if isTerminal { FileHandle.standardError.write(Data("\r\(done) of \(total)\(done < total ? "" : "\n")".utf8)) }
    }
    print("\(changes.newPosts) new posts, \(changes.changedPosts.count) changed")
    for post in changes.changedPosts.prefix(5) { print("  \(post)") }
    return true
  } catch let error as URLError {
    let reason = error.code == .cannotConnectToHost ? "no server" : "\(error.code)"
    print("Offline (\(reason)): \((try? feed.postCount()) ?? 0) posts are stored")
  } catch {
    print("Not synchronized: \(error)")
  }
  return false
}

@MainActor func list(_ feed: Feed) throws {
  print("\(try feed.postCount()) posts, the latest ones:")
  for post in try feed.latestPosts(3) {
    print("  \(post.title ?? "?"), by \(post.author?.name ?? "?"), \(post.likes ?? 0) likes")
  }
}

/// Plays three parts: a server, its client, and a train ride without a network.
@MainActor func demonstrate() async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let posts = FeedServer(postCount: 2000)
  let server = try posts.start()

  let feed = try Feed(at: folder.appending(path: "feed.graft"))
  _ = await sync(feed, server.url)
  _ = await sync(feed, server.url)

  // Only what changed is transferred. The report has old and new values.
  posts.edit(2)
  _ = await sync(feed, server.url)

  // Another run of the program finds everything in the store.
  server.stop()
  let later = try Feed(at: folder.appending(path: "feed.graft"))
  _ = await sync(later, server.url)
  try list(later)
}
