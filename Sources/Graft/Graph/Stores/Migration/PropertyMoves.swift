/// A property that gets values from attributes of an earlier version (S21).
protocol PropertyMove: Sendable {
  var name: String { get }
  /// The attributes of the earlier version.
  var sources: [FormerAttribute] { get }
  /// The current and former names of the property.
  var names: [String] { get }
  /// Whether any property takes the values that this property had under one of its names. If not, this property may have values of its own.
  var takesItsFormerValues: Bool { get }
  /// Whether each of the attributes is a part of the value, rather than another name for the same attribute.
  var needsAllSources: Bool { get }
  /// Sets the property of the new object, unless the old object has none of the attributes.
  func run(_ old: ManagedObject, _ new: ManagedObject, _ given: GivenValues) throws
}

/// An attribute of an earlier version. Even earlier versions may have it under other names.
struct FormerAttribute: Sendable {
  let name: String
  /// All names of the attribute, beginning with ``name``.
  let names: [String]

  /// - Parameter family: the entities that may have the attribute.
  init(_ name: String, in family: [EntityDescription]) {
    self.name = name
    let known = family.flatMap { entity in
      entity.attributes.map { [$0.name] + $0.renamedFrom } + entity.relationships.map { [$0.name] + $0.renamedFrom }
    }
    names = [name] + known.filter { $0.contains(name) }.joined().filter { $0 != name }
  }

  /// The name that the attribute has in an object; nil if the object does not have it.
  func name(in object: ManagedObject) -> String? { names.first { object.entityPlan.slotNumbers[$0] != nil } }
}

/// An attribute that gets values from attributes of an earlier version.
struct AttributeMove: PropertyMove {
  let name: String
  let names: [String]
  let sources: [FormerAttribute]
  let takesItsFormerValues: Bool
  /// `Entity.attribute`.
  let title: String
  /// The entity that declares the attribute.
  let entity: String
  let defaultValue: AttributeValue?
  /// Whether objects may have no value.
  let isOptional: Bool
  var needsAllSources: Bool { migration.separator != nil && migration.part == nil && sources.count > 1 }
  let migration: AttributeMigration
  private let type: AttributeType
  private let isList: Bool
  private let isSensitive: Bool
  /// The number of the last part, which is the rest of the text.
  let lastPart: Int
  /// The transformer; nil if it is not registered, as in tools, which do not have the program's closures.
  private let transformer: ValueTransformer?

  /// - Parameter family: the entities whose objects may have the values.
  init(
    _ attribute: AttributeDescription, _ migration: AttributeMigration, in entity: EntityDescription,
    _ family: [EntityDescription], _ registry: TransformerRegistry
  ) {
    self.migration = migration
    (name, type, isList, isOptional) = (attribute.name, attribute.type, attribute.isList, attribute.isOptional)
    (isSensitive, defaultValue) = (attribute.isSensitive, attribute.defaultValue)
    (self.entity, title) = (entity.name, "\(entity.name).\(attribute.name)")
    names = [attribute.name] + attribute.renamedFrom
    sources = migration.attributes.map { FormerAttribute($0, in: family) }
    takesItsFormerValues = entity.takes(names, version: migration.version, family)
    // The attributes that take other parts of the same string.
    let parts = entity.attributes.compactMap(\.migration).filter { $0.takesPartOfSameText(as: migration) }
    lastPart = parts.flatMap { [$0.part, $0.parts.map { $0 - 1 }] }.compactMap { $0 }.max() ?? 0
    var single = attribute
    single.isList = false
    single.transformerNames = migration.transformerNames.isEmpty ? ["Lenient"] : migration.transformerNames
    transformer = registry.valueTransformer(of: single)
  }

  func run(_ old: ManagedObject, _ new: ManagedObject, _ given: GivenValues) throws {
    guard sources.contains(where: { $0.name(in: old) != nil }) else { return }
    let value = try value(of: old)
    guard takesItsFormerValues else {
      if let value { try add(value, to: new, from: old, given) }
      return
    }
    try new.setValue(value ?? (isOptional ? nil : defaultValue.map { .value($0) }), of: name)
    if value != nil { given.note(self, of: new) }
  }

