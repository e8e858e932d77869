/// A compiled model. Slots, keys, transformers and inverses are resolved once, so that nothing is looked up by name while a
/// payload is read.
///
/// A plan is immutable once the model is created. All contexts of a model share it, on any thread. Unsafe: the tables for hot loops
/// are plain memory that lives as long as the plan.
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
  /// each depends only on its own text.
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
      return layout.reading.isReadAtOnce && !layout.reading.needsPreparation && layout.identity.space >= 0
        && !layout.identity.hasOwner
        && !layout.reading.hasRules && layout.forms.keyField < 0 && layout.forms.indexField < 0
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
      $0.reading.hasHooks = true
      $0.reading.needsPreparation = true
      $0.reading.isReadAtOnce = false
      // The locations of the dictionaries are needed at the end of the payload.
      $0.reading.hasRules = true
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
    // The link to an owner is part of the identity, so it never waits (M12).
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

  /// Returns the number of properties that two entities inherit from a common ancestor. Both hold them in the same slots.
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
