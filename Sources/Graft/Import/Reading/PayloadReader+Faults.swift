/// Faults of the payload: where they are, and the facts that they are worded from (I11). ``ImportFinding`` words them; the
/// location is an offset, and the reporter adds the rest.
extension PayloadReader {
  func subject(_ field: PlanReference<FieldPlan>) -> ImportFinding.Subject {
    ImportFinding.Subject(entity: plan.entities[field.pointee.entity], property: property(field))
  }

  func property(_ field: PlanReference<FieldPlan>) -> PropertyPlan {
    plan.entities[field.pointee.entity].properties[field.pointee.slot]
  }

  /// The offset of a position in the text that is read.
  func offset(of place: UnsafePointer<UInt8>) -> Int {
    texts.offset ?? place - scanner.start
  }

  /// The bytes from an offset to the scanner's position; the result of a dictionary transformer is represented by its brace.
  func length(from start: UnsafePointer<UInt8>) -> Int {
    texts.isPayload ? max(1, scanner.position - start) : 1
  }

  /// Where something is in the text that is read.
  typealias Spot = (offset: Int, length: Int)

  /// The spot of the value that begins at a position and ends at the scanner's.
  func spot(from start: UnsafePointer<UInt8>) -> Spot { (offset(of: start), length(from: start)) }

  /// The spot of a key, including its quotes; that of its value if the key has escapes, because it is then read from a copy.
  func spot(ofKey key: LentBytes, of value: UnsafePointer<UInt8>) -> Spot {
    guard texts.isPayload, let start = key.baseAddress, start > texts.start, start < scanner.end else {
      return (offset(of: value), 1)
    }
    return (start - scanner.start - 1, key.count + 2)
  }

  /// Skips the value at the scanner's position and describes it.
  mutating func found() throws(JSONSyntaxError) -> (phrase: String, length: Int) {
    let found = try scanner.found()
    return (found.phrase, texts.isPayload ? found.length : 1)
  }
}
