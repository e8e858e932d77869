import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("Cancelling and deadlines", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(5)))
struct CancellationTests {
  let connection: PostgreSQLConnection

  init() throws { connection = try Cluster.connection() }

  @Test("Another thread cancels a statement, and the connection stays usable")
  func cancels() throws {
    let canceller = connection.canceller
    #expect(canceller.cancel())
    #expect(try connection.integer("SELECT 1::int8") == 1)
    for _ in 0..<5 {
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.1)
        canceller.cancel()
      }
      let start = ContinuousClock.now
      let found = error { try connection.execute("SELECT pg_sleep(50)") }
      #expect(found?.kind == .queryCanceled)
      #expect(start.duration(to: .now) < .seconds(20))
      #expect(try connection.integer("SELECT 1::int8") == 1)
    }
    connection.close()
    #expect(!canceller.cancel())
  }

  @Test("The server cancels a statement after the statement timeout")
  func statementTimeout() throws {
    try connection.setStatementTimeout(.milliseconds(50), isLocal: false)
    #expect(connection.hasSessionState)
    let found = error { try connection.execute("SELECT pg_sleep(50)") }
    #expect(found?.kind == .queryCanceled && found?.message == "canceling statement due to statement timeout")
    try connection.setStatementTimeout(nil, isLocal: false)
    try connection.execute("SELECT pg_sleep(0.1)")
  }

  @Test("A deadline cancels the statement, and the connection stays usable")
  func deadline() throws {
    for isPrepared in [true, false] {
      let start = ContinuousClock.now
      let found = error {
        try connection.run("SELECT pg_sleep(50)", isPrepared: isPrepared, deadline: .after(.milliseconds(100)))
      }
      #expect(found?.kind == .deadlineExceeded)
      #expect(found?.message == "the server did not answer within 0.1 seconds; it was cancelled")
      #expect(start.duration(to: .now) < .seconds(10))
      #expect(try connection.integer("SELECT 1::int8") == 1)
    }
    var options = ConnectionOptions()
    options.callTimeout = .milliseconds(200)
    let short = try Cluster.connection(options)
    #expect(error { try short.execute("SELECT pg_sleep(50)") }?.kind == .deadlineExceeded)
    #expect(error { try short.run("SELECT pg_sleep(50)") }?.kind == .deadlineExceeded)
    #expect(short.isUsable)
    // The deadline passes while endless rows arrive.
    let rows = error {
      try connection.run("SELECT generate_series(1::int8, 100000000000)", deadline: .after(.milliseconds(300)))
    }
    #expect(rows?.kind == .deadlineExceeded)
    // A busy machine might confirm the cancellation too late. The connection is then closed.
    if connection.isUsable { #expect(try connection.integer("SELECT 1::int8") == 1) }
  }

  @Test("A call to a server process that hangs ends at its deadline, and the connection is closed")
  func hanging() throws {
    let pid = connection.backendPID
    #expect(kill(pid, SIGSTOP) == 0)
    defer { kill(pid, SIGCONT) }
    let start = ContinuousClock.now
    let found = error { try connection.execute("SELECT 1", deadline: .after(.milliseconds(100))) }
    #expect(found?.message == "the server did not answer within 0.1 seconds; the connection was closed")
    #expect(start.duration(to: .now) < .seconds(20))
    #expect(!connection.isUsable)
    #expect(error { try connection.execute("SELECT 1") }?.kind == .deadlineExceeded)
  }

  @Test("Sending a large parameter to a server process that does not read ends at the deadline")
  func notReading() throws {
    let pid = connection.backendPID
    #expect(kill(pid, SIGSTOP) == 0)
    defer { kill(pid, SIGCONT) }
    let parameters = try Parameters { p throws(PostgreSQLError) in
      try p.append(bytes: [UInt8](repeating: 1, count: 20_000_000))
    }
    let found = error {
      try connection.run("SELECT length($1)", parameters, isPrepared: false, deadline: .after(.milliseconds(200)))
    }
    #expect(found?.kind == .deadlineExceeded)
    #expect(!connection.isUsable)
  }
}
