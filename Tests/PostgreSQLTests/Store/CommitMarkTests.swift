import Foundation
import Graft
import GraftPostgreSQL
import GraftTestSupport
import Testing

/// How a program that lost its connection during `COMMIT` finds out whether its transaction was committed.
@Suite("PostgreSQL: commits with an unknown outcome", .enabled(if: Cluster.isAvailable)) struct CommitMarkTests {
  private let schema: PrivateSchema
  private let connection: PostgreSQLConnection

  init() throws {
    schema = try PrivateSchema()
    connection = try PostgreSQLConnection(ConnectionString(schema.url))
  }

  private func store() throws -> PostgreSQLStore {
    try schema.store(ManagedObjectModel(text: SharedDatabaseTests.model, name: "m.json"))
  }

  private func commit(_ store: PostgreSQLStore, _ number: Int) throws {
    let context = ManagedObjectContext(store: store)
    _ = try objects(ofEntity: "Event", fromJSON: "[{\"id\": \"\(number)\"}]", in: context)
    try context.commit()
  }

  @Test("a commit is identified by its token, because a server can assign the same number again after a crash")
  func tokens() throws {
    try commit(store(), 1)
    let latest = try #require(try connection.integer("SELECT latest FROM _graft_state"))
    let (mark, token) = (CommitMark(), UUID())
    #expect(try mark.isCommitted(connection) == false)
    // Another program's commit has this number.
    mark.note(latest, token)
    #expect(try mark.isCommitted(connection) == false)
    // No commit has this number.
    mark.note(latest + 1, UUID())
    #expect(try mark.isCommitted(connection) == false)
    try connection.execute("UPDATE _graft_log SET token = '\(token)' WHERE sequence = \(latest)")
    #expect(try mark.isCommitted(connection) == true)
    // The log does not go back to this number.
    try connection.execute("UPDATE _graft_log SET token = NULL, sequence = sequence + 5000")
    #expect(try mark.isCommitted(connection) == nil)
  }

  /// A URL with a schema whose function hides the server's function of the same name.
  private func hidingURL() throws -> String {
    // The system catalog is searched last.
    let name = try #require(try connection.text("SELECT current_schema()"))
    let url = schema.url.replacingOccurrences(of: "%3D\(name)", with: "%3D\(name)%2Cpg_catalog")
    #expect(url != schema.url)
    return url
  }

  @Test("a context with nothing to write waits until other programs' commits are on disk")
  func nothingToWrite() throws {
    try commit(store(), 1)
    try connection.execute(
      """
      CREATE SEQUENCE calls; \
      CREATE FUNCTION pg_logical_emit_message(boolean, text, text) RETURNS pg_lsn LANGUAGE sql AS \
      $$SELECT nextval('calls'); SELECT '0/0'::pg_lsn$$
      """)
    let other = try PostgreSQLStore(
      hidingURL(), model: ManagedObjectModel(text: SharedDatabaseTests.model, name: "m.json"))
    func calls() throws -> Int64 { try connection.integer("SELECT last_value FROM calls WHERE is_called") ?? 0 }
    // The context finds the same object.
    try commit(other, 1)
    #expect(try calls() == 1)
    try commit(other, 1)
    #expect(try calls() == 1)
    try commit(store(), 2)
    #expect(try ManagedObjectContext(store: other).count(ofEntity: "Event") == 2)
    #expect(try calls() == 1)
    try commit(other, 2)
    #expect(try calls() == 2)
    // The context's own commits are on disk when they return.
    try commit(other, 3)
    #expect(try calls() == 3)
    try commit(other, 3)
    #expect(try calls() == 3)
  }

  @Test("a context can catch up with any number of commits", arguments: [0, 1, 63, 64, 65, 130])
  func behind(count: Int) throws {
    let store = try store()
    let context = ManagedObjectContext(store: store)
    try commit(store, 0)
    #expect(try context.count(ofEntity: "Event") == 1)
    let first = try #require(try context.fetch(ofEntity: "Event").first)
    for number in 0..<count { try commit(store, number + 1) }
    #expect(try context.merge() == (count > 0))
    #expect(try context.count(ofEntity: "Event") == count + 1 && !first.isDeleted)
    #expect(try !context.merge())
  }

  @Test("a context with nothing to write does not rely on a commit that the server has lost")
  func lostState() throws {
    let (writer, other) = (try store(), try store())
    try commit(writer, 1)
    let context = ManagedObjectContext(store: other)
    #expect(try context.count(ofEntity: "Event") == 1)
    // As after a crash, another commit has the lost commit's number.
    try connection.execute(
      "UPDATE _graft_log SET token = gen_random_uuid() WHERE sequence = (SELECT latest FROM _graft_state)")
    let error = #expect(throws: StoreError.self) { try context.commit() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("the store has lost commits"))
  }

  @Test("if the server does not permit flushing a commit later, the commit is flushed while it holds its locks")
  func refusedFlush() throws {
    let model = try ManagedObjectModel(text: SharedDatabaseTests.model, name: "m.json")
    try connection.execute(
      """
      CREATE SEQUENCE calls; \
      CREATE FUNCTION pg_logical_emit_message(boolean, text, text) RETURNS int LANGUAGE plpgsql AS \
      $$BEGIN PERFORM nextval('calls'); RAISE EXCEPTION 'not permitted' USING ERRCODE = '42501'; END$$
      """)
    // This also applies if the first commit has nothing to write.
    try commit(self.store(), 1)
    let store = try PostgreSQLStore(hidingURL(), model: model)
    for number in 1...3 { try commit(store, number) }
    #expect(try ManagedObjectContext(store: store).count(ofEntity: "Event") == 3)
    // The store tried the flush once.
    #expect(try connection.integer("SELECT last_value FROM calls WHERE is_called") == 1)
  }

  @Test("a log that was created without tokens gets tokens when the store is opened for writing")
  func oldLog() throws {
    try commit(store(), 1)
    try connection.execute("ALTER TABLE _graft_log DROP COLUMN token")
    var options = PostgreSQLStore.Options()
    options.isReadOnly = true
    let model = try ManagedObjectModel(text: SharedDatabaseTests.model, name: "m.json")
    let readOnly = try PostgreSQLStore(schema.url, model: model, options: options)
    #expect(try ManagedObjectContext(store: readOnly).count(ofEntity: "Event") == 1)
    let store = try store()
    try commit(store, 2)
    #expect(try ManagedObjectContext(store: store).count(ofEntity: "Event") == 2)
    #expect(try connection.integer("SELECT count(token) FROM _graft_log") == 1)
    #expect(try store.verify().isEmpty)
  }
}
