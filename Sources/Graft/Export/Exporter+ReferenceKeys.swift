/// Writes references in several keys (M24). References may share keys with other properties, or with each other.
///
///     "shop": attribute at "shop_id"          {"shop_id": 4, "sku": "A"}
///     "product": shop_id and sku              only if the product's shop is 4; otherwise 'sku' is left out
///
/// A reference is written only if an import reads the values of its object from all of its keys; otherwise, it is left out. A reference
/// that has no key of its own cannot be left out: if the other properties write another object's values, the export fails. What an
/// import reads does not depend on what this export writes, so a key also belongs to properties that the options omit.
struct ReferenceKeys {
  /// A reference in several keys.
  struct Reference {
    var slot: Int
    /// Whether this export writes the reference, if its keys permit that.
    var isWritten: Bool
    var keys: [Key]
  }

  /// A key of a reference.
  struct Key {
    var path: [String]
    /// The index of the identity value of the reference's object; -1 for the key of the mapper.
    var part: Int
    /// The step of another property that writes the key, or writes an object that contains the key; nil if only references write the key.
    var writer: Int?
    /// The fields of other properties that an import reads from the key, from an object that contains the key, or from inside the key's
    /// value.
    var readers: [Int]
  }

  /// The decisions about the references of an object.
  struct Settlement {
    var row: Row
    /// The slots of the references that are written, and the reasons why other references are not.
    var kept: Set<Int> = []
    var left: [Int: Exporter.Omission.Reason] = [:]
    /// The values at keys that only references write.
    var values: [[String]: JSON] = [:]
    /// The steps of other properties that the references depend on.
    var writers: Set<Int> = []
    /// The slots of references that an import would read as references to a different object.
    var misread: Set<Int> = []
  }

  /// The keys that the steps of an entity write.
  struct Known {
    var references: [Reference]
    /// The keys that each step writes.
    var paths: [[String]?]
  }

  private var known: [Int: Known] = [:]
  /// The decisions for open objects, by the number of open frames. They are kept because all steps of an object must use the same
  /// decisions, and decisions about other objects may be made between these steps.
  private var settlements: [Int: Settlement] = [:]

  func settlement(of row: Row, frames: Int) -> Settlement? {
    settlements[frames].flatMap { $0.row == row ? $0 : nil }
  }

  mutating func keep(_ settlement: Settlement, frames: Int) { settlements[frames] = settlement }

  /// Discards the decisions about the innermost object.
  mutating func endObject(frames: Int) { settlements[frames] = nil }

  mutating func known(
    _ entity: EntityPlan, _ plan: Plan, _ steps: PlanReference<ExportStep>, _ count: Int
  ) -> Known {
    if let known = known[entity.index] { return known }
    let paths = (0..<count).map { ReferenceKeys.path(of: steps[$0], entity, plan) }
    let references = (0..<count).filter { [.reference, .unwritten].contains(steps[$0].action) }.map { index in
      let slot = steps[index].slot
      return Reference(
        slot: slot, isWritten: steps[index].action == .reference,
        keys: ReferenceKeys.parts(of: slot, entity, plan).map { path, part in
          let writer = (0..<count).first { index in
            steps[index].action != .part && paths[index].map { path.starts(with: $0) } == true
          }
          return Key(path: path, part: part, writer: writer, readers: ReferenceKeys.readers(of: path, entity, plan))
        })
    }
    let new = Known(references: references, paths: paths)
    known[entity.index] = new
    return new
  }

  /// The keys at which a step writes; nil if the step writes nothing, or only brackets.
  private static func path(of step: ExportStep, _ entity: EntityPlan, _ plan: Plan) -> [String]? {
    switch step.action {
    case .openGroup, .closeGroup, .reference, .unwritten, .shared: return nil
    case .part: return parts(of: step.slot, entity, plan).first { $0.part == step.part }?.path
    case .attribute, .discriminator, .toOne, .toMany: break
    }
    if step.slot >= 0 { return entity.properties[step.slot].exportedKeyPath?.keys }
    guard step.discriminator != nil, case .table(let path, _)? = entity.mapper else { return nil }
    return path.keys
  }

  private static func readers(of path: [String], _ entity: EntityPlan, _ plan: Plan) -> [Int] {
    entity.fields.ofSlot.values.joined().filter { number in
      let field = plan.fields[number]
      let isReference = entity.properties[field.slot].relationship?.identifierKeyPaths.isEmpty == false
      if isReference || field.surroundings != nil || field.reading == .skipped { return false }
      let keys = entity.path(ofField: field).keys
      return keys.starts(with: path) || path.starts(with: keys)
    }.sorted()
  }

