/// Changing a to-many relationship in place. Each change updates the inverse ([I6](doc:Rules#I6)).
extension RelatedObjects {
  // MARK: Adding

  /// Adds an object at the end. If the relationship already contains the object, this method does nothing. Expected O(1).
  ///
  /// - Precondition: the object belongs to the relationship's destination and to the same context.
  public nonmutating func insert(_ object: Element) { formUnion(CollectionOfOne(object)) }

  /// Adds objects at the end, except those that the relationship already contains. Expected O(1) per object.
  ///
  /// - Precondition: the objects belong to the relationship's destination and to the same context.
  public nonmutating func formUnion(_ objects: some Sequence<Element>) {
    let added = Array(objects)
    owner.changeRelated(added, slot: slot) { editor, row, plan in
      for object in added where !editor.contains(object.number, row.row, plan) {
        editor.link(object.number, plan, row)
      }
    }
  }

  /// Adds an object at the end, like ``insert(_:)``. If the relationship already contains the object, this method does nothing. Expected
  /// O(1).
  ///
  /// - Precondition: the object belongs to the relationship's destination and to the same context.
  public nonmutating func append(_ object: Element) { insert(object) }

  /// Adds objects at the end, like ``formUnion(_:)``. Expected O(1) per object.
  ///
  /// - Precondition: the objects belong to the relationship's destination and to the same context.
  public nonmutating func append(contentsOf objects: some Sequence<Element>) { formUnion(objects) }

  /// Adds objects at the end, like ``formUnion(_:)``.
  ///
  ///     hero.powers += [agility, flight]
  public static func += (related: RelatedObjects, objects: some Sequence<Element>) { related.formUnion(objects) }

  /// Inserts an object at a position of an ordered relationship. If the relationship already contains the object, it is moved
  /// there. Expected time in proportion to the number of objects.
  ///
  /// - Precondition: the relationship is ordered, and the position is not beyond its end.
  public nonmutating func insert(_ object: Element, at position: Int) {
    precondition(
      position >= 0 && position <= count, "position \(position) is out of bounds: there are \(count) objects")
    rearrange(with: object) { rows in
      let others = rows[..<Swift.min(position, rows.count)].filter { $0 != object.number }
      return others + [object.number] + rows.dropFirst(position).filter { $0 != object.number }
    }
  }

  /// Replaces all objects, like setting the relationship. If an object is repeated, only its first occurrence is used.
  ///
  ///     hero.powers.replaceAll(with: powers.filter { $0.level > 3 })
  ///
  /// - Precondition: the objects belong to the relationship's destination and to the same context.
  public nonmutating func replaceAll(with objects: some Sequence<Element>) {
    owner.setToMany(Array(objects), slot: slot)
  }

  // MARK: Removing

  /// Removes an object from the relationship. If the relationship does not contain the object, this method does nothing. Expected O(1) in
  /// large relationships.
  public nonmutating func remove(_ object: Element) { subtract(CollectionOfOne(object)) }

  /// Removes objects from the relationship, ignoring objects that it does not contain.
  public nonmutating func subtract(_ objects: some Sequence<Element>) {
    let removed = objects.filter(contains)
    owner.changeRelated(removed, slot: slot) { editor, row, plan in
      for object in removed { editor.unlink(object.number, plan, row) }
    }
  }

  /// Removes all objects from the relationship. They remain in the context.
  public nonmutating func removeAll() { owner.setToMany([], slot: slot) }

  /// Removes the objects that satisfy a predicate from the relationship. They remain in the context.
  ///
  /// - Throws: any error that the predicate throws. In that case, the relationship is unchanged.
  public nonmutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    subtract(try filter(isRemoved))
  }

  /// Removes the objects at the given positions, which SwiftUI's `onDelete` provides.
  ///
  /// - Precondition: the positions are not beyond the end.
  public nonmutating func remove(atOffsets offsets: some Sequence<Int>) { subtract(offsets.map { self[$0] }) }

  /// Removes and returns the object at a position of the relationship. It remains in the context.
  ///
  /// - Precondition: there is an object at the position.
  @discardableResult
  public nonmutating func remove(at position: Int) -> Element {
    let object = self[position]
    remove(object)
    return object
  }

  /// Removes and returns the first object of the relationship. It remains in the context.
  ///
  /// - Precondition: the relationship is not empty.
  @discardableResult
  public nonmutating func removeFirst() -> Element { remove(at: 0) }

  /// Removes and returns the last object of the relationship. It remains in the context.
  ///
  /// - Precondition: the relationship is not empty.
  @discardableResult
  public nonmutating func removeLast() -> Element { remove(at: count - 1) }

  // MARK: Order

  /// Moves the objects at the given positions of an ordered relationship in front of the object at another position. The parameters match
  /// those of SwiftUI's `onMove`. The moved objects keep their order. Expected time in proportion to the number of objects.
  ///
  /// - Precondition: the relationship is ordered, and the positions are not beyond its end.
  public nonmutating func move(fromOffsets offsets: some Sequence<Int>, toOffset target: Int) {
    let moved = Set(offsets)
    let count = count
    precondition(
      target >= 0 && target <= count && moved.allSatisfy((0..<count).contains),
      "a position is out of bounds: there are \(count) objects")
    rearrange(with: nil) { rows in
      // Observers may have removed some of the objects in the range.
      func rest(_ range: Range<Int>) -> [UInt32] {
        range.clamped(to: rows.indices).filter { !moved.contains($0) }.map { rows[$0] }
      }
      return rest(0..<target) + moved.sorted().filter(rows.indices.contains).map { rows[$0] } + rest(target..<count)
    }
  }

  /// Reorders the objects, and inserts an object that the relationship may not contain yet. Takes time in proportion to the number of
  /// objects, but creates no handles for the objects that remain.
  private nonmutating func rearrange(with object: Element?, _ order: ([UInt32]) -> [UInt32]) {
    if !owner.isDetached {
      precondition(
        plan.isOrdered,
        "'\(owner.entityPlan.name).\(owner.entityPlan.properties[slot].name)' is not ordered, so positions cannot be chosen"
      )
    }
    owner.changeRelated(object.map { [$0] } ?? [], slot: slot) { editor, row, plan in
      let rows = RowReader(owner.context.state).targets(row.row, plan.pointee)
      editor.setToMany(order(rows), union: false, plan, row)
    }
  }
}
