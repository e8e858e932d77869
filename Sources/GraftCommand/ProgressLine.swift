import Foundation
import Graft
import GraftTools

/// The progress of a file's import: one line that is rewritten at most ten times a second.
///
///     events.jsonl: [#########.......... ] 47 %, 120000 objects, 48 of 103 MB, 31 MB/s, 2 s left
final class ProgressLine {
  private let name: String
  private let isShown: Bool
  private let delay: Duration
  private let streams: Streams
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?
  private var width = 0

  /// - Parameters:
  ///   - isShown: whether the line is wanted. It is shown only on a terminal.
  ///   - delay: the time that an import may take before the line appears.
  init(_ name: String, isShown: Bool, after delay: Duration, _ streams: Streams) {
    self.name = name
    // Rewriting a line is useful only on a terminal.
    self.isShown = isShown && streams.isInteractive
    self.delay = delay
    self.streams = streams
  }

  func show(_ progress: ImportProgress) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if now - start < delay { return }
    if let last, now - last < .milliseconds(100) { return }
    last = now
    var text = ProgressLine.text(name, progress, elapsed: now - start)
    if let most = streams.messagesWidth, text.count >= most { text = String(text.prefix(max(0, most - 1))) }
    streams.say("\r" + text + String(repeating: " ", count: max(0, width - text.count)))
    width = text.count
  }

  /// Clears the line.
  func end() {
    if width > 0 { streams.say("\r" + String(repeating: " ", count: width) + "\r") }
    width = 0
  }

  /// - Parameter elapsed: the time since the import began.
  static func text(_ name: String, _ progress: ImportProgress, elapsed: Duration) -> String {
    func megabytes(_ bytes: Int) -> Int { (bytes + 500_000) / 1_000_000 }
    var parts: [String] = []
    var total = ""
    if let bytes = progress.totalBytes, bytes > 0 {
      let share = min(1, Double(progress.bytes) / Double(bytes))
      let filled = Int(share * Double(barWidth))
      parts.append(
        "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: barWidth - filled))] "
          + "\(Int(share * 100)) %")
      total = " of \(megabytes(bytes))"
    }
    parts += [counted(progress.objects, "object"), "\(megabytes(progress.bytes))\(total) MB"]
    let seconds = elapsed / .seconds(1)
    if seconds > 0, progress.bytes > 0 {
      let rate = Double(progress.bytes) / seconds
      parts.append("\(megabytes(Int(rate))) MB/s")
      if let bytes = progress.totalBytes, bytes > progress.bytes {
        parts.append("\(time(Double(bytes - progress.bytes) / rate)) left")
      }
    }
    return "\(name.escapedForDisplay()): \(parts.joined(separator: ", "))"
  }

  private static let barWidth = 20

  /// Returns a duration: `40 s`, `3 min`, `2 h`.
  private static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<90: "\(max(1, Int(seconds.rounded()))) s"
    case ..<5_400: "\(Int((seconds / 60).rounded())) min"
    default: "\(Int((min(seconds, 1e9) / 3_600).rounded())) h"
    }
  }
}
