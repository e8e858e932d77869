/// Advice on how a model could accept a value.
enum ImportAdvice {
  /// Advice on reading a value of another JSON type.
  ///
  /// - Parameters:
  ///   - bytes: the value.
  ///   - mayBeList: whether the attribute could be declared as a list.
  static func readingType(
    of bytes: some BidirectionalCollection<UInt8>, as type: AttributeType, mayBeList: Bool
  ) -> String? {
    let byte = bytes.first ?? 0
    let isString = byte == UInt8(ascii: "\"")
    let isNumber = byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    switch type {
    case .json: return nil
    case _ where byte == UInt8(ascii: "[") && mayBeList:
      return "for a list of such values, add \"list\": true; for any JSON value, use type 'json'; for other objects, "
        + "declare a relationship"
    case _ where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{"):
      return "for any JSON value, use type 'json'; for other objects, declare a relationship"
    case .integer16, .integer32, .integer64:
      return isString ? "to accept digits in a string, add \"JSONTransformerName\": \"StringToInteger\"" : nil
    case .float, .double: return isString ? add("StringToDouble") : nil
    case .decimal: return isString ? add("StringToDecimal") : nil
    case .date where isNumber:
      let number = JSONNumber(uncheckedText: String(decoding: bytes, as: UTF8.self)).double ?? 0
      let isSeconds = number.magnitude < Double(BuiltInTransformer.firstMilliseconds)
      return add(isSeconds ? "UnixTime" : "UnixTimeMilliseconds")
    case .date: return nil
    case .boolean: return isString ? add("StringToBoolean") : isNumber ? add("IntegerToBoolean") : nil
    case .string: return isString ? nil : add("Lenient")
    case .binary, .uuid, .uri: return nil
    }
  }

  /// Advice on reading a value of the right JSON type that is out of range, or has another format.
  static func reading(_ bytes: some BidirectionalCollection<UInt8>, as type: AttributeType) -> String? {
    switch type {
    case .integer16, .integer32, .integer64:
      let number = JSONNumber(uncheckedText: String(decoding: bytes, as: UTF8.self)).canonical
      if number.int64 != nil { return type == .integer64 ? nil : "'integer64' is large enough" }
      if case .small(let exponent) = number.exponent, exponent < 0 { return "for fractions, use 'double' or 'decimal'" }
      return nil
    case .date: return readingDate(String(decoding: bytes.dropFirst().dropLast().prefix(40), as: UTF8.self))
    default: return nil
    }
  }

  private static func readingDate(_ text: String) -> String? {
    if text.isEmpty {
      return "the text is empty; to read it as no value, omit the key, or register a transformer that returns nil"
    }
    // The text, with 9 for every digit.
    let shape = text.unicodeScalars.reduce(into: "") { $0 += ("0"..."9").contains($1) ? "9" : String($1) }
    if shape.hasPrefix("9999-99-99"), let reason = impossibleDay(text) { return reason }
    if shape.wholeMatch(of: /9999-99-99[T ]99:99:99(\.9+)?(Z|[+-]99:99)/) != nil {
      return impossibleTime(text.dropFirst(11))
        ?? "dates must be in the years 0000 to 9999 (UTC), and a leap second must be 23:59:60 UTC"
    }
    // Only what reads the text is advised.
    if let pattern = pattern(shape), let format = try? DateFormat(pattern), format.microseconds(text) != nil {
      let isUTC = pattern.contains("H") && !pattern.hasSuffix("Z") && !pattern.hasSuffix("X")
      return add("DateFormat(\(pattern))", isUTC ? " as UTC" : "")
        + (pattern == "MM/dd/yyyy" ? " (or dd/MM/yyyy)" : "")
    }
    if let time = text.dropFirst(10).first, "T ".contains(time), shape.hasPrefix("9999-99-99"),
      let reason = impossibleTime(text.dropFirst(11))
    {
      return reason
    }
    return "to read another format, add a transformer such as \"JSONTransformerName\": \"DateFormat(dd.MM.yyyy)\""
  }

  /// The pattern of a date format for texts of a shape, in which 9 stands for every digit.
  private static func pattern(_ shape: String) -> String? {
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

  /// The reason why no day has the time at the beginning of a text, `HH:mm:ss` or `HH:mm`; nil if it has.
  private static func impossibleTime(_ text: Substring) -> String? {
    let parts = text.prefix(8).split(separator: ":").compactMap { Int($0.prefix(2)) }
    for (part, (name, most)) in zip(parts, [("hours", 23), ("minutes", 59), ("seconds", 60)]) where part > most {
      return "\(name) are from 00 to \(min(most, 59))"
    }
    return nil
  }

  /// The reason why no calendar has the day of a text that begins with `yyyy-MM-dd`; nil if there is such a day.
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

  private static func add(_ transformer: String, _ how: String = "") -> String {
    "to read it\(how), add \"JSONTransformerName\": \"\(transformer)\""
  }
}
