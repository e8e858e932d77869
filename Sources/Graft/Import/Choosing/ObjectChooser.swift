/// Determines the entity of an object, and the text to read, before its members are read (I7): the dictionary transformer of the
/// declared entity, the mapper, the chosen sub-entity's own transformer, the stored object with the same identity, and the hooks of
/// its class. All of these read the payload's own bytes.
struct ObjectChooser {
  /// How to treat a value, decided at its beginning.
  enum Choice {
    case object(ChosenObject)
    /// The value only refers to an object (M21), whose row or waiting identifier replaces the value.
    case reference(UInt32)
    /// A hook, the mapper or synchronization keys skip the value. The row of its object, or a waiting identifier, replaces the value (D13).
    case skipped(standIn: UInt32?)
    /// The value is refused; the fault is recorded.
    case refused
  }

  let context: ManagedObjectContext
  let log: FaultLog
  /// Dictionaries that were skipped by hooks, by a mapper, or because the stored object is not older.
  private(set) var skips: [Skip] = []
  private var synchronizer: Synchronizer
  /// The object that the payload is merged onto (I23).
  var target: MergeTarget?

  /// The objects that the payload marks as deleted, in payload order.
  var deletions: [MarkedDeletion] { synchronizer.deletions }

  private var plan: Plan { context.model.plan }

  init(_ context: ManagedObjectContext, _ log: FaultLog) {
    self.context = context
    self.log = log
    synchronizer = Synchronizer(log)
  }

  /// Decides what is read from the scanner's position. Everything else is skipped.
  mutating func choose(
    _ opening: PayloadReader.Opening, _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) -> Choice {
    var object = ChosenObject(opening.entity)
    let choice =
      try opening.isElementValue
      ? chooseElement(opening, &object, &reader) : chooseObject(opening, &object, &reader)
    if case .object = choice { return .object(object) }
    try reader.skipValue(isTransformed: object.isTransformed)
    return choice
  }

  /// Decides how to treat a dictionary.
  private mutating func chooseObject(
    _ opening: PayloadReader.Opening, _ object: inout ChosenObject, _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) -> Choice {
    let declared = plan.entities[opening.entity]
    let start = reader.offset
    if let transformer = declared.dictionaryTransformer {
      guard try transform(with: transformer, declared, &object, &reader) else { return .refused }
    }
    switch try MapperCaller(log).entity(declared, &reader) {
    case .entity(let entity, let isBare):
      object.entity = entity
      object.isUnanswered = false
      object.hasBareDiscriminator = isBare
    case .unknown: try findEntity(opening, &object, &reader)
    case .skipped:
      if try reader.refuseRepeatedKey(declared.index) { return .refused }
      skips.append(Skip(entity: declared.index, name: declared.name, offset: reader.offset))
      return .skipped(standIn: KnownObject(&object, opening, &reader, log).standIn(object, opening, &reader))
    case .refused: return .refused
    }
    if reader.mayRefer(opening), let reference = try reader.readReference(&object, opening) {
      return reference.map { .reference($0) } ?? .refused
    }
    // The entity's own transformer, or a transformer inherited from an entity below the declared entity.
    let entity = plan.entities[object.entity]
    if entity !== declared, let transformer = entity.dictionaryTransformer,
      transformer.owner != declared.dictionaryTransformer?.owner
    {
      guard try transform(with: transformer, entity, &object, &reader) else { return .refused }
    }
    return try receive(opening, &object, &reader, at: start)
  }

  /// Decides how to treat an element of a keyed collection that is not a dictionary. No transformer or mapper can give an answer
  /// for such an element.
  private mutating func chooseElement(
    _ opening: PayloadReader.Opening, _ object: inout ChosenObject, _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) -> Choice {
    try findEntity(opening, &object, &reader)
    return try receive(opening, &object, &reader, at: reader.offset)
  }

