/// Objects that read values from what is around them when they are imported (M19).
///
///     {"id": 7, "lines": [{"sku": "A"}]}       'Line.order' reads "@parent.id": the line is written here if it is 7
///
/// Such a value is not written. If something else would be read in its place, an identifier takes the place of the object, so that
/// importing the export changes nothing (E5).
extension Exporter {
  /// An object that is written around another one.
  private struct Outside {
    var base: Row
    var entity: Int
  }

  /// Whether an import would read what the object has from what is written around it, or would read nothing.
  func keepsOutsideValues(_ row: Row) -> Bool {
    let entity = plan.entities[row.entity]
    return entity.surroundingFields.allSatisfy { number in
      let field = plan.fields[number]
      // The object's own key comes first.
      if field.rank > 0, entity.properties[field.slot].attribute != nil, isWritten(field.slot, entity.index),
        !options.omitsNil || !isNil(row, field.slot, entity.index)
      {
        return true
      }
      guard let outside = field.surroundings == .root ? document(around: row) : enclosing else { return true }
      return reads(field, of: row, Array(entity.path(ofField: field).keys.dropFirst()), in: outside)
    }
  }

  private var enclosing: Outside? {
    for index in (0..<frames.count).reversed() where frames[index].kind == .object { return outside(index) }
    return nil
  }

  /// The document, if it is an object: the one that is exported.
  private func document(around row: Row) -> Outside? {
    guard isSingle else { return nil }
    return frames.count > 0 ? outside(0) : Outside(base: row, entity: row.entity)
  }

  private func outside(_ frame: Int) -> Outside {
    Outside(base: reader.row(frames[frame].table, frames[frame].row), entity: frames[frame].entity)
  }

  private func isNil(_ row: Row, _ slot: Int, _ entity: Int) -> Bool {
    let slot = layouts[entity].slots[slot]
    return slot.kind == .toOne ? reader.target(row, slot) == nil : !row.isSet(slot)
  }

  /// Whether an object has the value that is written under some keys, or nothing is written there. If that cannot be told without
  /// writing it, false.
  private func reads(_ field: FieldPlan, of row: Row, _ keys: [String], in outside: Outside) -> Bool {
    let entity = plan.entities[outside.entity]
    for index in 0..<stepCounts[outside.entity] where steps[outside.entity][index].slot >= 0 {
      let step = steps[outside.entity][index]
      guard let path = entity.properties[step.slot].exportedKeyPath?.keys,
        path.starts(with: keys) || keys.starts(with: path)
      else { continue }
      if isNil(outside.base, step.slot, outside.entity), path.count <= keys.count {
        return options.omitsNil || isNil(row, field.slot, row.entity)
      }
      return path.count == keys.count && isSame(field, of: row, step, in: outside)
    }
    guard case .table(let path, _)? = entity.mapper else { return true }
    return !path.keys.starts(with: keys) && !keys.starts(with: path.keys)
  }

  /// Whether an object has the value that another one has, and that is written in the form in which it is read.
  private func isSame(_ field: FieldPlan, of row: Row, _ step: ExportStep, in outside: Outside) -> Bool {
    let own = row.entity
    let (slot, other) = (layouts[own].slots[field.slot], layouts[outside.entity].slots[step.slot])
    if slot.kind == .toOne, other.kind != .toOne, other.isIdentity {
      // "@parent.id", which identifies the object around this one.
      let (read, written) = (layouts[slot.destination], layouts[outside.entity])
      return read.table == written.table && read.identitySpace == written.identitySpace && read.identityCount == 1
        && reader.target(row, slot).map { reader.row(read.table, $0) } == outside.base
    }
    guard slot.kind == other.kind else { return false }
    if slot.kind == .toOne {
      return (step.isIdentifier || options.identifiersOnly) && slot.destination == other.destination
        && reader.target(row, slot) == reader.target(outside.base, other)
    }
    let (property, written) = (
      plan.entities[own].properties[field.slot], plan.entities[outside.entity].properties[step.slot]
    )
    return slot.elementType == other.elementType && property.transformer?.name == written.transformer?.name
      && reader.value(row, slot) == reader.value(outside.base, other)
  }
}
