/// The forms of related objects: in full, as identifiers, or not at all (E2, E5, E6).
extension Exporter {
  /// The form of an object in a relationship.
  enum Form {
    case object
    case identifier
    /// Only the identity of an object that is written elsewhere, as an object (`sharedObjects: .once`).
    case mention
    case none(Omission.Reason)
  }

  /// The facts about the objects of a relationship.
  struct Place {
    /// The entity whose objects an import expects at this place.
    var destination: Int
    /// Whether the model or the call requires identifiers.
    var wantsIdentifier = false
    /// Whether an identifier is preferred, because the key of an object cannot be written here (M11).
    var prefersIdentifier = false
    /// Whether an import accepts the identifiers of placeholders.
    var acceptsPlaceholders = true
    /// Whether objects without identity that are marked as written are reserved for this list.
    var isReserved = false
    /// Whether an import recognizes the object if the object is written here in full (M12).
    var isHome = true
    /// Whether the object may be written as its `@value` alone, regardless of the depth (M23).
    var isBare = false
    /// The inverse of the relationship, which is not written.
    var back = -1
  }

  /// The facts about the object of a to-one relationship; nil if the object is certainly written in full.
  @inline(__always)
  mutating func unusualPlace(of row: Row, _ slot: SlotPlan, _ step: ExportStep) -> Place? {
    let entity = row.entity
    let isKeyed = source.graph.needsKey(row)
    let isHome = !hasSurroundings || isAtHome(row, back: slot.inverse, index: nil)
    let wantsIdentifier = step.isIdentifier || source.options.identifiersOnly
    guard
      wantsIdentifier || isKeyed || isIdentifier(row) || !isHome
        || entity != slot.destination && !source.graph.isReadable(entity, as: slot.destination, row)
    else { return nil }
    return Place(
      destination: slot.destination, wantsIdentifier: wantsIdentifier, prefersIdentifier: isKeyed,
      acceptsPlaceholders: !slot.defersUnknown, isHome: isHome, back: slot.inverse)
  }

  mutating func form(_ row: Row, at place: Place) -> Form {
    let header = row.header
    let entity = header.entity
    let isPlaceholder = header.isPlaceholder
    let isOpen = header.isOnPath
    let isRepeated =
      source.options.sharedObjects == .once && header.isListed && !(place.isReserved && !source.graph.hasIdentity(row))
    if place.wantsIdentifier || place.prefersIdentifier || isPlaceholder || isOpen || isRepeated || !place.isHome {
      if isPlaceholder, !place.acceptsPlaceholders { return .none(.refusedPlaceholder) }
      if hasIdentifierForm(row, as: place.destination) { return .identifier }
      if isPlaceholder { return .none(.placeholder) }
      if isOpen { return isMentionable(row, as: place.destination) ? .mention : .none(.cycle) }
      if !place.isHome { return .none(.misplaced) }
    }
    if misfit(row) != nil {
      if hasIdentifierForm(row, as: place.destination) { return .identifier }
      if !place.isBare, fitsBare(row, as: place.destination, back: place.back) != true { return .none(.depth) }
    }
    if entity != place.destination, !source.graph.isReadable(entity, as: place.destination, row) {
      return .none(.unreadable)
    }
    if isRepeated { return canMention(row) ? .mention : .none(.repeated) }
    return place.wantsIdentifier && !source.graph.hasIdentity(row) ? .none(.anonymous) : .object
  }

  /// Whether the `@value` that represents an object is within the depth limit; nil if nothing can represent it (M11, M23).
  mutating func fitsBare(_ row: Row, as declared: Int, back: Int) -> Bool? {
    if layouts[row.entity].forms.sharesDictionary {
      return bareIdentifier(row, as: declared, back: back) == nil ? nil : true
    }
    guard let slot = source.graph.bareValue(row, as: declared, back: back) else { return nil }
    if slot.pointee.kind == .toMany { return depth < source.options.maxDepth }
    let number = slot - layouts[row.entity].slots
    return !isTooDeep(row, slot, writing(of: row, number), source.options.maxDepth - depth)
  }