  /// The key paths of a reference, with the identity values that are at them.
  private static func parts(of slot: Int, _ entity: EntityPlan, _ plan: Plan) -> [(path: [String], part: Int)] {
    guard let relationship = entity.properties[slot].relationship,
      let destination = plan.entity(named: relationship.destinationName)
    else { return [] }
    let names = destination.identitySlots.map { destination.properties[$0].name }
    return relationship.identifierKeyPaths.map { ($0.keyPath.keys, names.firstIndex(of: $0.name) ?? -1) }
  }
}

extension Exporter {
  /// Writes a value of an identifier, from the first written reference that has this key.
  ///
  /// - Parameter index: the number of the step.
  mutating func part(_ index: Int, _ row: Row, _ back: Int) throws(ExportError) {
    let entity = source.plan.entities[row.entity]
    let step = steps[entity.index] + index
    let known = known(entity)
    guard let path = known.paths[index] else { return }
    let kept = settlement(of: row, back).kept
    for reference in known.references where kept.contains(reference.slot) {
      guard let key = reference.keys.first(where: { $0.path == path }) else { continue }
      self.key(step)
      let own = ExportStep(part: key.part, of: reference.slot)
      _ = try partValue(own, row, layouts[row.entity].slots + reference.slot)
      return
    }
    if writesNull(path, Outside(row: row, entity: row.entity, back: back, frames: frames.count)) {
      key(step)
      output.raw("null")
    }
  }

  /// The object of a reference that is left out; nil if the reference is written.
  ///
  /// - Parameter next: the step after the step of the reference.
  /// - Throws: an ``ExportError`` if an import would read another object, because other properties write all keys.
  mutating func lostReference(
    _ step: PlanReference<ExportStep>, _ row: Row, _ back: Int, next: Int
  ) throws(ExportError) -> Omission? {
    defer {
      if next == steps.count(row.entity) || ![.reference, .unwritten].contains(steps[row.entity][next].action) {
        paths.references.endObject(frames: frames.count)
      }
    }
    let slot = layouts[row.entity].slots[step.pointee.slot]
    if settlement(of: row, back).misread.contains(step.pointee.slot) {
      let entity = source.plan.entities[row.entity]
      let title = "'\(entity.name).\(entity.properties[step.pointee.slot].name)'"
      let words =
        reader.target(row, slot).map { target in
          "an object other than '\(GraphNames(state, source.plan).name(slot.destinationTable, target))' as \(title)"
        } ?? "an object as \(title), which is nil"
      throw ExportError(
        code: .unreadableObject,
        "an import would read \(words), because other properties write all its keys: change them, or give it a key of its own",
        path: path(to: nil))
    }
    guard let reason = settlement(of: row, back).left[step.pointee.slot], let target = reader.target(row, slot) else {
      return nil
    }
    return Omission(reason: reason, table: slot.destinationTable, row: target, slot: step.pointee.slot)
  }

  /// Whether a reference needs the key that a step writes, although the step's property would be omitted as the inverse.
  mutating func isNeeded(_ step: Int, _ row: Row, _ back: Int) -> Bool {
    settlement(of: row, back).writers.contains(step)
  }

  /// The keys at which each step of an entity writes; with nil for a step that writes nothing, or only brackets.
  mutating func writtenPaths(of entity: Int) -> [[String]?] { known(source.plan.entities[entity]).paths }

  private mutating func known(_ entity: EntityPlan) -> ReferenceKeys.Known {
    paths.references.known(entity, source.plan, steps[entity.index], steps.count(entity.index))
  }

  /// Determines which references of the innermost object are written.
  private mutating func settlement(of row: Row, _ back: Int) -> ReferenceKeys.Settlement {
    knownSettlement(in: Outside(row: row, entity: row.entity, back: back, frames: frames.count))
  }

  /// Returns which references of an enclosing object are written. For an object with its own frame, this is decided only once.
  private mutating func knownSettlement(in object: Outside) -> ReferenceKeys.Settlement {
    if !object.through.isEmpty { return settlement(in: object) }
    if let known = paths.references.settlement(of: object.row, frames: object.frames) { return known }
    let settlement = settlement(in: object)
    paths.references.keep(settlement, frames: object.frames)
    return settlement
  }

