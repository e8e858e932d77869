import Dispatch
import Foundation
import GraftSQLite
import GraftTools

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Removes the store of a first import if a signal ends the program before anything is committed.
final class InterruptedImport {
  private static let signals = [SIGHUP, SIGINT, SIGTERM]
  private var sources: [any DispatchSourceSignal] = []

  /// Begins to handle signals. Those that are ignored, as under `nohup`, stay ignored.
  init(ofStore path: String) {
    let queue = DispatchQueue(label: "interrupted import")
    for number in InterruptedImport.signals {
      guard signal(number, SIG_IGN) == nil else {
        signal(number, SIG_IGN)
        continue
      }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        SQLiteStore.removeIfUncommitted(at: FilePath.url(path))
        // The status with which shells report the signal. Nothing else runs: the store is gone.
        _exit(128 + number)
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Ends the handling of signals: they end the program at once again.
  func end() {
    for source in sources {
      source.cancel()
      signal(Int32(source.handle), SIG_DFL)
    }
    sources = []
  }
}