  /// If there is no answer, the object found by the declared entity's identity determines the entity (I7).
  private func findEntity(
    _ opening: PayloadReader.Opening, _ object: inout ChosenObject, _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) {
    let layout = plan.layouts[opening.entity]
    // Only a hierarchy in which an object of a sub-entity exists can replace the mapper's answer. An object refused for lack of an
    // answer has the same faults, regardless of the stored objects.
    guard layout.hasSubentities, layout.identity.space >= 0,
      layout.isAbstract || context.state.tables[layout.table].hasSubentityRows || context.binding?.isWhole == false,
      let ahead = try reader.readIdentity(of: opening.entity, key: opening.key, field: opening.field)
    else { return }
    object.identity = ahead.identity
    guard let row = ahead.row else { return }
    let own = context.state.row(layout.table, row).entity
    if reader.finder.isKind(own, of: opening.entity) { object.entity = own }
  }

  private mutating func receive(
    _ opening: PayloadReader.Opening, _ object: inout ChosenObject, _ reader: inout PayloadReader, at start: Int
  ) throws(JSONSyntaxError) -> Choice {
    if plan.layouts[object.entity].reading.isReadAtOnce { return .object(object) }
    var known: KnownObject?
    if plan.layouts[object.entity].reading.isSynchronized {
      var found = KnownObject(&object, opening, &reader, log)
      let target = reader.isInObject ? nil : self.target
      if let target { found.aim(at: target.row) }
      let marked = synchronizer.deletions.count
      switch try synchronizer.receive(&object, &found, opening, &reader) {
      case .wanted: known = found
      case .refused: return .refused
      case .skipped(let standIn):
        target?.isMet = true
        // Whether a mark deletes an object is decided only at the end of the payload.
        if synchronizer.deletions.count == marked { noteSkip(of: object, found, reader) }
        return .skipped(standIn: standIn)
      }
    }
    if plan.layouts[object.entity].isAbstract {
      reader.refuseAbstract(object.entity, at: start)
      return .refused
    }
    guard plan.layouts[object.entity].reading.hasHooks else {
      try known?.record()
      return .object(object)
    }
    switch try HookCaller(context, log).receive(opening, &object, known, &reader) {
    case .wanted: return .object(object)
    case .refused: return .refused
    case .skipped(let row):
      skips.append(Skip(entity: object.entity, name: plan.entities[object.entity].name, offset: reader.offset))
      return .skipped(standIn: row)
    }
  }

  /// Records a skipped dictionary that is not newer than its object, with the object's name if the report lists it.
  private mutating func noteSkip(of object: ChosenObject, _ known: KnownObject, _ reader: PayloadReader) {
    var name = plan.entities[object.entity].name
    if reader.options.reportsDetails, let row = known.row {
      name = GraphNames(context.state, plan).name(plan.layouts[object.entity].table, row)
    }
    skips.append(Skip(entity: object.entity, name: name, offset: reader.offset))
  }

  // MARK: Dictionary transformers

  /// Passes the object at the scanner's position to a dictionary transformer, and continues in the object that it returns.
  /// Returns false if the transformer threw, or returned a value that is not JSON; in that case, the fault is recorded.
  private func transform(
    with transformer: DictionaryTransformerPlan, _ entity: EntityPlan, _ object: inout ChosenObject,
    _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) -> Bool {
    let start = reader.offset
    let ahead = try reader.readValueAhead()
    let dictionary = ahead.value.foundationValue as? [String: Any] ?? [:]
    let limit = reader.options.limits.bytes
    let text: [UInt8]?
    do {
      let result = try context.activity.run(.dictionaryTransformer(entity: entity.index)) {
        try transformer.transform(dictionary)
      }
      log.recordRefusedCall(at: start)
      guard let result else { return true }
      text = DictionaryPayload.text(ofTransformed: result, entity, plan, limit: limit)
      // A value that is not JSON is reported with its own path.
      if text != nil { _ = try JSON(foundation: result) }
    } catch {
      log.recordThrown(.dictionaryTransformerFailed(transformer.name, entity, error), error, at: start)
      return false
    }
    guard let text else { throw reader.scanner.failure(.limit(.bytes, limit)) }
    reader.enterTransformed(text, end: ahead.end, replacing: object.isTransformed)
    object.isTransformed = true
    // The values that were read ahead belong to the original dictionary, which was replaced.
    object.identity = nil
    return true
  }
}
