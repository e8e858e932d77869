/// A property that gets values from attributes of an earlier version (S21).
protocol PropertyMove: Sendable {
  var name: String { get }
  /// The attributes of the earlier version.
  var sources: [String] { get }
  /// Whether properties take the values that it had under one of its names. Otherwise, it may have values of its own.
  var takesItsFormerValues: Bool { get }
}

/// An attribute that gets values from attributes of an earlier version.
struct AttributeMove: PropertyMove {
  let name: String
  let takesItsFormerValues: Bool
  private let migration: AttributeMigration
  private let title: String
  private let type: AttributeType
  private let isList: Bool
  private let isSensitive: Bool
  private let defaultValue: AttributeValue?
  /// The number of the part that is the rest of the text.
  private let lastPart: Int
  /// nil if the program has not registered it: a tool does not know the closures of programs.
  private let transformer: ValueTransformer?

  init(
    _ attribute: AttributeDescription, _ migration: AttributeMigration, in entity: EntityDescription,
    _ registry: TransformerRegistry
  ) {
    self.migration = migration
    (name, type, isList) = (attribute.name, attribute.type, attribute.isList)
    (isSensitive, defaultValue) = (attribute.isSensitive, attribute.defaultValue)
    title = "\(entity.name).\(attribute.name)"
    takesItsFormerValues = entity.takes([attribute.name] + attribute.renamedFrom, version: migration.version)
    // The attributes that take other parts of the same text.
    let parts = entity.attributes.compactMap(\.migration).filter { $0.takesPartOfSameText(as: migration) }
    lastPart = parts.compactMap(\.part).max() ?? 0
    var single = attribute
    single.isList = false
    single.transformerNames = migration.transformerNames.isEmpty ? ["Lenient"] : migration.transformerNames
    transformer = registry.valueTransformer(of: single)
  }

  var sources: [String] { migration.attributes }

  /// Gives the new object its value, unless the old one has none of the attributes.
  func run(_ old: ManagedObject, _ new: ManagedObject) throws {
    guard sources.contains(where: old.hasAttribute) else { return }
    let value = try value(of: old)
    if takesItsFormerValues {
      try new.setValue(value, of: name)
    } else if let value {
      try add(value, to: new, from: old)
    }
  }

  /// The new value of an old object.
  func value(of old: ManagedObject) throws -> AttributeValue? {
    // Some names may be former ones, which other versions have.
    let known = sources.filter(old.hasAttribute)
    let values = try known.compactMap { try old.attributeValue(of: $0) }
    guard var whole = values.first else { return nil }
    if known.count > 1 { whole = .string(values.map(\.migratedText).joined(separator: migration.separator ?? " ")) }
    if let separator = migration.separator, migration.part != nil || isList {
      return try part(of: whole.migratedText, separator, old)
    }
    guard isList else { return try value(whole.jsonValue, old) }
    let elements = if case .list(let elements) = whole { elements } else { [whole] }
    return .list(try elements.compactMap { try value($0.jsonValue, old) })
  }

  /// A part of a text, or all parts for a list.
  private func part(of text: String, _ separator: String, _ old: ManagedObject) throws -> AttributeValue? {
    guard let number = migration.part else {
      let parts = text.isEmpty ? [] : text.parts(separatedBy: separator)
      return .list(try parts.compactMap { try value(.string($0), old) })
    }
    let parts = text.parts(separatedBy: separator, last: lastPart)
    return number < parts.count ? try value(.string(parts[number]), old) : nil
  }

  private func value(_ json: JSON, _ old: ManagedObject) throws -> AttributeValue? {
    guard let transformer else {
      let names = migration.transformerNames.map { "'\($0)'" }.joined(separator: ", ")
      throw StoreError(
        .failedMigration,
        "'\(title)' needs the transformer \(names), which is not registered; open the store with the program that has it"
      )
    }
    do {
      return try transformer.forward(json)?.converted(to: type)
    } catch let error as TransformerInputError {
      throw refusal(expected: error.expected, json, old)
    } catch let error as AttributeValueError {
      throw refusal(expected: error.expected, json, old)
    } catch {
      throw refusal("\(error)", old)
    }
  }

  private func refusal(expected: String, _ json: JSON, _ old: ManagedObject) -> StoreError {
    refusal("expected \(expected), found \(isSensitive ? HiddenValue.text : FoundPhrase.of(json))", old)
  }

