/// Advice on strings that contain dates.
enum DateAdvice {
  /// Returns the reason why a string's date is not in the calendar, or nil if the date is in the calendar.
  static func reason(_ text: String) -> String? {
    let shape = shape(of: text)
    guard shape.hasPrefix("9999-99-99") else { return nil }
    if let reason = impossibleDay(text) { return reason }
    if let time = text.dropFirst(10).first, "T ".contains(time), let reason = impossibleTime(text.dropFirst(11)) {
      return reason
    }
    if let reason = impossibleOffset(text, shape) { return reason }
    return shape.wholeMatch(of: /9999-99-99[T ]99:99:99(\.9+)?(Z|[+-]99:99)/) != nil && microseconds(text) == nil
      ? "dates must be in the years 0000 to 9999 (UTC), and a leap second must be 23:59:60 UTC" : nil
  }

  private static func microseconds(_ text: String) -> Int64? { LentBytes.with(text) { DateText.microseconds($0) } }

  /// Returns whether a string is a date whose numbers are all zero, which services send in place of null.
  static func isOfZeros(_ text: String) -> Bool {
    shape(of: text).hasPrefix("9999-99-99") && text.unicodeScalars.allSatisfy { !("1"..."9").contains($0) }
  }

  /// Returns a pattern that reads a string, or nil if none is known.
  static func pattern(_ text: String) -> String? {
    guard text.utf8.count <= 40, let pattern = pattern(ofShape: shape(of: text)), let format = try? DateFormat(pattern),
      format.microseconds(text) != nil
    else { return nil }
    return pattern
  }

  /// Returns whether a pattern has a time without a time zone.
  static func isRead(asUTC pattern: String) -> Bool {
    pattern.contains("H") && !pattern.hasSuffix("Z") && !pattern.hasSuffix("X")
  }

  /// Returns an additional note about a pattern.
  static func note(on pattern: String) -> String { pattern == "MM/dd/yyyy" ? " (or dd/MM/yyyy)" : "" }

  /// Returns a string with every digit replaced by 9.
  private static func shape(of text: String) -> String {
    text.unicodeScalars.prefix(41).reduce(into: "") { $0 += ("0"..."9").contains($1) ? "9" : String($1) }
  }

  /// Returns the date pattern for strings of the given shape.
  private static func pattern(ofShape shape: String) -> String? {
    switch shape {
    case "9999-99-99": return "yyyy-MM-dd"
    case "9999/99/99": return "yyyy/MM/dd"
    case "99.99.9999": return "dd.MM.yyyy"
    case "99/99/9999": return "MM/dd/yyyy"
    case "99999999": return "yyyyMMdd"
    default:
      guard let match = shape.wholeMatch(of: /9999-99-99([T ])99:99(:99)?(\.9+)?( ?)(Z|[+-]99(?::?99)?)?/) else {
        return nil
      }
      let (_, separator, seconds, fraction, space, zone) = match.output
      var pattern = "yyyy-MM-dd"
      pattern += separator == "T" ? "'T'" : " "
      pattern += seconds == nil ? "HH:mm" : "HH:mm:ss"
      if let fraction { pattern += "." + String(repeating: "S", count: fraction.count - 1) }
      pattern += space
      switch zone.map({ $0.replacing("-", with: "+") }) {
      case nil: break
      case "+99": pattern += "X"
      case "+9999": pattern += "Z"
      default: pattern += "XXX"
      }
      return pattern
    }
  }

  /// Returns the reason why the time at the beginning of a string, `HH:mm:ss` or `HH:mm`, does not exist, or nil if it does.
  private static func impossibleTime(_ text: Substring) -> String? {
    let parts = text.prefix(8).split(separator: ":").compactMap { Int($0.prefix(2)) }
    for (part, (name, most)) in zip(parts, [("hours", 23), ("minutes", 59), ("seconds", 60)]) where part > most {
      return "\(name) are from 00 to \(min(most, 59))"
    }
    return nil
  }

  /// Returns the reason why the offset from UTC at the end of a string, `+HH:mm` or `-HH:mm`, does not exist, or nil if it does.
  private static func impossibleOffset(_ text: String, _ shape: String) -> String? {
    guard shape.hasSuffix("+99:99") || shape.hasSuffix("-99:99") else { return nil }
    let parts = text.suffix(5).split(separator: ":").compactMap { Int($0) }
    for (part, (name, most)) in zip(parts, [("hours", 23), ("minutes", 59)]) where part > most {
      return "the \(name) of an offset from UTC are from 00 to \(most)"
    }
    return nil
  }

  /// Returns the reason why the day at the beginning of a string, `yyyy-MM-dd`, does not exist, or nil if it does.
  private static func impossibleDay(_ text: String) -> String? {
    let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    let (year, month, day) = (parts[0], parts[1], parts[2])
    guard 1...12 ~= month else { return "there is no month \(text.dropFirst(5).prefix(2))" }
    let days = CivilDate.days(inMonth: month, of: year)
    if day == 0 { return "there is no day 00" }
    guard day > days else { return nil }
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    return "\(names[month - 1]) \(text.prefix(4)) has \(days) days"
  }
}
