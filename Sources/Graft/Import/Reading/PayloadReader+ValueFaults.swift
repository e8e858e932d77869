/// Values and keys that an attribute does not accept (M5, M11, T3).
extension PayloadReader {
  /// Refuses a value of a JSON type that the attribute does not accept.
  @inline(never)
  mutating func refuseType(
    _ field: PlanReference<FieldPlan>, _ byte: UInt8
  ) throws(JSONSyntaxError) -> Cell {
    if byte == UInt8(ascii: "n") {
      try scanner.literal(.null)
      return .null
    }
    let (start, position) = (offset, scanner.position)
    let found = try found()
    guard property(field).attribute != nil else { return .invalid }
    let bytes = LentBytes(start: position, count: scanner.position - position)
    log.record(.wrongType(subject(field), bytes, found: found.phrase), at: start, length: found.length)
    try log.stopIfFull()
    return .invalid
  }

  /// Refuses a value of the right JSON type that the attribute cannot hold. The scanner is after the value.
  @inline(never)
  mutating func refuseValue(
    _ field: PlanReference<FieldPlan>, at start: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) -> Cell {
    let bytes = LentBytes(start: start, count: scanner.position - start)
    guard property(field).attribute != nil else { return .invalid }
    let found = FoundPhrase.value(bytes)
    log.record(
      field.pointee.reading == .stringToInteger
        ? .unfitDigits(subject(field), bytes, field.pointee.range, found: found)
        : .unfitValue(subject(field), bytes, found: found),
      at: offset(of: start), length: length(from: start))
    try log.stopIfFull()
    return .invalid
  }

  mutating func refuseKey(
    _ key: LentBytes, _ field: PlanReference<FieldPlan>, at object: UnsafePointer<UInt8>
  ) {
    let spot = spot(ofKey: key, of: object)
    let isInteger = field.pointee.reading == .integer || field.pointee.reading == .stringToInteger
    log.record(
      .unfitKey(subject(field), key, isInteger ? field.pointee.range : nil), at: spot.offset, length: spot.length)
  }

  // MARK: Transformers

  mutating func refuseInput(
    _ field: PlanReference<FieldPlan>, _ value: JSON, _ error: TransformerInputError, at spot: Spot
  ) {
    log.record(
      .wrongTransformerInput(subject(field), expected: error.expected, value), at: spot.offset, length: spot.length)
  }

  mutating func refuseTransformed(
    _ field: PlanReference<FieldPlan>, _ transformer: ValueTransformer, _ result: AttributeValue,
    at spot: Spot
  ) {
    log.record(
      .wrongTransformerOutput(subject(field), transformer.name, result), at: spot.offset, length: spot.length)
  }

  mutating func refuseThrown(
    _ field: PlanReference<FieldPlan>, _ transformer: ValueTransformer, _ error: any Error,
    at spot: Spot
  ) {
    log.recordThrown(
      .transformerFailed(subject(field), transformer.name, error), error, at: spot.offset, length: spot.length)
  }
}
