// Each initializer writes one description.
extension ModelFileMembers {
  /// Creates the members of an entity (M3).
  init(_ entity: EntityDescription, _ strategy: ModelDescription.KeyStrategy) {
    self.init()
    add(.doc, entity.documentation)
    add(.renamedFrom, entity.renamedFrom)
    add(.parent, entity.parentName)
    add(.abstract, entity.isAbstract, unless: false)
    add(.class, entity.className)
    addIdentity(entity.identityAttributes)
    if !entity.alternateIdentities.isEmpty {
      add(.alternateIdentities, .array(entity.alternateIdentities.map(ModelFileMembers.json)))
    }
    add(.entityMapperName, entity.entityMapperName)
    if let mapper = entity.entityMapper { add(.entityMapper, ModelFileMembers(mapper).json) }
    add(.JSONDictionaryTransformerName, entity.dictionaryTransformerName)
    add(.modificationAttribute, entity.modificationAttribute)
    if let mark = entity.deletedWhen { add(.deletedWhen, ModelFileMembers(mark).json) }
    if !entity.indexes.isEmpty { add(.indexes, .array(entity.indexes.map(ModelFileMembers.json))) }
    if !entity.attributes.isEmpty {
      add(.attributes, names: entity.attributes.map { ($0.name, ModelFileMembers.json($0, strategy)) })
    }
    if !entity.relationships.isEmpty {
      add(.relationships, names: entity.relationships.map { ($0.name, ModelFileMembers($0, strategy).json) })
    }
    add(.userInfo, entity.userInfo)
  }

  private mutating func addIdentity(_ names: [String]) {
    guard let name = names.first else { return }
    // In a string, commas and spaces would separate names.
    let isPlain = names.count == 1 && !name.isEmpty && !name.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
    add(.identityAttributes, isPlain ? .string(name) : .array(names.map(JSON.string)))
  }

  /// Returns an index (M28) or alternate identity (M27): a name by itself, or an array of names.
  private static func json(_ names: EntityDescription.PropertyNames) -> JSON {
    names.properties.count == 1 ? .string(names.properties[0]) : .array(names.properties.map(JSON.string))
  }

  private init(_ mark: EntityDescription.DeletionMark) {
    self.init()
    add(.JSONKeyPath, mark.keyPath.modelFileForm)
    add(.equals, mark.value)
  }

  private init(_ migration: AttributeMigration) {
    self.init()
    add(.version, migration.version)
    add(.attributes, migration.attributes)
    add(.separator, migration.separator)
    add(.part, migration.part)
    add(.parts, migration.parts)
    add(.JSONTransformerName, migration.transformerNames)
  }

  private init(_ migration: RelationshipMigration) {
    self.init()
    add(.version, migration.version)
    add(.attributes, names: migration.attributes.map { ($0.name, .string($0.formerName)) })
  }

  private init(_ mapper: EntityDescription.Mapper) {
    self.init()
    add(.JSONKeyPath, mapper.keyPath.modelFileForm)
    add(.entities, names: mapper.cases.map { ($0.value, .string($0.entityName)) })
    switch mapper.otherwise {
    case .entity(let name): add(.otherwise, name)
    case .skip: add(.otherwise, .null)
    case nil: break
    }
  }

