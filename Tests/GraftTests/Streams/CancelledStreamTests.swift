import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Streams: cancelled tasks") struct CancelledStreamTests {
  /// A sequence of chunks that stays open after its last chunk, like a connection. If the waiting task is cancelled, the sequence ends
  /// without an error.
  private static func chunks(_ text: String) -> (AsyncStream<[UInt8]>, AsyncStream<[UInt8]>.Continuation) {
    let (stream, feed) = AsyncStream.makeStream(of: [UInt8].self)
    feed.yield(Array(text.utf8))
    return (stream, feed)
  }

  /// Imports a sequence in a task that is cancelled while it waits for more chunks.
  private static func cancelled(
    _ chunks: AsyncStream<[UInt8]>, _ atomicity: ImportBatches.Atomicity
  ) async throws -> (failure: ImportError?, count: Int, isUsable: Bool) {
    let context = BackgroundContext(model: try Fixture.context(Fixture.comics).model)
    let task = Task {
      try await context.importStream(
        chunks, ofEntity: "Hero", format: .lines, batches: ImportBatches(size: 2, atomicity: atomicity))
    }
    try await Task.sleep(for: .milliseconds(60))
    task.cancel()
    var failure: ImportError?
    do { _ = try await task.value } catch { failure = try #require(error as? ImportError) }
    let count = try await context.perform { try $0.count(ofEntity: "Hero") }
    let report = try await context.importJSON(#"[{"id": 99}]"#, ofEntity: "Hero")
    let isUsable = await context.perform { !$0.hasChanges && $0.checkInvariants() == [] }
    return (failure, count, report.inserted == ["Hero": 1] && isUsable)
  }

  private static let lines = (1...5).map { "{\"id\": \($0)}\n" }.joined()

  @Test(
    "I16, I17: if a sequence ends because the task is cancelled, the import fails instead of finishing",
    arguments: ImportBatches.Atomicity.allCases,
    // The bytes end between two objects, or inside an object.
    ["", "{\"id\": 6"])
  func endsSilently(_ atomicity: ImportBatches.Atomicity, rest: String) async throws {
    let (chunks, feed) = Self.chunks(Self.lines + rest)
    let (failure, count, isUsable) = try await Self.cancelled(chunks, atomicity)
    feed.finish()
    let error = try #require(failure)
    #expect(error.underlyingError is CancellationError)
    #expect(error.diagnostics.map(\.code) == [.stopped])
    // Two batches are complete; the fifth line alone does not complete a batch.
    #expect(count == (atomicity == .each ? 4 : 0) && isUsable)
  }

  @Test(
    "I16, I17: an import of a sequence of bytes also fails if its task is cancelled",
    arguments: ImportBatches.Atomicity.allCases)
  func bytes(_ atomicity: ImportBatches.Atomicity) async throws {
    let (stream, feed) = AsyncThrowingStream.makeStream(of: UInt8.self)
    for byte in Self.lines.utf8 { feed.yield(byte) }
    let task = Task {
      let context = try Fixture.context(Fixture.comics)
      do {
        try await context.importStream(
          stream, ofEntity: "Hero", format: .lines, batches: ImportBatches(size: 2, atomicity: atomicity))
        return try (isCancelled: false, count: context.count(ofEntity: "Hero"))
      } catch let error as ImportError {
        return try (error.underlyingError is CancellationError, context.count(ofEntity: "Hero"))
      }
    }
    try await Task.sleep(for: .milliseconds(60))
    task.cancel()
    #expect(try await task.value == (isCancelled: true, count: 0))
    feed.finish()
  }
}
