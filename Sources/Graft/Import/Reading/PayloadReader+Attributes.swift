/// Reads attributes (M5, D9): each value is read exactly, or reported as an error with a location.
extension PayloadReader {
  /// Reads the value at the scanner's position for an attribute. A value that does not fit is skipped and recorded as a fault.
  ///
  /// - Parameter expected: the row that the object probably describes.
  @inline(__always)
  mutating func readAttribute(
    _ field: PlanReference<FieldPlan>, _ expected: Row? = nil
  ) throws(JSONSyntaxError) -> Cell {
    let byte = scanner.peek
    switch field.pointee.reading {
    case .string:
      if byte == UInt8(ascii: "\"") {
        let start = scanner.position
        if let expected, let text = passText(expected[layouts[field.pointee.entity].slots + field.pointee.slot]) {
          try checkLength(text.count, at: start)
          return .expectedText(text)
        }
        let raw = try scanner.scanString()
        let text = scanner.text(of: raw, in: &scratch)
        try checkLength(text.count, at: start)
        return .text(text, isPlain: !raw.hasEscapes)
      }
    case .integer:
      if PayloadReader.isNumber(byte) {
        let start = scanner.position
        let number = try scanNumber()
        if let value = number.isShortInteger ? number.int64 : number.exactInt64, field.pointee.range.contains(value) {
          return .integer(value)
        }
        return try refuseValue(field, at: start)
      }
    case .stringToInteger:
      if byte == UInt8(ascii: "\"") {
        let start = scanner.position
        let raw = try scanner.scanString()
        let text = scanner.text(of: raw, in: &scratch)
        try checkLength(text.count, at: start)
        if let value = PayloadReader.integer(in: text), field.pointee.range.contains(value) {
          return .integer(value)
        }
        return try refuseValue(field, at: start)
      }
    case .double:
      if PayloadReader.isNumber(byte) {
        let start = scanner.position
        let number = try scanNumber()
        if let value = number.double { return .double(value) }
        return try refuseValue(field, at: start)
      }
    case .boolean:
      if byte == UInt8(ascii: "t") {
        try scanner.literal(.true)
        return .boolean(true)
      }
      if byte == UInt8(ascii: "f") {
        try scanner.literal(.false)
        return .boolean(false)
      }
    case .date:
      if byte == UInt8(ascii: "\"") {
        let start = scanner.position
        let raw = try scanner.scanString()
        let text = scanner.text(of: raw, in: &scratch)
        try checkLength(text.count, at: start)
        if let value = DateText.microseconds(text) { return .integer(value) }
        return try refuseValue(field, at: start)
      }
    default:
      return try readRareAttribute(field, byte)
    }
    return try refuseType(field, byte)
  }

  /// Moves past the string at the scanner's position if it is the text of a cell.
  @inline(__always)
  private mutating func passText(_ cell: UInt64) -> LentBytes? {
    let state = finder.editor.state
    guard state.pointee.texts.isPlain(cell) else { return nil }
    return scanner.pass(state.pointee.texts.bytes(cell))
  }

  @inline(__always)
  static func isNumber(_ byte: UInt8) -> Bool { byte &- 48 <= 9 || byte == UInt8(ascii: "-") }

  @inline(__always)
  mutating func scanNumber() throws(JSONSyntaxError) -> RawNumber {
    let number = try scanner.scanNumber()
    if number.count > options.limits.numberBytes {
      throw scanner.failure(.limit(.numberBytes, options.limits.numberBytes), at: number.base)
    }
    return number
  }

  @inline(__always)
  private mutating func textCell(
    _ text: LentBytes, at start: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) -> Cell {
    try checkLength(text.count, at: start)
    return .text(text)
  }

  /// Refuses a string that is longer than the limit (I15).
  @inline(__always)
  private func checkLength(_ count: Int, at start: UnsafePointer<UInt8>) throws(JSONSyntaxError) {
    guard count <= options.limits.stringBytes else {
      throw scanner.failure(.limit(.stringBytes, options.limits.stringBytes), at: start)
    }
  }

