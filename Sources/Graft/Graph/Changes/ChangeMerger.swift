/// Applies the changes made in another context.
///
///     1  identities           of objects whose identity changes: removed from the index
///     2  deleted objects      removed; the changes already contain the effects of their deletion elsewhere
///     3  objects              new and changed objects, owners before their parts (M12): attributes, owners, identity
///     4  other links          to objects that exist now, or placeholders
///
/// An object can be found by its identity only when its owners have their final identities. In step 3, therefore, an object is looked
/// up only after its owners have been processed.
struct ChangeMerger {
  private let context: ManagedObjectContext
  private let changes: ContextChanges
  private let objects: [ChangedObject]
  private let state: Reference<GraphState>
  private let editor: GraphEditor
  /// The row of each changed object; nil if the context does not have it.
  private var places: [RowPlace?] = []
  /// The IDs of objects whose changes could not be applied.
  private(set) var unmerged: [ManagedObjectID] = []

  init(_ context: ManagedObjectContext, _ changes: ContextChanges) {
    self.context = context
    self.changes = changes
    objects = changes.objects?.objects ?? []
    state = context.state
    editor = GraphEditor(context.state)
  }

  mutating func run() {
    // All objects are looked up before any of them loses its owner, or gives up an identity that a new object may take.
    let deleted = changes.deleted.compactMap { context.place(of: $0) }
    places = objects.map { $0.isInserted ? nil : place($0.previousID, of: $0) }
    for (object, place) in zip(objects, places) where object.id != object.previousID {
      place.map { editor.unindex($0.table, $0.row) }
    }
    editor.remove(deleted)
    for index in ownersFirst() { fill(index) }
    for index in objects.indices { link(index, toOwners: false) }
    state.pointee.orphans.truncate(to: 0)
  }

  // MARK: Owners

  /// An order that places each object after the owners that identify it.
  private func ownersFirst() -> [Int] {
    let hasOwners = objects.contains { object in
      let layout = state.layouts[object.entity]
      return (0..<layout.identity.count).contains { layout.slots[layout.identity.slots[$0]].kind == .toOne }
    }
    if !hasOwners { return Array(objects.indices) }
    var order = ChangeOrder(objects) { [state] object in
      object.links.compactMap { property, links in
        guard case .one(let owner?) = links, state.layouts[object.entity].slots[property].isIdentity else { return nil }
        return owner.key
      }
    }
    return order.ownersFirst()
  }

  // MARK: Rows

  private func place(_ id: ManagedObjectID, of object: ChangedObject) -> RowPlace? {
    guard let place = context.place(of: id) else { return nil }
    let own = state.row(place.table, place.row).entity
    // An object in another branch of the hierarchy is a different object.
    guard isKind(own, of: object.entity) || isKind(object.entity, of: own) else { return nil }
    return place
  }

  private func isKind(_ entity: Int, of other: Int) -> Bool {
    state.layouts[entity].isKind(of: state.layouts[other])
  }

  /// Sets the attributes and owners of an object, and inserts the object if it is new.
  private mutating func fill(_ index: Int) {
    let object = objects[index]
    if places[index] == nil { places[index] = place(object.id, of: object) }
    let isNew = places[index] == nil
    if isNew {
      guard object.isInserted, context.place(of: object.id) == nil else {
        unmerged.append(object.id)
        return
      }
      let number = editor.insert(object.entity, isPlaceholder: object.header.isPlaceholder)
      places[index] = RowPlace(table: state.layouts[object.entity].table, row: number)
    }
    guard let place = places[index] else { return }
    if case .number(let number) = object.id.key { context.rowNumbers.assign(number, to: place) }
    let row = state.placed(place)
    let own = row.row.entity
    if own != object.entity, isKind(object.entity, of: own) {
      editor.changeEntity(place.table, place.row, to: object.entity)
    }
    // A placeholder in the other context may be a full object in this context.
    if isNew || !object.header.isPlaceholder || object.isEmptied {
      editor.setFlag(RowHeader.placeholder, object.header.isPlaceholder, place.table, place.row)
      editor.setFlag(RowHeader.bareDiscriminator, object.header.hasBareDiscriminator, place.table, place.row)
    }
    let isMoved = !isNew && object.id != object.previousID
    let isTaken = isMoved && context.place(of: object.id).map { $0 != place } ?? false
    let layout = state.layouts + row.row.entity
    for (property, value) in object.attributes where !(isTaken && layout.pointee.slots[property].isIdentity) {
      set(value, layout.pointee.slots + property, row)
    }
    if isTaken { unmerged.append(object.id) } else { link(index, toOwners: true) }
    if isNew || isMoved {
      // An object that has received an owner is already in the index.
      editor.unindex(place.table, place.row)
      editor.index(place.table, place.row)
    }
  }

  private func set(_ value: ChangedObject.Value, _ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    switch value {
    case .none: editor.setNil(slot, row)
    case .word(let word): editor.setWord(word, slot, row)
    case .text(let bytes):
      var scratch = ScratchText()
      defer { scratch.free() }
      editor.setText(.text(scratch.copy(bytes)), slot, row)
    }
  }

  // MARK: Links

