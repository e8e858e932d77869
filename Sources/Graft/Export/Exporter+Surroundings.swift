/// Objects that an import recognizes only in their surroundings: in their owner, at their position in an array (M12), or inside
/// an object that has the values that they read (M19). Anywhere else, such objects are written as identifiers.
extension Exporter {
  /// The maximum number of nulls in an array for positions without objects.
  private static let mostGaps = 1_000

  /// Whether an import would find an object that is written in full, and leave it unchanged.
  ///
  /// - Parameters:
  ///   - back: the relationship that is omitted as the inverse (E2); -1 if there is none.
  ///   - index: the position in an array; nil outside of arrays.
  mutating func isAtHome(_ row: Row, back: Int, index: Int?) -> Bool {
    let entity = row.entity
    let layout = layouts + entity
    if layout.pointee.identity.hasOwner {
      for slot in source.plan.entities[entity].ownerSlots where slot != back && !isWritten(slot, entity) {
        return false
      }
    }
    if layout.pointee.forms.readsSurroundings, !keepsOutsideValues(row) { return false }
    guard layout.pointee.forms.indexField >= 0 else { return true }
    let field = source.plan.fields[layout.pointee.forms.indexField]
    let slot = layout.pointee.slots + field.slot
    let isNil = !row.isSet(slot)
    if field.rank > 0, isWritten(field.slot, entity), !(isNil && source.options.omitsNil) { return true }
    guard let index else { return !slot.pointee.isIdentity }
    return !isNil && row[slot] == UInt64(index)
  }

  /// Whether a property of an entity is written.
  func isWritten(_ slot: Int, _ entity: Int) -> Bool {
    (0..<steps.count(entity)).contains { steps[entity][$0].slot == slot }
  }

  /// The array position that an object requires; nil if it can be at any position.
  func requiredIndex(_ row: Row) -> Int? {
    let entity = row.entity
    guard layouts[entity].forms.indexField >= 0 else { return nil }
    let field = source.plan.fields[layouts[entity].forms.indexField]
    let slot = layouts[entity].slots[field.slot]
    guard row.isSet(slot), field.rank == 0 || !isWritten(field.slot, entity) else { return nil }
    return Int(truncatingIfNeeded: row[slot])
  }

  /// Sorts the rows of an unordered relationship by the positions that they require, after the other rows have been sorted.
  mutating func sortByPosition(from first: Int, _ table: Int) {
    let sorted = rows.elements[first...].enumerated()
      .map { (index: requiredIndex(reader.row(table, $0.element)) ?? .max, place: $0.offset, row: $0.element) }
      .sorted { ($0.index, $0.place) < ($1.index, $1.place) }
    for (place, element) in sorted.enumerated() { rows[first + place] = element.row }
  }

  /// Writes null for each unused position before the next object. Imports skip nulls (I5).
  mutating func fillGaps(before row: Row, _ gaps: inout Int, at index: Int) {
    guard let required = requiredIndex(row), required > index,
      required - index <= Exporter.mostGaps - gaps
    else { return }
    for _ in index..<required {
      separate()
      output.raw("null")
    }
    gaps += required - index
  }

  /// Rejects an object at the top of an export that an import could not recognize.
  ///
  /// - Parameter index: the object's position in the exported array; nil if a single object is exported.
  mutating func requireHome(_ table: Int, _ number: UInt32, index: Int?) throws(ExportError) {
    guard document.isForImports, hasSurroundings else { return }
    let row = reader.row(table, number)
    if isAtHome(row, back: -1, index: index) { return }
    let entity = source.plan.entities[row.entity]
    let name = GraphNames(state, source.plan).name(table, number)
    let owner = entity.ownerSlots.first { !isWritten($0, entity.index) }.map { entity.properties[$0] }
    if let owner {
      let destination = owner.relationship?.destinationName ?? ""
      throw ExportError(
        code: .misplacedObject,
        "'\(name)' is identified by its '\(owner.name)', which is not written here: export the '\(destination)', or give '\(entity.name).\(owner.name)' a key path",
        path: path(to: nil))
    }
    if layouts[entity.index].forms.readsSurroundings, !keepsOutsideValues(row) {
      throw ExportError(
        code: .misplacedObject,
        "'\(name)' has a different value from the one that an import would read from the enclosing JSON: give the property with '@parent' or '@root' its own key path, with the current one as an alias",
        path: path(to: nil))
    }
    let field = source.plan.fields[layouts[entity.index].forms.indexField]
    throw ExportError(
      code: .misplacedObject,
      "'\(name)' is not at the position in its '\(entity.name).\(entity.properties[field.slot].name)' here: export the object that contains it, or give the attribute its own key path, with '@index' as an alias",
      path: path(to: nil))
  }
}
