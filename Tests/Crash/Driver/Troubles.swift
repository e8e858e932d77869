import Foundation
import GraftPostgreSQL
import GraftTestSupport

/// Troubles that repeatedly affect a store, on a separate thread.
protocol Troubles: AnyObject {
  /// The store that the troubles affect.
  var url: URL { get }
  /// The number of troubles so far.
  var count: Int { get }
  /// The kinds of troubles, for the output.
  var names: String { get }

  func begin()
  /// Ends the current trouble, and waits until the store can be used.
  func end() throws
}

/// Runs the troubles one after another, with pauses.
private final class Schedule: @unchecked Sendable {
  private let isOver = Locked(false)
  private let done = DispatchSemaphore(value: 0)
  private let total = Locked(0)
  private let failure = Locked<(any Error)?>(nil)

  var count: Int { total.withLock { $0 } }

  func begin(_ troubles: [@Sendable () throws -> Void]) {
    let thread = Thread { [self] in
      var number = 0
      do {
        while !isOver.withLock({ $0 }) {
          Thread.sleep(forTimeInterval: 2)
          try troubles[number % troubles.count]()
          number += 1
          total.withLock { $0 = number }
        }
      } catch {
        failure.withLock { $0 = error }
      }
      done.signal()
    }
    thread.start()
  }

  func end() throws {
    isOver.withLock { $0 = true }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

/// A disk that is temporarily full, slow or broken.
final class DiskTroubles: Troubles {
  let url: URL
  let names = "a full disk, a slow disk, a disk that cannot be read or written"
  private let schedule = Schedule()

  init(_ url: URL) {
    self.url = url
    FileSystem.register()
  }

  var count: Int { schedule.count }

  func begin() {
    schedule.begin(
      [FileSystem.Weather.full, .slow, .broken].map { weather in
        {
          FileSystem.weather.withLock { $0 = weather }
          Thread.sleep(forTimeInterval: 0.5)
          FileSystem.weather.withLock { $0 = .fair }
        }
      })
  }

  func end() throws { try schedule.end() }
}

/// A database server that is temporarily down or slow, or that ends its connections.
final class ServerTroubles: Troubles {
  let url: URL
  let names = "a killed server, connections that the server ends, a slow disk"
  private let cluster: Cluster
  private let schedule = Schedule()

  init() throws {
    cluster = try Cluster()
    url = try StoreKind.postgresql.url(cluster.url)
  }

  var count: Int { schedule.count }

  func begin() {
    let cluster = cluster
    schedule.begin([
      {
        try cluster.kill()
        Thread.sleep(forTimeInterval: 0.3)
        try cluster.restart()
      },
      {
        try PostgreSQLConnection(cluster.string).execute(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
          """)
      },
      {
        let connection = try PostgreSQLConnection(cluster.string)
        // Each commit waits for 20 ms before the flush.
        for setting in ["commit_siblings = 0", "commit_delay = 20000"] {
          try connection.execute("ALTER SYSTEM SET \(setting)")
        }
        try connection.execute("SELECT pg_reload_conf()")
        Thread.sleep(forTimeInterval: 0.5)
        try connection.execute("ALTER SYSTEM RESET ALL")
        try connection.execute("SELECT pg_reload_conf()")
      },
    ])
  }

  func end() throws { try schedule.end() }
}
