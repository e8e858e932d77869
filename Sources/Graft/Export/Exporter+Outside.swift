/// Exports objects that, when imported, read values from outside themselves (M19).
///
///     {"id": 7, "lines": [{"sku": "A"}]}       'Line.order' reads "@parent.id": the line is written here if it is 7
///
/// Such a value is not written as a member of the object. If a different value would be read, the object is written as its
/// identifier, so importing the export changes nothing (E5).
extension Exporter {
  /// An object that encloses another object in the output.
  struct Outside {
    var row: Row
    var entity: Int
    /// The slot that is omitted as the inverse.
    var back = -1
    /// The number of open frames up to and including the object's own frame.
    var frames: Int
    /// The objects between this object and the innermost of these frames.
    var through: [Row] = []
  }

  /// The value that an import finds at a key path of an enclosing object.
  enum OutsideValue {
    case absent
    case null
    case value(JSON)
    /// An object of the graph that is written in full.
    case object(Outside)
    /// A value that is known only after it has been written, or that an import refuses.
    case unknown
  }

  /// The attribute values that were looked up last, as JSON. They are kept because many objects look up the same values.
  struct OutsideMemory {
    private static let most = 8
    private var values: [(row: Row, slot: Int, value: OutsideValue)] = []
    private var next = 0

    func value(_ row: Row, _ slot: Int) -> OutsideValue? {
      values.first { $0.row == row && $0.slot == slot }?.value
    }

    mutating func keep(_ value: OutsideValue, _ row: Row, _ slot: Int) {
      if values.count < OutsideMemory.most {
        values.append((row, slot, value))
      } else {
        values[next] = (row, slot, value)
        next = (next + 1) % OutsideMemory.most
      }
    }
  }

  /// Whether an import would read the object's own value from the surrounding output, or would read nothing.
  mutating func keepsOutsideValues(_ row: Row) -> Bool {
    let entity = source.plan.entities[row.entity]
    var settled: Set<Int> = []
    for number in entity.fields.surrounding where !settled.contains(source.plan.fields[number].slot) {
      let field = source.plan.fields[number]
      // References in several keys (M24), and paths through arrays, are read from the object itself.
      if field.surroundings == nil { continue }
      // If the field is an alias, the object's own key is read first.
      if field.rank > 0, entity.properties[field.slot].attribute != nil, isWritten(field.slot, entity.index),
        !source.options.omitsNil || !source.graph.isNil(row, field.slot, entity.index)
      {
        continue
      }
      let keys = entity.path(ofField: field).keys.dropFirst()
      let found = field.surroundings == .root ? rootValue(keys, around: row) : parentValue(keys)
      if case .absent = found { continue }
      if !reads(found, number, as: row) { return false }
      settled.insert(field.slot)
    }
    return true
  }

  private mutating func parentValue(_ keys: ArraySlice<String>) -> OutsideValue {
    guard let index = (0..<frames.count).reversed().first(where: isAround) else { return .absent }
    if sharesDictionary(index) { return .unknown }
    return value(under: keys, in: outside(index))
  }

  private mutating func rootValue(_ keys: ArraySlice<String>, around row: Row) -> OutsideValue {
    if let key = keys.first, document.keys.contains(UTF8Key(key)) { return .unknown }
    guard document.kind == .object else { return .absent }
    if frames.count > 0, sharesDictionary(0) { return .unknown }
    return value(
      under: keys, in: frames.count > 0 ? outside(0) : Outside(row: row, entity: row.entity, frames: 0))
  }

  /// Whether the object of a frame encloses the next one. The `@value` of an object is in the same dictionary, not inside it (M23).
  private func isAround(_ frame: Int) -> Bool {
    guard frames[frame].kind == .object else { return false }
    let step = frames[frame].step
    return frame < frames.count - 1 || step == 0 || steps[frames[frame].entity][step - 1].action != .shared
  }

  /// Whether the dictionary of a frame's object has members of several objects.
  private func sharesDictionary(_ frame: Int) -> Bool {
    frames[frame].isShared || layouts[frames[frame].entity].forms.sharesDictionary
  }

  private func outside(_ frame: Int) -> Outside {
    let place = frames[frame]
    return Outside(
      row: reader.row(place.table, place.row), entity: place.entity, back: place.back, frames: frame + 1)
  }

  // MARK: Looking up

  /// The value that is written at a key path of an object.
  private mutating func value(under keys: ArraySlice<String>, in outside: Outside) -> OutsideValue {
    let paths = writtenPaths(of: outside.entity)
    var group: [(path: ArraySlice<String>, value: JSON)] = []
    for index in 0..<steps.count(outside.entity) {
      let step = steps[outside.entity][index]
      guard let path = paths[index] else { continue }
      if path.count > keys.count, path.starts(with: keys) {
        switch value(of: step, under: path, in: outside) {
        case .absent: continue
        case .null: group.append((path[keys.count...], .null))
        case .value(let json): group.append((path[keys.count...], json))
        case .object, .unknown: return .unknown
        }
      } else if keys.starts(with: path) {
        return inner(value(of: step, under: path, in: outside), keys.dropFirst(path.count))
      }
    }
    if !group.isEmpty { return .value(Exporter.object(group)) }
    return isNull(around: keys, in: outside) ? .null : .absent
  }

  /// Whether the object of key paths that would contain a key is written as null (E7). A null on a key path is treated as a null
  /// at its end (I8).
  private mutating func isNull(around keys: ArraySlice<String>, in outside: Outside) -> Bool {
    let paths = writtenPaths(of: outside.entity)
    for count in 1..<max(1, keys.count) {
      var hasNull = false
      var hasOthers = false
      for index in 0..<steps.count(outside.entity) {
        let step = steps[outside.entity][index]
        guard let path = paths[index], path.count > count, path.starts(with: keys.prefix(count)) else { continue }
        switch value(of: step, under: path, in: outside) {
        case .absent: break
        case .null: hasNull = true
        case .value, .object, .unknown: hasOthers = true
        }
      }
      if hasNull, !hasOthers { return true }
    }
    return false
  }

