import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("Connecting", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(5))) struct ConnectingTests {
  let cluster: Cluster

  init() throws { cluster = try Cluster.shared.get() }

  @Test("A connection string can be a URL or keywords")
  func connects() throws {
    let connection = try cluster.connection()
    #expect(try connection.text("SELECT current_setting('application_name')") == "graft")
    #expect(try connection.text("SELECT current_setting('client_encoding')") == "UTF8")
    #expect(connection.isUsable && !connection.isInTransaction && connection.serverVersion >= 130_000)
    #expect(try connection.integer("SELECT pg_backend_pid()").map(Int32.init) == connection.backendPID)
    #expect(connection.parameter("server_encoding") == "UTF8")

    var options = ConnectionOptions.testing
    options.statementTimeout = .milliseconds(1500)
    options.lockTimeout = .seconds(2)
    options.idleInTransactionTimeout = .seconds(60)
    let other = try PostgreSQLConnection(
      ConnectionString("host='\(cluster.folder)' port=5432 user=graft dbname=postgres application_name=mine"), options)
    #expect(try other.text("SELECT current_setting('application_name')") == "mine")
    #expect(try other.text("SELECT current_setting('statement_timeout')") == "1500ms")
    #expect(try other.text("SELECT current_setting('lock_timeout')") == "2s")
    #expect(try other.text("SELECT current_setting('idle_in_transaction_session_timeout')") == "1min")
  }

  @Test("A wrong password causes an authentication error that does not contain the password")
  func password() throws {
    let role = uniqueName("ann")
    try cluster.connection().execute(
      """
      DO $$ BEGIN CREATE ROLE with_password; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      CREATE ROLE \(role) LOGIN PASSWORD 'right-hunter2' IN ROLE with_password
      """)
    let right = try PostgreSQLConnection(ConnectionString(cluster.url(user: role, password: "right-hunter2")))
    #expect(try right.text("SELECT current_user::text") == role)
    for url in [
      cluster.url(user: role, password: "wrong-hunter2"), cluster.url(user: role) + "&password=wrong-hunter2",
    ] {
      let found = try #require(error { _ = try PostgreSQLConnection(ConnectionString(url)) })
      #expect(found.kind == .authentication && found.sqlState == "28P01")
      #expect(
        found.message.hasSuffix(#"failed: FATAL: password authentication failed for user "\#(role)""#), "\(found)")
      #expect(!"\(found)".contains("hunter2"))
    }
    let none = try #require(error { _ = try PostgreSQLConnection(ConnectionString(cluster.url(user: role))) })
    #expect(none.kind == .authentication, "\(none)")
  }

  @Test("Refused connections are reported with their kind")
  func refusals() throws {
    let connection = try cluster.connection()
    let role = uniqueName("bob")
    try connection.execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 1")
    let first = try PostgreSQLConnection(ConnectionString(cluster.url(user: role)))
    #expect(first.isUsable)
    let cases: [(String, PostgreSQLError.Kind, String?)] = [
      (cluster.url(user: role), .tooManyConnections, "53300"),
      (cluster.url(database: "no_such_database"), .databaseMissing, "3D000"),
      (cluster.url(user: "nobody_at_all"), .authentication, "28000"),
      (cluster.url() + "&options=-cno_such_setting%3D1", .other, "42704"),
      (cluster.url(folder: "/nowhere"), .unreachable, nil), ("postgresql://127.0.0.1:1/shop", .unreachable, nil),
      ("postgresql://localhost/shop?sslmode=nonsense", .unreachable, nil),
    ]
    for (url, kind, state) in cases {
      let found = try #require(error { _ = try PostgreSQLConnection(ConnectionString(url)) })
      #expect(found.kind == kind && found.sqlState == state, "\(url): \(found)")
      #expect(!found.message.contains("LOCATION") && !found.message.contains("\n"))
    }
  }

  @Test("Connecting to a server that does not answer ends after the time in the options or in the connection string")
  func timeout() throws {
    let proxy = try Proxy(to: cluster)
    defer { proxy.stop() }
    proxy.setPlan(Proxy.Plan(down: 0, isStalling: true))
    var options = ConnectionOptions()
    options.connectTimeout = .milliseconds(200)
    let clock = ContinuousClock()
    let start = clock.now
    let found = error {
      _ = try PostgreSQLConnection(ConnectionString(cluster.url(folder: proxy.folder)), options)
    }
    #expect(found?.kind == .unreachable)
    #expect(
      found?.message == "the server of 'postgresql:///postgres' did not accept a connection within 0.2 seconds")
    #expect(start.duration(to: clock.now) < .seconds(5))
    options.connectTimeout = .seconds(60)
    let other = error {
      _ = try PostgreSQLConnection(
        ConnectionString(cluster.url(folder: proxy.folder) + "&connect_timeout=1"), options)
    }
    #expect(other?.message.hasSuffix("within 1.0 seconds") == true)
    #expect(start.duration(to: clock.now) < .seconds(20))
  }

  @Test("An interruption ends connecting to a server and waiting for notifications")
  func interruption() throws {
    let proxy = try Proxy(to: cluster)
    defer { proxy.stop() }
    proxy.setPlan(Proxy.Plan(down: 0, isStalling: true))
    func options() -> (ConnectionOptions, Interruption) {
      var options = ConnectionOptions.testing
      let interruption = Interruption()
      options.interruption = interruption
      return (options, interruption)
    }
    func later(_ interruption: Interruption) {
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.1)
        interruption.interrupt()
        interruption.interrupt()
      }
    }
    let (connecting, first) = options()
    later(first)
    let url = cluster.url(folder: proxy.folder)
    #expect(error { _ = try PostgreSQLConnection(ConnectionString(url), connecting) }?.kind == .interrupted)
    #expect(error { _ = try PostgreSQLConnection(ConnectionString(url), connecting) }?.kind == .interrupted)

    let (running, second) = options()
    let connection = try cluster.connection(running)
    later(second)
    #expect(error { try connection.execute("SELECT pg_sleep(60)") }?.kind == .interrupted)
    #expect(!connection.isUsable)
    #expect(
      error { try connection.execute("SELECT 1") }?.message
        == "the connection to 'postgresql:///postgres' is closed, because a call failed: waiting for the server was "
        + "interrupted; the connection was closed")
  }
}
