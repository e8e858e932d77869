/// A compiled model. Slots, keys, transformers and inverses are resolved once, so that nothing is looked up by name while a
/// payload is read.
///
/// A plan is immutable once the model is created. All contexts of a model share it, on any thread. This type is unsafe: the tables
/// for hot loops are plain memory that exists as long as the plan.
final class Plan: @unchecked Sendable {
  let entities: [EntityPlan]
  let entityNumbers: [String: Int]
  let tables: [TablePlan]
  /// The data that hot loops need about each entity, by its index.
  let layouts: PlanReference<EntityLayout>
  let fields: PlanReference<FieldPlan>
  let fieldCount: Int
  let groups: PlanReference<GroupPlan>
  let groupCount: Int
  let transformers: [ValueTransformer]
  /// The unusual forms of values.
  let forms: [ValueForms]
  /// The features that the model uses. Classes with hooks may add features.
  private(set) var features: PlanFeatures
  /// The fields of relationships to objects that are read without further checks and identified by themselves, so the content of
  /// each object depends only on its own text.
  let plainRelationshipFields: [Int]
  let source: SourceText?
  private let memory: KeptMemory

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
    forms = builder.forms
    source = model.source
    features = PlanFeatures(builder.entities, builder.layouts)
    plainRelationshipFields = builder.fields.indices.filter { number in
      let field = builder.fields[number]
      guard field.reading == .toOne || field.reading == .toMany else { return false }
      let layout = builder.layouts[field.destination]
      return layout.isReadAtOnce && !layout.needsPreparation && layout.identitySpace >= 0 && !layout.hasOwner
        && !layout.hasRules && layout.keyField < 0 && layout.indexField < 0
    }
    letSkippedWait()
  }

  /// Defers links that may refer to a dictionary that a mapper skips (M15), or that deletes its object (M17), because the object may appear
  /// later.
  private func letSkippedWait() {
    // The number of entities with a mark before each entity, in the order of their hierarchies.
    var markCounts = Array(repeating: 0, count: entities.count + 1)
    for entity in entities where entity.synchronization?.deletion != nil {
      markCounts[layouts[entity.index].hierarchy.lowerBound + 1] = 1
    }
    for number in entities.indices { markCounts[number + 1] += markCounts[number] }
    for owner in entities {
      for slot in 0..<layouts[owner.index].slotCount {
        let plan = layouts[owner.index].slots + slot
        guard plan.pointee.kind.isRelationship else { continue }
        let destination = layouts[plan.pointee.destination]
        let hasMark = markCounts[destination.hierarchy.lowerBound] < markCounts[destination.hierarchy.upperBound + 1]
        if hasMark { letWait(plan) } else if case .skip? = entities[plan.pointee.destination].fallback { letWait(plan) }
      }
    }
  }

  /// Records that the class of an entity's objects has hooks. Called only while the model is created.
  func observe(_ entity: Int) {
    features.hasHooks = true
    features.hasDictionaryClosures = true
    (layouts + entity).change {
      $0.hasHooks = true
      $0.needsPreparation = true
      $0.isReadAtOnce = false
      // Hooks need the locations of the dictionaries at the end of the payload.
      $0.hasRules = true
    }
    for owner in entities {
      for slot in 0..<layouts[owner.index].slotCount {
        let plan = layouts[owner.index].slots + slot
        guard plan.pointee.kind.isRelationship else { continue }
        if layouts[entity].isKind(of: layouts[plan.pointee.destination]) { letWait(plan) }
      }
    }
  }

  /// Makes links in either direction wait for the end of the payload, when the meaning of a skipped dictionary is known (D13).
  private func letWait(_ slot: PlanReference<SlotPlan>) {
    // A link to an owner that is part of the identity never waits (M12).
    if !slot.pointee.isIdentity { slot.change { $0.mayWait = true } }
    guard slot.pointee.inverse >= 0 else { return }
    for entity in entities[slot.pointee.destination].concreteAndSubentities {
      let inverse = layouts[entity].slots + slot.pointee.inverse
      if !inverse.pointee.isIdentity { inverse.change { $0.mayWait = true } }
    }
  }

  /// Returns the field of a key, compared by its bytes. Expected O(1).
  @inline(__always)
  func field(named key: LentBytes, in group: GroupPlan) -> Int? {
    var place = Int(truncatingIfNeeded: KeyHash.of(key)) & group.tableMask
    while group.table[place] != 0 {
      let field = Int(group.table[place]) - 1
      if fields[field].key.count == key.count + 1, fields[field].key.begins(with: key) { return field }
      place = (place + 1) & group.tableMask
    }
    return nil
  }

  func entity(named name: String) -> EntityPlan? { entityNumbers[name].map { entities[$0] } }

  /// Returns the number of properties that two entities inherit from a common ancestor. Both entities have these properties in the same
  /// slots.
  func sharedPropertyCount(_ one: Int, _ other: Int) -> Int {
    zip(entities[one].properties, entities[other].properties).prefix { $0 === $1 }.count
  }
}

