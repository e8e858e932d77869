extension Report {
  /// Returns the report as a table.
  func text(_ options: Options) -> String {
    let head = ["Goal", "Measure", "Graft", "Baseline", "Result", "Must", "Strive", "Verdict"]
    let lines = [head] + rows.map(cells)
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    var text = "\(options.comparedSize) MB, median of \(options.comparedRounds) rounds\n\n"
    for (index, line) in lines.enumerated() {
      text += aligned(line, widths) + "\n"
      if index == 0 { text += widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n" }
    }
    return text + "\n" + legend
  }

  /// Aligns words left and numbers right.
  private func aligned(_ line: [String], _ widths: [Int]) -> String {
    let columns = line.indices.map { column in
      let padding = String(repeating: " ", count: widths[column] - line[column].count)
      if column == line.count - 1 { return line[column] }
      return (2...6).contains(column) ? padding + line[column] : line[column] + padding
    }
    return columns.joined(separator: "  ")
  }

  private func cells(_ row: Row) -> [String] {
    let sign = row.target.better == .higher ? ">=" : "<="
    return [
      row.goal.rawValue, row.measure, row.graft?.description ?? "-", row.baseline?.description ?? "-",
      row.result?.description ?? "-", "\(sign) \(Quantity.number(row.target.must))",
      "\(sign) \(Quantity.number(row.target.strive))", row.verdict.rawValue,
    ]
  }

  private var legend: String {
    Goal.allCases.filter { goal in rows.contains { $0.goal == goal } }
      .map { "\($0.rawValue): \($0.title)\n" }.joined()
  }
}
