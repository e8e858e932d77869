#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The right to replace a snapshot file. Only one store at a time has this right, across all processes.
///
/// It is a lock on a separate file, `comics.graft-lock`, which is never removed. The system releases the lock when the
/// process ends.
final class SnapshotLock {
  private let descriptor: Int32

  /// Waits for the lock.
  ///
  /// - Throws: if another store holds the lock for longer than the timeout, or if the file cannot be created.
  init(_ location: StoreLocation, timeout: Duration) throws(StoreError) {
    func failure(_ reason: String) -> StoreError {
      StoreError(.unavailableStore, "the store '\(location.name)' cannot be written: \(reason)")
    }
    let descriptor = open(location.path + "-lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(DurableFile.reason()) }
    self.descriptor = descriptor
    let deadline = ContinuousClock.now + timeout
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(DurableFile.reason()) }
      guard ContinuousClock.now < deadline else {
        throw failure("another process or context has been writing it for \(timeout); try again")
      }
      usleep(1000)
    }
  }

  deinit { close(descriptor) }
}