  private mutating func settlement(in object: Outside) -> ReferenceKeys.Settlement {
    let row = object.row
    var settlement = ReferenceKeys.Settlement(row: row)
    let all = known(source.plan.entities[object.entity]).references
    for reference in all where reference.isWritten && reference.slot != object.back {
      let slot = layouts[object.entity].slots + reference.slot
      guard let target = reader.target(row, slot.pointee) else { continue }
      var own: [[String]: JSON] = [:]
      var left: Omission.Reason?
      for key in reference.keys where left == nil {
        left = obstacle(to: key, reference.slot, target, object, settlement, &own)
      }
      settlement.left[reference.slot] = left
      if left != nil { continue }
      settlement.kept.insert(reference.slot)
      settlement.writers.formUnion(reference.keys.compactMap(\.writer))
      settlement.values.merge(own) { known, _ in known }
    }
    for reference in all where hasNoOwnKey(reference.slot, object.entity) {
      if isMisread(reference, object, settlement) { settlement.misread.insert(reference.slot) }
    }
    return settlement
  }

  /// The reason why a reference cannot be written because of one of its keys; nil if it can be written.
  ///
  /// - Parameter own: receives the value, if no other property writes it.
  private mutating func obstacle(
    to key: ReferenceKeys.Key, _ number: Int, _ target: UInt32, _ object: Outside,
    _ settlement: ReferenceKeys.Settlement, _ own: inout [[String]: JSON]
  ) -> Omission.Reason? {
    let slot = layouts[object.entity].slots + number
    let targetRow = reader.row(slot.pointee.destinationTable, target)
    let found = written { exporter throws(ExportError) in
      try exporter.partValue(ExportStep(part: key.part, of: number), object.row, slot)
    }
    guard case .value(let json) = found else {
      return targetRow.isPlaceholder && slot.pointee.defersUnknown ? .refusedPlaceholder : .unreadable
    }
    if isNull(json, number, object.entity) || isNull(json, part: key.part, targetRow) { return .null }
    if let writer = key.writer {
      // The inverse is also written if a reference needs its key.
      var object = object
      object.back = -1
      let other = value(at: key.path[...], ofStep: writer, in: object)
      return reads(other, part: key.part, as: targetRow, slot) ? nil : .sharedKeys
    }
    if let known = settlement.values[key.path] {
      return reads(.value(known), part: key.part, as: targetRow, slot) ? nil : .sharedKeys
    }
    if (key.readers.contains { !agrees($0, json, at: key.path, object) }) { return .sharedKeys }
    own[key.path] = json
    return depth + key.path.count - 1 > source.options.maxDepth ? .depth : nil
  }

  /// The value at a key that only references write.
  mutating func partValue(at path: [String], in object: Outside) -> OutsideValue {
    if let json = knownSettlement(in: object).values[path] { return .value(json) }
    return writesNull(path, object) ? .null : .absent
  }

  /// Whether other properties read all keys of a reference.
  private func hasNoOwnKey(_ slot: Int, _ entity: Int) -> Bool {
    let fields = source.plan.entities[entity].fields.ofSlot[slot] ?? []
    return fields.contains { number in
      let forms = source.plan.fields[number].forms
      return forms >= 0 && source.plan.forms[forms].parts.allSatisfy(\.isShared)
    }
  }

  /// Whether an import would read a reference without keys of its own as a reference to a different object. If one of its keys is
  /// absent, the import reads nothing.
  private mutating func isMisread(
    _ reference: ReferenceKeys.Reference, _ object: Outside, _ settlement: ReferenceKeys.Settlement
  ) -> Bool {
    let slot = layouts[object.entity].slots + reference.slot
    let target = reader.target(object.row, slot.pointee)
    var (hasNull, agrees) = (false, true)
    var values: [Int: JSON] = [:]
    for key in reference.keys {
      var found = OutsideValue.absent
      if let writer = key.writer {
        var object = object
        if settlement.writers.contains(writer) { object.back = -1 }
        found = value(at: key.path[...], ofStep: writer, in: object)
      } else if let json = settlement.values[key.path] {
        found = .value(json)
      } else if writesNull(key.path, object) {
        found = .null
      }
      switch found {
      case .absent: return false
      case .null: hasNull = true
      case .value(let json) where isNull(json, reference.slot, object.entity): hasNull = true
      case .value, .object, .unknown:
        if case .value(let json) = found { values[key.part] = json }
        agrees =
          agrees
          && target.map { reads(found, part: key.part, as: reader.row(slot.pointee.destinationTable, $0), slot) }
            ?? false
      }
    }
    if target == nil, !hasNull, findsNothing(values, slot) { return false }
    return hasNull ? target != nil : !agrees
  }

