/// What lies below the depth limit (E2): all that lies within is written, nothing below.
extension Exporter {
  /// What of an object lies below.
  enum Misfit: Equatable {
    case object
    case attribute(Int)
  }

  /// What of an object lies below if it is written here: nil where its values lie within, so that only related objects can
  /// lie below.
  func misfit(_ base: UnsafeMutablePointer<UInt64>) -> Misfit? {
    let left = options.maxDepth - depth - 1
    if left < 0 { return .object }
    let entity = RowHeader.entity(base[0])
    if layouts[entity].reach <= left { return nil }
    var level = 0
    for index in 0..<stepCounts[entity] {
      let step = steps[entity] + index
      switch step.pointee.action {
      case .openGroup: level += 1
      case .closeGroup: level -= 1
      case .discriminator: if level > left { return .object }
      case .attribute:
        let slot = layouts[entity].slots + step.pointee.slot
        if base[slot.pointee.word] & slot.pointee.mask == 0 {
          if step.pointee.discriminator != nil, level > left { return .attribute(step.pointee.slot) }
        } else if level > left || isTooDeep(base, slot, step.pointee.writing, left - level) {
          return .attribute(step.pointee.slot)
        }
      case .toOne, .toMany: break
      }
    }
    return nil
  }

  /// Whether an attribute is a `json` value that nests deeper than a number of levels.
  func isTooDeep(
    _ base: UnsafeMutablePointer<UInt64>, _ slot: UnsafeMutablePointer<SlotPlan>, _ writing: ExportStep.Writing,
    _ levels: Int
  ) -> Bool {
    slot.pointee.kind == .json && writing == .plain
      && JSONNesting.exceeds(levels, state.pointee.texts.bytes(base[slot.pointee.cell]))
  }

  func tooDeep(_ base: UnsafeMutablePointer<UInt64>, _ misfit: Misfit) -> ExportError {
    let entity = plan.entities[RowHeader.entity(base[0])]
    return switch misfit {
    case .object: tooDeep("an object of '\(entity.name)'")
    case .attribute(let slot): tooDeep("the value of '\(entity.name).\(entity.properties[slot].name)'")
    }
  }

  func tooDeep(_ what: String) -> ExportError {
    ExportError(
      code: "limit-depth", "\(what) nests deeper than the limit of \(options.maxDepth) (\(options.words.maxDepth))",
      path: path(to: nil))
  }

  /// Passes over the keys of a key path's object that lies below: null, where there is nothing in it but nil (I8). Related
  /// objects in it are left out (E2). Gives the step behind it.
  mutating func skipGroup(_ first: Int, _ base: UnsafeMutablePointer<UInt64>, _ frame: Frame) -> Int {
    let steps = self.steps[frame.entity]
    var index = first
    var level = 1
    var isEmpty = true
    while level > 0 {
      let step = steps[index]
      index += 1
      switch step.action {
      case .openGroup: level += 1
      case .closeGroup: level -= 1
      // The object would not be written if they were not nil.
      case .attribute, .discriminator: break
      case .toOne, .toMany:
        let slot = layouts[frame.entity].slots[step.slot]
        let leads = slot.kind == .toOne ? reader.target(base, slot) != nil : reader.count(base, slot) > 0
        if leads || step.slot == frame.back { isEmpty = false }
      }
    }
    if isEmpty, !options.omitsNil {
      key(steps + first - 1)
      output.raw("null")
    }
    return index
  }

  /// The JSON path (D7) of what is written next, or of what was written at a place.
  func path(to place: Int?) -> String {
    output.bytes.withUnsafeBufferPointer { bytes in
      JSONLocator.path(to: place ?? bytes.count, in: bytes, maxDepth: .max)
    }
  }
}
