/// Objects, identifiers and lists that do not fit their relationship or their entity (I4, I5, I7).
extension PayloadReader {
  mutating func refuseIdentifier(
    _ entity: Int, _ field: PlanReference<FieldPlan>?
  ) throws(JSONSyntaxError) {
    let start = offset
    let isArray = scanner.peek == UInt8(ascii: "[")
    let isOutside = field.map { plan.entities[$0.pointee.entity].path(ofField: $0.pointee).surroundings != nil }
    let found = try found()
    log.record(
      .notAnIdentifier(
        plan.entities[entity], field.map { subject($0) }, isArray: isArray, isOutside: isOutside == true,
        found: found.phrase), at: start, length: found.length)
    try log.stopIfFull()
  }

  mutating func refuseIdentifierCount(_ entity: Int, _ count: Int, at start: Int) {
    log.record(.wrongIdentifierCount(plan.entities[entity], count), at: start)
  }

  mutating func refuseNilIdentifier(_ entity: Int, at start: Int) {
    log.record(.nilIdentifier(plan.entities[entity]), at: start)
  }

  // MARK: Lists

  mutating func refuseToMany(_ field: PlanReference<FieldPlan>) throws(JSONSyntaxError) -> Cell {
    let start = offset
    let isKeyed = layouts[field.pointee.destination].forms.keyField >= 0
    let isObject = scanner.peek == UInt8(ascii: "{")
    let found = try found()
    log.record(
      .notAList(subject(field), isKeyed: isKeyed, isObject: isObject, found: found.phrase), at: start,
      length: found.length)
    try log.stopIfFull()
    return .invalid
  }

  mutating func refuseKeyedElement(_ frame: ImportFrame) throws(JSONSyntaxError) {
    let start = offset
    let found = try found()
    log.record(.notAKeyedElement(plan.entities[frame.entity], found: found.phrase), at: start, length: found.length)
    try log.stopIfFull()
  }

  /// Refuses an array where one object was expected.
  mutating func refuseArray(_ entity: Int) throws(JSONSyntaxError) {
    let start = offset
    try scanner.skipValue()
    log.record(.arrayForOne(plan.entities[entity]), at: start)
  }

  // MARK: Entities

  mutating func refuseAbstract(_ entity: Int, at start: Int) {
    // A value that the mapper does not list is shown at its location.
    guard case .table(let path, let entities) = plan.entities[entity].mapper, texts.isPayload, scanner.offset == start,
      case .value(let place) = JSONLocator.find(path.keys, in: scanner)
    else { return log.refuseAbstract(entity, at: start) }
    var reader = scanner
    reader.move(to: place)
    let text = try? reader.peek == UInt8(ascii: "\"") ? reader.scanString() : nil
    let discriminator = text.map { String(decoding: reader.text(of: $0, in: &scratch), as: UTF8.self) }
    reader.move(to: place)
    try? reader.skipValue()
    let value = LentBytes(start: place, count: reader.position - place)
    log.record(
      .unlistedDiscriminator(
        plan.entities[entity], path, discriminator, legal: entities.discriminators, found: FoundPhrase.value(value)),
      at: offset(of: place), length: value.count)
  }
}
