extension ModelFileReader {
  /// Reads `migratedFrom` of an attribute (S21).
  func attributeMigration(_ node: ModelFileNode, _ property: FileOwner) -> AttributeMigration? {
    let owner = property.with(.attributeMigration)
    var migration = AttributeMigration(to: "", attributes: [])
    migration.source = DescriptionSource(text: text, name: node.range)
    let fields = fields(of: node, owner)
    for (key, value, _) in fields {
      migration.source.add(key, value.range)
      switch key {
      case .doc: _ = string(value, key, owner)
      case .version: migration.version = string(value, key, owner) ?? ""
      case .attributes: migration.attributes = texts(value, key, owner, &migration.source)
      case .separator: migration.separator = string(value, key, owner)
      case .part: migration.part = count(value, key, owner)
      case .JSONTransformerName: migration.transformerNames = transformerNames(value, owner, &migration.source)
      default: break
      }
    }
    return isComplete(fields.map(\.key), node, owner) ? migration : nil
  }

  /// Reads `migratedFrom` of a relationship (S21).
  func relationshipMigration(_ node: ModelFileNode, _ property: FileOwner) -> RelationshipMigration? {
    let owner = property.with(.relationshipMigration)
    var migration = RelationshipMigration(to: "", attributes: [])
    migration.source = DescriptionSource(text: text, name: node.range)
    let fields = fields(of: node, owner)
    for (key, value, _) in fields {
      migration.source.add(key, value.range)
      switch key {
      case .doc: _ = string(value, key, owner)
      case .version: migration.version = string(value, key, owner) ?? ""
      case .attributes:
        guard let members = value.members else {
          reportType("an object of attribute names by attributes of the destination", key, owner, value)
          return nil
        }
        for member in unique(members) {
          guard let name = member.value.text else {
            report(
              .wrongType("the name of an attribute for \(member.key.quoted) of \(owner)", found: member.value),
              at: member.value.range)
            continue
          }
          migration.source.add(.attributes, element: migration.attributes.count, member.keyRange)
          migration.attributes.append((member.key, name))
        }
      default: break
      }
    }
    return isComplete(fields.map(\.key), node, owner) ? migration : nil
  }

  private func isComplete(_ keys: [ModelFileKey], _ node: ModelFileNode, _ owner: FileOwner) -> Bool {
    guard node.members != nil else { return false }
    let missing = [ModelFileKey.version, .attributes].filter { !keys.contains($0) }
    for key in missing { reportMissing(key, in: node, owner, at: node.range) }
    return missing.isEmpty
  }
}

extension FileOwner {
  /// The same property at another level.
  fileprivate func with(_ level: ModelFileLevel) -> FileOwner {
    FileOwner(level: level, entity: entity, property: property)
  }
}
