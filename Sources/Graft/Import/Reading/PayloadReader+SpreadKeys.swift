/// Reports keys that are next to the keys on a path through arrays (M25, I13).
///
///     {"edges": [{"cursor": "a", "node": {"id": 1}}]}         "edges[].node": "cursor" is not mapped
extension PayloadReader {
  /// A part of a path: a key, or the elements of an array.
  private enum Step: Equatable {
    case key([UInt8]), elements
  }

  /// Reports the keys in the elements of an array that no path leads to. Several properties may read one array, so the first of
  /// these properties reports the keys for all of them.
  @inline(never)
  mutating func readUnknownKeys(
    besides field: PlanReference<FieldPlan>, of frame: UnsafeMutablePointer<ImportFrame>
  ) throws(JSONSyntaxError) {
    let entity = plan.entities[frame.pointee.entity]
    let keys = plan.forms[field.pointee.forms].segments[0]
    let paths = entity.fields.ofSlot.sorted { $0.key < $1.key }.flatMap(\.value).map {
      entity.path(ofField: fields[$0])
    }
    let through = paths.filter { $0.surroundings == nil && $0.segments.first == keys }
    guard through.first == entity.path(ofField: field.pointee) else { return }
    scanner.move(to: frame.pointee.start, depth: 0)
    guard case .value(let place) = texts.find(keys, in: scanner) else { return }
    scanner.move(to: place, depth: keys.count)
    try readUnknownKeys(
      besides: through.map { path in
        let steps = path.segments.dropFirst().map { keys in [Step.elements] + keys.map { .key(Array($0.utf8)) } }
        return Array(steps.joined())[...]
      })
  }

  /// Reads the value at the scanner's position and reports its keys that are not on any of the given paths. Recurses as deeply as
  /// the paths.
  private mutating func readUnknownKeys(besides paths: [ArraySlice<Step>]) throws(JSONSyntaxError) {
    let isRead = paths.contains(where: \.isEmpty)
    switch scanner.peek {
    case UInt8(ascii: "[") where !isRead:
      let inner = paths.filter { $0.first == .elements }.map { $0.dropFirst() }
      try readEach(before: UInt8(ascii: "]")) { reader, _ throws(JSONSyntaxError) in
        try reader.readUnknownKeys(besides: inner)
      }
    case UInt8(ascii: "{") where !isRead:
      try readEach(before: UInt8(ascii: "}")) { reader, _ throws(JSONSyntaxError) in
        let place = reader.scanner.position
        let raw = try reader.scanner.scanKey()
        let key = Step.key(Array(reader.scanner.text(of: raw, in: &reader.scratch)))
        let inner = paths.filter { $0.first == key }.map { $0.dropFirst() }
        if inner.isEmpty {
          let frame = reader.open.frames.last.pointee
          try reader.tellUnknown(place, of: frame.entity, reader.groups[frame.group])
          try reader.scanner.skipValue()
        } else {
          try reader.readUnknownKeys(besides: inner)
        }
      }
    default: try scanner.skipValue()
    }
  }
}