  /// Returns the integer in a string in the form that `StringToInteger` accepts: an optional minus sign and no leading zeros.
  @inline(__always)
  static func integer(in text: LentBytes) -> Int64? {
    let isNegative = text.count > 1 && text[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    let count = text.count - first
    guard count >= 1, count <= 19, text[first] != 48 || (count == 1 && !isNegative) else { return nil }
    var value: UInt64 = 0
    for index in first..<text.count {
      let digit = text[index] &- 48
      if digit > 9 { return nil }
      value = value &* 10 &+ UInt64(digit)
    }
    if isNegative { return value <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- value) : nil }
    return Int64(exactly: value)
  }

  @inline(never)
  private mutating func readRareAttribute(
    _ field: PlanReference<FieldPlan>, _ byte: UInt8
  ) throws(JSONSyntaxError) -> Cell {
    let start = scanner.position
    if byte == UInt8(ascii: "n") {
      try scanner.literal(.null)
      return .null
    }
    switch field.pointee.reading {
    case .float:
      guard PayloadReader.isNumber(byte) else { break }
      let number = try scanNumber()
      // Read the text, not the double, because rounding twice would not give the nearest value.
      if let value = Float(String(decoding: number.bytes, as: UTF8.self)), value.isFinite {
        return .double(Double(value))
      }
      return try refuseValue(field, at: start)
    case .decimal:
      guard PayloadReader.isNumber(byte) else { break }
      let number = try scanNumber()
      if let text = DecimalText.canonical(number.bytes) { return .text(scratch.copy(text)) }
      return try refuseValue(field, at: start)
    case .json:
      // An array or object is not repeatable, because the same text at a deeper level may exceed the depth limit.
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { open.forbidRepeats() }
      var compactor = JSONCompactor()
      guard try compactor.copy(&scanner, &scratch, limit: options.limits.stringBytes) else {
        throw scanner.failure(.limit(.stringBytes, options.limits.stringBytes), at: start)
      }
      return .text(scratch.copy(compactor.bytes))
    case .binary, .uuid, .uri:
      guard byte == UInt8(ascii: "\"") else { break }
      let raw = try scanner.scanString()
      let text = scanner.text(of: raw, in: &scratch)
      _ = try textCell(text, at: start)
      if let cell = PayloadReader.cell(of: text, field.pointee.reading, &scratch) { return cell }
      return try refuseValue(field, at: start)
    case .transformed:
      open.forbidRepeats()
      return try readTransformed(field)
    case .list:
      open.forbidRepeats()
      return try readList(field)
    case .guarded: return try passNull(field) ? .null : readAttribute(fields + field.pointee.inner)
    default:
      break
    }
    return try refuseType(field, byte)
  }

  /// Returns the cell of text that represents something other than a string.
  private static func cell(
    of text: LentBytes, _ reading: FieldPlan.Reading, _ scratch: inout ScratchText
  ) -> Cell? {
    switch reading {
    case .binary: return Base64Text.decode(text).map { .text(scratch.copy($0)) }
    case .uuid: return UUIDText.parse(text).map { .text(scratch.copy(CellEncoder.bytes(of: $0))) }
    case .uri:
      return URIText.isValid(text) ? .text(text) : nil
    default: return nil
    }
  }

  // MARK: Closures

  /// Passes a value to a transformer of the registry (T1, T3).
  private mutating func readTransformed(
    _ field: PlanReference<FieldPlan>
  ) throws(JSONSyntaxError) -> Cell {
    let start = scanner.position
    let known = ResultsAhead.Value(start: start, transformer: field.pointee.transformer, slot: field.pointee.slot)
    if texts.ahead.isUsed, let cell = texts.ahead.cell(of: known) {
      try scanner.skipValue()
      return cell
    }
    let value = try JSONBuilder.build(&scanner, &scratch, JSONTree.self)
    switch value {
    case .string(let text): try checkLength(text.utf8.count, at: start)
    case .number(let number):
      if number.text.utf8.count > options.limits.numberBytes {
        throw scanner.failure(.limit(.numberBytes, options.limits.numberBytes), at: start)
      }
    case .array, .object:
      // The value is treated as one string, without its white space.
      let limit = options.limits.stringBytes
      var text: [UInt8] = []
      if scanner.position - start > limit, !JSONWriter().append(value, to: &text, limit: limit) {
        throw scanner.failure(.limit(.stringBytes, limit), at: start)
      }
    case .null, .boolean: break
    }
    let cell = transform(value, field, at: spot(from: start))
    if cell.tag == .invalid { try log.stopIfFull() }
    texts.ahead.keep(cell, of: known)
    return cell
  }

