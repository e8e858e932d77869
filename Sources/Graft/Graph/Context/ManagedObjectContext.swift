/// One consistent graph of objects: each identity once, both sides of each relationship in agreement.
///
///     let context = ManagedObjectContext(model: model)
///     try objects(Hero.self, fromJSON: data, in: context)
///     let batman = context.find(Hero.self, identity: 1699)
///
/// Not Sendable: a context belongs to the isolation that made it (C3). ``BackgroundContext`` lends one to closures that run
/// elsewhere; what goes from one context to another are ids, changes and snapshots.
public final class ManagedObjectContext {
  /// The model of the objects.
  public let model: ManagedObjectModel
  /// The rows. Behind a pointer, so that imports reach them without exclusivity checks.
  let state: UnsafeMutablePointer<GraphState>
  /// The handles that are alive, by table and row.
  var handles: [[UInt32: Unmanaged<ManagedObject>]]
  /// What the row numbers of now belong to; see ``RowGeneration``.
  var generation = RowGeneration()
  /// What runs here, and which closure of the program it calls: closures must not come back in (T5).
  let activity: UnsafeMutablePointer<ContextActivity>
  /// How many dry runs are under way, one inside the other: what is imported in them is not kept.
  var dryRuns = 0
  /// Stand for the objects without identity of which somebody asked for the id.
  var rowNumbers = RowNumbers()
  /// Those who follow the changes.
  var observers = ChangeObservers()
  /// Those who know what units of work did.
  var followers = UnitFollowers()
  /// The stream that is being imported as a whole, if one is open.
  var openUnit: (any OpenUnit)?
  /// Those who observe single properties and lists.
  let hub: ObservationHub
  /// What setters refused in a transaction that throws it at its end, or in a hook; nil outside of both.
  var refusals: [PropertyError]?
  /// What a decoder held under each key last: a guess that saves asking it in vain (C4).
  var decodedKinds: [String: UInt8] = [:]

  /// Makes an empty context.
  public init(model: ManagedObjectModel) {
    self.model = model
    state = .allocate(capacity: 1)
    state.initialize(to: GraphState(model.plan))
    activity = .allocate(capacity: 1)
    activity.initialize(to: ContextActivity())
    handles = Array(repeating: [:], count: model.plan.tables.count)
    hub = ObservationHub(
      slotCount: model.plan.entities.map(\.properties.count).max() ?? 0, tableCount: model.plan.tables.count)
  }

  deinit {
    observers.finish()
    state.pointee.free()
    state.deinitialize(count: 1)
    state.deallocate()
    activity.deinitialize(count: 1)
    activity.deallocate()
  }

  /// Whether views follow the objects and lists of this context, as the `Observation` framework lets them: SwiftUI views, and
  /// what `withObservationTracking` surrounds. False by default.
  ///
  ///     let context = ManagedObjectContext(model: model)
  ///     context.isObservable = true
  ///
  /// Set it on the context that views show, before they do. To ask the framework whether somebody observes takes longer than
  /// reading an attribute, so a context that nobody observes is not to pay for it. ``updates()`` needs no switch.
  public var isObservable: Bool {
    get { hub.isInUse }
    set { hub.setInUse(newValue) }
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

  // MARK: Writing

  func setAttribute(_ cell: Cell, _ slot: Int, _ object: ManagedObject) throws(PropertyError) {
    typealias Spot = ObservationHub.Spot
    var spots: [Spot] = []
    if hub.isInUse {
      let isFilled = object.base[0] & RowHeader.placeholder != 0
      spots = [Spot(table: object.table, row: object.row, slot: isFilled ? Spot.everything : slot)]
      if object.plan(ofSlot: slot).pointee.isIdentity {
        spots.append(Spot(table: object.table, row: object.row, slot: Spot.state))
      }
      hub.willChange(spots)
      // Who hears of it may have changed anything.
      guard !object.isGone else { throw PropertyError("'\(object)' was deleted: nothing can be set") }
    }
    defer { hub.didChange(spots) }
    try setAttribute(cell, slot, object.table, object.row)
  }

  private func setAttribute(_ cell: Cell, _ slot: Int, _ table: Int, _ row: UInt32) throws(PropertyError) {
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
    if cell.tag == .null, base[0] & RowHeader.placeholder != 0 {
      throw PropertyError(
        "'\(GraphNames(state, model.plan).name(table, row))' is a placeholder: without its identity it could not be imported again"
      )
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
}
