/// Contexts that hold a part of a store's graph.
extension ManagedObjectContext {
  /// Creates a context with the objects of a store.
  ///
  ///     let store = try SQLiteStore(at: url, model: model)
  ///     let context = try ManagedObjectContext(model: model, store: store)
  ///
  /// The context loads objects in batches, when they are looked up by identity, fetched, or reached through a relationship. ``commit()``
  /// and imports write the changes.
  ///
  /// If the store cannot be read, a fetch, search or count throws a ``StoreError``. Properties and relationships are loaded when they are
  /// read, where no error can be thrown. If loading fails, a property reads as nil and a relationship as empty, and the next call that can
  /// throw throws the ``StoreError``.
  ///
  /// - Throws: a ``StoreError`` if the store was opened with another ``ManagedObjectModel`` instance, even if that instance was loaded from
  ///   the same file, because classes and closures belong to an instance. ``init(store:)`` uses the store's model.
  public convenience init(model: ManagedObjectModel, store: any PersistentStore) throws(StoreError) {
    guard store.model === model else {
      throw StoreError(
        .incompatibleModel,
        "the store was opened with another 'ManagedObjectModel': open it with this one, or call 'ManagedObjectContext(store:)', which uses the model of the store"
      )
    }
    self.init(store.backend)
  }

  /// Creates a context with the objects and the model of a store.
  ///
  ///     let context = ManagedObjectContext(store: store)
  ///
  /// Nothing is read yet: the context shows the state of the store at its first read.
  public convenience init(store: any PersistentStore) { self.init(store.backend) }

  /// - Parameter snapshot: the version to show; nil for the newest version at the first read.
  convenience init(_ store: any StoreBackend, at snapshot: (any StoreSnapshot)? = nil) {
    let model = store.schema.model
    let state = Reference(to: GraphState(model.plan, positions: StoreBinding.positions(store.schema)))
    let binding = StoreBinding(store, state)
    if let snapshot { binding.pin(snapshot) }
    state.pointee.source = binding
    self.init(model, state, binding)
  }

  /// The store of the context, or nil if the context has no store. The store of a child is the store of its parent.
  public var store: (any PersistentStore)? {
    if let parent { return parent.store }
    return binding?.store
  }

  /// Throws the error from a load that has failed since the last call that could throw.
  package func throwStoreFailure() throws(StoreError) { try binding?.throwFailure() }

  /// Throws the error from a read that failed in this call, or in an earlier call that could not throw. While the context imports or
  /// exports, the error is kept, so that the import or export also fails.
  func throwReadFailure() throws(StoreError) {
    guard let binding, let failure = binding.failure else { return }
    if isBusy { throw failure }
    try binding.throwFailure()
  }

  /// A graph without objects, with the layout that the context needs.
  func emptyState() -> GraphState {
    GraphState(model.plan, positions: binding.map { StoreBinding.positions($0.map.schema) })
  }

  // MARK: Loading what an operation needs

  /// Loads all objects of an entity and its sub-entities.
  func loadAll(_ entity: Int) {
    guard let binding else { return }
    binding.attempt { () throws(StoreError) in try binding.loadAll(entity) }
  }

  /// Loads the whole graph.
  func loadEverything() {
    guard let binding else { return }
    for table in model.plan.tables { loadAll(table.root) }
    loadFaults()
    binding.attempt { () throws(StoreError) in try binding.loadAllLists() }
  }

  /// Loads rows known only by their numbers. Rows that the store no longer has are deleted.
  private func loadFaults() {
    for table in 0..<state.tableCount {
      for row in 0..<UInt32(state.tables[table].rowCount) { state.loadRow(table, row) }
    }
  }

  /// Loads the object in the store that has the same identity as a row, if there is one.
  func loadIdentity(_ table: Int, _ number: UInt32) {
    binding?.loadIdentity(of: number, table)
  }

  /// Loads the objects that refer to deleted objects through relationships without an inverse.
  ///
  /// - Parameter withAllLists: whether to also load lists that are valid without the deleted objects.
  func loadReferrers(withAllLists: Bool = false) {
    guard let binding else { return }
    binding.attempt { () throws(StoreError) in
      try binding.loadReferrers()
      if withAllLists { try binding.loadListsOfDeleted() }
    }
  }

  /// Loads those of the given rows that are faults, if links to their objects may have made these objects invalid.
  func loadToValidate(_ places: [RowPlace]) {
    guard let binding else { return }
    binding.attempt { () throws(StoreError) in try binding.loadToValidate(places) }
  }

  /// Loads the data that the delete rules examine: the relationships of the objects, and of the objects that are deleted with them.
  func loadForDeletion(of places: [RowPlace]) {
    guard let binding else { return }
    binding.attempt { () throws(StoreError) in try binding.loadForDeletion(of: places) }
  }
}

