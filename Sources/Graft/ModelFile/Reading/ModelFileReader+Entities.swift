extension ModelFileReader {
  /// Reads one entity (M3).
  func entity(_ member: ModelFileMember) -> EntityDescription {
    var entity = EntityDescription(member.key)
    entity.source = DescriptionSource(text: text, name: member.keyRange)
    let owner = FileOwner(level: .entity, entity: member.key)
    if member.value.members == nil {
      entity.source.markUnreadable(.attributes)
      entity.source.markUnreadable(.relationships)
    }
    var oldIdentity: (value: ModelFileNode, keyRange: SourceRange)?
    for (key, value, keyRange) in fields(of: member.value, owner) {
      entity.source.add(key, value.range)
      switch key {
      case .doc: entity.documentation = string(value, key, owner)
      case .renamedFrom: entity.renamedFrom = texts(value, key, owner, &entity.source)
      case .parent: entity.parentName = noting(&entity.source, key) { string(value, key, owner) }
      case .abstract: entity.isAbstract = boolean(value, key, owner) ?? false
      case .class: entity.className = string(value, key, owner)
      case .identityAttributes: readIdentity(value, key, owner, into: &entity)
      case .identityAttribute: oldIdentity = (value, keyRange)
      case .entityMapperName: entity.entityMapperName = noting(&entity.source, key) { string(value, key, owner) }
      case .entityMapper: readMapper(value, into: &entity)
      case .JSONDictionaryTransformerName: entity.dictionaryTransformerName = string(value, key, owner)
      case .modificationAttribute:
        entity.modificationAttribute = noting(&entity.source, key) { string(value, key, owner) }
      case .deletedWhen:
        entity.deletedWhen = noting(&entity.source, key) { deletionMark(value, of: member.key) }
      case .alternateIdentities: entity.alternateIdentities = propertyLists(value, .alternateIdentities, owner)
      case .indexes: entity.indexes = propertyLists(value, .indexes, owner)
      case .attributes:
        if value.members == nil { entity.source.markUnreadable(key) }
        entity.attributes = members(of: value, key, owner, "an object that maps names to attributes")
          .map { attribute($0, of: member.key) }
      case .relationships:
        if value.members == nil { entity.source.markUnreadable(key) }
        entity.relationships = members(of: value, key, owner, "an object that maps names to relationships")
          .map { relationship($0, of: member.key) }
      case .userInfo: entity.userInfo = userInfo(value, owner)
      default: break
      }
    }
    if let oldIdentity { readOldIdentity(oldIdentity.value, oldIdentity.keyRange, owner, into: &entity) }
    return entity
  }

  /// Reads a value. If it cannot be read, records this in the source.
  func noting<Value>(_ source: inout DescriptionSource, _ key: ModelFileKey, _ read: () -> Value?) -> Value? {
    let value = read()
    if value == nil { source.markUnreadable(key) }
    return value
  }

  // MARK: Identity

  /// Reads `identityAttributes`: an array of names, or a string of names separated by commas.
  private func readIdentity(
    _ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner, into entity: inout EntityDescription
  ) {
    var names: [(name: String, range: SourceRange)] = []
    switch node.kind {
    case .string(let text): names = separatedNames(text, node.range)
    case .array(let elements):
      for element in elements {
        if let name = element.text {
          names.append((name, element.range))
        } else {
          reportType("the name of an attribute", key, owner, element)
        }
      }
    default:
      reportType("attribute names, in an array or separated by commas,", key, owner, node)
      return
    }
    if names.isEmpty, (node.elements ?? []).isEmpty {
      report(
        .badName(
          "", of: "an identity attribute", "is empty; for an entity without identity, remove 'identityAttributes'"),
        at: node.range)
    }
    for (index, name) in names.enumerated() {
      entity.identityAttributes.append(name.name)
      entity.source.add(.identityAttributes, element: index, name.range)
    }
  }

  /// Reads Groot's old spelling, which is ignored if the new spelling is present (M3).
  private func readOldIdentity(
    _ node: ModelFileNode, _ keyRange: SourceRange, _ owner: FileOwner, into entity: inout EntityDescription
  ) {
    if let new = entity.source[.identityAttributes] {
      report(
        .conflictingKeys(.identityAttribute, .identityAttributes, in: owner.description), at: keyRange,
        notes: [.init("'identityAttributes' is given here", range: new)])
    } else {
      let newKey = SourceEdit(replacing: keyRange, with: NameFix.literal(ModelFileKey.identityAttributes.rawValue))
      report(.oldSpelling(.identityAttribute, .identityAttributes).fixed(by: newKey), at: keyRange)
      readIdentity(node, .identityAttribute, owner, into: &entity)
    }
  }

  /// Returns the names in a string, separated by commas and spaces. If the string contains no escapes, their locations are included.
  private func separatedNames(_ text: String, _ range: SourceRange) -> [(name: String, range: SourceRange)] {
    let isPlain = range.length == text.utf8.count + 2
    return text.utf8.split { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 || $0 == 0x0A }.map { part in
      let start = text.utf8.distance(from: text.utf8.startIndex, to: part.startIndex)
      let place = SourceRange(offset: range.offset + 1 + start, length: part.count)
      return (String(Substring(part)), isPlain ? place : range)
    }
  }

  // MARK: Mapper

  /// Reads `entityMapper`: the key path of the discriminator, and the table of its values.
  private func readMapper(_ node: ModelFileNode, into entity: inout EntityDescription) {
    let owner = FileOwner(level: .mapper, entity: entity.name)
    var path: JSONKeyPath?
    var cases: [EntityDescription.Mapper.Case]?
    var otherwise: EntityDescription.Mapper.Fallback?
    var isComplete = true
    let fields = fields(of: node, owner)
    for (key, value, _) in fields {
      switch key {
      case .doc: _ = string(value, key, owner)
      case .JSONKeyPath:
        entity.source.add(key, value.range)
        path = keyPath(value, key, owner)
      case .entities:
        entity.source.add(key, value.range)
        guard value.members != nil else {
          reportType("an object that maps values to entity names", key, owner, value)
          continue
        }
        cases = []
        for member in unique(value.members ?? []) {
          guard let name = member.value.text else {
            report(
              .wrongType("the name of an entity for \(member.key.quoted) of \(owner)", found: member.value),
              at: member.value.range)
            isComplete = false
            continue
          }
          entity.source.add(.entities, element: cases?.count ?? 0, member.value.range)
          cases?.append(.init(member.key, name))
        }
      case .otherwise:
        entity.source.add(key, value.range)
        if value.isNull {
          otherwise = .skip
        } else if let name = value.text {
          otherwise = .entity(name)
        } else {
          reportType("the name of an entity, or null,", key, owner, value)
        }
      default: break
      }
    }
    if node.members != nil {
      for key in [ModelFileKey.JSONKeyPath, .entities] where !fields.contains(where: { $0.key == key }) {
        reportMissing(key, in: node, owner, at: node.range)
      }
    }
    if !isComplete { entity.source.markUnreadable(.entities) }
    guard let path, let cases else { return entity.source.markUnreadable(.entityMapper) }
    entity.entityMapper = .init(keyPath: path, cases: cases, otherwise: otherwise)
  }
}
