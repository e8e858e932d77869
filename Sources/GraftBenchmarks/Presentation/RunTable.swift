/// A run as a table in Markdown.
struct RunTable {
  private let run: RecordedRun

  init(_ run: RecordedRun) { self.run = run }

  var text: String {
    var lines = [
      "| Goal | Measure | Graft | Baseline | Result | Must | Strive |", "|---|---|---:|---:|---:|---:|---:|",
    ]
    for group in run.measured {
      for row in group.rows {
        let result = row.result?.description ?? ""
        let cells = [
          row.goal, row.measure, row.graft?.description ?? "", row.baseline?.description ?? "",
          row.verdict == .missed ? "**\(result)** (missed)" : result, row.bound(row.must), row.bound(row.strive),
        ]
        lines.append("| \(cells.joined(separator: " | ")) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
