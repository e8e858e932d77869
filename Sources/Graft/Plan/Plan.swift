/// The model, compiled: slots, keys, transformers and inverses resolved once, so that nothing is looked up by name while
/// a payload is read.
///
/// Immutable once made, and therefore shared by every context of a model, on any thread. Unsafe: the tables that hot
/// loops read are plain memory that lives as long as the plan.
final class Plan: @unchecked Sendable {
  let entities: [EntityPlan]
  let entityNumbers: [String: Int]
  let tables: [TablePlan]
  /// What the hot loops need of each entity, by its index.
  let layouts: UnsafeMutablePointer<EntityLayout>
  let fields: UnsafeMutablePointer<FieldPlan>
  let fieldCount: Int
  let groups: UnsafeMutablePointer<GroupPlan>
  let groupCount: Int
  let transformers: [ValueTransformer]
  /// Whether a closure of the model, or a hook, gets whole dictionaries.
  private(set) var hasDictionaryClosures: Bool
  /// Whether a class of the model has hooks.
  private(set) var hasHooks = false
  let source: SourceText?
  private let memory: PlanMemory

  init(_ model: ModelDescription, transformers registry: TransformerRegistry) {
    var builder = PlanBuilder(model, registry)
    builder.build()
    entities = builder.entities
    entityNumbers = builder.entityNumbers
    tables = builder.tables
    memory = builder.memory
    layouts = memory.place(builder.layouts)
    fields = memory.place(builder.fields)
    fieldCount = builder.fields.count
    groups = memory.place(builder.groups)
    groupCount = builder.groups.count
    transformers = builder.transformers
    source = model.source
    hasDictionaryClosures = builder.entities.contains { entity in
      if case .closure = entity.mapper { return true }
      return entity.dictionaryTransformer != nil
    }
  }

  /// Notes that the objects of an entity are of a class with hooks. Only while the model is made.
  func observe(_ entity: Int) {
    hasHooks = true
    hasDictionaryClosures = true
    layouts[entity].hasHooks = true
    layouts[entity].needsPreparation = true
    // The end of the payload must find the dictionaries again.
    layouts[entity].hasRules = true
    for owner in entities {
      for slot in 0..<layouts[owner.index].slotCount {
        let plan = layouts[owner.index].slots + slot
        guard plan.pointee.kind.isRelationship else { continue }
        if mayLead(plan.pointee.destination, to: entity) { letWait(plan) }
      }
    }
  }

  private func mayLead(_ destination: Int, to entity: Int) -> Bool {
    let number = layouts[entity].hierarchyNumber
    return number >= layouts[destination].firstInHierarchy && number <= layouts[destination].lastInHierarchy
  }

  /// What a skipped dictionary stands for is known when the payload ends (D13): links wait for it, from either side.
  private func letWait(_ slot: UnsafeMutablePointer<SlotPlan>) {
    slot.pointee.mayWait = true
    guard slot.pointee.inverse >= 0 else { return }
    for entity in entities[slot.pointee.destination].concreteAndSubentities {
      layouts[entity].slots[slot.pointee.inverse].mayWait = true
    }
  }

  /// The field of a key, compared by its bytes. Expected O(1).
  @inline(__always)
  func field(named key: UnsafeBufferPointer<UInt8>, in group: GroupPlan) -> Int? {
    // An empty key may have no address; none of its bytes are read.
    let base = key.baseAddress ?? UnsafePointer(fields.pointee.key)
    var place = Int(truncatingIfNeeded: KeyHash.of(base, key.count)) & group.tableMask
    while group.table[place] != 0 {
      let field = Int(group.table[place]) - 1
      if fields[field].length == key.count + 1, sameBytes(fields[field].key, base, key.count) { return field }
      place = (place + 1) & group.tableMask
    }
    return nil
  }

  func entity(named name: String) -> EntityPlan? { entityNumbers[name].map { entities[$0] } }
}

/// The rows of one hierarchy: single-table inheritance.
struct TablePlan {
  /// The entity at the root of the hierarchy.
  var root: Int
  /// Words a row: header, presence bits, cells.
  var stride: Int
  var presenceWords: Int
  /// How many identity spaces the hierarchy has (M8).
  var identitySpaces: Int
}

/// What the hot loops need of an entity. Plain data.
struct EntityLayout {
  var table: Int
  var slotCount: Int
  var slots: UnsafeMutablePointer<SlotPlan>
  /// The keys of the entity's objects.
  var group: Int
  /// The identity space in the table; -1: no identity.
  var identitySpace = -1
  var identityCount = 0
  var identitySlots: UnsafeMutablePointer<Int>
  /// The field of each identity slot's key path, for reading identifiers; -1 where it has none.
  var identityFields: UnsafeMutablePointer<Int>
  /// Entities are numbered so that a hierarchy is a range: this one and its sub-entities.
  var firstInHierarchy: Int
  var lastInHierarchy: Int
  var hierarchyNumber: Int
  var isAbstract: Bool
  var hasSubentities: Bool
  /// Something must see the dictionary before it is read: a transformer, a mapper, or the wish to know which sub-entity.
  var needsPreparation: Bool
  /// The field of `@key`, and of `@value`; -1: there is none.
  var keyField = -1
  var valueField = -1
  /// The steps of writing an object (E1), and how deep its attributes may reach inside it.
  var steps: UnsafeMutablePointer<ExportStep>
  var stepCount: Int
  var reach: Int
  /// The entity whose mapper counts for this one, its own or an ancestor's; -1: there is none.
  var mapperOwner = -1
  /// What is written tells such a mapper the entity, as far as the model knows.
  var writesDiscriminator = false
  /// How many fields, groups included; and the words of their bits behind the cells of a frame.
  var fieldCount: Int
  var seenWords: Int
  /// Presence bits that must be set in a full object, one word for each presence word.
  var required: UnsafeMutablePointer<UInt64>
  /// Something is asked of the values, or somebody wants to hear of the object: where it is described is remembered.
  var hasRules: Bool
  /// The objects are of a class with hooks.
  var hasHooks = false

  /// Whether the entity is another one or inherits from it.
  func isKind(of other: EntityLayout) -> Bool {
    hierarchyNumber >= other.firstInHierarchy && hierarchyNumber <= other.lastInHierarchy
  }

  /// Cells that reading an object takes.
  @inline(__always) var frameCells: Int { slotCount + seenWords }
}

/// Memory that lives as long as its plan.
final class PlanMemory {
  private var blocks: [UnsafeMutableRawPointer] = []

  func place<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let place = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    place.initialize(from: elements, count: elements.count)
    blocks.append(UnsafeMutableRawPointer(place))
    return place
  }

  // Only plain data is placed here: there is nothing to deinitialize.
  deinit { for block in blocks { block.deallocate() } }
}