  /// Returns an attribute (M4): only its type if nothing else is set, otherwise an object.
  static func json(_ attribute: AttributeDescription, _ strategy: ModelDescription.KeyStrategy) -> JSON {
    var members = ModelFileMembers()
    members.add(.doc, attribute.documentation)
    members.add(.renamedFrom, attribute.renamedFrom)
    if let migration = attribute.migration { members.add(.migratedFrom, ModelFileMembers(migration).json) }
    members.add(.list, attribute.isList, unless: false)
    members.add(.optional, attribute.isOptional, unless: false)
    // A default of null is the same as no default.
    if let value = attribute.defaultValue?.jsonValue, !value.isNull { members.add(.default, value) }
    members.add(attribute.keyPath, attribute.keyPathAliases, of: attribute.name, strategy)
    members.add(.JSONDirection, attribute.direction, unless: .both)
    members.add(.JSONTransformerName, attribute.transformerNames)
    if let nulls = attribute.nulls { members.add(.JSONNulls, .array(nulls)) }
    members.add(.lenient, attribute.isLenient, unless: false)
    let validation = attribute.validation
    if let minimum = validation.minimum { members.add(.minimum, minimum.jsonValue) }
    if let maximum = validation.maximum { members.add(.maximum, maximum.jsonValue) }
    members.add(.minLength, validation.minLength)
    members.add(.maxLength, validation.maxLength)
    members.add(.pattern, validation.pattern)
    members.add(.minCount, validation.minCount)
    members.add(.maxCount, validation.maxCount)
    if let values = validation.allowedValues { members.add(.enum, .array(values.map(\.jsonValue))) }
    members.add(.extensible, validation.isExtensible, unless: false)
    members.add(.sensitive, attribute.isSensitive, unless: false)
    members.add(.userInfo, attribute.userInfo)
    if members.isEmpty { return .string(attribute.type.rawValue) }
    members.add(.type, attribute.type.rawValue)
    return members.json
  }

  /// Creates the members of a relationship (M6).
  init(_ relationship: RelationshipDescription, _ strategy: ModelDescription.KeyStrategy) {
    let usual = RelationshipDescription(relationship.name, to: relationship.destinationName)
    self.init()
    add(.doc, relationship.documentation)
    add(.renamedFrom, relationship.renamedFrom)
    if let migration = relationship.migration { add(.migratedFrom, ModelFileMembers(migration).json) }
    add(.destination, relationship.destinationName)
    add(.toMany, relationship.isToMany, unless: usual.isToMany)
    add(.ordered, relationship.isOrdered, unless: usual.isOrdered)
    add(.inverse, relationship.inverseName)
    add(.optional, relationship.isOptional, unless: usual.isOptional)
    add(.minCount, relationship.minCount)
    add(.maxCount, relationship.maxCount)
    add(.deleteRule, relationship.deleteRule, unless: usual.deleteRule)
    add(.mergeRule, relationship.mergeRule, unless: usual.mergeRule)
    add(.unresolvedRule, relationship.unresolvedRule, unless: usual.unresolvedRule)
    add(.deleteOrphans, relationship.deletesOrphans, unless: usual.deletesOrphans)
    add(.JSONRepresentation, relationship.representation, unless: usual.representation)
    if relationship.identifierKeyPaths.isEmpty {
      add(relationship.keyPath, relationship.keyPathAliases, of: relationship.name, strategy)
    } else {
      add(.JSONKeyPath, names: relationship.identifierKeyPaths.map { ($0.name, $0.keyPath.modelFileForm) })
      if !relationship.keyPathAliases.isEmpty {
        add(.JSONKeyPathAliases, .array(relationship.keyPathAliases.map(\.modelFileForm)))
      }
    }
    add(.JSONDirection, relationship.direction, unless: usual.direction)
    add(.JSONTransformerName, relationship.transformerNames)
    if let nulls = relationship.nulls { add(.JSONNulls, .array(nulls)) }
    add(.JSONReferences, relationship.hasReferences, unless: usual.hasReferences)
    add(.lenient, relationship.isLenient, unless: usual.isLenient)
    add(.userInfo, relationship.userInfo)
  }
}

extension ModelFileWriter {
  /// Returns an entity as the value of its name in a model file.
  package static func json(of entity: EntityDescription, _ strategy: ModelDescription.KeyStrategy) -> JSON {
    ModelFileMembers(entity, strategy).json
  }

  /// Returns an attribute as the value of its name in a model file.
  package static func json(of attribute: AttributeDescription, _ strategy: ModelDescription.KeyStrategy) -> JSON {
    ModelFileMembers.json(attribute, strategy)
  }

  /// Returns a relationship as the value of its name in a model file.
  package static func json(of relationship: RelationshipDescription, _ strategy: ModelDescription.KeyStrategy) -> JSON {
    ModelFileMembers(relationship, strategy).json
  }
}
