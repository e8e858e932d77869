import Foundation

/// Waits until a socket is ready.
enum SocketWait {
  enum Outcome {
    case ready(canRead: Bool, canWrite: Bool)
    case deadlinePassed
    case interrupted
  }

  /// The interval at which an interruption without a pipe is checked, in milliseconds.
  private static let slice: Int32 = 100

  /// Waits until a socket can be read or written, or is closed, in which case it can be both read and written.
  static func wait(
    _ socket: Int32, forWriting: Bool, forReading: Bool = true, _ deadline: Deadline, _ interruption: Interruption?
  ) -> Outcome {
    let events = (forReading ? POLLIN : 0) | (forWriting ? POLLOUT : 0)
    var descriptors = [pollfd(fd: socket, events: Int16(events), revents: 0)]
    if let interruption, interruption.readDescriptor >= 0 {
      descriptors.append(pollfd(fd: interruption.readDescriptor, events: Int16(POLLIN), revents: 0))
    }
    let isSliced = interruption != nil && descriptors.count == 1
    while true {
      if interruption?.isInterrupted == true { return .interrupted }
      let timeout = deadline.pollTimeout
      let count = poll(
        &descriptors, nfds_t(descriptors.count), isSliced && !(0..<slice ~= timeout) ? slice : timeout)
      // A signal ends 'poll' early.
      if count < 0, errno != EINTR { return .ready(canRead: true, canWrite: true) }
      let ready = count > 0 ? Int32(descriptors[0].revents) : 0
      if ready != 0 {
        let isBroken = ready & (POLLERR | POLLHUP | POLLNVAL) != 0
        return .ready(canRead: isBroken || ready & POLLIN != 0, canWrite: isBroken || ready & POLLOUT != 0)
      }
      if interruption?.isInterrupted == true { return .interrupted }
      if deadline.hasPassed { return .deadlinePassed }
    }
  }
}