  /// The new value of an old object.
  func value(of old: ManagedObject) throws -> MigratedValue? {
    let values = try sources.compactMap { source in try source.name(in: old).flatMap { try former(of: $0, old) } }
    guard let first = values.first else { return nil }
    if isList, migration.separator == nil {
      return .list(try values.flatMap(\.elements).compactMap { try value($0, old) })
    }
    guard values.count > 1 || migration.separator != nil else { return try value(first.json, old) }
    if values.contains(where: \.isList) { throw refusal("a list cannot be joined or split like text", old) }
    if migration.part != nil, values.contains(where: { $0.text != first.text }) {
      throw refusal("it has different text under several of the names", old)
    }
    let texts = migration.part == nil ? values.map(\.text) : [first.text]
    let whole = texts.joined(separator: migration.separator ?? " ")
    guard let separator = migration.separator, migration.part != nil || isList else {
      return try value(values.count > 1 ? .string(whole) : first.json, old)
    }
    return try part(of: whole, separator, old)
  }

  /// The value of an attribute of an old object, as it is stored.
  private func former(of name: String, _ old: ManagedObject) throws -> FormerValue? {
    guard let slot = old.entityPlan.slotNumbers[name], let attribute = old.entityPlan.properties[slot].attribute else {
      throw refusal("'\(name)' is a relationship there, which requires a step of the program", old)
    }
    let json = RowReader(old.context.state).storedJSON(old.row, old.plan(ofSlot: slot).pointee)
    return json == .null ? nil : FormerValue(json: json, isList: attribute.isList)
  }

  /// One part of a string or, for a list, all parts.
  private func part(of text: String, _ separator: String, _ old: ManagedObject) throws -> MigratedValue? {
    guard let number = migration.part else {
      let parts = text.isEmpty ? [] : text.parts(separatedBy: separator)
      return .list(try parts.compactMap { try value(.string($0), old) })
    }
    let parts = text.parts(separatedBy: separator, last: lastPart)
    return number < parts.count ? try value(.string(parts[number]), old) : nil
  }

  private func value(_ json: JSON, _ old: ManagedObject) throws -> MigratedValue? {
    guard let transformer else {
      let names = migration.transformerNames.map { "'\($0)'" }.joined(separator: ", ")
      throw StoreError(
        .failedMigration,
        "'\(title)' needs the transformer \(names), which is not registered; open the store with the program that has it"
      )
    }
    do {
      let value = try transformer.forward(json)?.converted(to: type)
      if let value, migration.transformerNames.isEmpty, !value.isExactly(json) {
        throw refusal(
          "\(found(json, old)) is not exactly a \(type.rawValue); use 'decimal', or write \"JSONTransformerName\": \"Lenient\" for the nearest value",
          old)
      }
      if case .string(let text) = json, transformer.keepsText(of: type) { return value.map { .text(text, read: $0) } }
      return value.map { .value($0) }
    } catch let error as TransformerInputError {
      throw refusal(expected: error.expected, json, old)
    } catch let error as AttributeValueError {
      throw refusal(expected: error.expected, json, old)
    } catch let error as StoreError {
      throw error
    } catch {
      throw refusal("\(error)", old)
    }
  }

  private func found(_ json: JSON, _ old: ManagedObject) -> String {
    let plan = old.entityPlan
    let isHidden = sources.contains { source in
      source.name(in: old).flatMap { plan.slotNumbers[$0] }.map { plan.properties[$0].isSensitive } ?? false
    }
    return isSensitive || isHidden ? HiddenValue.text : FoundPhrase.of(json)
  }

  private func refusal(expected: String, _ json: JSON, _ old: ManagedObject) -> StoreError {
    refusal("expected \(expected), found \(found(json, old))", old)
  }

  private func refusal(_ reason: String, _ old: ManagedObject) -> StoreError {
    StoreError(.failedMigration, "'\(title)' cannot have the value that '\(old)' gives it: \(reason)")
  }

  /// Sets the attribute of an object, unless the object already has a different value.
  func add(_ value: MigratedValue, to object: ManagedObject, from old: ManagedObject, _ given: GivenValues) throws {
    let known = try object.attributeValue(of: name)
    guard known == nil || known == value.value || given.isFree(self, of: object) else {
      throw refusal(
        "'\(object)' already has a different value; make them equal before the store is opened, or decide in a step of the program",
        old)
    }
    try object.setValue(value, of: name)
    given.note(self, of: object)
  }
}

