/// A consistent graph of objects: each identity is unique, and the two sides of each relationship agree.
///
///     let context = ManagedObjectContext(model: model)
///     try objects(Hero.self, fromJSON: data, in: context)
///     let batman = try context.find(Hero.self, id: 1699)
///
/// A context is not `Sendable`: it belongs to the isolation that created it. ``BackgroundContext`` lends a context to closures
/// that run elsewhere. IDs, changes and snapshots can be passed from one context to another.
public final class ManagedObjectContext {
  /// The model of the objects.
  public let model: ManagedObjectModel
  /// The rows, accessed through a pointer so that imports need no exclusivity checks.
  let state: Reference<GraphState>
  typealias Handle = Unmanaged<ManagedObject>
  /// The existing handles, by table and row.
  let handles: SparseColumns<Handle>
  /// The generation of the current row numbers; see ``RowGeneration``.
  private(set) var generation = RowGeneration()
  /// The work in progress and the closure that it is calling. Closures must not reenter the context (T5).
  let activity: Reference<ContextActivity>
  /// The state of the transactions in progress, which is kept until they end.
  var units = OpenUnits()
  /// The numbers of objects without an identity whose ID was requested.
  var rowNumbers = RowNumbers()
  /// The observers of changes.
  var observers = ChangeObservers()
  /// The observation of individual properties and lists.
  let hub: ObservationHub
  /// The connection with the store, if there is one.
  let binding: StoreBinding?
  /// The policy for pending changes to objects that another context or process has also changed in the store. By default, a commit or
  /// ``merge()`` throws a ``ConflictError``.
  public var conflictPolicy = ConflictPolicy.refuse
  /// Whether the context automatically merges changes that other contexts or processes wrote to its store, or to its parent. False by
  /// default.
  ///
  ///     context.mergesChanges = true
  ///     let heroes = try context.fetch(Hero.self)    // includes what other contexts and processes have committed
  ///
  /// If true, each fetch, search by identity, count and aggregate begins with a ``merge()``, unless a transaction is open. If
  /// pending changes conflict with the changes to merge, the context stays at its version, and the next merge or commit reports
  /// the conflict. An object does not change between two reads of its properties, but it may change, or be deleted, when other objects
  /// are requested from the context.
  ///
  /// A context without a store or a parent ignores this property. To be notified of commits by other contexts and processes, use
  /// ``PersistentStore/commits(every:)`` or a ``BackgroundContext`` that merges automatically.
  public var mergesChanges: Bool {
    get { takesOverChanges }
    set { takesOverChanges = newValue }
  }
  // A private copy of the public property, because the compiler cannot prove that a public property does not change while it is read, and
  // therefore checks each read of a public property.
  private var takesOverChanges = false
  /// Cached results of earlier calls.
  var caches = ContextCaches()
  /// The columns that predicates refer to, even without a store.
  private(set) lazy var queryMap = binding?.map ?? StoreMap(StoreSchema(model))

  /// Creates an empty context without a store. Its objects exist only in memory; ``init(model:store:)`` creates a context with
  /// a store.
  public convenience init(model: ManagedObjectModel) {
    self.init(model, Reference(to: GraphState(model.plan)), nil)
  }

  init(_ model: ManagedObjectModel, _ state: Reference<GraphState>, _ binding: StoreBinding?) {
    self.model = model
    self.state = state
    self.binding = binding
    activity = Reference(to: ContextActivity())
    handles = SparseColumns(count: model.plan.tables.count)
    hub = ObservationHub(
      slotCount: model.plan.entities.map(\.properties.count).max() ?? 0, tableCount: model.plan.tables.count)
  }

  deinit {
    observers.finish()
    state.pointee.free()
    state.free()
    activity.free()
    handles.free()
  }

  /// Whether SwiftUI views and `withObservationTracking` follow the objects and lists of this context, through the
  /// `Observation` framework. False by default.
  ///
  ///     let context = ManagedObjectContext(model: model)
  ///     context.isObservable = true
  ///
  /// Set this on a context before views show its objects. Looking for observers takes longer than reading an attribute, so observation is
  /// off unless it is needed. ``updates()`` does not require this property.
  public var isObservable: Bool {
    get { hub.isInUse }
    set { hub.setInUse(newValue) }
  }

  // MARK: Handles

  /// Returns the existing handle of a row, or a new handle.
  func object<Object: ManagedObject>(_ table: Int, _ row: UInt32, as type: Object.Type) -> Object {
    let object = object(table, row)
    if Swift.type(of: object) == Object.self { return unsafeDowncast(object, to: Object.self) }
    guard let typed = object as? Object else { ManagedObjectContext.refuse(object, as: Object.self) }
    return typed
  }

  /// Traps, because an object is not an instance of the requested class.
  @inline(never)
  static func refuse(_ object: ManagedObject, as wanted: ManagedObject.Type) -> Never {
    let type = Swift.type(of: object)
    preconditionFailure(
      "'\(object)' is a \(type), not \(wanted): "
        + (type == ManagedObject.self ? "pass the class to the model" : "read it as a \(type)"))
  }

  func object(_ table: Int, _ row: UInt32) -> ManagedObject {
    state.loadRow(table, row)
    let type = model.classes[state.tables[table].row(row).entity]
    let known = handles[table][row]?.takeUnretainedValue()
    if let known, Swift.type(of: known) == type { return known }
    let object = type.init(place: ManagedObjectPlace(context: self, table: table, number: row))
    object.predecessor = known
    handles[table][row] = .passUnretained(object)
    return object
  }

