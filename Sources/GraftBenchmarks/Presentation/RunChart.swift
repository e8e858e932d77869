import Foundation

/// A run as an SVG chart: one bar for each result, starting at the line of its requirement.
///
///     heroes   ████████|█████▏      13.3x  ≥ 12
///              worse  must  better
///
/// The scale is logarithmic: doubling the length of a bar squares the factor by which the result is better or worse.
struct RunChart {
  private enum Layout {
    static let width = 860.0
    static let barStart = 300.0
    static let barEnd = 620.0
    static let rowHeight = 19.0
    static let groupHeight = 36.0
    static let top = 64.0
    /// The largest factor above or below the requirement that is drawn.
    static let factor = 16.0

    static var middle: Double { (barStart + barEnd) / 2 }
  }

  private let run: RecordedRun

  init(_ run: RecordedRun) { self.run = run }

  var text: String {
    let groups = run.measured
    let height = groups.reduce(Layout.top + 12) {
      $0 + Layout.groupHeight + Double($1.rows.count) * Layout.rowHeight
    }
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(number(Layout.width))" height="\(number(height))" \
      viewBox="0 0 \(number(Layout.width)) \(number(height))" role="img" \
      font-family="Helvetica, Arial, sans-serif" font-size="12">
      """, "  <title>Results of graft-bench and their requirements</title>", style, legend,
    ]
    var y = Layout.top
    for group in groups {
      y += Layout.groupHeight
      lines.append(words("\(group.goal)  \(group.title)", x: 16, y: y - 10, #"class="text" font-weight="bold""#))
      let first = y
      for row in group.rows {
        lines += bar(row, y)
        y += Layout.rowHeight
      }
      lines.append(
        """
          <path class="axis" d="M\(number(Layout.middle)) \(number(first - 3))V\(number(y - 1))"/>
        """)
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  // MARK: Parts

  private var style: String {
    """
      <style>
        .background { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e }
        .axis { stroke: #1f2328; stroke-width: 1.5 } .mark { stroke: #59636e; stroke-width: 1.5 }
        .strive { fill: #2f8f5b } .must { fill: #4680b8 } .missed { fill: #cc4b37 }
        @media (prefers-color-scheme: dark) {
          .background { fill: #0d1117 } .text { fill: #e6edf3 } .faint { fill: #9198a1 }
          .axis { stroke: #e6edf3 } .mark { stroke: #9198a1 }
          .strive { fill: #3fb27a } .must { fill: #5b9bd8 } .missed { fill: #e5694f }
        }
      </style>
      <rect class="background" width="100%" height="100%"/>
    """
  }

  private var legend: String {
    var lines: [String] = []
    var x = 16.0
    for (verdict, meaning) in [
      (Verdict.strive, "reaches its target (strive)"), (.must, "meets its minimum (must)"),
      (.missed, "misses its minimum"),
    ] {
      lines.append(#"  <rect class="\#(word(verdict))" x="\#(number(x))" y="14" width="12" height="12" rx="2"/>"#)
      lines.append(words(meaning, x: x + 18, y: 24, #"class="text""#))
      x += 190
    }
    lines.append(#"  <path class="mark" d="M\#(number(x + 6)) 13v14"/>"#)
    lines.append(words("strive", x: x + 18, y: 24, #"class="text""#))
    let (left, right) = ("\(Int(Layout.factor)) times worse", "\(Int(Layout.factor)) times better")
    lines.append(words(left, x: Layout.barStart, y: 52, #"class="faint""#))
    lines.append(words("must", x: Layout.middle, y: 52, #"class="faint" text-anchor="middle""#))
    lines.append(words(right, x: Layout.barEnd, y: 52, #"class="faint" text-anchor="end""#))
    return lines.joined(separator: "\n")
  }

  /// Returns a bar from the line of the requirement to the result, with its label and a mark for the target.
  private func bar(_ row: RecordedRun.Row, _ y: Double) -> [String] {
    let end = place(of: row.result?.value ?? row.must, row)
    let mark = place(of: row.strive, row)
    let (left, right) = (min(end, Layout.middle), max(end, Layout.middle))
    let result = row.result?.description ?? ""
    return [
      words(row.measure, x: Layout.barStart - 10, y: y + 10, #"class="text" text-anchor="end""#),
      """
        <rect class="\(word(row.verdict))" x="\(number(left))" y="\(number(y))" \
      width="\(number(max(right - left, 1)))" height="13" rx="1"/>
      """, #"  <path class="mark" d="M\#(number(mark)) \#(number(y - 2))v17"/>"#,
      words(result, x: Layout.barEnd + 70, y: y + 10, #"class="text" text-anchor="end""#),
      words(row.bound(row.must), x: Layout.barEnd + 84, y: y + 10, #"class="faint""#),
      words(row.verdict.rawValue.lowercased(), x: Layout.width - 16, y: y + 10, #"class="faint" text-anchor="end""#),
    ]
  }

  /// Returns the position of a value on the scale of its row. Better values are on the right.
  private func place(of value: Double, _ row: RecordedRun.Row) -> Double {
    let factor = row.better == .higher ? value / row.must : row.must / max(value, .leastNormalMagnitude)
    let part = log(min(max(factor, 1 / Layout.factor), Layout.factor)) / log(Layout.factor)
    return Layout.middle + part * (Layout.barEnd - Layout.barStart) / 2
  }

  private func word(_ verdict: Verdict) -> String {
    switch verdict {
    case .strive: "strive"
    case .must: "must"
    case .missed, .notMeasured: "missed"
    }
  }

  private func words(_ text: String, x: Double, y: Double, _ attributes: String) -> String {
    let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    return #"  <text x="\#(number(x))" y="\#(number(y))" \#(attributes)>\#(escaped)</text>"#
  }

  private func number(_ value: Double) -> String {
    let text = String(format: "%.1f", value)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
