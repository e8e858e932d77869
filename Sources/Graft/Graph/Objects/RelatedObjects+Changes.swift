/// Changing a to-many relationship in place. The inverse follows, whichever way (I6).
extension RelatedObjects {
  // MARK: Adding

  /// Adds an object at the end; nothing happens if it is among them. Expected O(1).
  ///
  /// - Precondition: the object is of the relationship's destination and of the same context.
  public nonmutating func insert(_ object: Element) { formUnion(CollectionOfOne(object)) }

  /// Adds objects at the end, those that are not among them yet. Expected O(1) for each.
  ///
  /// - Precondition: the objects are of the relationship's destination and of the same context.
  public nonmutating func formUnion(_ objects: some Sequence<Element>) {
    let added = Array(objects)
    owner.changeRelated(added, slot: slot) { editor, base, plan in
      for object in added where !editor.contains(object.row, base, plan) {
        editor.link(object.row, plan, owner.table, owner.row, base)
      }
    }
  }

  /// Puts an object at a position of an ordered relationship, wherever it was before.
  ///
  /// - Precondition: the relationship is ordered, and the position is not beyond its end.
  public nonmutating func insert(_ object: Element, at position: Int) {
    var objects = Array(self)
    precondition(
      position >= 0 && position <= objects.count, "position \(position) is beyond the \(objects.count) objects")
    let before = objects[..<position].filter { $0 != object }
    objects = before + [object] + objects[position...].filter { $0 != object }
    replace(with: objects)
  }

  // MARK: Removing

  /// Takes an object out; nothing happens if it is not among them. Expected O(1) where there are many.
  public nonmutating func remove(_ object: Element) { subtract(CollectionOfOne(object)) }

  /// Takes objects out, those that are among them.
  public nonmutating func subtract(_ objects: some Sequence<Element>) {
    let removed = objects.filter(contains)
    owner.changeRelated(removed, slot: slot) { editor, base, plan in
      for object in removed { editor.unlink(object.row, plan, owner.table, owner.row, base) }
    }
  }

  /// Takes all objects out. The objects themselves stay in the context.
  public nonmutating func removeAll() { owner.setToMany([], slot: slot) }

  /// Takes out the objects that a closure chooses. The objects themselves stay in the context.
  ///
  /// - Throws: what the closure throws; nothing is taken out then.
  public nonmutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    subtract(try filter(isRemoved))
  }

  /// Takes out the objects at these positions: what `onDelete` of a SwiftUI list gives.
  ///
  /// - Precondition: the positions are not beyond the end.
  public nonmutating func remove(atOffsets offsets: some Sequence<Int>) { subtract(offsets.map { self[$0] }) }

  // MARK: Order

  /// Moves the objects at these positions of an ordered relationship, in their order, to before the object at another
  /// position: what `onMove` of a SwiftUI list gives.
  ///
  /// - Precondition: the relationship is ordered, and the positions are not beyond its end.
  public nonmutating func move(fromOffsets offsets: some Sequence<Int>, toOffset target: Int) {
    let objects = Array(self)
    let moved = Set(offsets)
    precondition(
      target >= 0 && target <= objects.count && moved.allSatisfy(objects.indices.contains),
      "a position is beyond the \(objects.count) objects")
    let stays = { (range: Range<Int>) in range.filter { !moved.contains($0) }.map { objects[$0] } }
    replace(with: stays(0..<target) + moved.sorted().map { objects[$0] } + stays(target..<objects.count))
  }

  private nonmutating func replace(with objects: [Element]) {
    if !owner.isDetached {
      precondition(
        plan.isOrdered,
        "'\(owner.entityPlan.name).\(owner.entityPlan.properties[slot].name)' is not ordered: it has no positions to choose"
      )
    }
    owner.setToMany(objects, slot: slot)
  }
}
