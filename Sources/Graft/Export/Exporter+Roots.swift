#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Chooses the objects of an array that no other object of the array contains.
///
///     Country 1 > Region 2 > City 3          of the objects 1, 2 and 3, only 1 is written at the top
///     Country 4
///
/// Some objects may then still be missing, because a relationship that cannot be written completely is omitted, and objects below the
/// depth limit are written as identifiers. The topmost of the missing objects also become elements of the array, until no object is
/// missing. Each round writes only the new elements. A last round writes all elements.
extension Exporter {
  static func data(
    ofRoots places: [(table: Int, row: UInt32)], in context: ManagedObjectContext, _ options: ExportOptions,
    as entity: EntityPlan?, isKeyed: Bool, mayRepeat: Bool, isReadAsEntity: Bool
  ) throws(ExportError) -> Data {
    /// The objects that were written, alone or inside other objects.
    var written: Set<RowPlace> = []
    /// The elements of the array so far.
    var top: Set<RowPlace> = []
    /// All elements, for the last round; nil in earlier rounds.
    var all: [(table: Int, row: UInt32)]?
    var missing = places
    while true {
      var exporter = try Exporter(context, options)
      defer { exporter.free() }
      var roots = all ?? exporter.roots(of: missing, as: entity)
      // Each round adds an element, so this terminates.
      if roots.isEmpty { roots = missing }
      try exporter.write(roots, as: entity, isKeyed: isKeyed, mayRepeat: mayRepeat, isReadAsEntity: isReadAsEntity)
      written.formUnion(exporter.objects.complete)
      written.formUnion(roots.lazy.map { RowPlace(table: $0.table, row: $0.row) })
      missing = places.filter { !written.contains(RowPlace(table: $0.table, row: $0.row)) }
      let isWhole = top.isEmpty || all != nil
      top.formUnion(roots.lazy.map { RowPlace(table: $0.table, row: $0.row) })
      if missing.isEmpty {
        if isWhole { return exporter.result() }
        all = places.filter { top.contains(RowPlace(table: $0.table, row: $0.row)) }
        written = []
      } else {
        all = nil
      }
    }
  }

  /// Returns the rows whose objects are not contained in another of the given objects, in their given order.
  mutating func roots(of places: [(table: Int, row: UInt32)], as entity: EntityPlan?) -> [(table: Int, row: UInt32)] {
    if source.options.identifiersOnly { return places }
    // For each object that was reached, the row from which it was first reached.
    var starts: [RowPlace: RowPlace] = [:]
    // Objects that contain themselves.
    var circles: Set<RowPlace> = []
    var contained: Set<RowPlace> = []
    // Objects that, as elements of the array, would lack the relationships of their own entities.
    var shortened: Set<RowPlace> = []
    var followed: [Int: [Int]] = [:]
    for place in places {
      let start = RowPlace(table: place.table, row: place.row)
      guard starts[start] == nil else { continue }
      starts[start] = start
      let readAs = isShortened(start, as: entity) ? entity?.index : nil
      if readAs != nil { shortened.insert(start) }
      var waiting = [start]
      while let owner = waiting.popLast() {
        for child in children(of: owner, as: owner == start ? readAs : nil, &followed) {
          if child == start {
            circles.insert(start)
            continue
          }
          if !reader.row(child.table, child.row).isPlaceholder { contained.insert(child) }
          // An object that is written inside another object has all its relationships.
          guard let first = shortened.remove(child) == nil ? starts[child] : nil else {
            starts[child] = start
            waiting.append(child)
            continue
          }
          // An object that was reached before is contained only in the object from which it was reached.
          if first != start, circles.contains(first), !contained.contains(first),
            contains(first, child, &followed)
          {
            contained.insert(first)
          }
        }
      }
    }
    return places.filter { !contained.contains(RowPlace(table: $0.table, row: $0.row)) }
  }

  /// Whether an object contains another object, at any depth.
  private mutating func contains(
    _ wanted: RowPlace, _ start: RowPlace, _ followed: inout [Int: [Int]]
  ) -> Bool {
    var seen: Set<RowPlace> = [start]
    var waiting = [start]
    while let owner = waiting.popLast() {
      for child in children(of: owner, &followed) where seen.insert(child).inserted {
        if child == wanted { return true }
        waiting.append(child)
      }
    }
    return false
  }

  /// Whether the array would contain an object as an object of the declared entity, without the relationships of its own entity.
  private func isShortened(_ place: RowPlace, as declared: EntityPlan?) -> Bool {
    guard let declared else { return false }
    state.loadRow(place.table, place.row)
    let entity = reader.row(place.table, place.row).entity
    return entity != declared.index && !source.graph.isTold(entity, as: declared.index)
  }

  /// The objects that are written inside an object. A placeholder is written as its identifier.
  ///
  /// - Parameter readAs: the entity whose relationships are written for the object, if this is not the object's own entity.
  private mutating func children(
    of owner: RowPlace, as readAs: Int? = nil, _ followed: inout [Int: [Int]]
  ) -> [RowPlace] {
    state.loadRow(owner.table, owner.row)
    let row = reader.row(owner.table, owner.row)
    let entity = row.entity
    if row.isPlaceholder { return [] }
    // A sub-entity has the relationships of its parents in the same slots.
    let written = readAs ?? entity
    let slots = followed[written] ?? containing(written)
    followed[written] = slots
    var children: [RowPlace] = []
    for number in slots {
      let slot = layouts[entity].slots + number
      let first = rows.count
      if slot.pointee.kind == .toMany {
        collect(row, slot)
      } else if let target = reader.target(row, slot.pointee) {
        rows.append(target)
      }
      for target in rows.elements(from: first) {
        let child = RowPlace(table: slot.pointee.destinationTable, row: target)
        state.loadRow(child.table, child.row)
        let entity = reader.row(child.table, child.row).entity
        if entity == slot.pointee.destination || source.graph.isTold(entity, as: slot.pointee.destination) {
          children.append(child)
        }
      }
      rows.truncate(to: first)
    }
    return children
  }

  /// The relationships of an entity that contain objects completely.
  ///
  /// The inverse to the owner is omitted. A to-one inverse is determined by the location of the object; a to-many inverse may have other
  /// members.
  private func containing(_ entity: Int) -> [Int] {
    written(entity).filter { index in
      let step = steps[entity][index]
      let slot = layouts[entity].slots[step.slot]
      if step.isIdentifier { return false }
      guard slot.inverse >= 0, slot.inverseSlot.isToMany else { return true }
      return !written(slot.destination).contains { steps[slot.destination][$0].slot == slot.inverse }
    }.map { steps[entity][$0].slot }
  }

  /// The steps of an entity that write relationships.
  private func written(_ entity: Int) -> [Int] {
    (0..<steps.count(entity)).filter { index in
      let action = steps[entity][index].action
      return action == .toOne || action == .toMany
    }
  }
}
