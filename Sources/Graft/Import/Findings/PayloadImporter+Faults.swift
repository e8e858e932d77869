/// Faults of the payload: where they are, and the facts that they are worded from (I11). The words are those of
/// ``ImportFinding``; the place is an offset, and the reporter draws the rest.
extension PayloadImporter {
  /// Records a finding at a place in the payload.
  mutating func record(_ finding: ImportFinding, at offset: Int, length: Int = 1) {
    record(ImportFault(finding, at: offset, length: length))
  }

  /// Records a fault; when there are more than the limit, reading stops at the next value.
  mutating func record(_ fault: ImportFault) {
    faults.append(fault)
    faultMessages.insert(fault.finding.message)
    if fault.finding.code == .notJSON || fault.finding.code == .unresolvedIdentifier {
      refusedOffsets.insert(fault.offset)
    }
  }

  /// Stops reading when more faults were found than are wanted.
  @inline(__always)
  func stopIfEnough() throws(JSONSyntaxError) {
    if faults.isFull { throw scanner.failure(.stopped) }
  }

  // MARK: Facts

  func subject(_ field: UnsafeMutablePointer<FieldPlan>) -> ImportFinding.Subject {
    ImportFinding.Subject(entity: plan.entities[field.pointee.entity], property: property(field))
  }

  func property(_ field: UnsafeMutablePointer<FieldPlan>) -> PropertyPlan {
    plan.entities[field.pointee.entity].properties[field.pointee.slot]
  }

  /// The offset of a place in the text that is read.
  func offset(of place: UnsafePointer<UInt8>) -> Int {
    outerInputs.isEmpty ? place - scanner.start : outerInputs[0].offset
  }

  /// The bytes from a place to the scanner's position; what a dictionary transformer made is shown by its brace.
  func length(from start: UnsafePointer<UInt8>) -> Int {
    outerInputs.isEmpty ? max(1, scanner.position - start) : 1
  }

  /// Skips the value at the scanner's position and describes it.
  mutating func found() throws(JSONSyntaxError) -> (phrase: String, length: Int) {
    let start = scanner.position
    try scanner.skipValue()
    let length = scanner.position - start
    return (PayloadImporter.phrase(UnsafeBufferPointer(start: start, count: length)), outerInputs.isEmpty ? length : 1)
  }

  static func phrase(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    switch bytes.first {
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "an array"
    case UInt8(ascii: "t"): return "true"
    case UInt8(ascii: "f"): return "false"
    case UInt8(ascii: "n"): return "null"
    case UInt8(ascii: "\""):
      var scanner = JSONScanner(bytes, maxDepth: 1)
      var scratch = ScratchText()
      defer { scratch.free() }
      guard let raw = try? scanner.scanString() else { return "a string" }
      return FoundPhrase.string(scanner.text(of: raw, in: &scratch))
    default: return FoundPhrase.number(bytes)
    }
  }
}
