extension ModelFileReader {
  /// Reads the `migratedFrom` of an attribute (S21).
  func attributeMigration(_ node: ModelFileNode, _ property: FileOwner) -> AttributeMigration? {
    let owner = property.with(.attributeMigration)
    let header = migrationHeader(node, owner)
    var migration = AttributeMigration(to: header.version, attributes: [])
    migration.source = header.source
    for (key, value, _) in header.fields {
      switch key {
      case .attributes: migration.attributes = texts(value, key, owner, &migration.source)
      case .separator: migration.separator = string(value, key, owner)
      case .part: migration.part = count(value, key, owner)
      case .parts: migration.parts = count(value, key, owner)
      case .JSONTransformerName: migration.transformerNames = transformerNames(value, owner, &migration.source)
      default: break
      }
    }
    return header.isComplete ? migration : nil
  }

  /// Reads the `migratedFrom` of a relationship (S21).
  func relationshipMigration(_ node: ModelFileNode, _ property: FileOwner) -> RelationshipMigration? {
    let owner = property.with(.relationshipMigration)
    let header = migrationHeader(node, owner)
    var migration = RelationshipMigration(to: header.version, attributes: [])
    migration.source = header.source
    for (key, value, _) in header.fields where key == .attributes {
      guard let members = value.members else {
        reportType("an object that maps attributes of the destination to attribute names", key, owner, value)
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
    }
    return header.isComplete ? migration : nil
  }

  /// The part that both kinds of migrations have in common.
  private struct MigrationHeader {
    var fields: [(key: ModelFileKey, value: ModelFileNode, keyRange: SourceRange)]
    var source: DescriptionSource
    var version = ""
    var isComplete: Bool
  }

  private func migrationHeader(_ node: ModelFileNode, _ owner: FileOwner) -> MigrationHeader {
    let fields = fields(of: node, owner)
    let missing = [ModelFileKey.version, .attributes].filter { key in !fields.contains { $0.key == key } }
    var header = MigrationHeader(
      fields: fields, source: DescriptionSource(text: text, name: node.range),
      isComplete: node.members != nil && missing.isEmpty)
    for (key, value, _) in fields {
      header.source.add(key, value.range)
      if key == .doc { _ = string(value, key, owner) }
      if key == .version { header.version = string(value, key, owner) ?? "" }
    }
    if node.members != nil { for key in missing { reportMissing(key, in: node, owner, at: node.range) } }
    return header
  }
}

extension FileOwner {
  /// Returns the same property at another level.
  fileprivate func with(_ level: ModelFileLevel) -> FileOwner {
    FileOwner(level: level, entity: entity, property: property)
  }
}