  mutating func transform(
    _ value: JSON, _ field: PlanReference<FieldPlan>, at spot: Spot
  ) -> Cell {
    let transformer = plan.transformers[field.pointee.transformer]
    let slot = layouts[field.pointee.entity].slots[field.pointee.slot].element
    if field.pointee.keepsText, let cell = untransformedCell(value, slot) { return cell }
    do {
      let result = try log.context.activity.run(.valueTransformer(index: field.pointee.transformer)) {
        try transformer.forward(value)
      }
      log.recordRefusedCall(at: spot.offset, length: spot.length)
      guard let result else { return .null }
      if let cell = CellEncoder.cell(for: result, in: slot, keep: { scratch.copy($0) }) { return cell }
      refuseTransformed(field, transformer, result, at: spot)
    } catch let error as TransformerInputError {
      refuseInput(field, value, error, at: spot)
    } catch {
      refuseThrown(field, transformer, error, at: spot)
    }
    return .invalid
  }

  /// Returns the cell of a string that an attribute can read without its transformer, or nil for any other value.
  private mutating func untransformedCell(_ value: JSON, _ slot: SlotPlan) -> Cell? {
    guard case .string(let string) = value, !string.isEmpty else { return nil }
    let text = scratch.copy(Array(string.utf8))
    if slot.kind == .date { return DateText.microseconds(text).map { .integer($0) } }
    return PayloadReader.cell(of: text, .uri, &scratch)
  }

  // MARK: Keys

  /// Reads the key of an object as the attribute of `@key` (M11). A key is text, so an attribute of another type reads the value
  /// that the text represents.
  ///
  /// - Parameter start: the start of the object itself.
  mutating func readKey(
    _ key: LentBytes, _ field: PlanReference<FieldPlan>, at start: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) -> Cell {
    try checkLength(key.count, at: start)
    switch field.pointee.reading {
    case .integer, .float, .double, .decimal:
      if key.count > options.limits.numberBytes {
        throw scanner.failure(.limit(.numberBytes, options.limits.numberBytes), at: start)
      }
    default: break
    }
    switch field.pointee.reading {
    case .string: return try textCell(key, at: start)
    case .stringToInteger, .integer:
      if let value = PayloadReader.integer(in: key), field.pointee.range.contains(value) { return .integer(value) }
    case .boolean:
      if key.elementsEqual("true".utf8) { return .boolean(true) }
      if key.elementsEqual("false".utf8) { return .boolean(false) }
    case .decimal:
      if NumberText.isNumber(key), let text = DecimalText.canonical(key) {
        return .text(scratch.copy(text))
      }
    case .date:
      if let value = DateText.microseconds(key) { return .integer(value) }
    case .float:
      if NumberText.isNumber(key), let value = Float(String(decoding: key, as: UTF8.self)), value.isFinite {
        return .double(Double(value))
      }
    case .double:
      if NumberText.isNumber(key), let value = Double(String(decoding: key, as: UTF8.self)), value.isFinite {
        return .double(value)
      }
    case .binary, .uuid, .uri:
      if let cell = PayloadReader.cell(of: key, field.pointee.reading, &scratch) { return cell }
    case .transformed:
      let text = String(decoding: key, as: UTF8.self)
      let takesNumber = plan.transformers[field.pointee.transformer].builtIn == .integerToBoolean
      let number = takesNumber ? JSONNumber(text).map { JSON.number($0) } : nil
      return transform(number ?? .string(text), field, at: spot(ofKey: key, of: start))
    case .json:
      var text: [UInt8] = []
      JSONWriter.append(utf8: key, to: &text)
      return .text(scratch.copy(text))
    case .guarded:
      let isNull = plan.forms[field.pointee.forms].nulls.contains {
        $0.stringValue.map { LentBytes.with($0) { $0.elementsEqual(key) } } == true
      }
      return isNull ? .null : try readKey(key, fields + field.pointee.inner, at: start)
    case .list, .toOne, .toMany, .owned, .group, .skipped, .shaped, .parts, .spread: break
    }
    refuseKey(key, field, at: start)
    return .invalid
  }
}
