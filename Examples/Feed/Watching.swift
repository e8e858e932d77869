import Foundation
import Graft

/// Shows the latest posts until the program is ended. On a terminal, the list is redrawn; otherwise, each change is written
/// as a line.
@MainActor func watch(_ feed: Feed) async throws {
  let isTerminal = isatty(STDOUT_FILENO) == 1
  try await feed.watch(5) { posts, changes in
    var text = isTerminal ? "\u{1B}[2J\u{1B}[H" : ""
    if let changes, !isTerminal {
      text += "\(changes)\n"
    } else {
      text += "The latest posts:\n"
      for post in posts { text += "  \(post.title ?? "?"), by \(post.author?.name ?? "?"), \(post.likes ?? 0) likes\n" }
    }
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
