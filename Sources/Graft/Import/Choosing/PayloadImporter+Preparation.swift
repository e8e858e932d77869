/// What happens to a dictionary before its properties are read (I7): the dictionary transformer of the declared entity, the
/// mapper, the chosen sub-entity's own transformer. All of it reads the payload's own bytes.
extension PayloadImporter {
  /// Begins an object of an entity that has transformers, a mapper or sub-entities.
  @inline(never)
  mutating func openPrepared(
    _ declared: Int, field: Int, key: UnsafeBufferPointer<UInt8>?
  ) throws(JSONSyntaxError) -> Bool {
    let start = offset
    var isTransformed = false
    if let transformer = plan.entities[declared].dictionaryTransformer {
      switch try transform(with: transformer, plan.entities[declared]) {
      case .original: break
      case .another: isTransformed = true
      case .refused:
        try passOver(false)
        return false
      }
    }
    let answer: Answer
    do {
      answer = try ask(plan.entities[declared], at: start)
    } catch is Refusal {
      try passOver(isTransformed)
      return false
    } catch let error as JSONSyntaxError {
      throw error
    } catch {
      preconditionFailure("a mapper's error is recorded where it is thrown")
    }
    var entity = declared
    var isBare = false
    switch answer {
    case .entity(let chosen, let bare):
      entity = chosen
      isBare = bare
    case .none:
      if layouts[declared].hasSubentities { entity = try entityOfKnownObject(declared, key: key) }
    }
    // Its own, or one that it inherits from below the declared entity.
    if entity != declared, let transformer = plan.entities[entity].dictionaryTransformer,
      transformer.owner != plan.entities[declared].dictionaryTransformer?.owner
    {
      switch try transform(with: transformer, plan.entities[entity], isNested: isTransformed) {
      case .original: break
      case .another:
        isTransformed = true
        // What was read ahead stood in another dictionary.
        prefilled = nil
      case .refused:
        prefilled = nil
        try passOver(isTransformed)
        return false
      }
    }
    if layouts[entity].isAbstract {
      // What was read ahead of this object is no other object's.
      prefilled = nil
      refuseAbstract(entity, at: start)
      try passOver(isTransformed)
      return false
    }
    if layouts[entity].hasHooks, try !receive(entity, declared: declared, key: key) {
      prefilled = nil
      try passOver(isTransformed)
      return false
    }
    try pushObject(entity, field: field, key: key)
    frames.last.pointee.isTransformed = isTransformed
    if case .none = answer { frames.last.pointee.isUnanswered = true }
    frames.last.pointee.hasBareDiscriminator = isBare
    takePrefilled(entity)
    return true
  }

  /// Gives the identity values that were read ahead to the object that was opened.
  mutating func takePrefilled(_ entity: Int) {
    guard let known = prefilled else { return }
    for (slot, cell) in known where slot < layouts[entity].slotCount {
      cells[frames.last.pointee.cells + slot] = cell
    }
    frames.last.pointee.isPrefilled = true
    prefilled = nil
  }

  private mutating func passOver(_ isTransformed: Bool) throws(JSONSyntaxError) {
    try scanner.skipValue()
    if isTransformed { try leaveTransformed() }
    try stopIfEnough()
  }

  // MARK: Mappers

  enum Answer {
    case entity(Int, isBare: Bool)
    case none
  }

  /// The mapper's answer was refused; the fault is recorded.
  struct Refusal: Error {}

  private mutating func ask(_ declared: EntityPlan, at start: Int) throws -> Answer {
    switch declared.mapper {
    case nil:
      return .none
    case .table(let keyPath, let entities):
      guard case .value(let place) = JSONLocator.find(keyPath.keys, in: scanner, &ends) else { return .none }
      var reader = scanner
      reader.position = place
      guard let (text, isBare) = try discriminator(&reader), let entity = entities[text] else { return .none }
      // A mapper that is inherited may name entities beside this one: "hierarchy" is that of the declared entity (D4).
      guard isKind(entity, of: declared.index) else {
        let length = outerInputs.isEmpty ? reader.position - place : 1
        refuseAnswer(plan.entities[entity].name, declared, "the mapper", at: offset(of: place), length: length)
        throw Refusal()
      }
      return .entity(entity, isBare: isBare)
    case .closure(let name, let mapper):
      var reader = scanner
      let dictionary = try JSONBuilder.build(&reader, &scratch, JSONTree.self).foundationValue as? [String: Any] ?? [:]
      let answer: String?
      do {
        answer = try activity.run(.entityMapper(entity: declared.index)) { try mapper(dictionary) }
        if activity.pointee.refusedCall != nil { recordRefusedCall(at: start) }
      } catch {
        refuseThrown("the entity mapper '\(name)'", error, at: start, key: .entityMapperName, declared)
        throw Refusal()
      }
      guard let answer else { return .none }
      guard let entity = plan.entity(named: answer), entity.inherits(from: declared) else {
        refuseAnswer(answer, declared, "the entity mapper '\(name)'", at: start)
        throw Refusal()
      }
      return .entity(entity.index, isBare: false)
    }
  }

