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
  private typealias Handler = @convention(c) (Int32) -> Void
  /// The handler of each signal, and its previous handler.
  private var sources: [(source: any DispatchSourceSignal, before: Handler?)] = []

  /// Begins to handle signals. Ignored signals, as under `nohup`, remain ignored.
  init(ofStore path: String) {
    EndingSignals.handle()
    let queue = DispatchQueue(label: "interrupted import")
    for number in InterruptedImport.signals {
      let before = signal(number, SIG_IGN)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        SQLiteStore.removeIfUncommitted(at: FilePath.url(path))
        EndingSignals.cleanUp()
        EndingSignals.end(by: number)
      }
      source.resume()
      sources.append((source, before))
    }
  }

  /// Stops handling signals, so they end the program immediately again.
  func end() {
    for (source, before) in sources {
      source.cancel()
      signal(Int32(source.handle), before)
    }
    sources = []
  }
}
