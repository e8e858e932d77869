/// Unites two objects (I23). The first object disappears, and the second object gets its links, and the values that the second object
/// lacks.
struct UnitedObjects {
  private let editor: GraphEditor
  private let table: Int
  private let first: UInt32
  private let second: UInt32

  init(_ editor: GraphEditor, _ table: Int, from first: UInt32, into second: UInt32) {
    (self.editor, self.table, self.first, self.second) = (editor, table, first, second)
    editor.state.loadRow(table, first)
    editor.state.loadRow(table, second)
  }

  private var state: Reference<GraphState> { editor.state }

  func name(_ number: UInt32, _ plan: Plan) -> String { GraphNames(state, plan).name(table, number) }

  /// Whether the second object belongs to the entity of the first or to a sub-entity, or is a placeholder that can become such an object.
  var isPossible: Bool {
    let (own, other) = (state.layouts[state.row(table, first).entity], state.layouts[state.row(table, second).entity])
    return other.isKind(of: own) || state.row(table, second).isPlaceholder && own.isKind(of: other)
  }

  /// - Parameter loadReferrers: loads the objects that refer to the first object, which has then been deleted.
  /// - Returns: the row of each object that disappeared, with the row of the object that replaces it.
  func unite(_ loadReferrers: () -> Void) -> [RowPlace: RowPlace] {
    var united = [RowPlace(table: table, row: first): RowPlace(table: table, row: second)]
    let (old, new) = (state.row(table, first), state.placed(table, second))
    let isNarrower = !state.layouts[new.row.entity].isKind(of: state.layouts[old.entity])
    if isNarrower, new.row.isPlaceholder { editor.changeEntity(table, second, to: old.entity) }
    if new.row.isPlaceholder, !old.isPlaceholder { editor.setFlag(RowHeader.placeholder, false, table, second) }
    let layout = state.layouts + old.entity
    for number in 0..<layout.pointee.slotCount {
      let slot = layout.pointee.slots + number
      switch slot.pointee.kind {
      case .toOne: moveToOne(slot, old, new)
      case .toMany:
        for (member, other) in moveMembers(slot, old, new) {
          let part = UnitedObjects(editor, slot.pointee.destinationTable, from: member, into: other)
          if part.isPossible { united.merge(part.unite(loadReferrers)) { $1 } }
        }
      default: copyValue(slot, old, new)
      }
    }
    editor.touch(new)
    editor.remove([RowPlace(table: table, row: first)])
    loadReferrers()
    redirect()
    return united
  }

  private func copyValue(_ slot: PlanReference<SlotPlan>, _ old: Row, _ new: PlacedRow) {
    if slot.pointee.isIdentity || !old.isSet(slot) || new.row.isSet(slot) { return }
    if slot.pointee.kind.isText {
      var scratch = ScratchText()
      defer { scratch.free() }
      let bytes = Array(state.pointee.texts.bytes(old[slot]).buffer)
      editor.setText(.text(scratch.copy(bytes)), slot, new)
    } else {
      editor.setWord(old[slot], slot, new)
    }
  }

  private func moveToOne(_ slot: PlanReference<SlotPlan>, _ old: Row, _ new: PlacedRow) {
    if slot.pointee.isIdentity || new[slot] != 0 || old[slot] == 0 { return }
    // In a one-to-one relationship, the object on the other side is linked to the second object instead of the first.
    editor.setToOne(old[slot], slot, new)
  }

  /// - Returns: the members that cannot move, because a member of the second object already has the identity that the moved member
  ///   would get (M12). Each of them is returned with that member, and the two objects are also united.
  private func moveMembers(_ slot: PlanReference<SlotPlan>, _ old: Row, _ new: PlacedRow) -> [(UInt32, UInt32)] {
    let all = RowReader(state).targets(old, slot.pointee)
    if all.isEmpty { return [] }
    // The index contains only rows in memory.
    if slot.pointee.isOwning { state.loadList(new.row, slot.pointee) }
    let taken = all.compactMap { member in counterpart(of: member, slot.pointee).map { (member, $0) } }
    let members = all.filter { member in !taken.contains { $0.0 == member } }
    if !members.isEmpty { editor.setToMany(members, union: true, slot, new) }
    return taken
  }

  /// The object with the identity that a member of the first object would get as a member of the second object (M12).
  private func counterpart(of member: UInt32, _ slot: SlotPlan) -> UInt32? {
    guard slot.isOwning, slot.inverse >= 0 else { return nil }
    let row = state.row(slot.destinationTable, member)
    let layout = state.layouts + row.entity
    let owner = layout.pointee.slots[slot.inverse]
    guard owner.isIdentity, row.isSet(owner) else { return nil }
    let before = row[owner]
    row[owner] = UInt64(second) + 1
    defer { row[owner] = before }
    guard let hash = GraphIdentity.hash(layout.pointee, row: row, state.pointee) else { return nil }
    return state.tables[slot.destinationTable].indexes[layout.pointee.identity.space].find(hash) { other in
      other != member
        && GraphIdentity.areSame(row, state.row(slot.destinationTable, other), layout.pointee, state.pointee.texts)
    }
  }

  /// Redirects links without an inverse from the first object to the second.
  private func redirect() {
    for other in tablesWithoutInverse() {
      for number in 0..<UInt32(state.tables[other].rowCount) {
        let row = state.row(other, number)
        if row.isDeleted || row.isFault { continue }
        let layout = state.layouts + row.entity
        for index in 0..<layout.pointee.slotCount {
          let slot = layout.pointee.slots + index
          guard slot.pointee.kind.isRelationship, slot.pointee.inverse < 0, slot.pointee.destinationTable == table
          else {
            continue
          }
          redirect(slot, PlacedRow(other, number, row))
        }
      }
    }
  }

  /// The tables whose rows may have links without an inverse to the objects.
  private func tablesWithoutInverse() -> [Int] {
    let plan = state.plan._withUnsafeGuaranteedRef { $0 }
    let layouts = plan.entities.map { state.layouts[$0.index] }.filter { layout in
      (0..<layout.slotCount).contains { number in
        let slot = layout.slots[number]
        return slot.kind.isRelationship && slot.inverse < 0 && slot.destinationTable == table
      }
    }
    return Set(layouts.map(\.table)).sorted()
  }

  private func redirect(_ slot: PlanReference<SlotPlan>, _ row: PlacedRow) {
    if slot.pointee.kind == .toOne {
      if row[slot] == UInt64(first) + 1 { editor.setToOne(UInt64(second) + 1, slot, row) }
      return
    }
    let members = row.row.links(slot.pointee)
    guard members.contains(first) else { return }
    var seen: Set<UInt32> = []
    let changed = members.map { $0 == first ? second : $0 }.filter { seen.insert($0).inserted }
    editor.setToMany(changed, union: false, slot, row)
  }
}
