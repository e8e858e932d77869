import Foundation
import Graft

/// Ends the waiting of connections from another thread, such as when a program stops.
///
///     let interruption = Interruption()
///     options.interruption = interruption
///     ...
///     interruption.interrupt()        // each connection with these options fails with `interrupted`
///
/// A connection that was interrupted in the middle of a call is closed. To stop one statement and continue to use the connection, use its
/// ``PostgreSQLConnection/canceller``.
package final class Interruption: Sendable {
  /// A pipe. Its read end becomes ready when something is written, and stays ready. Both descriptors are -1 if the process had no
  /// descriptors left.
  let readDescriptor: Int32
  private let writeDescriptor: Int32
  private let flag = Guarded(false)

  package init() {
    var descriptors: [Int32] = [-1, -1]
    guard pipe(&descriptors) == 0 else {
      (readDescriptor, writeDescriptor) = (-1, -1)
      return
    }
    for descriptor in descriptors {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }
    (readDescriptor, writeDescriptor) = (descriptors[0], descriptors[1])
  }

  deinit {
    if readDescriptor >= 0 { close(readDescriptor) }
    if writeDescriptor >= 0 { close(writeDescriptor) }
  }

  /// Ends the waiting, now and in the future. May be called from any thread, and more than once.
  package func interrupt() {
    flag.withLock { isInterrupted in
      guard !isInterrupted else { return }
      isInterrupted = true
      if writeDescriptor >= 0 { _ = write(writeDescriptor, [1], 1) }
    }
  }

  /// Whether the interruption has been used.
  package var isInterrupted: Bool { flag.withLock { $0 } }
}