/// A to-one that gets an object created from attributes of an earlier version.
struct RelationshipMove: PropertyMove {
  let name: String
  let names: [String]
  let takesItsFormerValues: Bool
  /// The attributes of the destination.
  let attributes: [AttributeMove]
  private let title: String
  private let destination: String
  private let identity: [String]
  /// The inverse, if it is a to-one.
  private let inverseToOne: String?

  /// - Parameter family: the entities whose objects may have the values.
  init(
    _ relationship: RelationshipDescription, _ migration: RelationshipMigration, in entity: EntityDescription,
    _ family: [EntityDescription], of model: ModelDescription, _ registry: TransformerRegistry
  ) {
    name = relationship.name
    names = [name] + relationship.renamedFrom
    title = "\(entity.name).\(name)"
    takesItsFormerValues = entity.takes(names, version: migration.version, family)
    destination = relationship.destinationName
    let lineage = model.lineage(ofEntity: destination)
    identity = lineage.reversed().flatMap(\.identityAttributes)
    inverseToOne = relationship.inverseName.flatMap { inverse in
      lineage.flatMap(\.relationships).contains { $0.name == inverse && !$0.isToMany } ? inverse : nil
    }
    attributes = migration.attributes.compactMap { name, formerName in
      for entity in lineage {
        guard let attribute = entity.attributes.first(where: { $0.name == name }) else { continue }
        let single = AttributeMigration(to: migration.version, attributes: [formerName])
        return AttributeMove(attribute, single, in: entity, family, registry)
      }
      return nil
    }
  }

  var sources: [FormerAttribute] { attributes.flatMap(\.sources) }
  var needsAllSources: Bool { true }

  /// Finds or inserts the related object with the values of the old object, and links the new object to it.
  func run(_ old: ManagedObject, _ new: ManagedObject, _ given: GivenValues) throws {
    var values: [String: MigratedValue] = [:]
    for attribute in attributes { values[attribute.name] = try attribute.value(of: old) }
    guard !values.isEmpty else { return }
    let object = try object(values, old, new.context, given)
    for attribute in attributes {
      if let value = values[attribute.name] { try attribute.add(value, to: object, from: old, given) }
    }
    let linked: ManagedObject? = new[name]
    let owner: ManagedObject? = inverseToOne.flatMap { object[$0] }
    guard linked == nil || linked === object, owner == nil || owner === new else {
      let reason =
        linked == nil || linked === object
        ? "'\(object)' already has '\(owner ?? new)'" : "it already has '\(linked ?? object)'"
      throw refusal("become '\(object)': \(reason)", old)
    }
    new[name] = object as ManagedObject?
  }

  private func object(
    _ values: [String: MigratedValue], _ old: ManagedObject, _ context: ManagedObjectContext, _ given: GivenValues
  ) throws -> ManagedObject {
    if let missing = attributes.first(where: { identity.contains($0.name) && !$0.isOptional && values[$0.name] == nil })
    {
      throw refusal("get an object: '\(missing.title)', which identifies it, has no value", old)
    }
    let key = identity.compactMap { values[$0]?.value }
    if !key.isEmpty, key.count == identity.count, let known = try context.find(ofEntity: destination, values: key) {
      guard context.model.contents.lineage(ofEntity: known.entity.name).contains(where: { $0.name == destination })
      else {
        throw refusal("become '\(known)', which is not a '\(destination)'", old)
      }
      if !known.entityPlan.description.isAbstract {
        let isNew = known.isPlaceholder
        try context.fill(known)
        // Until now, the object was a placeholder without values.
        if isNew { given.noteInserted(known) }
      }
      return known
    }
    let object = context.insert(ofEntity: destination)
    // The identity comes first, because given values are remembered by the ID of their object, which consists of its identity.
    for attribute in attributes where identity.contains(attribute.name) {
      if let value = values[attribute.name] { try object.setValue(value, of: attribute.name) }
    }
    given.noteInserted(object)
    return object
  }

  private func refusal(_ what: String, _ old: ManagedObject) -> StoreError {
    StoreError(
      .failedMigration,
      "'\(title)' of '\(old)' cannot \(what); change the data before the store is opened, or decide in a step of the program"
    )
  }
}