  /// Whether an import ignores the values of an identifier: either the mapper skips these values, or only the values of a known object are
  /// accepted.
  private mutating func findsNothing(_ values: [Int: JSON], _ slot: PlanReference<SlotPlan>) -> Bool {
    let destination = source.plan.entities[slot.pointee.destination]
    if case .table(_, let entities)? = destination.mapper, case .skip? = destination.fallback, let type = values[-1],
      entities[type.stringValue ?? type.description] == nil
    {
      return true
    }
    let layout = layouts[destination.index]
    guard slot.pointee.defersUnknown else { return false }
    var identity: [AttributeValue] = []
    for index in 0..<layout.identity.count {
      // The identifier of an owner is not looked up here.
      if layout.identity.fields[index] < 0 { return true }
      guard let json = values[index], let value = try? imported(json, layout.identity.fields[index]) else {
        return false
      }
      identity.append(value)
    }
    return source.context.find(destination.index, identity) == nil
  }

  /// Whether null is written at a key that only references write.
  private mutating func writesNull(_ path: [String], _ object: Outside) -> Bool {
    if source.options.omitsNil { return false }
    let references = known(source.plan.entities[object.entity]).references
    let sharers = references.filter { $0.keys.contains { $0.path == path } }
    return sharers.allSatisfy { reader.target(object.row, layouts[object.entity].slots[$0.slot]) == nil }
      && sharers.contains { $0.isWritten && $0.slot != object.back }
      && sharers.flatMap(\.keys).filter { $0.path == path }.flatMap(\.readers)
        .allSatisfy { agrees($0, .null, at: path, object) }
  }

  /// Whether an import reads a value of an identifier as the value of an object.
  private mutating func reads(
    _ found: OutsideValue, part: Int, as row: Row, _ slot: PlanReference<SlotPlan>
  ) -> Bool {
    guard case .value(let json) = found, !isNull(json, part: part, row) else { return false }
    let layout = layouts[row.entity]
    guard part >= 0 else {
      guard case .table(_, let entities)? = source.plan.entities[slot.pointee.destination].mapper else { return false }
      return entities[json.stringValue ?? json.description] == row.entity
    }
    let value = layout.slots[layout.identity.slots[part]]
    if value.kind == .toOne {
      guard let owner = reader.target(row, value) else { return false }
      return identifies(json, reader.row(value.destinationTable, owner), as: value.destination)
    }
    return layout.identity.fields[part] >= 0 && holds(json, layout.identity.fields[part], row)
  }
}

// MARK: What an import reads

extension Exporter {
  /// Whether a value means that a reference is nil (M20).
  private func isNull(_ json: JSON, _ slot: Int, _ entity: Int) -> Bool {
    source.plan.entities[entity].properties[slot].nulls.contains(json)
  }

  /// Whether a value of an identifier is read as nil (M20).
  private func isNull(_ json: JSON, part: Int, _ row: Row) -> Bool {
    if part < 0 { return false }
    let entity = source.plan.entities[row.entity]
    return entity.properties[entity.identitySlots[part]].nulls.contains(json)
  }

  /// Whether another property has the value that an import reads from the key of a reference, or whether it is read from another key.
  private mutating func agrees(_ number: Int, _ json: JSON, at path: [String], _ object: Outside) -> Bool {
    let field = source.plan.fields[number]
    let entity = source.plan.entities[object.entity]
    let property = entity.properties[field.slot]
    let slot = layouts[object.entity].slots[field.slot]
    // An import uses the first of the property's keys that is present.
    if isWritten(field.slot, object.entity), field.slot != object.back,
      !source.options.omitsNil || !source.graph.isNil(object.row, field.slot, object.entity)
    {
      return true
    }
    // A null on a key path is treated as a null at its end (I8).
    if json.isNull { return source.graph.isNil(object.row, field.slot, object.entity) }
    guard entity.path(ofField: field).keys == path else { return false }
    if property.nulls.contains(json) { return source.graph.isNil(object.row, field.slot, object.entity) }
    if slot.kind == .toMany || slot.kind == .toOne && property.transformer != nil { return false }
    if slot.kind != .toOne { return holds(json, number, object.row) }
    guard let target = reader.target(object.row, slot) else { return false }
    return identifies(json, reader.row(slot.destinationTable, target), as: slot.destination)
  }
}

extension ExportStep {
  /// Creates the step for one value of an identifier.
  fileprivate init(part: Int, of slot: Int) {
    self.init(action: .part, prefix: LentBytes())
    (self.slot, self.part) = (slot, part)
  }
}
