/// Deletes objects by the delete rules of the model (M6, C2).
extension GraphEditor {
  /// A relationship whose `deny` rule forbids a deletion.
  struct Denial: Error {
    var table: Int
    var row: UInt32
    var slot: Int
    /// An object of the relationship.
    var target: RowPlace
  }

  /// Deletes an object and the objects of its `cascade` relationships. If one of these objects has a `deny` relationship with
  /// an object that is not deleted, nothing changes.
  ///
  /// Links to and from deleted objects are removed regardless of the rule (`nullify`, `noAction`), so rows hold no dangling links. If a
  /// relationship has no inverse, links to a deleted object stay, but are ignored by reads.
  func delete(_ table: Int, _ number: UInt32) throws(Denial) { remove(try deletion(of: table, number)) }

  /// The rows that are deleted along with an object: its own row, and the rows of the objects of its `cascade` relationships.
  func deletion(of table: Int, _ number: UInt32) throws(Denial) -> [RowPlace] {
    row(table, number).isDoomed = true
    return try withCascades([RowPlace(table: table, row: number)])
  }

  /// The rows that are deleted if objects are deleted together, with each row listed once. None of them prevents the deletion of another
  /// row.
  func deletion(of places: [RowPlace]) throws(Denial) -> [RowPlace] {
    var doomed: [RowPlace] = []
    doomed.reserveCapacity(places.count)
    for place in places {
      let row = row(place.table, place.row)
      if row.isDoomed { continue }
      row.isDoomed = true
      doomed.append(place)
    }
    return try withCascades(doomed)
  }

  /// Rows that are marked for deletion, and the objects of their `cascade` relationships. Afterward, no row is marked.
  private func withCascades(_ first: [RowPlace]) throws(Denial) -> [RowPlace] {
    var doomed = first
    defer { for place in doomed { row(place.table, place.row).isDoomed = false } }
    var next = 0
    func targets(_ row: Row, _ slot: PlanReference<SlotPlan>) -> [RowPlace] {
      let table = slot.pointee.destinationTable
      return row.links(slot.pointee).filter { !self.row(table, $0).isDeleted }.map { RowPlace(table: table, row: $0) }
    }
    while next < doomed.count {
      let place = doomed[next]
      next += 1
      let row = row(place.table, place.row)
      forEachRelationship(row) { number, slot in
        guard rule(row, number) == .cascade else { return }
        for target in targets(row, slot) {
          let member = self.row(target.table, target.row)
          if member.isDoomed { continue }
          member.isDoomed = true
          doomed.append(target)
        }
      }
    }
    for place in doomed {
      let row = row(place.table, place.row)
      var denial: Denial?
      forEachRelationship(row) { number, slot in
        if denial == nil, rule(row, number) == .deny,
          let target = targets(row, slot).first(where: { !self.row($0.table, $0.row).isDoomed })
        {
          denial = Denial(table: place.table, row: place.row, slot: number, target: target)
        }
      }
      if let denial { throw denial }
    }
    return doomed
  }

  /// Empties rows and marks them as deleted. The texts of these rows become garbage, and stay in place until texts are
  /// compacted.
  func remove(_ doomed: [RowPlace]) {
    for place in doomed {
      let row = state.placed(place)
      let layout = layout(ofRow: row.row)
      touch(row)
      for slot in 0..<layout.pointee.slotCount where layout.pointee.slots[slot].kind.isRelationship {
        clear(layout.pointee.slots + slot, row)
      }
      unindex(place.table, place.row)
      state.pointee.texts.garbage += state.pointee.textBytes(ofRow: row.row)
      setFlag(RowHeader.deleted, true, place.table, place.row)
      state.pointee.deletedCounts[place.table] += 1
    }
  }

  private func forEachRelationship(_ row: Row, _ body: (Int, PlanReference<SlotPlan>) -> Void) {
    let layout = layout(ofRow: row)
    for slot in 0..<layout.pointee.slotCount where layout.pointee.slots[slot].kind.isRelationship {
      body(slot, layout.pointee.slots + slot)
    }
  }

  private func rule(_ row: Row, _ slot: Int) -> RelationshipDescription.DeleteRule {
    let entity = state.plan._withUnsafeGuaranteedRef { $0.entities[row.entity] }
    return entity.properties[slot].relationship?.deleteRule ?? .nullify
  }
}
