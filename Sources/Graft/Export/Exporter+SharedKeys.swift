/// References in several keys (M24) of which other properties write some.
///
///     "shop": attribute at "shop_id"          {"shop_id": 4, "sku": "A"}
///     "product": shop_id and sku              only if the product's shop is 4; otherwise 'sku' is left out
///
/// An import would read another object than the one that is linked.
struct SharedKeys {
  struct Key {
    /// The index of the identity value of the reference's object.
    var part: Int
    var writer: Writer
  }

  /// What writes the value of a key.
  enum Writer {
    case attribute(Int)
    case toOne(Int)
    /// A value of the identifier of an earlier reference.
    case part(slot: Int, part: Int)
  }

  /// By entity and slot of the reference.
  private var known: [Int: [Key]] = [:]

  mutating func keys(of slot: Int, _ entity: EntityPlan, _ plan: Plan) -> [Key] {
    let place = entity.index << 32 | slot
    if let known = known[place] { return known }
    let parts = SharedKeys.parts(of: slot, entity, plan)
    let keys = parts.compactMap { path, part -> Key? in
      writer(of: path, besides: slot, entity, plan).map { Key(part: part, writer: $0) }
    }
    known[place] = keys
    return keys
  }

  private func writer(of path: JSONKeyPath, besides slot: Int, _ entity: EntityPlan, _ plan: Plan) -> Writer? {
    for (number, property) in entity.properties.enumerated() where number != slot {
      if property.relationship?.identifierKeyPaths.isEmpty == false { continue }
      guard let exported = property.exportedKeyPath, exported.keys == path.keys, !exported.isKeyWord else { continue }
      guard let relationship = property.relationship else { return .attribute(number) }
      return relationship.isToMany ? nil : .toOne(number)
    }
    for number in 0..<slot {
      for (other, part) in SharedKeys.parts(of: number, entity, plan) where other.keys == path.keys {
        return .part(slot: number, part: part)
      }
    }
    return nil
  }

  /// The key paths of a reference with the identity values that they have; without the key of a mapper.
  private static func parts(of slot: Int, _ entity: EntityPlan, _ plan: Plan) -> [(path: JSONKeyPath, part: Int)] {
    guard let relationship = entity.properties[slot].relationship, !relationship.identifierKeyPaths.isEmpty,
      let destination = plan.entity(named: relationship.destinationName)
    else { return [] }
    let names = destination.identitySlots.map { destination.properties[$0].name }
    return relationship.identifierKeyPaths.compactMap { part in
      names.firstIndex(of: part.name).map { (part.keyPath, $0) }
    }
  }
}

extension Exporter {
  /// Whether the keys of a reference that other properties write have the values of its object.
  mutating func agreesWithOthers(
    _ step: ExportStep, _ row: Row, _ slot: PlanReference<SlotPlan>
  ) throws(ExportError) -> Bool {
    let entity = source.plan.entities[row.entity]
    for key in paths.shared.keys(of: step.slot, entity, source.plan) {
      let own = try json { exporter throws(ExportError) in
        try exporter.partValue(step.with(part: key.part), row, slot)
      }
      let other = try json { exporter throws(ExportError) in try exporter.write(key.writer, step, row) }
      if own != other { return false }
    }
    return true
  }

  private mutating func write(
    _ writer: SharedKeys.Writer, _ step: ExportStep, _ row: Row
  ) throws(ExportError) -> Bool {
    let layout = layouts + row.entity
    switch writer {
    case .attribute(let number):
      let slot = layout.pointee.slots + number
      guard row.isSet(slot) else { return false }
      try attribute(row, slot, writing(of: row, number), row.entity, number)
      return true
    case .toOne(let number):
      let slot = layout.pointee.slots + number
      guard let target = reader.target(row, slot.pointee) else { return false }
      return try identifier(slot.pointee.destinationTable, target)
    case .part(let number, let part):
      var step = step.with(part: part)
      step.slot = number
      return try partValue(step, row, layout.pointee.slots + number)
    }
  }

  /// The value that a closure writes, which is not kept; nil if it writes none.
  private mutating func json(
    _ write: (inout Exporter) throws(ExportError) -> Bool
  ) throws(ExportError) -> JSON? {
    try examining { exporter throws(ExportError) in
      let start = exporter.output.count
      let isWritten = try write(&exporter)
      let value = isWritten ? try? JSONBuilder.json(exporter.output.bytes(from: start)) : nil
      exporter.output.truncate(to: start)
      return value
    }
  }
}

extension ExportStep {
  fileprivate func with(part: Int) -> ExportStep {
    var step = self
    step.part = part
    return step
  }
}
