/// Finds rows of a context by identities in the packed form that stores receive.
struct IdentityFinder {
  private let store: ParentSnapshot
  private let parent: ManagedObjectContext
  private let entity: Int
  private let layout: EntityLayout
  /// The layout with the identity, which may be an alternate identity (M27).
  private let key: PlanReference<EntityLayout>

  /// - Parameter identity: an identity space of the table, as a position in ``StoreSchema/Table/identities``.
  init(_ store: ParentSnapshot, _ table: Int, _ identity: Int) {
    self.store = store
    parent = store.context
    let position = store.schema.tables[table].identities[identity].entities.first ?? 0
    entity = store.map.entities[table][position]
    let own = parent.model.plan.layouts + entity
    let alternate = (0..<own.pointee.alternateCount).first { own.pointee.alternates[$0].identity.space == identity }
    key = alternate.map { own.pointee.alternates + $0 } ?? own
    layout = key.pointee
  }

  /// Finds the row with the identity in each row of the given values; nil if there is none, or if a value is nil.
  ///
  /// - Parameter columns: the columns that hold the identity values, in order.
  func rows(_ values: StoredValues, _ columns: [Int]) throws(StoreError) -> [UInt32?] {
    if let binding = parent.binding { try load(values, columns, binding) }
    var found: [UInt32?] = []
    found.reserveCapacity(values.count)
    var scratch = ScratchText()
    defer { scratch.free() }
    for row in 0..<values.count {
      let identity = cells(values, row, columns, &scratch)
      found.append(identity.flatMap(find))
    }
    return found
  }

  private func find(_ identity: [Cell]) -> UInt32? {
    if key.pointee.identity.space == parent.model.plan.layouts[entity].identity.space {
      return parent.find(entity, cells: identity)
    }
    let state = parent.state
    return Cells.with(bySlot(identity)) { cells in
      GraphIdentity.hash(key, cells, state.pointee.seeds).flatMap { hash in
        AlternateIndex.find(key, hash, cells, state) { _ in true }
      }
    }
  }

  private func bySlot(_ identity: [Cell]) -> [Cell] {
    var bySlot = Array(repeating: Cell.absent, count: layout.slotCount)
    for (index, cell) in identity.enumerated() { bySlot[layout.identity.slots[index]] = cell }
    return bySlot
  }

  /// Loads rows of the parent's store, in one batch.
  private func load(_ values: StoredValues, _ columns: [Int], _ binding: StoreBinding) throws(StoreError) {
    var wanted = StoredValues(columnCount: layout.identity.count)
    var hashes: [UInt64] = []
    var scratch = ScratchText()
    defer { scratch.free() }
    for row in 0..<values.count {
      guard let identity = cells(values, row, columns, &scratch) else { continue }
      Cells.with(bySlot(identity)) { cells in
        guard let hash = GraphIdentity.hash(key, cells, parent.state.pointee.seeds) else {
          return
        }
        if binding.append(cells, layout, to: &wanted) { hashes.append(hash) }
      }
    }
    try binding.load(identities: wanted, hashes: hashes, layout)
  }

  /// The identity of a row, in the order of the columns; nil if a value is nil.
  private func cells(
    _ values: StoredValues, _ row: Int, _ columns: [Int], _ scratch: inout ScratchText
  ) -> [Cell]? {
    var cells: [Cell] = []
    for (index, column) in columns.enumerated() {
      guard !values.isNil(row: row, column: column) else { return nil }
      let slot = layout.slots[layout.identity.slots[index]]
      if slot.kind == .toOne {
        // The owner of a new row can also be new (M12).
        let id = Int64(bitPattern: values.word(row: row, column: column))
        guard id > 0, let owner = store.numbers.row(slot.destinationTable, id) else { return nil }
        cells.append(.row(owner))
      } else if slot.kind.isText {
        let bytes = Array(values.text(row: row, column: column) ?? [])
        cells.append(.text(scratch.copy(bytes)))
      } else {
        cells.append(.word(values.word(row: row, column: column)))
      }
    }
    return cells
  }
}
