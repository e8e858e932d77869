/// Faults of the payload: what was expected, what was found, and which line of the model asks for it (I11). The place is an
/// offset; the reporter draws the rest.
extension PayloadReader {
  func name(_ field: UnsafeMutablePointer<FieldPlan>) -> String {
    let entity = plan.entities[field.pointee.entity]
    return "\(entity.name).\(entity.properties[field.pointee.slot].name)"
  }

  func property(_ field: UnsafeMutablePointer<FieldPlan>) -> PropertyPlan {
    plan.entities[field.pointee.entity].properties[field.pointee.slot]
  }

  /// The offset of a place in the text that is read.
  func offset(of place: UnsafePointer<UInt8>) -> Int {
    texts.offset ?? place - scanner.start
  }

  /// Passes the value at the scanner's position over and says what it is.
  mutating func found() throws(JSONSyntaxError) -> (phrase: String, length: Int) {
    let start = scanner.position
    try scanner.skipValue()
    let length = scanner.position - start
    return (PayloadReader.phrase(UnsafeBufferPointer(start: start, count: length)), texts.isPayload ? length : 1)
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

  // MARK: Closures

  mutating func refuseInput(
    _ field: UnsafeMutablePointer<FieldPlan>, _ transformer: ValueTransformer, _ value: JSON,
    _ error: TransformerInputError, at start: UnsafePointer<UInt8>
  ) {
    log.record(
      ImportFault(
        offset: offset(of: start), length: texts.isPayload ? max(1, scanner.position - start) : 1,
        code: "wrong-transformer-input",
        message: "expected \(error.expected) for '\(name(field))', found \(FoundPhrase.of(value))",
        asks: (
          property(field).source, .JSONTransformerName,
          "'\(property(field).name)' is read by the transformer '\(transformer.name)' here"
        )))
  }

  mutating func refuseTransformed(
    _ field: UnsafeMutablePointer<FieldPlan>, _ transformer: ValueTransformer, _ result: AttributeValue,
    at start: UnsafePointer<UInt8>
  ) {
    let type = property(field).attribute?.type ?? .json
    log.record(
      ImportFault(
        offset: offset(of: start), length: texts.isPayload ? max(1, scanner.position - start) : 1,
        code: "wrong-transformer-output",
        message:
          "the transformer '\(transformer.name)' gave \(FoundPhrase.of(result.jsonValue)), which '\(name(field))' cannot hold",
        asks: (property(field).source, .type, "'\(property(field).name)' is declared \(type.rawValue) here")))
  }

  mutating func refuseThrown(
    _ field: UnsafeMutablePointer<FieldPlan>, _ transformer: ValueTransformer, _ error: any Error,
    at start: UnsafePointer<UInt8>
  ) {
    log.note(error)
    let length = texts.isPayload ? max(1, scanner.position - start) : 1
    if let words = ProgramClosure.refusal(in: error) {
      log.recordReentrancy(words, at: offset(of: start), length: length)
      return
    }
    log.record(
      ImportFault(
        offset: offset(of: start), length: length, code: "transformer-failed",
        message: "the transformer '\(transformer.name)' of '\(name(field))' failed: \(error)",
        asks: (
          property(field).source, .JSONTransformerName,
          "'\(property(field).name)' is read by the transformer '\(transformer.name)' here"
        )))
  }

  // MARK: Keys

  mutating func refuseKey(
    _ key: UnsafeBufferPointer<UInt8>, _ field: UnsafeMutablePointer<FieldPlan>, at object: UnsafePointer<UInt8>
  ) {
    let property = property(field)
    let type = property.attribute?.type ?? .string
    // The key, quotes included; the value where the key holds escapes, for then it is read from a copy.
    var place = (offset: offset(of: object), length: 1)
    if texts.isPayload, let start = key.baseAddress, start > texts.start, start < scanner.end {
      place = (start - scanner.start - 1, key.count + 2)
    }
    let isInteger = field.pointee.reading == .integer || field.pointee.reading == .stringToInteger
    // What StringToInteger takes is text; a key is always text, so what counts is what it spells.
    let expected = isInteger ? AttributeType.integer64.nounPhrase : property.transformer?.input ?? type.nounPhrase
    let (reason, remark) = isInteger ? keyAdvice(key, property, field.pointee.range) : ("", nil)
    log.record(
      ImportFault(
        offset: place.offset, length: place.length, code: "wrong-type",
        message:
          "expected a key that spells \(expected) for '\(name(field))', found the key \(FoundPhrase.quoted(key))\(reason)",
        asks: (property.source, .JSONKeyPath, "'\(property.name)' is the key of its object (@key) here"),
        remarks: remark.map { [$0] } ?? []))
  }

  /// Why a key does not spell an integer, and what reads it.
  private func keyAdvice(
    _ key: UnsafeBufferPointer<UInt8>, _ property: PropertyPlan, _ range: ClosedRange<Int64>
  ) -> (reason: String, remark: String?) {
    let digits = key.first == UInt8(ascii: "-") ? key.dropFirst() : key[...]
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return ("", nil)
    }
    if digits.first == UInt8(ascii: "0"), digits.count > 1 {
      return (
        ", which has a leading zero",
        "to keep such keys as they are, declare '\(property.name)' with \"type\": \"string\""
      )
    }
    if digits.first == UInt8(ascii: "0") { return (", which is written \"0\"", nil) }
    return (", which is not from \(range.lowerBound) to \(range.upperBound)", nil)
  }