  private func refusal(_ reason: String, _ old: ManagedObject) -> StoreError {
    StoreError(.failedMigration, "'\(title)' cannot have the value that '\(old)' gives it: \(reason)")
  }

  /// Gives a value to an object that others may have given one.
  func add(_ value: AttributeValue, to object: ManagedObject, from old: ManagedObject) throws {
    let known = try object.attributeValue(of: name)
    guard known == nil || known == value || known == defaultValue else {
      throw refusal(
        "'\(object)' has another one already; make them equal before the store is opened, or decide in a step of the program",
        old)
    }
    try object.setValue(value, of: name)
  }
}

/// A to-one that gets an object made of attributes of an earlier version.
struct RelationshipMove: PropertyMove {
  let name: String
  let takesItsFormerValues: Bool
  private let title: String
  private let destination: String
  /// The attributes of the destination.
  private let attributes: [AttributeMove]
  private let identity: [String]

  init(
    _ relationship: RelationshipDescription, _ migration: RelationshipMigration, in entity: EntityDescription,
    of model: ModelDescription, _ registry: TransformerRegistry
  ) {
    name = relationship.name
    title = "\(entity.name).\(name)"
    takesItsFormerValues = entity.takes([name] + relationship.renamedFrom, version: migration.version)
    destination = relationship.destinationName
    let lineage = model.lineage(ofEntity: destination)
    identity = lineage.reversed().flatMap(\.identityAttributes)
    attributes = migration.attributes.compactMap { name, formerName in
      for entity in lineage {
        guard let attribute = entity.attributes.first(where: { $0.name == name }) else { continue }
        let single = AttributeMigration(to: migration.version, attributes: [formerName])
        return AttributeMove(attribute, single, in: entity, registry)
      }
      return nil
    }
  }

  var sources: [String] { attributes.flatMap(\.sources) }

  /// Finds or inserts the object with the values of the old one, and links it.
  func run(_ old: ManagedObject, _ new: ManagedObject, _ context: ManagedObjectContext) throws {
    var values: [String: AttributeValue] = [:]
    for attribute in attributes { values[attribute.name] = try attribute.value(of: old) }
    guard !values.isEmpty else { return }
    let key = identity.compactMap { values[$0] }
    let isIdentified = !key.isEmpty && key.count == identity.count
    let known = isIdentified ? try context.find(ofEntity: destination, values: key) : nil
    let object = known ?? context.insert(ofEntity: destination)
    for attribute in attributes {
      if let value = values[attribute.name] { try attribute.add(value, to: object, from: old) }
    }
    let linked: ManagedObject? = new[name]
    guard linked == nil || linked === object else {
      throw StoreError(
        .failedMigration,
        "'\(title)' of '\(old)' cannot become '\(object)': it has another object already; make them equal before the store is opened, or decide in a step of the program"
      )
    }
    new[name] = object as ManagedObject?
  }
}

extension EntityDescription {
  /// Whether properties that migrate to a version take the values of an attribute with one of these names.
  fileprivate func takes(_ names: [String], version: String) -> Bool {
    let sources =
      attributes.compactMap(\.migration).filter { $0.version == version }.flatMap(\.attributes)
      + relationships.compactMap(\.migration).filter { $0.version == version }.flatMap(\.attributes).map(\.formerName)
    return !Set(names).isDisjoint(with: sources)
  }
}

extension ModelDescription {
  /// An entity and its ancestors.
  func lineage(ofEntity name: String) -> [EntityDescription] {
    let known = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    guard let entity = known[name] else { return [] }
    return Array(sequence(first: entity) { $0.parentName.flatMap { known[$0] } })
  }
}

extension ManagedObject {
  /// Whether its entity has an attribute.
  fileprivate func hasAttribute(_ name: String) -> Bool {
    entityPlan.slotNumbers[name].map { entityPlan.properties[$0].attribute != nil } ?? false
  }

  /// The value of an attribute, of any type.
  fileprivate func attributeValue(of name: String) throws(PropertyError) -> AttributeValue? {
    guard case .attribute(let value)? = try propertyValue(of: name) else { return nil }
    return value
  }
}

extension AttributeValue {
  /// The value as a part of a text: a string, or how JSON writes it.
  fileprivate var migratedText: String {
    let json = jsonValue
    return json.stringValue ?? JSONWriter.text(of: json)
  }
}

extension String {
  /// The parts between separators, compared by their bytes. The last one is the rest.
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
