import Foundation
import Graft
import GraftPostgreSQL
import GraftTestSupport
import Testing

/// Programs notify each other of commits. In these tests, polling happens only once an hour, which would be too late.
@Suite("PostgreSQL: notifications of commits", .enabled(if: Cluster.isAvailable)) struct CommitNotificationTests {
  private let model: ManagedObjectModel
  private let schema: PrivateSchema
  /// The application name of this test's connections that wait for notifications.
  private let program = "test-\(UUID())"

  init() throws {
    model = try ManagedObjectModel(text: SharedDatabaseTests.model, name: "m.json")
    schema = try PrivateSchema()
  }

  private func store() throws -> PostgreSQLStore {
    try PostgreSQLStore(schema.url + "&application_name=\(program)", model: model)
  }

  private func insert(_ id: Int, _ store: PostgreSQLStore) throws {
    _ = try objects(ofEntity: "Counter", fromJSON: "[{\"id\": \(id)}]", in: ManagedObjectContext(store: store))
  }

  /// Returns the number of connections that wait for notifications.
  private func count(_ counted: String = "*") throws -> Int64 {
    try schema.connection().integer(
      """
      SELECT count(\(counted)) FROM pg_stat_activity \
      WHERE query = 'SELECT pg_notify($1, $2)' AND state = 'idle' AND application_name = '\(program)'
      """) ?? 0
  }

  private func wait(for number: Int64) async throws {
    while try count() != number { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test("a program is notified of its own and other programs' commits without polling")
  func notified() async throws {
    let (mine, other) = (try store(), try store())
    var commits = mine.commits(every: .seconds(3600)).makeAsyncIterator()
    for id in 1...5 {
      try insert(id, id == 3 ? mine : other)
      #expect(await commits.next() == Int64(id))
    }
    try other.removeAll()
    #expect(await commits.next() == 6)
  }

  @Test("all observers of a store share a connection, which is closed when the last observer ends")
  func shared() async throws {
    let shared = try store()
    let (first, second) = (follower(shared), follower(shared))
    try await wait(for: 1)
    try await Task.sleep(for: .milliseconds(50))
    #expect(try count() == 1)
    first.cancel()
    try await Task.sleep(for: .milliseconds(50))
    #expect(try count() == 1)
    second.cancel()
    try await wait(for: 0)
  }

  private func follower(_ store: PostgreSQLStore) -> Task<Void, Never> {
    let commits = store.commits(every: .seconds(3600))
    return Task { for await _ in commits {} }
  }

  @Test("while the server cannot send notifications, the store is polled")
  func polled() async throws {
    let (mine, other) = (try store(), try store())
    var commits = mine.commits(every: .milliseconds(20)).makeAsyncIterator()
    try await wait(for: 1)
    #expect(try count("nullif(pg_terminate_backend(pid), false)") == 1)
    for id in 1...3 {
      try insert(id, other)
      #expect(await commits.next() == Int64(id))
    }
  }

  @Test("the sequence of a store's commits ends when the store is closed or released", arguments: [true, false])
  func ended(isClosed: Bool) async throws {
    var open: PostgreSQLStore? = try store()
    var commits = try #require(open).commits(every: .seconds(3600)).makeAsyncIterator()
    if isClosed { open?.close() }
    open = nil
    #expect(await commits.next() == nil)
  }
}
