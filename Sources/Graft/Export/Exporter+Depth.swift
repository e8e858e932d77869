/// What lies below the depth limit (E2): all that lies within is written, nothing below.
extension Exporter {
  /// What of an object lies below.
  enum Misfit: Equatable {
    case object
    case attribute(Int)
  }

  /// What of an object lies below if it is written here: nil where its values lie within, so that only related objects can
  /// lie below.
  mutating func misfit(_ row: Row) -> Misfit? {
    let left = source.options.maxDepth - depth - 1
    if left < 0 { return .object }
    let entity = row.entity
    if layouts[entity].reach <= left { return nil }
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
      case .toOne, .toMany: break
      }
    }
    return nil
  }

  /// Whether an attribute is a `json` value or a list that nests deeper than a number of levels. What transformers write is
  /// known when they have written it.
  mutating func isTooDeep(_ row: Row, _ slot: PlanReference<SlotPlan>, _ writing: ExportStep.Writing, _ levels: Int)
    -> Bool
  {
    guard slot.pointee.kind == .json else { return false }
    if writing != .plain { return slot.pointee.elementType != nil && levels < 1 }
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
      "\(what) nests deeper than the limit of \(source.options.maxDepth) (\(source.options.words.maxDepth))",
      path: path(to: nil))
  }

  /// The step after the end of a key path's object, whose steps begin at `first`.
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

  /// A related object that a key path's object below the depth limit leads to; nil if there is none. Nothing else can be lost:
  /// the owner would not be written if there were attributes in it that are not nil.
  func objectInGroup(_ first: Int, _ end: Int, _ row: Row, _ frame: Frame) -> Omission? {
    for index in first..<end {
      let step = steps[frame.entity][index]
      guard step.action == .toOne || step.action == .toMany, step.slot != frame.back else { continue }
      let slot = layouts[frame.entity].slots[step.slot]
      let target = slot.kind == .toOne ? reader.target(row, slot) : reader.targets(row, slot).first
      if let target {
        return Omission(reason: .depth, table: slot.destinationTable, row: target, slot: step.slot)
      }
    }
    return nil
  }

  /// Writes null for a key path's object below the depth limit if that says all there is: everything that an import would read
  /// there is nil (I8). Otherwise it is omitted (E5).
  mutating func nullGroup(_ first: Int, _ end: Int, _ row: Row, _ frame: Frame) {
    guard !source.options.omitsNil else { return }
    let steps = self.steps[frame.entity]
    let properties = source.plan.entities[frame.entity].properties
    guard let slot = (first..<end).lazy.map({ steps[$0].slot }).first(where: { $0 >= 0 }),
      let keys = properties[slot].exportedKeyPath?.keys
    else { return }
    var level = 0
    for index in 0..<first {
      level += steps[index].action == .openGroup ? 1 : steps[index].action == .closeGroup ? -1 : 0
    }
    let group = keys.prefix(level)
    for (slot, property) in properties.enumerated() {
      guard let path = property.keyPath,
        ([path] + property.keyPathAliases).contains(where: { $0.keys.count > level && $0.keys.starts(with: group) })
      else { continue }
      let plan = layouts[frame.entity].slots[slot]
      let isNil =
        switch plan.kind {
        case .toOne: reader.target(row, plan) == nil
        case .toMany: reader.count(row, plan) == 0
        default: !row.isSet(plan)
        }
      if !isNil { return }
    }
    key(steps + (first - 1))
    output.raw("null")
  }

  /// The JSON path (D7) of what is written next, or of what was written at a place.
  func path(to place: Int?) -> String {
    let text = documentForPaths()
    return LentBytes.with(text) { bytes in
      JSONLocator.path(to: place.map { $0 + text.count - output.count } ?? bytes.count, in: bytes, maxDepth: .max)
    }
  }
}
