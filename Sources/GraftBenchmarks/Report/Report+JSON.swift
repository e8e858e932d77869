import Foundation

extension Report {
  /// The report as JSON.
  func json(_ options: Options) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let form = Form(
      megabytes: options.comparedSize, rounds: options.comparedRounds, faults: faults, rows: rows.map(Form.Row.init))
    return String(decoding: try encoder.encode(form), as: UTF8.self) + "\n"
  }

  private struct Form: Encodable {
    var megabytes: Int
    var rounds: Int
    var faults: [String]
    var rows: [Row]

    struct Row: Encodable {
      var goal: String
      var title: String
      var measure: String
      var graft: Amount?
      var baseline: Amount?
      var result: Amount?
      var must: Double
      var strive: Double
      var better: String
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
        better = row.target.better.rawValue
        verdict = row.verdict
      }
    }

    struct Amount: Encodable {
      var value: Double
      var unit: String

      init(_ quantity: Quantity) {
        value = quantity.value
        unit = quantity.unit
      }
    }
  }
}
