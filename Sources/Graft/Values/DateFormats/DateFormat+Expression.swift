extension DateFormat {
  /// A regular expression, in the syntax of JSON Schema (ECMA-262), that matches every text in this format as a whole. It also matches days
  /// that do not exist. The value is nil if `DateFormatter` reads the format.
  package var expression: String? { fields?.map(\.expression).joined() }
}

extension DateField {
  fileprivate var expression: String {
    switch self {
    case .literal(let bytes): DateField.escaped(String(decoding: bytes, as: UTF8.self))
    case .year: "[0-9]{4}"
    case .month: "(?:0[1-9]|1[0-2])"
    case .day: "(?:0[1-9]|[12][0-9]|3[01])"
    case .hour: "(?:[01][0-9]|2[0-3])"
    case .hour12: "(?:0[1-9]|1[0-2])"
    case .minute, .second: "[0-5][0-9]"
    case .short(.day): "(?:3[01]|[12][0-9]|[1-9])"
    case .short(.hour): "(?:2[0-3]|1[0-9]|[0-9])"
    case .short: "(?:1[0-2]|[1-9])"
    case .fraction(let digits): "[0-9]{\(digits)}"
    case .monthName: DateField.alternatives(DateField.months)
    case .shortMonthName: DateField.alternatives(DateField.shortMonths)
    case .weekdayName: DateField.alternatives(DateField.weekdays)
    case .shortWeekdayName: DateField.alternatives(DateField.shortWeekdays)
    case .halfDay: DateField.alternatives(DateField.halfDays)
    case .offset(let hasColon, let isZ):
      "(?:\(isZ ? "Z|" : "")[+-](?:[01][0-9]|2[0-3])\(hasColon ? ":" : "")[0-5][0-9])"
    }
  }

  private static func alternatives(_ names: [[UInt8]]) -> String {
    "(?:" + names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|") + ")"
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if #"\^$.*+?()[]{}|/"#.unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
  }
}
