/// Omits relationships that cannot be written completely: an export never destroys what it omits (E5).
extension Exporter {
  /// An object that cannot be written, with the reason and the location.
  struct Omission {
    enum Reason {
      /// The object or its identifier is below the depth limit.
      case depth
      /// The object is a placeholder, and the destination does not read its identifier.
      case placeholder
      /// The object is a placeholder, and the relationship does not accept placeholders.
      case refusedPlaceholder
      /// The object is a placeholder in a collection by keys.
      case unkeyedPlaceholder
      /// The object is being written at an outer level, and the destination does not read its identifier.
      case cycle
      /// The object was already written, and has no identifier.
      case repeated
      /// An identifier is required, and the object has none.
      case anonymous
      /// The object would be read as an object of another entity.
      case unreadable
      /// The object is written neither in its owner nor at its position, and the destination does not read its identifier (M12).
      case misplaced
      /// The reverse of a transformer writes no value that could identify the object.
      case transformed
      /// The object is the `@value` of an object with other values, and can only be written as an identifier (M23).
      case unshared
      /// The object has no `@value`, but would be read with one (M23).
      case valueless
      /// The object's JSON would be read as null (M20, M22).
      case null
      /// At the keys of the object's identifier, other properties write different values, or no values (M24).
      case sharedKeys
    }

    var reason: Reason
    var table: Int
    var row: UInt32
    /// The relationship, if it is not the relationship that the owner has begun to write.
    var slot = -1
  }

  /// Leaves out the relationship that is being written and its key, or throws an error.
  ///
  /// If an import would insert the owner again because it has no identity, the owner is also incomplete, and the relationship that
  /// contains it is omitted. This continues up to the next enclosing object with an identity. Because the key of its relationship
  /// is absent, an import leaves that relationship unchanged.
  @inline(never)
  mutating func leaveOut(_ omission: Omission) throws(ExportError) {
    var owner = frames.count - 1
    if frames[owner].kind != .object, frames[owner].valueTable < 0 { owner -= 1 }
    if source.options.incompleteRelationships == .error { throw incomplete(owner, omission) }
    var index = owner
    var isIdentity = isIdentity(omission, of: frames[owner])
    while isIdentity {
      // Without the owner that is part of its identity, the object itself cannot be written either (M12).
      index -= 1
      while index >= 0, !hasIdentity(frames[index]) { index -= 1 }
      if index < 0 { throw incomplete(owner, omission) }
      isIdentity = self.isIdentity(nil, of: frames[index])
    }
    while index >= 0, !hasIdentity(frames[index]) { index -= 1 }
    let rest = index >= 0 ? index : owner
    let incomplete = place(of: frames[rest])
    rewind(to: rest)
    if source.options.rootsOnly { objects.omit(from: incomplete, at: output.count) }
  }

  /// Omits the list if it appears in place of an object, as its `@value` (M11).
  mutating func leaveOutValue(_ omission: Omission, of owner: (table: Int, row: UInt32)) throws(ExportError) {
    var frame = Frame(kind: .list, table: omission.table, row: owner.row)
    (frame.start, frame.written, frame.first) = (output.count, objects.listed.count, rows.count)
    frame.valueTable = owner.table
    frames.append(frame)
    descend()
    try leaveOut(omission)
  }

  /// Whether an omitted relationship is part of the identity of the object that has it.
  private func isIdentity(_ omission: Omission?, of frame: Frame) -> Bool {
    guard frame.kind == .object else { return false }
    let slot = omission.flatMap { $0.slot >= 0 ? $0.slot : nil } ?? steps[frame.entity][frame.step - 1].slot
    // Without the omitted relationship, another object would be read as the `@value` (M23).
    if layouts[frame.entity].forms.sharesDictionary, steps[frame.entity][frame.step - 1].action == .shared {
      return true
    }
    guard source.plan.features.hasOwners else { return false }
    return slot >= 0 && layouts[frame.entity].slots[slot].isIdentity
  }

  private func hasIdentity(_ frame: Frame) -> Bool {
    if frame.kind == .object { return source.graph.hasIdentity(reader.row(frame.table, frame.row)) }
    return frame.valueTable >= 0 && source.graph.hasIdentity(reader.row(frame.valueTable, frame.row))
  }

  /// The object whose members a frame writes, or whose `@value` the frame represents.
  private func place(of frame: Frame) -> RowPlace {
    RowPlace(table: frame.kind == .object ? frame.table : frame.valueTable, row: frame.row)
  }

