/// The data that hot loops need about an entity. Plain data, divided by who reads it.
struct EntityLayout {
  // The table.
  var table: Int
  var slotCount: Int
  var slots: PlanReference<SlotPlan>
  /// The presence bits that must be set in a full object, one word for each presence word.
  var required: PlanReference<UInt64>

  // The hierarchy.
  /// The numbers of this entity and its sub-entities, which follow it.
  var hierarchy: ClosedRange<Int>
  var isAbstract: Bool
  var hasSubentities: Bool

  // What finds an object.
  var identity: IdentityLayout
  /// The alternate identities that the entity has or inherits (M27): the same layout, with their space and slots in place of the
  /// identity's.
  var alternates: PlanReference<EntityLayout>
  var alternateCount = 0

  // JSON.
  /// The group with the keys of the entity's objects.
  var group: Int
  var forms: FormLayout
  var reading: ReadingLayout
  var export: ExportLayout

  /// The slots by which objects are found.
  struct IdentityLayout {
    /// The identity space in the table, or -1 if there is no identity.
    var space = -1
    var count = 0
    var slots: PlanReference<Int>
    /// The field of each slot's key path, for reading identifiers, or -1 if it has none or is a relationship.
    var fields: PlanReference<Int>
    /// Whether relationships to owners are part of it (M12).
    var hasOwner = false
    /// Whether an identifier is an array, because there are several values or the only one is an owner with such an identifier.
    var isArray = false
  }

  /// The forms that an object can have in JSON besides a dictionary of its own.
  struct FormLayout {
    /// The fields of `@key`, `@value` and `@index`, or -1.
    var keyField = -1
    var valueField = -1
    var indexField = -1
    /// Whether an element that is an object can only be the `@value`, because no key inside it is mapped (M23).
    var readsObjectsAsValues = false
    /// Whether an element that is not an object is the `@value` of one, wherever it is, because no property reads `@key` (M23).
    var readsElements = false
    /// Whether the `@value` is a to-one, whose object is read from the same dictionary (M23).
    var sharesDictionary = false
    /// Whether a key path begins with `@parent` or `@root` (M19).
    var readsSurroundings = false
  }

  /// How an import reads a dictionary.
  struct ReadingLayout {
    /// Whether the dictionary is inspected before it is read: by a transformer, a mapper, synchronization keys, or to choose the
    /// sub-entity.
    var needsPreparation: Bool
    /// Whether the class of the objects has hooks.
    var hasHooks = false
    /// Whether a dictionary may be skipped, or delete its object, by synchronization keys (M17).
    var isSynchronized = false
    /// Whether a dictionary of the entity can be read immediately, because the entity is concrete and has neither hooks nor
    /// synchronization keys.
    var isReadAtOnce = false
    /// Whether values have constraints, or the object has observers or identifies other objects as their owner, so its locations in
    /// the payload are recorded.
    var hasRules: Bool
    /// The number of fields, groups included, and the number of words for their bits after the cells of a frame.
    var fieldCount: Int
    var seenWords: Int
    /// The bits, in the first of these words, of fields that only nested objects read (M19).
    var fieldsForOthers: UInt64 = 0
  }

  /// How an export writes an object (E1).
  struct ExportLayout {
    var steps: PlanReference<ExportStep>
    var stepCount: Int
    /// The maximum depth of the object's attributes inside it.
    var reach: Int
    /// The entity that declares this entity's mapper (itself or an ancestor), or -1.
    var mapperOwner = -1
    /// Whether, according to the model, such a mapper recognizes the entity in the output.
    var writesDiscriminator = false
  }

  /// Returns whether the entity is the same as another or inherits from it.
  func isKind(of other: EntityLayout) -> Bool {
    other.hierarchy.contains(hierarchy.lowerBound)
  }

  /// A copy of the steps of writing an object.
  var allSteps: [ExportStep] { (0..<export.stepCount).map { export.steps[$0] } }

  /// The number of cells for reading an object.
  @inline(__always) var frameCells: Int { slotCount + reading.seenWords }
}
