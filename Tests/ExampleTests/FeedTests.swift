import Foundation
import Testing

/// The example with a store, run as several processes: a server, and synchronizations that are killed.
@Suite("Feed, the example with a store") struct FeedTests {
  private static let postCount = 6000

  @Test("A synchronization that is killed repeatedly ends with the same store as an uninterrupted synchronization")
  func kills() throws {
    let folder = try TemporaryFolder()
    let server = try Server(Self.postCount)
    defer { server.stop() }
    let whole = folder.path("whole.graft")
    let first = try run("FeedExample", ["sync", whole, server.url])
    #expect(first.output == "\(Self.postCount) new posts, 0 changed\n" && first.status == 0)

    var kills = 0
    var partial = 0
    var round = 0
    var store = ""
    // On a busy machine, a process needs longer for its first page, so the longest wait grows until some kills leave a partial import.
    var longest: UInt32 = 400_000
    while kills < 25 || (partial < 5 && kills < 100) {
      if try round == 0 || versions(store) == Self.postCount {
        round += 1
        store = folder.path("killed-\(round).graft")
      }
      let process = try start("FeedExample", ["sync", store, server.url])
      usleep(UInt32.random(in: 1000...longest))
      guard process.isRunning else { continue }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if process.terminationReason == .uncaughtSignal { kills += 1 }
      let version = try versions(store)
      if version > 0, version < Self.postCount { partial += 1 } else if version == 0 { longest += longest / 4 }
    }
    // Otherwise, the processes were killed at unsuitable moments.
    #expect(partial >= 5, "\(partial) of \(kills) kills left a part of the posts")

    let last = try run("FeedExample", ["sync", store, server.url])
    #expect(last.status == 0)
    for entity in ["Post", "User", "Cursor"] {
      let expected = try run("graft", ["export", "--store", whole, entity])
      let found = try run("graft", ["export", "--store", store, entity])
      #expect(found.output == expected.output && found.status == 0)
      #expect(expected.output.count > (entity == "Post" ? 100 * Self.postCount : 10))
    }
    #expect(try run("graft", ["store", "verify", store]).output == "\(store): no damage\n")
  }

  /// Checks that a store left behind by a killed process is undamaged, and contains exactly the posts up to its cursor.
  ///
  /// - Returns: the version in the cursor.
  private func versions(_ store: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: store) else { return 0 }
    let verification = try run("graft", ["store", "verify", store])
    // The process might have been killed before it created the store, or while SQLite was writing the first pages.
    if try Data(contentsOf: URL(filePath: store)).prefix(100).allSatisfy({ $0 == 0 }) { return 0 }
    #expect(verification.output == "\(store): no damage\n", "\(verification)")
    let cursors = try run("graft", ["export", "--store", store, "Cursor"]).output
    let version = cursors.firstMatch(of: /"version":([0-9]+)/).flatMap { Int($0.1) } ?? 0
    let info = try run("graft", ["store", "info", store]).output
    let count = info.firstMatch(of: /Post +([0-9]+) object/).flatMap { Int($0.1) } ?? 0
    #expect(count == version, "\(info)")
    return version
  }

  @Test("Without a server, the program lists the stored posts and reports that it is offline")
  func offline() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("feed.graft")
    let server = try Server(150)
    #expect(try run("FeedExample", ["sync", store, server.url]).output == "150 new posts, 0 changed\n")
    #expect(try run("FeedExample", ["sync", store, server.url]).output == "0 new posts, 0 changed\n")
    server.stop()
    let offline = try run("FeedExample", ["sync", store, server.url])
    #expect(offline.output == "Offline (no server): 150 posts are stored\n" && offline.status == 1)
    let list = try run("FeedExample", ["list", store])
    #expect(list.output.hasPrefix("150 posts, the latest ones:\n  Post 150, by User 51, 0 likes\n") && list.status == 0)
    #expect(try run("FeedExample", ["play"]).status == 2)
  }

  @Test("A live list follows the imports of another process")
  func watching() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("feed.graft")
    let server = try Server(150)
    let output = Pipe()
    let watcher = try start("FeedExample", ["watch", store], output: output)
    defer {
      kill(watcher.processIdentifier, SIGKILL)
      watcher.waitUntilExit()
    }
    var text = ""
    while !text.hasSuffix("The latest posts:\n"), case let data = output.fileHandleForReading.availableData,
      !data.isEmpty
    {
      text += String(decoding: data, as: UTF8.self)
    }
    #expect(text == "The latest posts:\n")
    #expect(try run("FeedExample", ["sync", store, server.url]).output == "150 new posts, 0 changed\n")
    // The changes arrive in one or several parts, depending on when the list merges.
    text = ""
    while !text.contains("+ Post(150) at 0\n"), case let data = output.fileHandleForReading.availableData, !data.isEmpty
    {
      text += String(decoding: data, as: UTF8.self)
    }
    #expect(text.contains("+ Post(150) at 0\n"))
  }

  // MARK: Processes

  /// The example's server, in a separate process.
  private final class Server {
    let url: String
    private let process: Process

    init(_ postCount: Int) throws {
      let output = Pipe()
      process = try start("FeedExample", ["serve", "\(postCount)"], output: output)
      url = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(
        in: .whitespacesAndNewlines)
      #expect(url.hasPrefix("http://127.0.0.1:"))
    }

    func stop() {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    deinit { stop() }
  }

  private final class TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "graft-feed-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
  }
}

private func start(_ program: String, _ words: [String], output: Pipe? = nil) throws -> Process {
  let process = Process()
  process.executableURL = Package.products.appending(path: program)
  process.arguments = words
  // Swift writes no backtrace of a process that is killed on purpose.
  process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  process.standardOutput = output ?? FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  try process.run()
  return process
}

private func run(_ program: String, _ words: [String]) throws -> (output: String, status: Int32) {
  let output = Pipe()
  let process = try start(program, words, output: output)
  let data = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (String(decoding: data, as: UTF8.self), process.terminationStatus)
}
