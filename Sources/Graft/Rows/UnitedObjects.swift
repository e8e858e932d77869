/// Makes two objects one (I23): the first one disappears, and the second one gets its links, and those of its values that the
/// second one does not have.
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

  /// Whether the second one is of the entity of the first one, or of a sub-entity; or a placeholder, which becomes one.
  var isPossible: Bool {
    let (own, other) = (state.layouts[state.row(table, first).entity], state.layouts[state.row(table, second).entity])
    return other.isKind(of: own) || state.row(table, second).isPlaceholder && own.isKind(of: other)
  }

  /// - Parameter loadReferrers: loads what refers to the first one, which is deleted then.
  func unite(_ loadReferrers: () -> Void) {
    let (old, new) = (state.row(table, first), state.row(table, second))
    if old.entity != new.entity, new.isPlaceholder { editor.changeEntity(table, second, to: old.entity) }
    if new.isPlaceholder, !old.isPlaceholder { editor.setFlag(RowHeader.placeholder, false, table, second) }
    let layout = state.layouts + old.entity
    for number in 0..<layout.pointee.slotCount {
      let slot = layout.pointee.slots + number
      switch slot.pointee.kind {
      case .toOne: moveToOne(slot, old, new)
      case .toMany: moveMembers(slot, old, new)
      default: copyValue(slot, old, new)
      }
    }
    editor.touch(table, second, new)
    editor.remove([RowPlace(table: table, row: first)])
    loadReferrers()
    redirect()
  }

  private func copyValue(_ slot: PlanReference<SlotPlan>, _ old: Row, _ new: Row) {
    if slot.pointee.isIdentity || !old.isSet(slot) || new.isSet(slot) { return }
    if slot.pointee.kind.isText {
      var scratch = ScratchText()
      defer { scratch.free() }
      let bytes = Array(state.pointee.texts.bytes(old[slot]).buffer)
      editor.setText(.text(scratch.copy(bytes)), slot, table, second, new)
    } else {
      editor.setWord(old[slot], slot, table, second, new)
    }
  }

  private func moveToOne(_ slot: PlanReference<SlotPlan>, _ old: Row, _ new: Row) {
    if slot.pointee.isIdentity || new[slot] != 0 || old[slot] == 0 { return }
    let target = old[slot]
    // The other side of a one-to-one changes its partner.
    editor.setToOne(target, slot, table, second, new)
  }

  private func moveMembers(_ slot: PlanReference<SlotPlan>, _ old: Row, _ new: Row) {
    let members = RowReader(state).targets(old, slot.pointee).filter { !isThere($0, slot.pointee) }
    if !members.isEmpty { editor.setToMany(members, union: true, slot, table, second, new) }
  }

  /// Whether the second object has a member with the identity that a member of the first one would get (M12).
  private func isThere(_ member: UInt32, _ slot: SlotPlan) -> Bool {
    guard slot.isOwning, slot.inverse >= 0 else { return false }
    let row = state.row(slot.destinationTable, member)
    let layout = state.layouts + row.entity
    let owner = layout.pointee.slots[slot.inverse]
    guard owner.isIdentity, row.isSet(owner) else { return false }
    let before = row[owner]
    row[owner] = UInt64(second) + 1
    defer { row[owner] = before }
    guard let hash = GraphIdentity.hash(layout.pointee, row: row, state.pointee) else { return false }
    return state.tables[slot.destinationTable].indexes[layout.pointee.identitySpace].find(hash) { other in
      other != member
        && GraphIdentity.areSame(row, state.row(slot.destinationTable, other), layout.pointee, state.pointee.texts)
    } != nil
  }

  /// Links without inverse to the first one lead to the second one.
  private func redirect() {
    for other in 0..<state.tableCount {
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
          redirect(slot, other, number, row)
        }
      }
    }
  }

  private func redirect(_ slot: PlanReference<SlotPlan>, _ other: Int, _ number: UInt32, _ row: Row) {
    if slot.pointee.kind == .toOne {
      if row[slot] == UInt64(first) + 1 { editor.setToOne(UInt64(second) + 1, slot, other, number, row) }
      return
    }
    let members = row.links(slot.pointee)
    guard members.contains(first) else { return }
    var seen: Set<UInt32> = []
    let changed = members.map { $0 == first ? second : $0 }.filter { seen.insert($0).inserted }
    editor.setToMany(changed, union: false, slot, other, number, row)
  }
}