  /// - Parameter toOwners: whether to set the links that are part of the identity, or the other links.
  private mutating func link(_ index: Int, toOwners: Bool) {
    guard let place = places[index] else { return }
    let row = state.placed(place)
    let layout = state.layouts + row.row.entity
    for (property, links) in objects[index].links where layout.pointee.slots[property].isIdentity == toOwners {
      let slot = layout.pointee.slots + property
      switch links {
      case .one(let id):
        let target = id.flatMap { number($0, slot.pointee, objects[index]) }
        editor.setToOne(target.map { UInt64($0) + 1 } ?? 0, slot, row)
      case .edit(let added, let removed):
        for number in known(removed, slot.pointee) where editor.contains(number, row.row, slot) {
          editor.unlink(number, slot, row)
        }
        let rows = added.compactMap { number($0, slot.pointee, objects[index]) }
        if rows.isEmpty { continue }
        editor.setToMany(rows, union: true, slot, row)
      case .list(let ids, let removed):
        // Members that exist only in this context are kept, after the other members.
        let rows = ids.compactMap { number($0, slot.pointee, objects[index]) }
        let gone = Set(rows).union(known(removed, slot.pointee))
        let all = rows + RowReader(state).targetsInMemory(row.row, slot.pointee).filter { !gone.contains($0) }
        guard !all.isEmpty else {
          editor.clear(slot, row)
          continue
        }
        editor.setToMany(all, union: false, slot, row)
      }
    }
  }

  private func known(_ ids: [ManagedObjectID], _ slot: SlotPlan) -> [UInt32] {
    ids.compactMap { context.place(of: $0) }.filter { $0.table == slot.destinationTable }.map(\.row)
  }

  /// The row of an object in a relationship. An object that the context does not have becomes a placeholder.
  private mutating func number(_ id: ManagedObjectID, _ slot: SlotPlan, _ owner: ChangedObject) -> UInt32? {
    if let place = context.place(of: id) {
      let own = state.row(place.table, place.row).entity
      if place.table == slot.destinationTable, isKind(own, of: slot.destination) { return place.row }
      unmerged.append(owner.id)
      return nil
    }
    guard let row = context.insertPlaceholder(id) else {
      unmerged.append(owner.id)
      return nil
    }
    return row
  }
}

extension ManagedObjectContext {
  /// Applies the changes made in another context that has the same model, such as a ``BackgroundContext``.
  ///
  ///     for await changes in await background.updates() {
  ///       main.merge(changes)
  ///     }
  ///
  /// Objects are matched by ``ManagedObjectID``. Objects without an identity match only if this context received them from such changes or
  /// from a snapshot. If both contexts changed an object, only the properties that the other context changed are set. If a changed object
  /// links to an object that this context does not have, a placeholder is created. Begin with a snapshot if the other context is not empty.
  ///
  /// Like an import, this commits, including this context's pending changes. Nothing is validated, because the other context has
  /// validated it. Observers are notified, with ``ContextChanges/Cause/merge``. ``ContextChanges/Cause/rollBack`` reverses
  /// uncommitted changes, so changes with that cause are ignored. Contexts with a store use ``merge()`` instead.
  ///
  /// Expected time in proportion to the changes. A changed ordered relationship takes time in proportion to its length.
  ///
  /// - Parameter changes: changes from ``updates()``. They must be merged in order.
  /// - Returns: the objects whose changes could not be repeated completely, because this context has deleted them, or because another
  ///   object has their identity.
  /// - Precondition: the changes were committed in a context with the same ``ManagedObjectModel``. This context has no store,
  ///   and no transaction or whole stream is open in it.
  @discardableResult
  public func merge(_ changes: ContextChanges) -> [ManagedObjectID] {
    if isReentrant("merge changes", isForHooks: false) { return [] }
    precondition(
      changes.cause != .pending, "the changes are not committed yet: merge the changes that updates() returns")
    precondition(binding == nil, "the context has a store: commit the changes there, and call merge()")
    if let objects = changes.objects { precondition(objects.model === model, "the changes belong to another model") }
    precondition(
      state.openUnits == 0,
      "merge(_:) cannot be called inside atomically(_:) or dryRun(_:), or while a whole stream is open")
    if changes.cause == .rollBack { return [] }
    var merger = ChangeMerger(self, changes)
    merger.run()
    finishUnit(.merge)
    closeGapsIfUnchanged()
    return merger.unmerged
  }

  /// Inserts a placeholder for an ID; nil if the ID has no identity, or if the model does not have its entity.
  fileprivate func insertPlaceholder(_ id: ManagedObjectID) -> UInt32? {
    guard let entity = model.plan.entity(named: id.entityName), case .identity(let identity) = id.key else {
      return nil
    }
    return insertPlaceholder(entity, identity)
  }

  private func insertPlaceholder(_ entity: EntityPlan, _ identity: ManagedObjectID.Identity) -> UInt32? {
    guard identity.parts.count == entity.identitySlots.count else { return nil }
    let layout = state.layouts[entity.index]
    var scratch = ScratchText()
    defer { scratch.free() }
    var cells: [Cell] = []
    for (slot, part) in zip(entity.identitySlots, identity.parts) {
      switch part {
      case .owner(let owner):
        guard let destination = model.plan.entity(named: owner.space),
          let number = place(of: owner)?.row ?? insertPlaceholder(destination, owner)
        else { return nil }
        cells.append(.row(number))
      case .value(let value):
        guard let cell = cell(of: value, layout.slots[slot], entity.properties[slot], &scratch) else { return nil }
        cells.append(cell)
      }
    }
    let editor = GraphEditor(state)
    let number = editor.insert(entity.index, isPlaceholder: true)
    let row = state.placed(layout.table, number)
    for (slot, cell) in zip(entity.identitySlots, cells) {
      if cell.tag == .row {
        editor.linkToOwner(cell.bits, layout.slots + slot, row)
      } else {
        editor.setValue(cell, layout.slots + slot, row)
      }
    }
    editor.index(layout.table, number)
    return number
  }
}