  /// Discards the output since the start of the owner's relationship.
  private mutating func rewind(to owner: Int) {
    while frames.count > owner + 1 {
      let frame = frames.last.pointee
      paths.references.endObject(frames: frames.count)
      if frame.kind == .object {
        reader.row(frame.table, frame.row).isOnPath = false
      } else {
        rows.truncate(to: frame.first)
        if frame.checksKeys { keyHolders.end() }
      }
      ascend(from: frame)
      frames.truncate(to: frames.count - 1)
    }
    let frame = frames.last.pointee
    while groupStarts.count > 0, groupStarts.last.pointee >= frame.start {
      groupStarts.truncate(to: groupStarts.count - 1)
      ascend()
    }
    output.truncate(to: frame.start)
    forgetWritten(from: frame.written)
    if frame.kind != .object {
      // The array represented the element itself. The element is now written as an object without the array.
      rows.truncate(to: frame.first)
      if frame.checksKeys { keyHolders.end() }
      ascend()
      frames.truncate(to: frames.count - 1)
      output.raw("{}")
    }
  }

  // MARK: Errors

  private mutating func incomplete(_ owner: Int, _ omission: Omission) -> ExportError {
    if omission.reason == .valueless { return valueless(omission.table, omission.row) }
    let frame = frames[owner]
    let names = GraphNames(state, source.plan)
    let place = place(of: frame)
    let entity = source.plan.entities[reader.row(place.table, place.row).entity]
    var slot = omission.slot
    if slot < 0 {
      slot =
        frame.kind == .object
        ? steps[frame.entity][frame.step - 1].slot : source.plan.fields[layouts[entity.index].forms.valueField].slot
    }
    output.truncate(to: frame.start)
    // A `@value` has no key.
    if frame.kind == .object, omission.slot < 0, steps[frame.entity][frame.step - 1].action != .shared {
      key(steps[frame.entity] + (frame.step - 1))
    }
    let destination = source.plan.entities[layouts[entity.index].slots[slot].destination].name
    let element = "'\(names.name(omission.table, omission.row))'"
    let reason =
      switch omission.reason {
      case .depth:
        "\(element) is below the depth limit of \(source.options.maxDepth) and has no identifier that can be written there; raise \(source.options.words.maxDepth)"
      case .placeholder:
        "\(element) is a placeholder, and '\(destination)' cannot read its identifier; import the object first"
      case .refusedPlaceholder:
        "\(element) is a placeholder, which the relationship's 'unresolvedRule' rejects; import the object first"
      case .unkeyedPlaceholder:
        "\(element) is a placeholder, and an identifier has no place in a collection by keys; import the object first"
      case .cycle:
        "\(element) is already being written further up, and '\(destination)' cannot read its identifier; export it without this relationship"
      case .repeated: "\(element) was written before and has no identifier; use 'sharedObjects: .full'"
      case .anonymous: "\(element) has no identity; write the relationship as objects"
      case .unreadable:
        "\(element) would be imported as an object of '\(destination)'; add its entity to the mapper of '\(destination)'"
      case .misplaced: "\(element) \(misplacement(reader.row(omission.table, omission.row)))"
      case .transformed: "the transformer of the identity of \(element) returns no identifier"
      case .unshared:
        "\(element) can only be written as an identifier here, which has no place next to the other values"
      case .valueless: "\(element) has no value"
      case .sharedKeys: "other properties write different values, or none, at the keys of \(element); make them agree"
      case .null: "an import would read the value written for \(element) as null; give it another value"
      }
    return ExportError(
      code: .incompleteRelationship,
      "'\(names.name(place.table, place.row)).\(entity.properties[slot].name)' cannot be written completely: \(reason), or omit the relationship with \(source.options.words.incomplete)",
      path: path(to: nil))
  }

  /// Returns the reason why an object without an identifier cannot be written at its location, and what to do.
  private func misplacement(_ row: Row) -> String {
    let layout = layouts[row.entity]
    if layout.forms.readsSurroundings, !layout.identity.hasOwner, layout.forms.indexField < 0 {
      return
        "has a different value from the one that an import would read from the enclosing JSON, and has no identifier; give the property with '@parent' or '@root' its own key path, with the current one as an alias"
    }
    return "is not inside its owner or at its position here, and has no identifier; export the object that contains it"
  }
}
