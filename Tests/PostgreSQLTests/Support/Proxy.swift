import Foundation
import GraftTestSupport
import Graft

@testable import GraftPostgreSQL

/// A proxy between connections and a server that cuts or stalls the stream after a number of bytes.
final class Proxy: Sendable {
  /// The plan for the next connection.
  struct Plan {
    /// The number of bytes from the server after which the stream is cut; nil for no cut.
    var down: Int?
    /// The number of bytes from the client after which the stream is cut; nil for no cut.
    var up: Int?
    /// Whether the stream only stalls, while both sides stay open.
    var isStalling = false
    /// The number of connections to which the plan applies; later connections are never cut. nil for all connections.
    var connections: Int?

    func with(_ connections: Int) -> Plan {
      var plan = self
      plan.connections = connections
      return plan
    }
  }

  /// The folder with the socket.
  let folder: String
  private let listener: Int32
  private let target: String
  private let state = Guarded((plan: Plan(), down: 0, up: 0))

  init(to cluster: Cluster) throws {
    folder = FileManager.default.temporaryDirectory.path + "/" + uniqueName("p").prefix(12)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    target = cluster.folder + "/.s.PGSQL.5432"
    listener = socket(AF_UNIX, Proxy.stream, 0)
    let bound = Proxy.withAddress(folder + "/.s.PGSQL.5432") { [listener] in bind(listener, $0, $1) }
    guard bound == 0, listen(listener, 64) == 0 else { throw Cluster.Failure(description: "no proxy: \(errno)") }
    Thread.detachNewThread { [self] in acceptAll() }
  }

  /// Ends the proxy, whose thread keeps a reference to it until then.
  func stop() {
    shutdown(listener, 2)
    close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Sets the plan for later connections, and resets the counts to 0.
  func setPlan(_ plan: Plan) { state.withLock { $0 = (plan, 0, 0) } }

  /// The bytes that have been forwarded since the plan was set.
  var counts: (down: Int, up: Int) { state.withLock { ($0.down, $0.up) } }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #endif

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  private func acceptAll() {
    while true {
      let client = accept(listener, nil, nil)
      if client < 0 { return }
      let server = socket(AF_UNIX, Proxy.stream, 0)
      guard Proxy.withAddress(target, { connect(server, $0, $1) }) == 0 else {
        close(client)
        close(server)
        continue
      }
      let plan = state.withLock { state in
        let plan = state.plan
        if let left = plan.connections { state.plan = left > 1 ? plan.with(left - 1) : Plan() }
        return plan
      }
      let open = Guarded(2)
      let finish: @Sendable () -> Void = {
        let left = open.withLock { count -> Int in
          count -= 1
          return count
        }
        if left == 0 {
          close(client)
          close(server)
        }
      }
      Thread.detachNewThread { [self] in
        pump(from: server, to: client, plan.down, plan.isStalling) { count in state.withLock { $0.down += count } }
        finish()
      }
      Thread.detachNewThread { [self] in
        pump(from: client, to: server, plan.up, plan.isStalling) { count in state.withLock { $0.up += count } }
        finish()
      }
    }
  }

  private func pump(from: Int32, to: Int32, _ limit: Int?, _ isStalling: Bool, _ note: (Int) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    while limit.map({ total < $0 }) ?? true {
      let count = read(from, &buffer, min(buffer.count, limit.map { $0 - total } ?? buffer.count))
      if count <= 0 { break }
      var sent = 0
      while sent < count {
        let written = send(to, Array(buffer[sent..<count]), count - sent, Proxy.noSignal)
        if written <= 0 { break }
        sent += written
      }
      if sent < count { break }
      total += count
      note(count)
    }
    if isStalling, limit == total {
      // Forwards bytes until one side closes.
      while read(from, &buffer, buffer.count) > 0 {}
    }
    shutdown(from, 2)
    shutdown(to, 2)
  }
}
