/// Values at the depth limit (E2): everything within the limit is written, and nothing below it.
extension Exporter {
  /// The part of an object that is below the limit.
  enum Misfit: Equatable {
    case object
    case attribute(Int)
  }

  /// The part of an object that is below the limit if the object is written here; nil if the object's values are within the limit,
  /// so only related objects can be below it.
  mutating func misfit(_ row: Row) -> Misfit? {
    let left = source.options.maxDepth - depth - 1
    if left < 0 { return .object }
    let entity = row.entity
    if layouts[entity].export.reach <= left { return nil }
    var level = 0
    for index in 0..<steps.count(entity) {
      let step = steps[entity] + index
      switch step.pointee.action {
      case .openGroup: level += 1
      case .closeGroup: level -= 1
      case .discriminator: if level > left { return .object }
      case .attribute:
        let slot = layouts[entity].slots + step.pointee.slot
        if !row.isSet(slot) {
          if step.pointee.discriminator != nil, level > left { return .attribute(step.pointee.slot) }
        } else if level > left || isTooDeep(row, slot, step.pointee.writing, left - level) {
          return .attribute(step.pointee.slot)
        }
      case .toOne, .toMany, .part, .reference, .unwritten, .shared: break
      }
    }
    return nil
  }

  /// Whether an attribute is a `json` value or a list that nests deeper than the given number of levels. The output of
  /// transformers is known only after they have run.
  mutating func isTooDeep(_ row: Row, _ slot: PlanReference<SlotPlan>, _ writing: ExportStep.Writing, _ levels: Int)
    -> Bool
  {
    guard slot.pointee.kind == .json else { return false }
    if writing == .joined { return false }
    if writing != .plain, writing != .checked || slot.pointee.elementType != nil {
      return slot.pointee.elementType != nil && levels < (writing == .wrapped ? 2 : 1)
    }
    return JSONNesting.exceeds(levels, state.pointee.texts.bytes(row[slot]))
  }

  func tooDeep(_ row: Row, _ misfit: Misfit) -> ExportError {
    let entity = source.plan.entities[row.entity]
    return switch misfit {
    case .object: tooDeep("an object of '\(entity.name)'")
    case .attribute(let slot): tooDeep("the value of '\(entity.name).\(entity.properties[slot].name)'")
    }
  }

  func tooDeep(_ what: String) -> ExportError {
    ExportError(
      code: .limitDepth,
      "\(what) is nested deeper than the limit of \(source.options.maxDepth) (\(source.options.words.maxDepth))",
      path: path(to: nil))
  }

  /// The step after the end of the object of a key path. The steps of the object begin at `first`.
  func groupEnd(_ first: Int, _ entity: Int) -> Int {
    var index = first
    var level = 1
    while level > 0 {
      switch steps[entity][index].action {
      case .openGroup: level += 1
      case .closeGroup: level -= 1
      default: break
      }
      index += 1
    }
    return index
  }

  /// A related object inside the object of a key path below the depth limit; nil if there is none. Only related objects can
  /// be lost, because the owner would not be written if the key path's object had attributes that are not nil.
  func objectInGroup(_ first: Int, _ end: Int, _ row: Row, _ frame: Frame) -> Omission? {
    for index in first..<end {
      let step = steps[frame.entity][index]
      guard step.action == .toOne || step.action == .toMany || step.action == .part, step.slot != frame.back else {
        continue
      }
      let slot = layouts[frame.entity].slots[step.slot]
      let target = slot.kind == .toOne ? reader.target(row, slot) : reader.targets(row, slot).first
      if let target {
        return Omission(reason: .depth, table: slot.destinationTable, row: target, slot: step.slot)
      }
    }
    return nil
  }

  /// Writes null for the object of a key path below the depth limit if nothing is lost by doing so, because everything that an
  /// import would read there is nil (I8). Otherwise, omits the object (E5).
  mutating func nullGroup(_ first: Int, _ end: Int, _ row: Row, _ frame: Frame) {
    guard !source.options.omitsNil, isNilGroup(first, end, row, frame) else { return }
    key(steps[frame.entity] + (first - 1))
    output.raw("null")
  }

  /// The step after the end of the object of a key path, if null can represent that object without loss (E7). An object that contains a
  /// list is not null.
  ///
  /// - Parameter first: the first step in the object.
  @inline(never)
  mutating func endOfNilGroup(_ first: Int, _ row: Row, _ frame: Frame) -> Int? {
    let end = groupEnd(first, frame.entity)
    for index in first..<end {
      let step = steps[frame.entity][index]
      switch step.action {
      case .discriminator, .toMany: return nil
      case .attribute where step.discriminator != nil || row.isSet(layouts[frame.entity].slots + step.slot): return nil
      default: break
      }
    }
    return isNilGroup(first, end, row, frame) ? end : nil
  }

  /// Whether everything that an import would read in a key path's object is nil.
  private mutating func isNilGroup(_ first: Int, _ end: Int, _ row: Row, _ frame: Frame) -> Bool {
    guard let slots = paths.groups.slots(first, end, steps[frame.entity], source.plan.entities[frame.entity]) else {
      return false
    }
    return slots.allSatisfy { number in
      let slot = layouts[frame.entity].slots[number]
      return switch slot.kind {
      case .toOne: reader.target(row, slot) == nil
      case .toMany: reader.count(row, slot) == 0
      default: !row.isSet(slot)
      }
    }
  }

  /// The JSON path (D7) of the next value, or of the value at an offset.
  func path(to place: Int?) -> String {
    let text = documentForPaths()
    return LentBytes.with(text) { bytes in
      JSONLocator.path(to: place.map { $0 + text.count - output.count } ?? bytes.count, in: bytes, maxDepth: .max)
    }
  }
}
