import Foundation
import Graft
import GraftSQLite
import Testing

/// The guides in the documentation. Their code must compile, run, and print the output that the guides show.
///
/// There is a file for each guide. All guides are about concerts, which have a venue and artists. `graft generate` writes the classes for
/// the model in the first guide.
@Suite("Guides") struct GuideTests {
  /// The payload of concerts and the payload of artists.
  static func payloads() throws -> (concerts: String, artists: String) {
    let blocks = try ReadmeTests.blocks("json", in: ReadmeTests.page("GettingStarted"))
    return (blocks[0], blocks[1])
  }

  /// A context in memory that contains both payloads.
  static func context() throws -> ManagedObjectContext {
    let context = ManagedObjectContext(model: try ConcertsModel.load())
    let payloads = try payloads()
    try context.importJSON(payloads.concerts, into: Concert.self, at: "data")
    try context.importJSON(payloads.artists, into: Artist.self, at: "data")
    return context
  }

  /// Whether a page contains lines of output as one block.
  static func page(_ name: String, shows output: String) throws -> Bool {
    ReadmeTests.blocks("", in: try ReadmeTests.page(name)).contains(output)
  }

  /// After a change to the generator or the model: `GRAFT_RECORD=1 swift test --filter GuideTests/classes` writes the classes.
  @Test("The classes of the guides match the model in the first guide")
  func classes() throws {
    let folder = try TemporaryFolder()
    let model = try #require(ReadmeTests.blocks("jsonc", in: ReadmeTests.page("GettingStarted")).first)
    let path = try folder.file("Concerts.model.json", model + "\n")
    let classes = Invocation.root.appendingPathComponent("Tests/CommandTests/Guides/Concerts").path
    let isRecording = ProcessInfo.processInfo.environment["GRAFT_RECORD"] == "1"
    let graft = try Invocation(["generate", path, "--output", classes] + (isRecording ? [] : ["--check"]))
    #expect(graft.status == 0, "\(graft.output)\(graft.messages)")
  }
}

/// Collects what a program prints.
final class Printed {
  private(set) var lines: [String] = []

  /// Returns the lines that were printed since the last call.
  func take() -> String {
    defer { lines = [] }
    return lines.joined(separator: "\n")
  }

  func callAsFunction(_ items: [Any]) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
}
