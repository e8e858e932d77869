#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Choosing the objects of an array that no other one contains.
///
///     Country 1 > Region 2 > City 3          of the places 1, 2 and 3, only 1 is written at the top
///     Country 4
///
/// A relationship that cannot be written completely is omitted, and what it contains with it. So all is written, and once more
/// if an object is missing then.
extension Exporter {
  static func data(
    ofRoots places: [(table: Int, row: UInt32)], in context: ManagedObjectContext, _ options: ExportOptions,
    as entity: EntityPlan?, isKeyed: Bool, mayRepeat: Bool, isReadAsEntity: Bool
  ) throws(ExportError) -> Data {
    var exporter = try Exporter(context, options)
    defer { exporter.free() }
    let roots = exporter.roots(of: places)
    try exporter.write(roots, as: entity, isKeyed: isKeyed, mayRepeat: mayRepeat, isReadAsEntity: isReadAsEntity)
    let written = exporter.written()
    func isMissing(_ place: (table: Int, row: UInt32)) -> Bool {
      !written.contains(RowPlace(table: place.table, row: place.row))
    }
    let top = Set(roots.map { RowPlace(table: $0.table, row: $0.row) })
    let chosen = places.filter { isMissing($0) || top.contains(RowPlace(table: $0.table, row: $0.row)) }
    if chosen.count == roots.count { return exporter.result() }
    var options = options
    options.rootsOnly = false
    return try data(
      of: chosen, in: context, options, as: entity, isKeyed: isKeyed, mayRepeat: mayRepeat,
      isReadAsEntity: isReadAsEntity)
  }

  /// Notes an object that begins to be written. What was taken back since, with its relationship, was not written.
  @inline(never)
  mutating func noteOpened(_ place: RowPlace) {
    while let last = opened.last, last.start >= output.count { opened.removeLast() }
    opened.append((output.count, place))
  }

  /// The objects that were written, and not as their identifiers.
  private func written() -> Set<RowPlace> {
    Set(opened.lazy.filter { $0.start < output.count }.map(\.place))
  }

  /// Returns the places whose objects no other of them contains, in their order.
  mutating func roots(of places: [(table: Int, row: UInt32)]) -> [(table: Int, row: UInt32)] {
    if options.identifiersOnly { return places }
    // For each object that was met, the place from which it was first.
    var starts: [RowPlace: RowPlace] = [:]
    // Places whose objects contain themselves.
    var circles: Set<RowPlace> = []
    var contained: Set<RowPlace> = []
    var followed: [Int: [Int]] = [:]
    for place in places {
      let start = RowPlace(table: place.table, row: place.row)
      guard starts[start] == nil else { continue }
      starts[start] = start
      var waiting = [start]
      while let owner = waiting.popLast() {
        for child in children(of: owner, &followed) {
          if child == start {
            circles.insert(start)
            continue
          }
          if !reader.row(child.table, child.row).isPlaceholder { contained.insert(child) }
          guard let first = starts[child] else {
            starts[child] = start
            waiting.append(child)
            continue
          }
          // What was met before contains no other place than the one from which it was met.
          if first != start, circles.contains(first), !contained.contains(first), contains(first, child, &followed) {
            contained.insert(first)
          }
        }
      }
    }
    return places.filter { !contained.contains(RowPlace(table: $0.table, row: $0.row)) }
  }

  /// Whether an object contains another one, at any depth.
  private mutating func contains(_ wanted: RowPlace, _ start: RowPlace, _ followed: inout [Int: [Int]]) -> Bool {
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

  /// The objects that are written inside of an object. A placeholder is written as its identifier.
  private mutating func children(of owner: RowPlace, _ followed: inout [Int: [Int]]) -> [RowPlace] {
    state.pointee.loadRow(owner.table, owner.row)
    let row = reader.row(owner.table, owner.row)
    if row.isPlaceholder { return [] }
    let entity = row.entity
    let slots = followed[entity] ?? containing(entity)
    followed[entity] = slots
    var children: [RowPlace] = []
    for number in slots {
      let slot = layouts[entity].slots + number
      let table = slot.pointee.destinationTable
      if slot.pointee.kind == .toOne {
        if let target = reader.target(row, slot.pointee) { children.append(RowPlace(table: table, row: target)) }
      } else {
        let first = rows.count
        collect(row, slot)
        children += rows.elements(from: first).map { RowPlace(table: table, row: $0) }
        rows.truncate(to: first)
      }
    }
    return children
  }

  /// The relationships of an entity that contain objects.
  private func containing(_ entity: Int) -> [Int] {
    written(entity).filter { number in
      let slot = layouts[entity].slots[number]
      guard slot.kind == .toOne, slot.inverse >= 0, slot.inverseIsToMany else { return true }
      return !written(slot.destination).contains(slot.inverse)
    }
  }

  /// The relationships of an entity that write objects.
  private func written(_ entity: Int) -> [Int] {
    (0..<stepCounts[entity]).compactMap { index in
      let step = steps[entity] + index
      let isRelationship = step.pointee.action == .toOne || step.pointee.action == .toMany
      return isRelationship && !step.pointee.isIdentifier ? step.pointee.slot : nil
    }
  }
}
