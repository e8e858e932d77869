/// Writing references in several keys (M24) that share keys with other properties, or with each other.
///
///     "shop": attribute at "shop_id"          {"shop_id": 4, "sku": "A"}
///     "product": shop_id and sku              only if the product's shop is 4; otherwise 'sku' is left out
///
/// All keys of such a reference have the values of its object, as an import reads them, or it is left out. One that has no key of its own
/// cannot be left out: if the others write another object's values, the export fails.
struct SharedKeys {
  /// A reference that shares keys.
  struct Reference {
    var slot: Int
    var keys: [Key]
  }

  /// A key of a reference.
  struct Key {
    var path: [String]
    /// The index of the identity value of the reference's object; -1 for the key of the mapper.
    var part: Int
    /// The step of another property that writes the key, or an object around it; nil if only references do.
    var writer: Int?
  }

  /// What is written for an object.
  struct Settlement {
    var row: Row
    /// The slots of the references that are written.
    var kept: Set<Int> = []
    /// The steps of other properties on which they depend.
    var writers: Set<Int> = []
    /// The slots of references that an import would read as others than they are.
    var misread: Set<Int> = []
  }

  /// By entity.
  private var known: [Int: [Reference]] = [:]
  /// By the number of open frames. The steps of an object must agree, and there may be others between them.
  private var settlements: [Int: Settlement] = [:]

  func settlement(of row: Row, frames: Int) -> Settlement? {
    settlements[frames].flatMap { $0.row == row ? $0 : nil }
  }

  mutating func keep(_ settlement: Settlement, frames: Int) { settlements[frames] = settlement }

  /// Forgets the innermost object.
  mutating func endObject(frames: Int) { settlements[frames] = nil }

  mutating func references(
    of entity: EntityPlan, _ plan: Plan, _ steps: PlanReference<ExportStep>, _ count: Int
  ) -> [Reference] {
    if let known = known[entity.index] { return known }
    let writers = (0..<count).compactMap { index -> (index: Int, path: [String])? in
      if steps[index].action == .part { return nil }
      return SharedKeys.path(of: steps[index], entity, plan).map { (index, $0) }
    }
    let references = (0..<count).filter { steps[$0].action == .reference }.map { index in
      let slot = steps[index].slot
      return Reference(
        slot: slot,
        keys: SharedKeys.parts(of: slot, entity, plan).map { path, part in
          Key(path: path, part: part, writer: writers.first { path.starts(with: $0.path) }?.index)
        })
    }
    known[entity.index] = references
    return references
  }

  /// The keys of what a step writes; nil if it writes nothing, or only brackets.
  static func path(of step: ExportStep, _ entity: EntityPlan, _ plan: Plan) -> [String]? {
    switch step.action {
    case .openGroup, .closeGroup, .reference, .shared: return nil
    case .part: return parts(of: step.slot, entity, plan).first { $0.part == step.part }?.path
    case .attribute, .discriminator, .toOne, .toMany: break
    }
    if step.slot >= 0 { return entity.properties[step.slot].exportedKeyPath?.keys }
    guard step.discriminator != nil, case .table(let path, _)? = entity.mapper else { return nil }
    return path.keys
  }

  /// The key paths of a reference with the identity values that they have.
  private static func parts(of slot: Int, _ entity: EntityPlan, _ plan: Plan) -> [(path: [String], part: Int)] {
    guard let relationship = entity.properties[slot].relationship,
      let destination = plan.entity(named: relationship.destinationName)
    else { return [] }
    let names = destination.identitySlots.map { destination.properties[$0].name }
    return relationship.identifierKeyPaths.map { ($0.keyPath.keys, names.firstIndex(of: $0.name) ?? -1) }
  }
}