  @inline(never)
  mutating func refuseDuplicate(_ key: UnsafePointer<UInt8>) throws(JSONSyntaxError) {
    let start = offset(of: key)
    var reader = scanner
    reader.position = key
    let raw = try reader.scanString()
    log.record(
      ImportFault(
        offset: start, length: raw.count + 2, code: "duplicate-key",
        message: "the key \(FoundPhrase.quoted(reader.text(of: raw, in: &scratch))) occurs twice in one object"))
    try scanner.skipValue()
    try log.stopIfFull()
  }

  @inline(never)
  mutating func refuseUnknown(_ key: UnsafePointer<UInt8>) throws(JSONSyntaxError) {
    var reader = scanner
    reader.position = key
    let raw = try reader.scanString()
    let text = String(decoding: reader.text(of: raw, in: &scratch), as: UTF8.self)
    let frame = open.frames.last.pointee
    let entity = plan.entities[frame.entity]
    let group = groups[frame.group]
    let known = (group.first..<group.first + group.count).map {
      String(decoding: UnsafeBufferPointer(start: fields[$0].key, count: fields[$0].length - 1), as: UTF8.self)
    }
    log.record(
      ImportFault(
        offset: offset(of: key), length: raw.count + 2, code: "unknown-key",
        message: "the key \(FoundPhrase.quoted(text.utf8)) is not mapped by '\(entity.name)'",
        suggestion: Suggestion.nearest(to: text, among: known),
        asks: (entity.description.source, nil, "'\(entity.name)' is declared here")))
    try log.stopIfFull()
  }

  // MARK: Relationships

  mutating func refuseIdentifier(
    _ entity: Int, _ field: UnsafeMutablePointer<FieldPlan>?
  ) throws(JSONSyntaxError) {
    let start = offset
    let plan = plan.entities[entity]
    let isArray = scanner.peek == UInt8(ascii: "[")
    let found = try found()
    let identity = plan.identitySlots.map { "'\(plan.properties[$0].name)'" }
    let subject = field.map { " for '\(name($0))'" } ?? ""
    var remark: String? = nil
    if isArray, identity.count < 2, let field, property(field).relationship != nil {
      remark = "a relationship to several objects says \"toMany\": true"
    }
    let expected: String
    switch identity.count {
    case 0:
      expected = "an object"
      remark = "'\(plan.name)' has no identity attributes, so nothing but an object can stand for one"
    case 1: expected = isArray ? "an object or an identifier" : "an object or an identifier (\(identity[0]))"
    default:
      expected = "an object or an array of \(identity.count) identity values"
      remark = "'\(plan.name)' is identified by \(identity.joined(separator: ", ")), in this order"
    }
    log.record(
      ImportFault(
        offset: start, length: found.length, code: "wrong-type",
        message: "expected \(expected)\(subject), found \(found.phrase)",
        asks: field.map { asks($0) } ?? (plan.description.source, nil, "'\(plan.name)' is declared here"),
        remarks: remark.map { [$0] } ?? []))
    try log.stopIfFull()
  }

  private func asks(_ field: UnsafeMutablePointer<FieldPlan>) -> (DescriptionSource, ModelFileKey?, String) {
    let property = property(field)
    let isToMany = property.relationship?.isToMany ?? false
    return (
      property.source, isToMany ? .toMany : .destination,
      "'\(property.name)' is a \(isToMany ? "to-many" : "to-one") relationship to '\(property.relationship?.destinationName ?? "")' here"
    )
  }

