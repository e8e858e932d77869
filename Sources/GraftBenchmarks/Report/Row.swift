import Foundation

/// One line of the report.
struct Row {
  var goal: Goal
  /// The workload, or the name of another measurement.
  var measure: String
  var graft: Quantity?
  var baseline: Quantity?
  /// The number to judge: a ratio, or Graft's own number if there is no baseline.
  var result: Quantity?
  var target: Target

  var verdict: Verdict { target.verdict(result?.value) }
}

/// A number with its unit, as printed.
struct Quantity: CustomStringConvertible {
  var value: Double
  var unit: String

  init(_ value: Double, _ unit: String) {
    self.value = value
    self.unit = unit
  }

  /// Returns nil for nil, which means not measured.
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

  /// Formats a number with three digits, or more before the decimal point.
  static func number(_ value: Double) -> String {
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
    return String(format: "%.\(digits)f", value)
  }
}