extension Exporter {
  /// Writes a key that several references may need: the value of the first that is written.
  mutating func sharedPart(
    _ step: PlanReference<ExportStep>, _ row: Row, _ back: Int
  ) throws(ExportError) {
    let entity = source.plan.entities[row.entity]
    guard let path = SharedKeys.path(of: step.pointee, entity, source.plan) else { return }
    let kept = settlement(of: row, back).kept
    for reference in references(of: entity) where kept.contains(reference.slot) {
      guard let key = reference.keys.first(where: { $0.path == path }) else { continue }
      var step = step.pointee
      (step.slot, step.part) = (reference.slot, key.part)
      _ = try part(step, row, layouts[row.entity].slots + reference.slot)
      return
    }
    if writesNull(path, row, back) {
      key(step)
      output.raw("null")
    }
  }

  /// The object of a reference that shares keys, if it is left out.
  ///
  /// - Parameter next: the step after it.
  /// - Throws: an ``ExportError`` if an import would read another object, because other properties write all keys.
  mutating func lostReference(
    _ step: PlanReference<ExportStep>, _ row: Row, _ back: Int, next: Int
  ) throws(ExportError) -> Omission? {
    defer {
      if next == steps.count(row.entity) || steps[row.entity][next].action != .reference {
        paths.shared.endObject(frames: frames.count)
      }
    }
    let slot = layouts[row.entity].slots[step.pointee.slot]
    if settlement(of: row, back).misread.contains(step.pointee.slot) {
      let entity = source.plan.entities[row.entity]
      let title = "'\(entity.name).\(entity.properties[step.pointee.slot].name)'"
      let words =
        reader.target(row, slot).map { target in
          "another object than '\(GraphNames(state, source.plan).name(slot.destinationTable, target))' as \(title)"
        } ?? "an object as \(title), which is nil"
      throw ExportError(
        code: .unreadableObject,
        "an import would read \(words), because other properties write all its keys: change them, or give it a key of its own",
        path: path(to: nil))
    }
    guard step.pointee.slot != back, let target = reader.target(row, slot),
      !settlement(of: row, back).kept.contains(step.pointee.slot)
    else { return nil }
    return Omission(reason: .sharedKeys, table: slot.destinationTable, row: target, slot: step.pointee.slot)
  }

  /// Whether a reference needs the key that a step writes, although its property would be omitted as the inverse.
  mutating func isNeeded(_ step: Int, _ row: Row, _ back: Int) -> Bool {
    settlement(of: row, back).writers.contains(step)
  }

  private mutating func references(of entity: EntityPlan) -> [SharedKeys.Reference] {
    paths.shared.references(of: entity, source.plan, steps[entity.index], steps.count(entity.index))
  }

  /// Determines which references of the innermost object are written.
  private mutating func settlement(of row: Row, _ back: Int) -> SharedKeys.Settlement {
    if let known = paths.shared.settlement(of: row, frames: frames.count) { return known }
    var settlement = SharedKeys.Settlement(row: row)
    // The inverse is written where a reference needs its key.
    let outside = Outside(row: row, entity: row.entity, frames: frames.count)
    var written: [[String]: JSON] = [:]
    for reference in references(of: source.plan.entities[row.entity]) where reference.slot != back {
      let slot = layouts[row.entity].slots + reference.slot
      guard let target = reader.target(row, slot.pointee) else { continue }
      let targetRow = reader.row(slot.pointee.destinationTable, target)
      var own: [[String]: JSON] = [:]
      let agrees = reference.keys.allSatisfy { key in
        if let writer = key.writer {
          let found = value(at: key.path[...], ofStep: writer, in: outside)
          return reads(found, part: key.part, as: targetRow, slot)
        }
        if let known = written[key.path] { return reads(.value(known), part: key.part, as: targetRow, slot) }
        own[key.path] = partJSON(key.part, reference.slot, row, slot)
        return own[key.path] != nil && depth + key.path.count - 1 <= source.options.maxDepth
      }
      guard agrees, reference.keys.allSatisfy({ partJSON($0.part, reference.slot, row, slot) != nil }) else { continue }
      settlement.kept.insert(reference.slot)
      settlement.writers.formUnion(reference.keys.compactMap(\.writer))
      written.merge(own) { known, _ in known }
    }
    for reference in references(of: source.plan.entities[row.entity]) where hasNoOwnKey(reference.slot, row.entity) {
      if isMisread(reference, row, back, settlement, written) { settlement.misread.insert(reference.slot) }
    }
    paths.shared.keep(settlement, frames: frames.count)
    return settlement
  }

