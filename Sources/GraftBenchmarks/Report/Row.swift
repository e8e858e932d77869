import Foundation

/// One line of the report.
struct Row {
  var goal: Goal
  /// The workload, or what else was measured.
  var measure: String
  var graft: Quantity?
  var baseline: Quantity?
  /// The number that is judged: a ratio, or Graft's own where there is no other side.
  var result: Quantity?
  var target: Target

  var verdict: Verdict { target.verdict(result?.value) }
}

/// A number with its unit, as it is printed.
struct Quantity: CustomStringConvertible {
  var value: Double
  var unit: String

  init(_ value: Double, _ unit: String) {
    self.value = value
    self.unit = unit
  }

  /// nil stays nil: not measured.
  init?(_ value: Double?, _ unit: String) {
    guard let value else { return nil }
    self.init(value, unit)
  }

  static func throughput(_ document: Document, seconds: Double?) -> Quantity? {
    Quantity(seconds.map { document.megabytes / $0 }, "MB/s")
  }

  static func milliseconds(_ seconds: Double?) -> Quantity? { Quantity(seconds.map { $0 * 1000 }, "ms") }

  var description: String {
    let number = Quantity.number(value)
    return unit.isEmpty || unit == "x" || unit == "%" ? number + unit : "\(number) \(unit)"
  }

  /// Three digits, more only before the point.
  static func number(_ value: Double) -> String {
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
    return String(format: "%.\(digits)f", value)
  }
}