/// Remembers the values that the moves of a version have set, so that no move overwrites the value of another move. A default may be
/// replaced until a move sets the value.
final class GivenValues {
  private struct Value: Hashable {
    let object: ManagedObjectID
    let attribute: String
  }

  private let step: StoreMigrationStep
  private var inserted: Set<ManagedObjectID> = []
  private var given: Set<Value> = []

  init(_ step: StoreMigrationStep) { self.step = step }

  func noteInserted(_ object: ManagedObject) { inserted.insert(object.objectID) }

  func note(_ move: AttributeMove, of object: ManagedObject) {
    if move.defaultValue != nil { given.insert(Value(object: object.objectID, attribute: move.name)) }
  }

  /// Whether the value of an object is only the attribute's default, which a move may replace.
  func isFree(_ move: AttributeMove, of object: ManagedObject) -> Bool {
    guard let value = move.defaultValue, (try? object.attributeValue(of: move.name)) == value else { return false }
    if given.contains(Value(object: object.objectID, attribute: move.name)) { return false }
    return inserted.contains(object.objectID) || !existed(move)
  }

  /// Whether the old store has the attribute.
  private func existed(_ move: AttributeMove) -> Bool {
    guard let former = step.formerName(of: move.entity) else { return false }
    let known = step.old.model.contents.lineage(ofEntity: former).flatMap(\.attributes).map(\.name)
    return !Set(known).isDisjoint(with: move.names)
  }
}

extension EntityDescription {
  /// Whether properties that migrate to a version take the values of an attribute with one of these names.
  fileprivate func takes(_ names: [String], version: String, _ family: [EntityDescription]) -> Bool {
    let sources =
      attributes.compactMap(\.migration).filter { ModelVersion.isSame($0.version, version) }.flatMap(\.attributes)
      + relationships.compactMap(\.migration).filter { ModelVersion.isSame($0.version, version) }.flatMap(\.attributes)
      .map(\.formerName)
    return sources.contains { !Set(FormerAttribute($0, in: family).names).isDisjoint(with: names) }
  }
}

extension ModelDescription {
  /// An entity and its ancestors.
  func lineage(ofEntity name: String) -> [EntityDescription] { lineage(ofEntity: name, entitiesByName) }

  /// An entity, its ancestors and its sub-entities.
  func family(ofEntity name: String) -> [EntityDescription] {
    lineage(ofEntity: name) + descendants(ofEntity: name).filter { $0.name != name }
  }

  /// An entity and its sub-entities.
  func descendants(ofEntity name: String) -> [EntityDescription] {
    let known = entitiesByName
    return entities.filter { lineage(ofEntity: $0.name, known).contains { $0.name == name } }
  }

  private var entitiesByName: [String: EntityDescription] {
    Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func lineage(ofEntity name: String, _ known: [String: EntityDescription]) -> [EntityDescription] {
    guard let entity = known[name] else { return [] }
    return Array(sequence(first: entity) { $0.parentName.flatMap { known[$0] } })
  }
}

extension ManagedObject {
  /// The value of an attribute, of any type.
  fileprivate func attributeValue(of name: String) throws(PropertyError) -> AttributeValue? {
    guard case .attribute(let value)? = try propertyValue(of: name) else { return nil }
    return value
  }
}

extension AttributeValue {
  /// Whether a floating-point number exactly equals the number or text that it was created from.
  fileprivate func isExactly(_ json: JSON) -> Bool {
    switch self {
    case .double, .float: json.stringValue.flatMap(JSONNumber.init).map(JSON.number) ?? json == jsonValue
    default: true
    }
  }
}

extension String {
  /// The parts between separators, which are compared by their bytes. The last part is the rest.
  fileprivate func parts(separatedBy separator: String, last: Int = .max) -> [String] {
    let (text, separator) = (Array(utf8), Array(separator.utf8))
    var parts: [String] = []
    var start = 0
    var next = 0
    while parts.count < last, !separator.isEmpty, next + separator.count <= text.count {
      if text[next..<next + separator.count].elementsEqual(separator) {
        parts.append(String(decoding: text[start..<next], as: UTF8.self))
        next += separator.count
        start = next
      } else {
        next += 1
      }
    }
    return parts + [String(decoding: text[start...], as: UTF8.self)]
  }
}