  /// Whether other properties read all keys of a reference.
  private func hasNoOwnKey(_ slot: Int, _ entity: Int) -> Bool {
    let fields = source.plan.entities[entity].fieldsOfSlot[slot] ?? []
    return fields.contains { number in
      let forms = source.plan.fields[number].forms
      return forms >= 0 && source.plan.forms[forms].parts.allSatisfy(\.isShared)
    }
  }

  /// Whether an import would read a reference without keys of its own as another one than it is. Without one of its keys, it reads nothing.
  private mutating func isMisread(
    _ reference: SharedKeys.Reference, _ row: Row, _ back: Int, _ settlement: SharedKeys.Settlement,
    _ written: [[String]: JSON]
  ) -> Bool {
    let slot = layouts[row.entity].slots + reference.slot
    let target = reader.target(row, slot.pointee)
    let outside = Outside(row: row, entity: row.entity, frames: frames.count)
    var (hasNull, agrees) = (false, true)
    for key in reference.keys {
      var found = OutsideValue.absent
      if let writer = key.writer {
        if steps[row.entity][writer].slot != back || settlement.writers.contains(writer) {
          found = value(at: key.path[...], ofStep: writer, in: outside)
        }
      } else if let json = written[key.path] {
        found = .value(json)
      } else if writesNull(key.path, row, back) {
        found = .null
      }
      switch found {
      case .absent: return false
      case .null: hasNull = true
      case .value, .object, .unknown:
        agrees =
          agrees
          && target.map { reads(found, part: key.part, as: reader.row(slot.pointee.destinationTable, $0), slot) }
            ?? false
      }
    }
    return hasNull ? target != nil : !agrees
  }

  /// Whether null is written at a key that only references write.
  private mutating func writesNull(_ path: [String], _ row: Row, _ back: Int) -> Bool {
    if source.options.omitsNil { return false }
    let sharers = references(of: source.plan.entities[row.entity]).filter { $0.keys.contains { $0.path == path } }
    return sharers.allSatisfy { reader.target(row, layouts[row.entity].slots[$0.slot]) == nil }
      && sharers.contains { $0.slot != back }
  }

  /// Whether an import reads a value of an identifier as that of an object.
  private mutating func reads(
    _ found: OutsideValue, part: Int, as row: Row, _ slot: PlanReference<SlotPlan>
  ) -> Bool {
    guard case .value(let json) = found else { return false }
    let layout = layouts[row.entity]
    guard part >= 0 else {
      guard case .table(_, let entities)? = source.plan.entities[slot.pointee.destination].mapper else { return false }
      return entities[json.stringValue ?? json.description] == row.entity
    }
    let value = layout.slots[layout.identitySlots[part]]
    if value.kind == .toOne {
      guard let owner = reader.target(row, value) else { return false }
      return identifies(json, reader.row(value.destinationTable, owner), as: value.destination)
    }
    return layout.identityFields[part] >= 0 && holds(json, layout.identityFields[part], row)
  }

  /// A value of the identifier of a reference's object; nil if an import could not read it.
  private mutating func partJSON(
    _ part: Int, _ number: Int, _ row: Row, _ slot: PlanReference<SlotPlan>
  ) -> JSON? {
    var step = ExportStep(action: .part, prefix: LentBytes())
    (step.slot, step.part) = (number, part)
    let found = written { exporter throws(ExportError) in try exporter.partValue(step, row, slot) }
    if case .value(let json) = found { return json }
    return nil
  }
}
