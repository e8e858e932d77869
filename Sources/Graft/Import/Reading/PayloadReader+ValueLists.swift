/// Reads attributes that hold lists (M13).
extension PayloadReader {
  /// A list of values that is being read.
  struct OpenValueList {
    let field: PlanReference<FieldPlan>
    fileprivate var text = ListText()
    fileprivate var isInvalid = false
    /// Whether the last element was null.
    fileprivate var isNull = false

    init(_ field: PlanReference<FieldPlan>) { self.field = field }
  }

  /// Reads the array at the scanner's position, each element like a single value. If elements do not fit, each is recorded as a
  /// fault, and the list as a whole is refused.
  mutating func readList(_ field: PlanReference<FieldPlan>) throws(JSONSyntaxError) -> Cell {
    let start = scanner.position
    if scanner.peek == UInt8(ascii: "[") {
      var list = OpenValueList(field)
      try readEach(before: UInt8(ascii: "]")) { reader, _ throws(JSONSyntaxError) in
        try reader.readValue(of: &list)
        try reader.checkLength(of: list, at: start)
      }
      return close(list)
    }
    if let cell = try readOtherList(field, at: start) { return cell }
    let found = try found()
    log.record(.notAList(subject(field), found: found.phrase), at: offset(of: start), length: found.length)
    try log.stopIfFull()
    return .invalid
  }

  /// Reads the elements of an array, or the members of an object, calling a closure at the start of each.
  mutating func readEach(
    before end: UInt8, _ read: (inout PayloadReader, Int) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    try scanner.descend()
    scanner.advance()
    scanner.skipWhitespace()
    if scanner.peek == end {
      scanner.advance()
    } else {
      var index = 0
      repeat {
        try read(&self, index)
        index += 1
      } while try scanner.continues(before: end)
    }
    scanner.ascend()
  }

  /// Reads the value at the scanner's position as the next element.
  mutating func readValue(of list: inout OpenValueList) throws(JSONSyntaxError) {
    let element = fields + list.field.pointee.element
    let place = scanner.position
    append(try readAttribute(element), to: &list)
    if list.isNull {
      list.isNull = false
      try refuseNull(element, at: place)
    }
  }

  /// Returns the cell of a list whose elements have been read.
  mutating func close(_ list: OpenValueList) -> Cell {
    if list.isInvalid { return .invalid }
    let bytes = list.text.closed
    return .text(scratch.copy(bytes))
  }

  private mutating func append(_ cell: Cell, to list: inout OpenValueList) {
    let kind = layouts[list.field.pointee.entity].slots[list.field.pointee.slot].element.kind
    switch cell.tag {
    case .null: (list.isInvalid, list.isNull) = (true, true)
    case .invalid: list.isInvalid = true
    default: if !list.isInvalid { list.text.append(cell, kind) }
    }
  }

  /// Checks the length of a list, which is treated as one string without its white space.
  private func checkLength(of list: OpenValueList, at start: UnsafePointer<UInt8>) throws(JSONSyntaxError) {
    if list.text.bytes.count > options.limits.stringBytes {
      throw scanner.failure(.limit(.stringBytes, options.limits.stringBytes), at: start)
    }
  }

  /// Refuses an element that is null, or for which the transformer returned nil. The scanner is after the element.
  @inline(never)
  private mutating func refuseNull(
    _ field: PlanReference<FieldPlan>, at start: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) {
    let bytes = LentBytes(start: start, count: scanner.position - start)
    let isNull = start.pointee == UInt8(ascii: "n")
    log.record(
      .nullElement(subject(field), value: isNull ? nil : FoundPhrase.value(bytes)), at: offset(of: start),
      length: length(from: start))
    try log.stopIfFull()
  }

  // MARK: Other forms

  /// Reads a list that is not an array: one string with separators (T8), an object with the positions as keys, or a single
  /// element (M22). Returns nil if the attribute does not read such a form.
  private mutating func readOtherList(
    _ field: PlanReference<FieldPlan>, at start: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) -> Cell? {
    guard field.pointee.forms >= 0 else { return nil }
    let forms = plan.forms[field.pointee.forms]
    var list = OpenValueList(field)
    if let separator = forms.separator, scanner.peek == UInt8(ascii: "\"") {
      let raw = try scanner.scanString()
      let text = scanner.text(of: raw, in: &scratch)
      for part in BuiltInTransformer.parts(of: String(decoding: text, as: UTF8.self), separator) {
        try readPart(part, of: &list, at: start)
      }
    } else if !forms.isLenient {
      return nil
    } else if scanner.peek == UInt8(ascii: "{"), fields[field.pointee.element].reading != .json, isNumbered {
      try readEach(before: UInt8(ascii: "}")) { reader, index throws(JSONSyntaxError) in
        guard try reader.readNumber(index, of: field) else {
          list.isInvalid = true
          try reader.log.stopIfFull()
          return try reader.scanner.skipValue()
        }
        try reader.readValue(of: &list)
      }
    } else {
      try readValue(of: &list)
    }
    try checkLength(of: list, at: start)
    return close(list)
  }

  /// Reads a part of a string as an element. Like a key, the part is read as the value that it represents.
  private mutating func readPart(
    _ part: String, of list: inout OpenValueList, at start: UnsafePointer<UInt8>
  ) throws(JSONSyntaxError) {
    let element = fields + list.field.pointee.element
    let bytes = scratch.copy(Array(part.utf8))
    let (cell, found) = log.aside(limit: 1) {
      Result { () throws(JSONSyntaxError) in try readKey(bytes, element, at: start) }
    }
    append(try cell.get(), to: &list)
    if list.isNull {
      list.isNull = false
      try refuseNull(element, at: start)
    } else if found.faults.isEmpty {
      log.take(found)
    } else {
      log.record(
        .unfitPart(subject(element), part: FoundPhrase.quoted(bytes)), at: offset(of: start),
        length: length(from: start))
      try log.stopIfFull()
    }
  }
}
