/// The objects of a to-many relationship: a live collection, not a copy.
///
///     for power in hero.powers where power.name == "Flight" { ... }
///     hero.powers.insert(agility)                    // the inverse is updated
///
/// Reading an element and calling ``contains(_:)`` take expected O(1) time. To keep the objects as they are now, create an array. A
/// variable that holds the relationship itself shows every later change.
///
///     let before = Array(hero.powers)                // `let before = hero.powers` would be empty below
///     hero.powers = []
///     hero.powers = before
///
/// For the same reason, `swap(&hero.powers, &villain.powers)` does not exchange the objects.
public struct RelatedObjects<Element: ManagedObject>: RandomAccessCollection {
  @usableFromInline let owner: ManagedObject
  @usableFromInline let slot: Int

  // Inlined, like `count`, because most of the time of `hero.powers.count` would otherwise be spent on reference counting.
  @inlinable
  init(owner: ManagedObject, slot: Int) {
    owner.requireToMany(slot)
    self.owner = owner
    self.slot = slot
  }

  var plan: SlotPlan { owner.plan(ofSlot: slot).pointee }
  private var state: Reference<GraphState> { owner.context.state }

  private var cell: UInt64 { owner.relatedCell(slot) }

  /// 0, the position of the first object.
  public var startIndex: Int { 0 }

  /// The position after the last object.
  @inlinable public var endIndex: Int { owner.relatedCount(slot) }

  /// The number of objects.
  @inlinable public var count: Int { endIndex }

  /// Whether there are no objects.
  @inlinable public var isEmpty: Bool { endIndex == 0 }

  /// The object at a position. Ordered relationships keep payload order; unordered relationships keep the order in which the links were
  /// made.
  public subscript(position: Int) -> Element {
    precondition(
      position >= 0 && position < endIndex,
      "position \(position) is out of bounds: there are \(endIndex) related objects")
    if owner.isDetached { return literalElement(position) }
    let plan = plan
    let row: UInt32
    // Only a relationship without an inverse can still have links to deleted objects.
    if plan.inverse >= 0 || state.pointee.deletedCounts[plan.destinationTable] == 0 {
      row = state.pointee.vectors.row(at: position, in: RowVector(cell))
    } else {
      row = RowReader(state).targets(owner.row, plan)[position]
    }
    return owner.context.object(plan.destinationTable, row, as: Element.self)
  }

  /// Returns the objects at the given positions. Like the results of `prefix`, `suffix` and `dropFirst`, they do not follow later changes.
  public subscript(bounds: Range<Int>) -> ObjectSlice<Element> {
    precondition(
      bounds.lowerBound >= 0 && bounds.upperBound <= endIndex,
      "positions \(bounds) are out of bounds: there are \(endIndex) related objects")
    return ObjectSlice(bounds.map { self[$0] }, at: bounds)
  }

  /// Iterates over a snapshot, so the relationship may change during iteration.
  public func makeIterator() -> Iterator {
    if owner.isDetached { return literalIterator() }
    owner.noteLinksRead(slot)
    let rows = cell == 0 ? [] : RowReader(state).targets(owner.row, plan)
    return Iterator(
      context: owner.context, rows: HeldRows(owner.context, rows.isEmpty ? 0 : plan.destinationTable, rows))
  }

  @inline(never)
  private func literalElement(_ position: Int) -> Element {
    let object = owner.literalElements[position]
    guard let typed = object as? Element else { ManagedObjectContext.refuse(object, as: Element.self) }
    return typed
  }

  @inline(never)
  private func literalIterator() -> Iterator {
    let objects = owner.literalElements.filter { !$0.isDetached }
    return Iterator(
      context: owner.context, rows: HeldRows(owner.context, objects.first?.table ?? 0, objects.map(\.number)))
  }

  /// An iterator over the objects that a relationship contained when the iteration began.
  public struct Iterator: IteratorProtocol {
    let context: ManagedObjectContext
    var rows: HeldRows

    /// Returns the next object. Objects that were deleted in the meantime report ``ManagedObject/isDeleted``. Objects whose
    /// insertion was rolled back are skipped, as are deleted objects that the context no longer stores.
    public mutating func next() -> Element? {
      rows.next().map { context.object(rows.table, $0, as: Element.self) }
    }
  }

  /// Returns whether the relationship contains an object.
  public func contains(_ object: Element) -> Bool {
    if owner.isDetached { return owner.literalElements.contains(object) }
    owner.noteLinksRead(slot)
    guard object.context === owner.context, !object.isGone, cell != 0, object.table == plan.destinationTable else {
      return false
    }
    return state.pointee.vectors.contains(cell, object.number)
  }
}

extension ManagedObject {
  @usableFromInline
  func requireToMany(_ slot: Int) {
    precondition(
      isDetached || plan(ofSlot: slot).pointee.kind == .toMany,
      "'\(entityPlan.name).\(entityPlan.properties[slot].name)' is not a to-many relationship")
  }

  /// The number of objects of a to-many relationship.
  @usableFromInline
  func relatedCount(_ slot: Int) -> Int {
    if isDetached { return literalElements.count }
    noteLinksRead(slot)
    let state = context.state
    let row = row
    let layout = state.layouts + row.entity
    guard slot < layout.pointee.slotCount else { return 0 }
    let plan = layout.pointee.slots + slot
    if state.pointee.source == nil, plan.pointee.inverse >= 0 {
      return state.pointee.vectors.count(row[plan])
    }
    guard relatedCell(slot) != 0 else { return 0 }
    return RowReader(state).count(row, plan.pointee)
  }

  /// The list of a to-many relationship; 0 if it is empty, or if the object is again a placeholder of a parent entity, which
  /// lacks the relationship.
  fileprivate func relatedCell(_ slot: Int) -> UInt64 {
    guard hasSlot(slot) else { return 0 }
    let plan = plan(ofSlot: slot).pointee
    context.state.loadList(row, plan)
    return row[plan]
  }
}

extension RelatedObjects: CustomStringConvertible {
  /// The names of the objects, in the form of an array: `[Power(4), Power(7)]`.
  public var description: String { Array(self).description }
}
