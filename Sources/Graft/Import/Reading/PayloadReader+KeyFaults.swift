/// Keys that occur twice, that the model does not map, or whose path is blocked (I8, I13).
extension PayloadReader {
  @inline(never)
  mutating func refuseDuplicate(_ key: UnsafePointer<UInt8>) throws(JSONSyntaxError) {
    // The object that shares the dictionary has already refused the key.
    if open.frames.count > 0, open.frames.last.pointee.marks.isShared { return try scanner.skipValue() }
    let start = offset(of: key)
    var reader = scanner
    reader.move(to: key)
    let raw = try reader.scanString()
    log.record(.duplicateKey(reader.text(of: raw, in: &scratch)), at: start, length: raw.count + 2)
    open.forbidRepeats()
    try scanner.skipValue()
    try log.stopIfFull()
  }

  @inline(never)
  mutating func refuseUnknown(
    _ key: UnsafePointer<UInt8>, of number: Int, _ group: GroupPlan
  ) throws(JSONSyntaxError) {
    var reader = scanner
    reader.move(to: key)
    let raw = try reader.scanString()
    let text = String(decoding: reader.text(of: raw, in: &scratch), as: UTF8.self)
    let known = (group.first..<group.first + group.count).map { fields[$0].name }
    let entity = plan.entities[number]
    let sharing = entity.sharingEntities.map { plan.entities[$0] }
    log.record(.unknownKey(text, [entity] + sharing, near: known), at: offset(of: key), length: raw.count + 2)
    try log.stopIfFull()
  }

  mutating func refuseGroup(_ field: PlanReference<FieldPlan>, _ frame: ImportFrame) throws(JSONSyntaxError) {
    guard let first = try setInvalid(group: field.pointee.group, frame) else {
      try scanner.skipValue()
      return
    }
    let start = offset
    let found = try found()
    let inner = fields + first
    let path = plan.entities[frame.entity].path(ofField: inner.pointee)
    log.record(.blockedKeyPath(path, subject(inner), found: found.phrase), at: start, length: found.length)
    try log.stopIfFull()
  }
}
