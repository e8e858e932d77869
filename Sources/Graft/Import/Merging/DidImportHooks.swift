/// Notifies objects that they were imported (see ``ImportObserving``), in payload order, when the payload has been read.
struct DidImportHooks {
  let context: ManagedObjectContext
  let log: FaultLog
  let shelf: PieceShelf
  let options: ImportOptions

  /// Calls the hooks. The rows that the hooks change are touched, and therefore validated.
  ///
  /// - Returns: the number of rows that were touched before the hooks ran. All further rows were touched by hooks.
  func run(_ mentions: Mentions, _ finder: inout RowFinder) throws(JSONSyntaxError) -> Int {
    guard context.model.plan.features.hasHooks, log.list.isEmpty else { return .max }
    let state = finder.editor.state
    let first = state.pointee.touched.count
    let all = mentions.all
    let order = (0..<all.count).sorted { (all[$0].offset, $0) < (all[$1].offset, $1) }
    for index in order {
      let mention = all[index]
      let table = Int(mention.table)
      let header = state.row(table, mention.row).header
      let entity = header.entity
      guard context.model.plan.layouts[entity].reading.hasHooks, !header.isDeleted,
        let object = context.object(table, mention.row) as? any ImportObserving
      else { continue }
      let payload = if let kept = mentions.payload(index) { kept } else { try payload(at: mention.offset) }
      let (journaled, touched) = (state.pointee.journal.count, state.pointee.touched.count)
      do {
        let refusals = try context.activity.run(.didImport(entity: entity)) {
          try context.collectingRefusals { try object.didImport(payload) }
        }
        for refusal in refusals.prefix(max(1, options.limits.errors)) {
          log.refuseHook("didImport", refusal, entity, at: mention.offset)
        }
      } catch {
        log.refuseHook("didImport", error, entity, at: mention.offset)
      }
      log.recordRefusedCall(at: mention.offset)
      if log.list.isFull { return first }
      noteChanges(since: journaled, touched, at: mention.offset, &finder)
    }
    return first
  }

  private func payload(at offset: Int) throws(JSONSyntaxError) -> JSON {
    guard var reader = shelf.scanner(at: offset) else {
      preconditionFailure("the dictionaries passed to hooks are kept until the payload ends")
    }
    var scratch = ScratchText()
    defer { scratch.free() }
    return try JSONBuilder.build(&reader, &scratch, JSONTree.self)
  }

  /// Attributes a hook's changes to the dictionary for which the hook was called.
  private func noteChanges(since journaled: Int, _ touched: Int, at offset: Int, _ finder: inout RowFinder) {
    let state = finder.editor.state
    finder.editor.offset = offset
    for index in journaled..<state.pointee.journal.count {
      let entry = state.pointee.journal[index]
      let row = state.placed(entry.table, entry.row)
      finder.editor.touch(row)
      row.row.isChanged = true
    }
    for index in touched..<state.pointee.touched.count where state.pointee.touched[index].offset < 0 {
      state.pointee.touched[index].offset = offset
    }
  }
}
