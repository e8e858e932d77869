import Foundation
import Graft
import GraftTools

/// The progress of a file's import: one line that is rewritten at most ten times a second.
///
///     events.jsonl: 120000 objects, 48 of 103 MB
final class ProgressLine {
  private let name: String
  private let isShown: Bool
  private let streams: Streams
  private var last = ContinuousClock.Instant?.none
  private var width = 0

  init(_ name: String, isShown: Bool, _ streams: Streams) {
    self.name = name
    // Rewriting a line is useful only on a terminal.
    self.isShown = isShown && isatty(STDERR_FILENO) == 1
    self.streams = streams
  }

  func show(_ progress: ImportProgress) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let last, now - last < .milliseconds(100) { return }
    last = now
    let text = ProgressLine.text(name, progress)
    streams.say("\r" + text + String(repeating: " ", count: max(0, width - text.count)))
    width = text.count
  }

  /// Clears the line.
  func end() {
    if width > 0 { streams.say("\r" + String(repeating: " ", count: width) + "\r") }
    width = 0
  }

  static func text(_ name: String, _ progress: ImportProgress) -> String {
    func megabytes(_ bytes: Int) -> Int { (bytes + 500_000) / 1_000_000 }
    let total = progress.totalBytes.map { " of \(megabytes($0))" } ?? ""
    return
      "\(name.escapedForDisplay()): \(counted(progress.objects, "object")), \(megabytes(progress.bytes))\(total) MB"
  }
}
