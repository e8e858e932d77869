import Foundation

/// The chart of the README: for each workload, a bar for Graft and one for the baseline.
///
///     heroes    ██████████████████  614 MB/s     16.2x
///               █  37.8 MB/s
struct ImportChart {
  struct Row {
    var workload: String
    var meaning: String
    /// The figures with their units, as in the documentation: `614 MB/s`.
    var graft: String
    var baseline: String
    /// The factor as in the documentation: `16.2x`.
    var ratio: String
  }

  let rows: [Row]

  private static let (barStart, barEnd, width) = (190.0, 600.0, 760.0)

  var svg: String {
    let longest = rows.map { value($0.graft) }.max() ?? 1
    func bar(_ text: String, _ style: String, _ y: Int) -> String {
      let length = (Self.barEnd - Self.barStart) * value(text) / longest
      return """
          <rect class="\(style)" x="\(number(Self.barStart))" y="\(y)" width="\(number(length))" height="16" rx="2"/>
          <text class="text" x="\(number(Self.barStart + length + 8))" y="\(y + 12)">\(text)</text>
        """
    }

    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="760" height="\(rows.count * 58 + 78)" role="img" \
      viewBox="0 0 760 \(rows.count * 58 + 78)" font-family="Helvetica, Arial, sans-serif" font-size="13">
        <title>Imports of 10 MB of JSON, in MB/s</title>
        <style>
          .background { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e }
          .graft { fill: #2f8f5b } .baseline { fill: #8c959f }
          @media (prefers-color-scheme: dark) {
            .background { fill: #0d1117 } .text { fill: #e6edf3 } .faint { fill: #9198a1 }
            .graft { fill: #3fb27a } .baseline { fill: #6e7681 }
          }
        </style>
        <rect class="background" width="100%" height="100%"/>
        <text class="text" x="16" y="26" font-size="15" font-weight="bold">Imports of 10 MB of JSON, in MB/s</text>
        <rect class="graft" x="16" y="41" width="12" height="12" rx="2"/>
        <text class="text" x="34" y="52">Graft</text>
        <rect class="baseline" x="96" y="41" width="12" height="12" rx="2"/>
        <text class="text" x="114" y="52">JSONDecoder, and one object per identity by hand</text>
      """
    ]
    for (index, row) in rows.enumerated() {
      let y = 76 + index * 58
      lines.append(
        """
          <text class="text" x="16" y="\(y + 13)" font-weight="bold">\(row.workload)</text>
          <text class="faint" x="16" y="\(y + 31)" font-size="12">\(row.meaning)</text>
        \(bar(row.graft, "graft", y))
        \(bar(row.baseline, "baseline", y + 20))
          <text class="text" x="744" y="\(y + 13)" text-anchor="end" font-weight="bold">\(row.ratio)</text>
        """)
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// Returns the number at the beginning of `614 MB/s`.
  private func value(_ text: String) -> Double { Double(text.prefix { $0 != " " }) ?? 0 }

  private func number(_ value: Double) -> String {
    let text = String(format: "%.1f", value)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