  /// Refuses objects that an import of `declared` would take for different objects. If neither these objects nor `declared` have an
  /// identity, each dictionary is a new object anyway.
  mutating func requireReadable(_ places: [(table: Int, row: UInt32)], as declared: EntityPlan) throws(ExportError) {
    guard layouts[declared.index].hasSubentities else { return }
    for place in places {
      let row = reader.row(place.table, place.row)
      let entity = row.entity
      guard entity != declared.index, !row.isPlaceholder,
        layouts[declared.index].identity.count > 0 || source.graph.hasIdentity(row),
        !source.graph.isReadable(entity, as: declared.index, row)
      else { continue }
      let name = source.plan.entities[entity].name
      throw ExportError(
        code: .unreadableObject,
        "'\(GraphNames(state, source.plan).name(place.table, place.row))' would be imported as an object of '\(declared.name)': add '\(name)' to the mapper of '\(declared.name)', or export the objects of '\(name)' separately",
        path: path(to: nil))
    }
  }

  /// Whether an object can be written as an identifier that an import finds among the objects of `declared` (E6).
  mutating func hasIdentifierForm(_ row: Row, as declared: Int) -> Bool {
    // The identifier would be read as the `@value` of another object (M23).
    if layouts[declared].forms.readsElements { return false }
    // An identifier that is an array needs one more level.
    return layouts[declared].identity.hasOwner
      ? source.graph.identifierDepth(row, as: declared).map { depth + $0 <= source.options.maxDepth } ?? false
      : (layouts[declared].identity.count == 1 || depth < source.options.maxDepth)
        && source.graph.isFound(row, as: declared)
  }

  /// Whether an object of a list's destination entity is written as its identifier if the list requires identifiers. This is true of
  /// nearly all objects, so ``form(_:at:)`` need not examine them.
  @inline(__always)
  mutating func isPlainlyIdentified(_ row: Row, in list: Frame) -> Bool {
    let layout = layouts + row.entity
    return (!row.isPlaceholder || list.acceptsPlaceholders) && layout.pointee.identity.count == 1
      && !layout.pointee.identity.hasOwner && !layout.pointee.forms.readsElements && source.graph.hasIdentity(row)
  }

  /// Whether an object that is being written at an outer level, and whose identifier would be read as the `@value` of another object
  /// (M23), can be identified by its identity values.
  private mutating func isMentionable(_ row: Row, as declared: Int) -> Bool {
    layouts[declared].forms.readsElements && !layouts[row.entity].forms.sharesDictionary
      && (row.entity == declared || source.graph.isReadable(row.entity, as: declared, row)) && canMention(row)
  }

  /// Whether the identity values of an object can be written as an object here.
  private mutating func canMention(_ row: Row) -> Bool {
    let entity = row.entity
    let layout = layouts + entity
    let isElement =
      layout.pointee.forms.valueField >= 0 && source.plan.fields[layout.pointee.forms.valueField].rank == 0
      && source.plan.entities[entity].identitySlots.contains(source.plan.fields[layout.pointee.forms.valueField].slot)
    let isIdentifiedOutside = layout.pointee.identity.hasOwner || layout.pointee.forms.indexField >= 0
    return source.graph.hasIdentity(row) && !source.graph.hasKeyFirst(layout) && !isElement && !isIdentifiedOutside
      && depth + steps.mention(entity, source).depth <= source.options.maxDepth
  }

  /// Reserves the objects of a list that have no identity for this list, if each object is written once. Returns false if one of them
  /// was written before. Otherwise, writing one element in full could make another element unwritable.
  mutating func reserve(_ table: Int, from first: Int) -> Bool {
    for index in first..<rows.count {
      let row = reader.row(table, rows[index])
      guard !row.isPlaceholder && !row.isOnPath, !source.graph.hasIdentity(row) else { continue }
      if row.isListed { return false }
      objects.list(RowPlace(table: table, row: rows[index]), row)
    }
    return true
  }
}
