/// Values that an attribute does not take (M5): what was expected, what was found, and the way out.
extension PayloadReader {
  /// A value of a JSON type that the attribute does not take.
  @inline(never)
  mutating func refuseType(
    _ field: UnsafeMutablePointer<FieldPlan>, _ byte: UInt8
  ) throws(JSONSyntaxError) -> Cell {
    if byte == UInt8(ascii: "n") {
      try scanner.literal(.null)
      return .null
    }
    let start = offset
    let found = try found()
    guard let attribute = property(field).attribute else { return .invalid }
    if let transformer = property(field).transformer {
      recordMismatch(field, transformer.input, found.phrase, at: start, length: found.length)
    } else {
      let advice = PayloadReader.advice(attribute.type, byte)
      recordMismatch(field, attribute.type.nounPhrase, found.phrase, advice, at: start, length: found.length)
    }
    try log.stopIfFull()
    return .invalid
  }

  /// A value of the right JSON type that the attribute cannot hold; the scanner is behind it.
  @inline(never)
  mutating func refuseValue(
    _ field: UnsafeMutablePointer<FieldPlan>, at start: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) -> Cell {
    let bytes = UnsafeBufferPointer(start: start, count: scanner.position - start)
    let phrase = PayloadReader.phrase(bytes)
    let place = offset(of: start)
    let length = texts.isPayload ? bytes.count : 1
    guard let attribute = property(field).attribute else { return .invalid }
    if field.pointee.reading == .stringToInteger {
      let range = field.pointee.range
      recordMismatch(
        field,
        "a string of digits, such as \"42\", without leading zeros, from \(range.lowerBound) to \(range.upperBound)",
        phrase, at: place, length: length)
    } else {
      let advice = PayloadReader.advice(attribute.type, bytes)
      recordMismatch(field, attribute.type.rangePhrase, phrase, advice, at: place, length: length)
    }
    try log.stopIfFull()
    return .invalid
  }

  private mutating func recordMismatch(
    _ field: UnsafeMutablePointer<FieldPlan>, _ expected: String, _ found: String, _ advice: String? = nil,
    at start: Int,
    length: Int
  ) {
    let property = property(field)
    var note = "'\(property.name)' is declared \(property.attribute?.type.rawValue ?? "") here"
    if let transformer = property.transformer {
      note = "'\(property.name)' is read by the transformer '\(transformer.name)' here"
    }
    log.record(
      ImportFault(
        offset: start, length: length, code: "wrong-type",
        message: "expected \(expected) for '\(name(field))', found \(found)",
        asks: (
          property.source, property.transformer == nil ? .type : .JSONTransformerName,
          note + (advice.map { "; \($0)" } ?? "")
        )))
  }

  // MARK: The way out

  /// What reads a value of another JSON type.
  private static func advice(_ type: AttributeType, _ byte: UInt8) -> String? {
    let isString = byte == UInt8(ascii: "\"")
    switch type {
    case .json: return nil
    case _ where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{"):
      return "type 'json' keeps any JSON value, and a relationship leads to other objects"
    case .integer16, .integer32, .integer64:
      return isString ? "to accept digits in a string, add \"JSONTransformerName\": \"StringToInteger\"" : nil
    case .float, .double: return isString ? reads("StringToDouble") : nil
    case .decimal: return isString ? reads("StringToDecimal") : nil
    case .date: return isNumber(byte) ? reads("UnixTime") : nil
    case .boolean: return isString ? reads("StringToBoolean") : isNumber(byte) ? reads("IntegerToBoolean") : nil
    case .string, .binary, .uuid, .uri: return nil
    }
  }

  /// What reads a value of the right JSON type that is out of range, or written in another way.
  private static func advice(_ type: AttributeType, _ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    switch type {
    case .integer16, .integer32, .integer64:
      let number = CanonicalNumber(bytes)
      if number.int64 != nil { return type == .integer64 ? nil : "'integer64' holds it" }
      if case .small(let exponent) = number.exponent, exponent < 0 { return "'double' and 'decimal' hold fractions" }
      return nil
    case .date: return dateAdvice(String(decoding: bytes.dropFirst().dropLast().prefix(40), as: UTF8.self))
    default: return nil
    }
  }

  private static func dateAdvice(_ text: String) -> String? {
    // The letters of a pattern for what the text has in their place.
    let shape = text.unicodeScalars.reduce(into: "") { $0 += ("0"..."9").contains($1) ? "9" : String($1) }
    switch shape {
    case "9999-99-99": return reads("DateFormat(yyyy-MM-dd)")
    case "9999/99/99": return reads("DateFormat(yyyy/MM/dd)")
    case "99.99.9999": return reads("DateFormat(dd.MM.yyyy)")
    case "99/99/9999": return reads("DateFormat(MM/dd/yyyy)") + " (or dd/MM/yyyy)"
    case "9999-99-99T99:99": return reads("DateFormat(yyyy-MM-dd'T'HH:mm)") + " as UTC"
    case "9999-99-99 99:99": return reads("DateFormat(yyyy-MM-dd HH:mm)") + " as UTC"
    case "9999-99-99T99:99:99": return reads("DateFormat(yyyy-MM-dd'T'HH:mm:ss)") + " as UTC"
    case "9999-99-99 99:99:99": return reads("DateFormat(yyyy-MM-dd HH:mm:ss)") + " as UTC"
    case _ where shape.hasPrefix("9999-99-99T99:99:99") || shape.hasPrefix("9999-99-99 99:99:99"):
      return "a date lies in the years 0000 to 9999 in UTC, and a leap second at 23:59:60 in UTC"
    default: return "a transformer such as \"JSONTransformerName\": \"DateFormat(dd.MM.yyyy)\" reads other forms"
    }
  }

  private static func reads(_ transformer: String) -> String {
    "the transformer \"JSONTransformerName\": \"\(transformer)\" reads it"
  }
}
