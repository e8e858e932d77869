/// Objects, identifiers and lists that do not fit their relationship or their entity (I4, I5, I7).
extension PayloadImporter {
  mutating func refuseIdentifier(
    _ entity: Int, _ field: UnsafeMutablePointer<FieldPlan>?
  ) throws(JSONSyntaxError) {
    let start = offset
    let isArray = scanner.peek == UInt8(ascii: "[")
    let found = try found()
    record(
      .notAnIdentifier(plan.entities[entity], field.map { subject($0) }, isArray: isArray, found: found.phrase),
      at: start, length: found.length)
    try stopIfEnough()
  }

  mutating func refuseIdentifierCount(_ entity: Int, _ count: Int, at start: Int) {
    record(.wrongIdentifierCount(plan.entities[entity], count), at: start)
  }

  mutating func refuseNilIdentifier(_ entity: Int, at start: Int) {
    record(.nilIdentifier(plan.entities[entity]), at: start)
  }

  // MARK: Lists

  mutating func refuseToMany(_ field: UnsafeMutablePointer<FieldPlan>) throws(JSONSyntaxError) -> Cell {
    let start = offset
    let isKeyed = layouts[field.pointee.destination].keyField >= 0
    let isObject = scanner.peek == UInt8(ascii: "{")
    let found = try found()
    record(
      .notAList(subject(field), isKeyed: isKeyed, isObject: isObject, found: found.phrase), at: start,
      length: found.length)
    try stopIfEnough()
    return .invalid
  }

  mutating func refuseKeyedElement(_ frame: ImportFrame) throws(JSONSyntaxError) {
    let start = offset
    let found = try found()
    record(.notAKeyedElement(plan.entities[frame.entity], found: found.phrase), at: start, length: found.length)
    try stopIfEnough()
  }

  /// An array where one object was asked for.
  mutating func refuseArray(_ entity: Int) throws(JSONSyntaxError) {
    let start = offset
    try scanner.skipValue()
    record(.arrayForOne(plan.entities[entity]), at: start)
  }

  /// A collection of several where one object was asked for.
  mutating func refuseMany(_ entity: Int) { record(.severalForOne(plan.entities[entity], roots.count), at: 0) }

  // MARK: Entities

  /// - Parameter start: the discriminator's value; the brace for a closure, which may have looked at anything.
  mutating func refuseAnswer(
    _ answer: String, _ declared: EntityPlan, mapper: String?, at start: Int, length: Int = 1
  ) {
    let legal = declared.concreteAndSubentities.map { plan.entities[$0].name }
    record(.wrongEntity(answer, declared, mapper: mapper, legal: legal), at: start, length: length)
  }

  mutating func refuseEntity(_ own: Int, expected: Int, at start: Int) {
    record(.entityConflict(plan.entities[own], expected: plan.entities[expected]), at: start)
  }

  mutating func refuseAbstract(_ entity: Int, at start: Int) {
    let entity = plan.entities[entity]
    guard case .table(let path, let entities) = entity.mapper else {
      return record(.abstractEntity(entity, mapper: nil), at: start)
    }
    let legal = entities.keys.sorted()
    // A value that the mapper does not list is shown where it is.
    guard outerInputs.isEmpty, scanner.offset == start,
      case .value(let place) = JSONLocator.find(path.keys, in: scanner)
    else { return record(.abstractEntity(entity, mapper: (path, legal)), at: start) }
    var reader = scanner
    reader.position = place
    let text = try? reader.peek == UInt8(ascii: "\"") ? reader.scanString() : nil
    let discriminator = text.map { String(decoding: reader.text(of: $0, in: &scratch), as: UTF8.self) }
    reader.position = place
    try? reader.skipValue()
    let value = UnsafeBufferPointer(start: place, count: reader.position - place)
    record(
      .unlistedDiscriminator(entity, path, discriminator, legal: legal, found: PayloadImporter.phrase(value)),
      at: offset(of: place), length: value.count)
  }
}
