import Foundation

/// The commands that present the report of an earlier run: `plot` and `table`.
enum RunPresentation {
  private enum Form: String { case plot, table }

  /// Returns the output if the arguments request a presentation.
  ///
  /// - Throws: a ``UsageError``, or an error with the reason the file cannot be read.
  static func answer(_ arguments: [String]) throws -> String? {
    guard let form = arguments.first.flatMap(Form.init) else { return nil }
    var words = ArraySlice(arguments.dropFirst())
    var goals: Set<Goal> = []
    if let option = words.firstIndex(of: "--filter") {
      guard option + 1 < words.endIndex else { throw UsageError("--filter requires a value") }
      for word in words[option + 1].split(separator: ",") {
        guard let goal = Goal(rawValue: word.uppercased()) else {
          throw UsageError("--filter takes goals (P1 to P22, S11), not '\(word)'")
        }
        goals.insert(goal)
      }
      words.removeSubrange(option...option + 1)
    }
    guard words.count == 1, let path = words.first, !path.hasPrefix("-") else {
      throw UsageError("'\(form.rawValue)' takes one file, the output of a run with '--format json'")
    }
    var run = try RecordedRun(contentsOf: URL(fileURLWithPath: path))
    if !goals.isEmpty { run.rows.removeAll { row in !goals.contains { $0.rawValue == row.goal } } }
    switch form {
    case .plot: return RunChart(run).text
    case .table: return RunTable(run).text
    }
  }
}

extension RecordedRun {
  init(contentsOf url: URL) throws {
    let data: Data
    do { data = try Data(contentsOf: url) } catch { throw BenchmarkError("cannot read '\(url.relativePath)'") }
    do {
      self = try JSONDecoder().decode(RecordedRun.self, from: data)
    } catch {
      throw BenchmarkError("'\(url.relativePath)' is not the output of a run with '--format json'")
    }
  }

  /// The measured rows, by goal.
  var measured: [(goal: String, title: String, rows: [Row])] {
    var groups: [(goal: String, title: String, rows: [Row])] = []
    for row in rows where row.result != nil {
      if groups.last?.goal != row.goal { groups.append((row.goal, row.title, [])) }
      groups[groups.count - 1].rows.append(row)
    }
    return groups
  }
}

extension RecordedRun.Row {
  /// Returns the least or greatest result that meets a requirement, as printed.
  func bound(_ value: Double) -> String { "\(better == .higher ? "≥" : "≤") \(Quantity.number(value))" }
}
