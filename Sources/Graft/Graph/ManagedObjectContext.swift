/// One consistent graph of objects: each identity once, both sides of each relationship in agreement.
///
///     let context = ManagedObjectContext(model: model)
///     try objects(Hero.self, fromJSON: data, in: context)
///     let batman = context.find(Hero.self, 1699)
///
/// Not Sendable: a context belongs to the isolation that made it (C3).
public final class ManagedObjectContext {
  /// The model of the objects.
  public let model: ManagedObjectModel
  /// The rows. Behind a pointer, so that imports reach them without exclusivity checks.
  let state: UnsafeMutablePointer<GraphState>
  /// The handles that are alive, by table and row.
  private var handles: [[UInt32: Unmanaged<ManagedObject>]]
  /// Whether an import or an export is under way: its closures must not come back in (T5).
  var isBusy = false
  /// A hook runs at the end of an import: it may change the graph, within the import.
  var isInHook = false

  /// Makes an empty context.
  public init(model: ManagedObjectModel) {
    self.model = model
    state = .allocate(capacity: 1)
    state.initialize(to: GraphState(model.plan))
    handles = Array(repeating: [:], count: model.plan.tables.count)
  }

  deinit {
    state.pointee.free()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  // MARK: Handles

  /// The handle of a row: the one that is alive, or a new one.
  func object<Object: ManagedObject>(_ table: Int, _ row: UInt32, as type: Object.Type) -> Object {
    let object = object(table, row)
    guard let typed = object as? Object else {
      preconditionFailure("'\(object)' is a \(Swift.type(of: object)), no \(Object.self): hand the class to the model")
    }
    return typed
  }

  func object(_ table: Int, _ row: UInt32) -> ManagedObject {
    let type = model.classes[RowHeader.entity(state.pointee.tables[table].row(row)[0])]
    let known = handles[table][row]?.takeUnretainedValue()
    if let known, Swift.type(of: known) == type { return known }
    let object = type.init(place: ManagedObject.Place(context: self, table: table, row: row))
    object.predecessor = known
    handles[table][row] = .passUnretained(object)
    return object
  }

  func forget(_ object: ManagedObject) {
    // A predecessor may outlive it.
    if !object.isDetached { handles[object.table][object.row] = object.predecessor.map { .passUnretained($0) } }
  }

  func rootEntity(_ table: Int) -> Int { model.plan.tables[table].root }

  func checkUse() throws(PropertyError) {
    if isBusy, !isInHook {
      throw PropertyError("the context is in the middle of an import: a transformer or mapper must not use it")
    }
  }

  // MARK: Changes

  /// Whether anything was inserted, changed or deleted since the last ``commit()`` or import.
  public var hasChanges: Bool { state.pointee.hasChanges }

  /// Makes all changes permanent: ``rollBack()`` goes back to here. A successful import commits by itself.
  public func commit() {
    precondition(!isBusy, "the context is in the middle of an import: a transformer or mapper must not use it")
    state.pointee.commit()
    closeGaps()
  }

  /// Takes back everything since the last ``commit()`` or import: values, links, inserts and deletions. Objects whose insert
  /// is taken back say that they are deleted.
  public func rollBack() {
    precondition(!isBusy, "the context is in the middle of an import: a transformer or mapper must not use it")
    state.pointee.rollBack()
    detachMissing()
  }

  /// Handles of rows that are no more are told so.
  func detachMissing() {
    for table in handles.indices {
      let count = UInt32(state.pointee.tables[table].rowCount)
      for (row, handle) in handles[table] where row >= count {
        handle._withUnsafeGuaranteedRef { $0.detach() }
        handles[table][row] = nil
      }
    }
  }

  /// Closes gaps before an import: not after it, when somebody holds row numbers.
  func closeGapsIfUnchanged() {
    if !state.pointee.hasChanges { closeGaps() }
  }

  /// Closes the gaps of deleted rows where they are many; handles move along.
  func closeGaps() {
    for table in handles.indices {
      guard let moves = state.pointee.closeGaps(table) else { continue }
      var moved: [UInt32: Unmanaged<ManagedObject>] = [:]
      for (row, handle) in handles[table] {
        let new = moves[Int(row)]
        handle._withUnsafeGuaranteedRef { $0.move(to: new) }
        if new != .max { moved[new] = handle }
      }
      handles[table] = moved
    }
  }

  // MARK: Writing

  func setAttribute(_ cell: Cell, _ slot: Int, _ table: Int, _ row: UInt32) throws(PropertyError) {
    let editor = GraphEditor(state)
    let base = editor.row(table, row)
    let entity = model.plan.entities[RowHeader.entity(base[0])]
    let plan = state.pointee.layouts[entity.index].slots + slot
    func write() {
      switch cell.tag {
      case .null: editor.setNil(plan, table, row, base)
      case .word: editor.setWord(cell.bits, plan, table, row, base)
      default: editor.setText(cell, plan, table, row, base)
      }
    }
    guard plan.pointee.isIdentity else {
      if cell.tag != .null, base[0] & RowHeader.placeholder != 0 { try fill(entity, table, row) }
      return write()
    }
    // The identity index follows; two objects with one identity there must not be.
    let old = (value: base[plan.pointee.cell], presence: base[plan.pointee.word])
    let garbage = state.pointee.texts.garbage
    editor.unindex(table, row)
    write()
    if let other = GraphIdentity.other(like: row, table: table, state.pointee) {
      // Put back as it was stored: a URI that is read and written again has other letters.
      editor.write(old.presence, table, row, base, plan.pointee.word)
      editor.write(old.value, table, row, base, plan.pointee.cell)
      state.pointee.texts.garbage = garbage + cell.count
      editor.index(table, row)
      throw PropertyError("another object is '\(GraphNames(state, model.plan).name(table, other))' already")
    }
    editor.index(table, row)
  }

  /// A placeholder that gets more than its identity is one no more; it gets the defaults of its entity (D5).
  private func fill(_ entity: EntityPlan, _ table: Int, _ row: UInt32) throws(PropertyError) {
    guard !entity.description.isAbstract else {
      throw PropertyError(
        "'\(GraphNames(state, model.plan).name(table, row))' is a placeholder of the abstract '\(entity.name)': import the object to say which sub-entity it is"
      )
    }
    let editor = GraphEditor(state)
    let base = editor.row(table, row)
    editor.setFlag(RowHeader.placeholder, false, table, row)
    for (slot, cell) in entity.defaults {
      let plan = state.pointee.layouts[entity.index].slots + slot
      if base[plan.pointee.word] & plan.pointee.mask != 0 { continue }
      cell.tag == .word
        ? editor.setWord(cell.bits, plan, table, row, base) : editor.setText(cell, plan, table, row, base)
    }
  }

  func setRelated(_ rows: [UInt32], _ slot: Int, _ table: Int, _ row: UInt32) {
    let editor = GraphEditor(state)
    let base = editor.row(table, row)
    let plan = editor.layout(ofRow: base).pointee.slots + slot
    if plan.pointee.kind == .toOne {
      editor.setToOne(rows.first.map { UInt64($0) + 1 } ?? 0, plan, table, row, base)
    } else if rows.isEmpty {
      editor.clear(plan, table, row, base)
    } else {
      rows.withUnsafeBufferPointer {
        editor.setToMany($0.baseAddress.unsafelyUnwrapped, $0.count, union: false, plan, table, row, base)
      }
    }
    state.pointee.orphans.truncate(to: 0)
  }
}
