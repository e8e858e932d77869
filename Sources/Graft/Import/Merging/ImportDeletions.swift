/// Deletes, at the end of the payload, what it no longer mentions: objects of whole lists, and orphans (M6).
struct ImportDeletions {
  let log: FaultLog
  private var plan: Plan { log.plan }

  init(_ log: FaultLog) { self.log = log }

  // MARK: Whole lists

  /// A list after which objects of the entity are deleted that the payload does not mention.
  struct WholeList {
    var entity: Int
    var offset: Int
    var isDoomed: (_ table: Int, _ row: UInt32) -> Bool
  }

  /// Deletes the objects of a list's entity that the payload does not mention.
  func deleteMissing(_ list: WholeList, _ finder: inout RowFinder) {
    let state = finder.editor.state
    let table = plan.layouts[list.entity].table
    finder.editor.offset = list.offset
    for row in 0..<UInt32(state.pointee.tables[table].firstNewRow) {
      let header = finder.editor.row(table, row)[0]
      let isMentioned = header & RowHeader.described != 0 && RowHeader.epoch(header) == state.pointee.importEpoch
      guard header & (RowHeader.deleted | RowHeader.placeholder) == 0, !isMentioned,
        finder.isKind(RowHeader.entity(header), of: list.entity), !finder.isIdentified(table, row),
        log.context.activity.run(.deleteWhere(entity: list.entity), { list.isDoomed(table, row) })
      else { continue }
      delete(table, row, finder.editor, .unmentioned)
      if log.list.isOverfull { return }
    }
    log.recordRefusedCall(at: list.offset)
  }

  // MARK: Orphans

  func deleteOrphans(_ finder: inout RowFinder) {
    let state = finder.editor.state
    // Deleting one may leave others without an owner: they join at the end of the list.
    var next = 0
    while next < state.pointee.orphans.count {
      let orphan = state.pointee.orphans[next]
      next += 1
      let table = Int(orphan.table)
      let base = finder.editor.row(table, orphan.row)
      guard base[0] & RowHeader.deleted == 0, base[Int(orphan.word)] & orphan.mask == 0 else { continue }
      finder.editor.offset = orphan.offset
      delete(table, orphan.row, finder.editor, .orphan)
    }
    state.pointee.orphans.truncate(to: 0)
  }

  /// Deletes a row at the editor's place in the payload, or reports which relationship denies it.
  private func delete(_ table: Int, _ row: UInt32, _ editor: GraphEditor, _ deletion: ImportFinding.Deletion) {
    do throws(GraphEditor.Denial) {
      try editor.delete(table, row)
    } catch {
      let denier = editor.row(error.table, error.row)
      let entity = plan.entities[RowHeader.entity(denier[0])]
      let subject = ImportFinding.Subject(entity: entity, property: entity.properties[error.slot])
      let name = GraphNames(editor.state, plan).name(table, row)
      log.record(.deletionDenied(name, deletion, subject), at: editor.offset)
    }
  }
}
