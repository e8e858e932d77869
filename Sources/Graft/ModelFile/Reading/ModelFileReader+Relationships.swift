extension ModelFileReader {
  /// Reads one relationship (M6).
  func relationship(_ member: ModelFileMember, of entity: String) -> RelationshipDescription {
    var relationship = RelationshipDescription(member.key, to: "")
    relationship.source = DescriptionSource(text: text, name: member.keyRange)
    let owner = FileOwner(level: .relationship, entity: entity, property: member.key)
    guard member.value.members != nil else {
      // If only the entity is given, like an attribute's type, the message shows the long form.
      let name = member.value.text?.shortened ?? "Power"
      let expected = "an object such as { \"destination\": \"\(name)\" } for \(owner)"
      report(.wrongType(expected, found: member.value), at: member.value.range)
      for key in [ModelFileKey.destination, .inverse, .toMany, .JSONKeyPath] {
        relationship.source.markUnreadable(key)
      }
      return relationship
    }
    var path: ModelFileNode?
    let fields = fields(of: member.value, owner)
    for (key, value, _) in fields {
      relationship.source.add(key, value.range)
      switch key {
      case .doc: relationship.documentation = string(value, key, owner)
      case .renamedFrom: relationship.renamedFrom = texts(value, key, owner, &relationship.source)
      case .migratedFrom: relationship.migration = relationshipMigration(value, owner)
      case .destination:
        let name = noting(&relationship.source, key) { string(value, key, owner) }
        relationship.destinationName = name ?? ""
      case .toMany:
        relationship.isToMany = noting(&relationship.source, key) { boolean(value, key, owner) } ?? false
      case .ordered: relationship.isOrdered = boolean(value, key, owner) ?? false
      case .inverse: relationship.inverseName = noting(&relationship.source, key) { string(value, key, owner) }
      case .optional: relationship.isOptional = boolean(value, key, owner) ?? true
      case .minCount: relationship.minCount = count(value, key, owner)
      case .maxCount: relationship.maxCount = count(value, key, owner)
      case .deleteRule: relationship.deleteRule = word(value, key, owner) ?? .nullify
      case .mergeRule: relationship.mergeRule = word(value, key, owner) ?? .replace
      case .unresolvedRule: relationship.unresolvedRule = word(value, key, owner) ?? .placeholder
      case .deleteOrphans: relationship.deletesOrphans = boolean(value, key, owner) ?? false
      case .JSONRepresentation: relationship.representation = word(value, key, owner) ?? .object
      case .JSONKeyPath: path = value
      case .JSONKeyPathAliases: relationship.keyPathAliases = aliases(value, owner, &relationship.source)
      case .JSONDirection: relationship.direction = word(value, key, owner) ?? .both
      case .JSONTransformerName: relationship.transformerNames = transformerNames(value, owner, &relationship.source)
      case .JSONNulls: relationship.nulls = nulls(value, owner, &relationship.source)
      case .JSONReferences: relationship.hasReferences = boolean(value, key, owner) ?? false
      case .lenient: relationship.isLenient = boolean(value, key, owner) ?? false
      case .userInfo: relationship.userInfo = userInfo(value, owner)
      default: break
      }
    }
    if !fields.contains(where: { $0.key == .destination }) {
      reportMissing(.destination, in: member.value, owner, at: member.keyRange)
      relationship.source.markUnreadable(.destination)
    }
    if let path, let members = path.members {
      relationship.identifierKeyPaths = identifierKeyPaths(members, owner, &relationship.source)
    } else {
      relationship.keyPath = keyPath(path, of: member.key, owner, &relationship.source)
    }
    return relationship
  }
}