/// The table for the rows of one hierarchy (single-table inheritance).
struct TablePlan {
  /// The entity at the root of the hierarchy.
  var root: Int
  /// The number of words in a row: header, presence bits, cells.
  var stride: Int
  var presenceWords: Int
  /// The number of identity spaces in the hierarchy (M8).
  var identitySpaces: Int
  /// The number of spaces of alternate identities, which follow the identity spaces (M27).
  var alternateSpaces = 0
}

/// The data that hot loops need about an entity. This is plain data.
struct EntityLayout {
  var table: Int
  var slotCount: Int
  var slots: PlanReference<SlotPlan>
  /// The group with the keys of the entity's objects.
  var group: Int
  /// The identity space in the table, or -1 if there is no identity.
  var identitySpace = -1
  var identityCount = 0
  var identitySlots: PlanReference<Int>
  /// The alternate identities that the entity has or inherits (M27): the same layout, with their spaces and slots in place of
  /// those of the identity.
  var alternates: PlanReference<EntityLayout>
  var alternateCount = 0
  /// The field of each identity slot's key path, for reading identifiers, or -1 if the slot has no key path or is a relationship.
  var identityFields: PlanReference<Int>
  /// The number of this entity, and the numbers of its sub-entities, which follow it.
  var hierarchy: ClosedRange<Int>
  var isAbstract: Bool
  var hasSubentities: Bool
  /// Whether a dictionary of the entity is inspected before it is read: by a transformer, a mapper, synchronization keys, or
  /// to choose the sub-entity.
  var needsPreparation: Bool
  /// The fields of `@key` and `@value`, or -1.
  var keyField = -1
  var valueField = -1
  /// Whether an element that is an object can only be the `@value`, because no key inside it is mapped (M23).
  var readsObjectsAsValues = false
  /// Whether any element that is not an object is the `@value` of an object, because no property reads `@key` (M23).
  var readsElements = false
  /// Whether the `@value` is a to-one relationship, whose object is read from the same dictionary (M23).
  var sharesDictionary = false
  /// The field of `@index`, or -1.
  var indexField = -1
  /// Whether a key path begins with `@parent` or `@root` (M19).
  var readsSurroundings = false
  /// Whether relationships to owners are part of the identity (M12).
  var hasOwner = false
  /// Whether an identifier is an array, because there are several identity values, or because the only identity value is an owner whose
  /// identifier is an array.
  var hasArrayIdentifier = false
  /// The steps of writing an object (E1), and the maximum nesting depth of attributes inside the object.
  var steps: PlanReference<ExportStep>
  var stepCount: Int
  var reach: Int
  /// The entity that declares this entity's mapper (itself or an ancestor), or -1.
  var mapperOwner = -1
  /// Whether, according to the model, this entity's mapper recognizes the entity by the exported discriminator.
  var writesDiscriminator = false
  /// The number of fields, groups included, and the number of words for their bits after the cells of a frame.
  var fieldCount: Int
  var seenWords: Int
  /// In the first of these words, the bits of the fields that only nested objects read (M19).
  var fieldsForOthers: UInt64 = 0
  /// The presence bits that must be set in a full object, one word for each presence word.
  var required: PlanReference<UInt64>
  /// Whether values have constraints, or the object has observers or identifies other objects as their owner, so its locations in
  /// the payload are recorded.
  var hasRules: Bool
  /// Whether the class of the objects has hooks.
  var hasHooks = false
  /// Whether a dictionary may be skipped, or delete its object, by synchronization keys (M17).
  var isSynchronized = false
  /// Whether a dictionary of the entity can be read immediately, because the entity is concrete and has neither hooks nor
  /// synchronization keys.
  var isReadAtOnce = false

  /// Returns whether the entity is the same as another entity or inherits from that entity.
  func isKind(of other: EntityLayout) -> Bool {
    other.hierarchy.contains(hierarchy.lowerBound)
  }

  /// A copy of the steps of writing an object.
  var allSteps: [ExportStep] { (0..<stepCount).map { steps[$0] } }

  /// The number of cells for reading an object.
  @inline(__always) var frameCells: Int { slotCount + seenWords }
}
