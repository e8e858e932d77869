import Foundation

extension Report {
  /// Returns the report as JSON.
  func json(_ options: Options) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let run = RecordedRun(
      megabytes: options.comparedSize, rounds: options.comparedRounds, faults: faults,
      rows: rows.map(RecordedRun.Row.init))
    return String(decoding: try encoder.encode(run), as: UTF8.self) + "\n"
  }
}

/// The form of a report that is written, and read again to present it.
struct RecordedRun: Codable {
  var megabytes: Int
  var rounds: Int
  var faults: [String]
  var rows: [Row]

  struct Row: Codable {
    var goal: String
    var title: String
    var measure: String
    var graft: Amount?
    var baseline: Amount?
    var result: Amount?
    var must: Double
    var strive: Double
    var better: Target.Better
    var verdict: Verdict

    init(_ row: graft_bench.Row) {
      goal = row.goal.rawValue
      title = row.goal.title
      measure = row.measure
      graft = row.graft.map(Amount.init)
      baseline = row.baseline.map(Amount.init)
      result = row.result.map(Amount.init)
      must = row.target.must
      strive = row.target.strive
      better = row.target.better
      verdict = row.verdict
    }
  }

  struct Amount: Codable, CustomStringConvertible {
    var value: Double
    var unit: String

    init(_ quantity: Quantity) {
      value = quantity.value
      unit = quantity.unit
    }

    var description: String { Quantity(value, unit).description }
  }
}