  mutating func refuseIdentifierCount(_ entity: Int, _ count: Int, at start: Int) {
    let plan = plan.entities[entity]
    let names = plan.identitySlots.map { "'\(plan.properties[$0].name)'" }.joined(separator: ", ")
    log.record(
      ImportFault(
        offset: start, code: "wrong-identifier",
        message:
          "expected an array of \(plan.identitySlots.count) values (\(names)) to identify '\(plan.name)', found \(count)",
        asks: (plan.description.source, .identityAttributes, "the identity of '\(plan.name)' is declared here")))
  }

  mutating func refuseNilIdentifier(_ entity: Int, at start: Int) {
    let plan = plan.entities[entity]
    log.record(
      ImportFault(
        offset: start, code: "wrong-identifier",
        message: "expected an identifier of '\(plan.name)', found one that is null",
        asks: (plan.description.source, .identityAttributes, "the identity of '\(plan.name)' is declared here")))
  }

  mutating func refuseToMany(_ field: UnsafeMutablePointer<FieldPlan>) throws(JSONSyntaxError) -> Cell {
    let start = offset
    let isKeyed = layouts[field.pointee.destination].keyField >= 0
    let isObject = scanner.peek == UInt8(ascii: "{")
    let found = try found()
    log.record(
      ImportFault(
        offset: start, length: found.length, code: "wrong-type",
        message:
          "expected an array\(isKeyed ? " or an object of objects" : "") for the to-many '\(name(field))', found \(found.phrase)",
        asks: asks(field),
        remarks: isObject && !isKeyed
          ? ["an object whose values are the elements needs an attribute with \"JSONKeyPath\": \"@key\""] : []))
    try log.stopIfFull()
    return .invalid
  }

  mutating func refuseKeyedElement(_ frame: ImportFrame) throws(JSONSyntaxError) {
    let start = offset
    let found = try found()
    let entity = plan.entities[frame.entity]
    log.record(
      ImportFault(
        offset: start, length: found.length, code: "wrong-type",
        message: "expected an object for a '\(entity.name)' under its key, found \(found.phrase)",
        asks: (entity.description.source, nil, "'\(entity.name)' is declared here"),
        remarks: ["an attribute with \"JSONKeyPath\": \"@value\" reads an element that is no object"]))
    try log.stopIfFull()
  }

  mutating func refuseGroup(_ field: UnsafeMutablePointer<FieldPlan>, _ frame: ImportFrame) throws(JSONSyntaxError) {
    guard let first = try setInvalid(group: field.pointee.group, frame) else {
      try scanner.skipValue()
      return
    }
    let start = offset
    let found = try found()
    let inner = fields + first
    let path = plan.entities[frame.entity].path(ofField: inner.pointee)
    log.record(
      ImportFault(
        offset: start, length: found.length, code: "blocked-key-path",
        message: "expected an object on the key path '\(path)' of '\(name(inner))', found \(found.phrase)",
        asks: (property(inner).source, .JSONKeyPath, "the key path of '\(property(inner).name)' is given here")))
    try log.stopIfFull()
  }

  /// An array where one object was asked for.
  mutating func refuseArray(_ entity: Int) throws(JSONSyntaxError) {
    let start = offset
    try scanner.skipValue()
    log.record(
      ImportFault(
        offset: start, code: "wrong-type",
        message: "expected an object or an identifier of '\(plan.entities[entity].name)', found an array",
        remarks: ["objects(fromJSON:in:) reads arrays"]))
  }

  // MARK: Entities

  mutating func refuseAbstract(_ entity: Int, at start: Int) {
    let entity = plan.entities[entity]
    if case .table(let path, let entities) = entity.mapper {
      let names = entities.keys.sorted()
      let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
      // A value that the mapper does not list is shown where it stands.
      if texts.isPayload, scanner.offset == start, case .value(let place) = JSONLocator.find(path.keys, in: scanner)
      {
        var reader = scanner
        reader.position = place
        let text = try? reader.peek == UInt8(ascii: "\"") ? reader.scanString() : nil
        let near = text.flatMap {
          Suggestion.nearest(to: String(decoding: reader.text(of: $0, in: &scratch), as: UTF8.self), among: names)
        }
        reader.position = place
        try? reader.skipValue()
        let value = UnsafeBufferPointer(start: place, count: reader.position - place)
        log.record(
          ImportFault(
            offset: offset(of: place), length: value.count, code: "abstract-entity",
            message:
              "expected one of \(list) to say which '\(entity.name)' this is, found \(PayloadReader.phrase(value))",
            suggestion: near,
            asks: (entity.description.source, .entityMapper, "'\(entity.name)' is mapped to its sub-entities here")))
        return
      }
    }
    log.refuseAbstract(entity.index, at: start)
  }
}