  /// The value at a key path that a step writes, or at a key path inside the value that it writes.
  mutating func value(at keys: ArraySlice<String>, ofStep index: Int, in outside: Outside) -> OutsideValue {
    let step = steps[outside.entity][index]
    guard let path = writtenPaths(of: outside.entity)[index] else { return .absent }
    let found = value(of: step, under: path, in: outside)
    // A reference in several keys finds no values inside a value that is not an object.
    if path.count < keys.count, case .value(let json) = found, json.objectValue == nil { return .absent }
    return inner(found, keys.dropFirst(path.count))
  }

  /// The value at a key path inside another value.
  private mutating func inner(_ found: OutsideValue, _ keys: ArraySlice<String>) -> OutsideValue {
    guard let key = keys.first else { return found }
    switch found {
    case .absent, .null, .unknown: return found
    case .object(let outside): return value(under: keys, in: outside)
    case .value(.object(let members)):
      guard let member = members[key] else { return .absent }
      return inner(member.isNull ? .null : .value(member), keys.dropFirst())
    case .value: return .unknown
    }
  }

  /// The JSON object that consists of members at key paths.
  private static func object(_ members: [(path: ArraySlice<String>, value: JSON)]) -> JSON {
    var object = JSONObject([])
    for member in members {
      guard let key = member.path.first, object[key] == nil else { continue }
      let inside = members.filter { $0.path.first == key }
      object[key] =
        member.path.count == 1
        ? member.value : Exporter.object(inside.map { (path: $0.path.dropFirst(), value: $0.value) })
    }
    return .object(object)
  }

  // MARK: Steps

  /// The value that a step writes at its key path.
  private mutating func value(of step: ExportStep, under keys: [String], in outside: Outside) -> OutsideValue {
    if step.slot >= 0, step.slot == outside.back { return .absent }
    if depth + keys.count - 1 > source.options.maxDepth { return .unknown }
    let nothing: OutsideValue = source.options.omitsNil ? .absent : .null
    switch step.action {
    case .openGroup, .closeGroup: return .absent
    case .attribute, .discriminator:
      if step.slot >= 0, outside.row.isSet(layouts[outside.entity].slots[step.slot]) {
        return attributeValue(of: step, in: outside)
      }
      guard let mapped = step.discriminator else { return nothing }
      return written { exporter throws(ExportError) in
        exporter.discriminator(mapped, outside.row)
        return true
      }
    case .toOne: return related(step, outside) ?? nothing
    case .toMany, .shared, .reference, .unwritten: return .unknown
    case .part: return partValue(at: keys, in: outside)
    }
  }

  private mutating func attributeValue(of step: ExportStep, in outside: Outside) -> OutsideValue {
    if let known = outsideMemory.value(outside.row, step.slot) { return known }
    let value = written { exporter throws(ExportError) in
      let slot = exporter.layouts[outside.entity].slots + step.slot
      try exporter.attribute(outside.row, slot, step.writing, outside.entity, step.slot)
      return true
    }
    outsideMemory.keep(value, outside.row, step.slot)
    return value
  }

  /// The form in which a related object is written; nil if there is none.
  private mutating func related(_ step: ExportStep, _ outside: Outside) -> OutsideValue? {
    let slot = layouts[outside.entity].slots[step.slot]
    guard let target = reader.target(outside.row, slot) else { return nil }
    let row = reader.row(slot.destinationTable, target)
    let layout = layouts[row.entity]
    let isIdentifier =
      step.isIdentifier || source.options.identifiersOnly || row.isPlaceholder || isOpen(row, outside)
      || source.graph.needsKey(row)
    if isIdentifier {
      if row.isPlaceholder && slot.defersUnknown || !hasIdentifierForm(row, as: slot.destination) { return .unknown }
      return written { exporter throws(ExportError) in
        try exporter.identifier(slot.destinationTable, target)
      }
    }
    // All other objects are written in full, unless an option or a limit can prevent this.
    guard source.options.sharedObjects == .full, depth + 1 + layout.export.reach <= source.options.maxDepth,
      !layout.forms.readsSurroundings,
      !layout.identity.hasOwner, layout.forms.indexField < 0,
      row.entity == slot.destination || source.graph.isReadable(row.entity, as: slot.destination, row)
    else { return .unknown }
    return .object(
      Outside(
        row: row, entity: row.entity, back: slot.inverse, frames: outside.frames,
        through: outside.through + [outside.row]))
  }

  /// Whether an object is still being written when another object is reached.
  private func isOpen(_ row: Row, _ outside: Outside) -> Bool {
    row == outside.row || outside.through.contains(row)
      || (0..<outside.frames).contains {
        frames[$0].kind == .object && reader.row(frames[$0].table, frames[$0].row) == row
      }
  }

  /// The JSON that a closure writes. The JSON is removed from the output immediately.
  ///
  /// - Parameter write: a closure that writes JSON to the output, and returns false if it cannot write anything.
  mutating func written(_ write: (inout Exporter) throws(ExportError) -> Bool) -> OutsideValue {
    let start = output.count
    defer { output.truncate(to: start) }
    do {
      guard try write(&self), let json = try? JSONBuilder.json(output.bytes(from: start)) else { return .unknown }
      return json.isNull ? .null : .value(json)
    } catch {
      // Other errors are reported when the value is written at its final position.
      noteRefusedCall(in: error)
      return .unknown
    }
  }
}