extension StoreBinding {
  /// The identity of a row, as cells by slot, and its hash; nil if it has none.
  func identity(of number: UInt32, _ table: Int) -> (cells: [Cell], hash: UInt64)? {
    let layout = state.layouts[state.row(table, number).entity]
    return layout.identity.space >= 0 ? identity(of: number, layout) : nil
  }

  func loadIdentity(of number: UInt32, _ table: Int) {
    guard let (cells, hash) = identity(of: number, table) else { return }
    _ = Cells.with(cells) { find(state.row(table, number).entity, $0, hash) }
  }

  /// The identity of a row in one of its identity spaces, as cells by slot, and its hash; nil if it has none.
  func identity(of number: UInt32, _ layout: EntityLayout) -> (cells: [Cell], hash: UInt64)? {
    let row = state.row(layout.table, number)
    guard let hash = GraphIdentity.hash(layout, row: row, state.pointee) else { return nil }
    var cells = Array(repeating: Cell.absent, count: layout.slotCount)
    for index in 0..<layout.identity.count {
      let property = layout.identity.slots[index]
      let slot = layout.slots[property]
      if slot.kind.isText {
        cells[property] = .text(state.pointee.texts.bytes(row[slot]))
      } else if slot.kind == .toOne, let owner = row.toOne(slot) {
        cells[property] = .row(owner)
      } else {
        cells[property] = .word(row[slot])
      }
    }
    return (cells, hash)
  }

  /// Loads all lists of all rows in memory.
  func loadAllLists() throws(StoreError) {
    for table in 0..<state.tableCount {
      try loadLists(ofRows: (0..<UInt32(state.tables[table].rowCount)).map { $0 }, table)
    }
  }

  /// Loads all lists of the given rows.
  func loadLists(ofRows rows: [UInt32], _ table: Int) throws(StoreError) {
    var byEntity: [Int: [UInt32]] = [:]
    for row in rows {
      let header = state.row(table, row).header
      if header.isLoaded {
        byEntity[header.entity, default: []].append(row)
      }
    }
    for (entity, rows) in byEntity.sorted(by: { $0.key < $1.key }) {
      let layout = state.layouts[entity]
      for number in 0..<layout.slotCount where layout.slots[number].kind == .toMany {
        try loadLists(rows, table, layout.slots[number])
      }
    }
  }

  func loadToValidate(_ places: [RowPlace]) throws(StoreError) {
    var faults: [Int: [UInt32]] = [:]
    for place in places where state.row(place.table, place.row).isFault {
      if dependsOnLinks(place.table) { faults[place.table, default: []].append(place.row) }
    }
    for (table, rows) in faults { try load(rows, of: table) }
    try loadAlternates(of: places)
  }

  /// Whether a link to an object of a table can make that object invalid.
  private func dependsOnLinks(_ table: Int) -> Bool {
    map.entities[table].contains { index in
      let entity = plan.entities[index]
      return !entity.validations.isEmpty || !entity.ownerSlots.isEmpty
        || entity.properties.contains { property in
          guard let relationship = property.relationship, relationship.inverseName != nil else { return false }
          return !relationship.isOptional || relationship.minCount != nil || relationship.maxCount != nil
        }
    }
  }

  func loadForDeletion(of places: [RowPlace]) throws(StoreError) {
    var known = Set(places)
    var next = places
    while !next.isEmpty {
      var wave: [Int: [UInt32]] = [:]
      for place in next { wave[place.table, default: []].append(place.row) }
      next = []
      for (table, rows) in wave.sorted(by: { $0.key < $1.key }) {
        try load(rows.filter { state.row(table, $0).isFault }, of: table)
        try loadLists(ofRows: rows, table)
        for row in rows { next += cascade(RowPlace(table: table, row: row)).filter { known.insert($0).inserted } }
      }
    }
  }

  /// The rows that the delete rule `cascade` deletes along with a row.
  private func cascade(_ place: RowPlace) -> [RowPlace] {
    let row = state.row(place.table, place.row)
    if row.isDeleted { return [] }
    let entity = plan.entities[row.entity]
    var found: [RowPlace] = []
    for (number, property) in entity.properties.enumerated() where property.relationship?.deleteRule == .cascade {
      let slot = plan.layouts[entity.index].slots[number]
      let rows =
        slot.kind == .toOne ? reader.target(row, slot).map { [$0] } ?? [] : reader.targetsInMemory(row, slot)
      found += rows.map { RowPlace(table: slot.destinationTable, row: $0) }
    }
    return found
  }
}