  /// Makes a new handle the current handle of its row.
  func register(_ object: ManagedObject) {
    if !object.isDetached { handles[object.table][object.number] = .passUnretained(object) }
  }

  func forget(_ object: ManagedObject) {
    // This handle may be freed before its predecessor.
    if !object.isDetached { handles[object.table][object.number] = object.predecessor.map { .passUnretained($0) } }
  }

  /// The index of the entity of a class, without reference counting.
  @inline(__always)
  func entityIndex<Object: ManagedObject>(of type: Object.Type) throws(StoreError) -> Int {
    if let latest = caches.latestClass, latest.type == ObjectIdentifier(type) { return latest.entity }
    return try findEntityIndex(of: type)
  }

  @inline(never)
  private func findEntityIndex<Object: ManagedObject>(of type: Object.Type) throws(StoreError) -> Int {
    let entity = try entity(of: type).index
    caches.latestClass = (ObjectIdentifier(type), entity)
    return entity
  }

  func rootEntity(_ table: Int) -> Int { model.plan.tables[table].root }

  /// Records the moves of rows, for the holders of row numbers. Costs nothing if there are no such holders.
  func noteMoves(_ moves: @autoclosure () -> RowMoves) {
    guard !isKnownUniquelyReferenced(&generation) else { return }
    generation = generation.end(moves())
  }

  /// Whether iterators, child contexts or other objects hold row numbers.
  var hasHeldRows: Bool { !isKnownUniquelyReferenced(&generation) }

  // MARK: Writing

  func setAttribute(_ cell: Cell, _ slot: Int, _ object: ManagedObject) throws(PropertyError) {
    typealias Spot = ObservationHub.Spot
    var spots: [Spot] = []
    if hub.isInUse {
      let isFilled = object.row.isPlaceholder
      spots = [Spot(table: object.table, row: object.number, slot: isFilled ? Spot.everything : slot)]
      if object.plan(ofSlot: slot).pointee.isIdentity {
        spots.append(Spot(table: object.table, row: object.number, slot: Spot.state))
      }
      hub.willChange(spots)
      // The observers may have changed the graph, or read it through a child context.
      willChangeAfterObservers()
      guard !object.isGone else {
        throw PropertyError(.deletedObject, "'\(object)' was deleted: its properties cannot be set")
      }
    }
    defer { hub.didChange(spots) }
    try setAttribute(cell, slot, object.table, object.number)
  }

  private func setAttribute(_ cell: Cell, _ slot: Int, _ table: Int, _ number: UInt32) throws(PropertyError) {
    let editor = GraphEditor(state)
    let placed = state.placed(table, number)
    let row = placed.row
    let entity = model.plan.entities[row.entity]
    let plan = state.layouts[entity.index].slots + slot
    func write() {
      if cell.tag == .null { editor.setNil(plan, placed) } else { editor.setValue(cell, plan, placed) }
    }
    guard plan.pointee.isIdentity else {
      if cell.tag != .null, row.isPlaceholder { try fill(entity, table, number) }
      return write()
    }
    if cell.tag == .null, row.isPlaceholder {
      throw PropertyError(
        .missingIdentity,
        "'\(GraphNames(state, model.plan).name(table, number))' is a placeholder: without its identity it could not be imported again"
      )
    }
    if row.isSet(plan), GraphIdentity.isSame(cell, row[plan], plan.pointee, state.pointee.texts) { return write() }
    // Setting an identity attribute updates the identity index, which must not contain two objects with the same identity.
    let old = (value: row[plan], presence: row[plan.pointee.word])
    let garbage = state.pointee.texts.garbage
    editor.unindex(table, number)
    write()
    loadIdentity(table, number)
    if let other = GraphIdentity.other(like: number, table: table, state.pointee) {
      // Restores the value as it was stored, because reading and writing a URI can change its spelling.
      editor.write(old.presence, placed, plan.pointee.word)
      editor.write(old.value, placed, plan.pointee.cell)
      state.pointee.texts.garbage = garbage + cell.count
      editor.index(table, number)
      throw PropertyError(
        .duplicateIdentity, "there is already another object '\(GraphNames(state, model.plan).name(table, other))'")
    }
    editor.index(table, number)
  }

  /// Turns a placeholder into a full object, as if it had been imported.
  func fill(_ object: ManagedObject) throws(PropertyError) {
    if object.row.isPlaceholder { try fill(object.entityPlan, object.table, object.number) }
  }

  /// Turns a placeholder that receives more than its identity into a full object, with the defaults of its entity (D5).
  private func fill(_ entity: EntityPlan, _ table: Int, _ number: UInt32) throws(PropertyError) {
    guard !entity.description.isAbstract else {
      throw PropertyError(
        .abstractEntity,
        "'\(GraphNames(state, model.plan).name(table, number))' is a placeholder of the abstract entity '\(entity.name)': import the object to determine its sub-entity"
      )
    }
    let editor = GraphEditor(state)
    let row = state.placed(table, number)
    editor.setFlag(RowHeader.placeholder, false, table, number)
    for (slot, cell) in entity.defaults {
      let plan = state.layouts[entity.index].slots + slot
      if !row.row.isSet(plan) { editor.setValue(cell, plan, row) }
    }
  }
}