  /// A discriminator as text; numbers and booleans are compared by their JSON text (D4).
  private mutating func discriminator(_ reader: inout JSONScanner) throws(JSONSyntaxError) -> (String, Bool)? {
    let start = reader.position
    switch reader.peek {
    case UInt8(ascii: "\""):
      let raw = try reader.scanString()
      return (String(decoding: reader.text(of: raw, in: &scratch), as: UTF8.self), false)
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"):
      return nil
    default:
      try reader.skipValue()
      return (String(decoding: UnsafeBufferPointer(start: start, count: reader.position - start), as: UTF8.self), true)
    }
  }

  /// No answer: the object that the declared entity's identity finds says which entity it is (I7).
  mutating func entityOfKnownObject(
    _ declared: Int, key: UnsafeBufferPointer<UInt8>?
  ) throws(JSONSyntaxError) -> Int {
    let table = layouts[declared].table
    // Only a hierarchy in which an object of a sub-entity exists can answer in the mapper's place.
    guard layouts[declared].identitySpace >= 0, editor.state.pointee.tables[table].hasSubentityRows,
      let row = try readIdentityAhead(declared, key: key)
    else { return declared }
    let own = RowHeader.entity(editor.row(table, row)[0])
    return isKind(own, of: declared) ? own : declared
  }

  /// The row with the identity that the dictionary at the scanner's position says. The identity values are kept, so that no
  /// closure is called twice.
  mutating func readIdentityAhead(
    _ declared: Int, key: UnsafeBufferPointer<UInt8>?
  ) throws(JSONSyntaxError) -> UInt32? {
    let layout = layouts[declared]
    var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
    let place = scanner.position
    let depth = scanner.depth
    for index in 0..<layout.identityCount {
      let slot = layout.identitySlots[index]
      reading: for field in plan.entities[declared].fieldsOfSlot[slot] ?? [] {
        let path = plan.entities[declared].path(ofField: fields[field])
        if path.isObjectKey {
          guard let key else { continue }
          bySlot[slot] = try readKey(key, fields + field, at: scanner.position)
          break reading
        }
        if path.isElementValue {
          guard scanner.peek != UInt8(ascii: "{") else { continue }
          bySlot[slot] = try readAttribute(fields + field)
          scanner.position = place
          break reading
        }
        switch JSONLocator.find(path.keys, in: scanner, &ends) {
        case .absent: continue
        case .null:
          bySlot[slot] = .null
          break reading
        case .value(let found):
          scanner.position = found
          scanner.depth = depth + path.keys.count
          bySlot[slot] = scanner.peek == UInt8(ascii: "n") ? .null : try readAttribute(fields + field)
          scanner.position = place
          scanner.depth = depth
          break reading
        }
      }
    }
    prefilled =
      layout.identityCount == 0
      ? nil
      : (0..<layout.identityCount).map { index in
        (layout.identitySlots[index], bySlot[layout.identitySlots[index]])
      }
    return lookUp(declared, bySlot)
  }

  // MARK: Dictionary transformers

  /// What a dictionary transformer made of an object.
  private enum Transformed {
    case original
    /// Another object, from which reading goes on.
    case another
    /// It threw, or gave what is no JSON; the fault is recorded.
    case refused
  }

  /// Hands the object at the scanner's position to a dictionary transformer.
  private mutating func transform(
    with transformer: DictionaryTransformerPlan, _ entity: EntityPlan, isNested: Bool = false
  ) throws(JSONSyntaxError) -> Transformed {
    let start = offset
    var reader = scanner
    let dictionary =
      try JSONBuilder.build(&reader, &scratch, JSONTree.self).foundationValue as? [String: Any] ?? [:]
    let text: [UInt8]
    let limit = options.limits.bytes
    do {
      let result = try activity.run(.dictionaryTransformer(entity: entity.index)) {
        try transformer.transform(dictionary)
      }
      if activity.pointee.refusedCall != nil { recordRefusedCall(at: start) }
      guard let result else { return .original }
      guard let made = DictionaryPayload.text(ofTransformed: result, entity, plan, limit: limit) else {
        throw scanner.failure(.limit("bytes", limit))
      }
      // What is no JSON is named by its own path.
      _ = try JSON(foundation: result)
      text = made
    } catch let error as JSONSyntaxError {
      throw error
    } catch {
      refuseThrown("the dictionary transformer '\(transformer.name)'", error, at: start, key: nil, nil)
      return .refused
    }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    _ = copy.initialize(from: text)
    if isNested {
      // The first transformer's text is done with: the outer scanner stays where reading goes on.
      outerInputs[outerInputs.count - 1].text.deallocate()
      outerInputs[outerInputs.count - 1].text = copy
    } else {
      var outer = scanner
      outer.position = reader.position
      outerInputs.append(OuterInput(scanner: outer, ends: ends, offset: start, text: copy))
    }
    // The text is another one.
    ends = ContainerEnds()
    let depth = scanner.depth
    scanner = JSONScanner(UnsafeBufferPointer(copy), maxDepth: scanner.maxDepth)
    scanner.depth = depth
    return .another
  }

  /// Goes on behind the object that was transformed.
  mutating func leaveTransformed() throws(JSONSyntaxError) {
    guard let outer = outerInputs.popLast() else { return }
    scanner = outer.scanner
    ends = outer.ends
    outer.text.deallocate()
  }
}

extension EntityPlan {
  /// The key path, or alias, that a field was made from.
  func path(ofField field: FieldPlan) -> JSONKeyPath {
    let property = properties[field.slot]
    return field.rank == 0 ? property.keyPath ?? "" : property.keyPathAliases[field.rank - 1]
  }
}
