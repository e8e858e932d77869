import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("Notifications", .enabled(if: Cluster.isAvailable), .timeLimit(.minutes(5))) struct NotificationTests {
  @Test("Listeners receive notifications in order")
  func arrives() throws {
    let (listener, sender) = (try Cluster.connection(), try Cluster.connection())
    let channel = uniqueName() + "\"; DROP TABLE x; --"
    #expect(try listener.notifications(waiting: .zero) == [])
    try listener.listen(to: String(channel.suffix(50)))
    let name = String(channel.suffix(50))
    #expect(try listener.notifications(waiting: .milliseconds(50)) == [])
    try sender.transaction { () throws(PostgreSQLError) in
      try sender.notify(name, "1")
      try sender.notify(name, "é")
    }
    var received: [PostgreSQLNotification] = []
    while received.count < 2 {
      let new = try listener.notifications(waiting: .seconds(20))
      if new.isEmpty { break }
      received += new
    }
    #expect(received.map(\.payload) == ["1", "é"])
    #expect(received.allSatisfy { $0.channel == name && $0.backendPID == sender.backendPID })
    // A notification that arrives during another statement is kept.
    try sender.notify(name, "3")
    try listener.execute("SELECT pg_sleep(0.2)")
    #expect(try listener.notifications(waiting: .seconds(20)).map(\.payload) == ["3"])
    try listener.begin()
    #expect(error { _ = try listener.notifications(waiting: .zero) }?.kind == .misuse)
    listener.rollBack()
  }

  @Test("Waiting ends when another thread sends a notification, interrupts the wait, or ends the connection")
  func ends() throws {
    var options = ConnectionOptions.testing
    let interruption = Interruption()
    options.interruption = interruption
    let listener = try Cluster.connection(options)
    try listener.listen(to: "tick")
    let string = try Cluster.shared.get().string
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      try? PostgreSQLConnection(string).notify("tick", "")
    }
    #expect(try listener.notifications(waiting: .seconds(60)).count == 1)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      interruption.interrupt()
    }
    #expect(error { _ = try listener.notifications(waiting: nil) }?.kind == .interrupted)
    let other = try Cluster.connection()
    try other.listen(to: "tick")
    let pid = other.backendPID
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      try? PostgreSQLConnection(string).execute("SELECT pg_terminate_backend(\(pid))")
    }
    let found = error { _ = try other.notifications(waiting: .seconds(60)) }
    #expect(found?.isTransient == true, "\(found as Any)")
    #expect(!other.isUsable)
  }
}
