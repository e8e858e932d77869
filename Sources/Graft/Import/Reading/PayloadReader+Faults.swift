/// Faults of the payload: their locations, and the facts for their messages (I11). ``ImportFinding`` words the messages. The
/// location is an offset, and the reporter adds the rest.
extension PayloadReader {
  func subject(_ field: PlanReference<FieldPlan>) -> ImportFinding.Subject {
    ImportFinding.Subject(entity: plan.entities[field.pointee.entity], property: property(field))
  }

  func property(_ field: PlanReference<FieldPlan>) -> PropertyPlan {
    plan.entities[field.pointee.entity].properties[field.pointee.slot]
  }

  /// Returns the offset of a position in the text being read.
  func offset(of place: UnsafePointer<UInt8>) -> Int {
    texts.offset ?? place - scanner.start
  }

  /// Returns the number of bytes from a position to the scanner's. The result of a dictionary transformer is represented by its
  /// opening brace.
  func length(from start: UnsafePointer<UInt8>) -> Int {
    texts.isPayload ? max(1, scanner.position - start) : 1
  }

  /// The location of something in the text being read.
  typealias Spot = (offset: Int, length: Int)

  /// Returns the spot of the value that begins at a position and ends at the scanner's position.
  func spot(from start: UnsafePointer<UInt8>) -> Spot { (offset(of: start), length(from: start)) }

  /// Returns the spot of a key, including its quotes. If the key has escapes, returns the spot of its value, because the key is
  /// then read from a copy.
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
