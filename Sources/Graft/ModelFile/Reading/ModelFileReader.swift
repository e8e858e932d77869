/// Reads the tree of a model file into a description (M2), and finds errors in its structure.
///
/// The reader continues after each finding. Values that cannot be read are marked in the description's source, so that
/// later checks ignore them.
struct ModelFileReader {
  let text: SourceText
  let findings: ModelFindings
  /// The strategy for properties without a key path, read before the entities. It is nil if it is misspelled in the file.
  var keyStrategy: ModelDescription.KeyStrategy? = .explicit
  /// The names of the entities in the file.
  private(set) var entityNames: Set<UTF8Key> = []

  init(_ text: SourceText, _ findings: ModelFindings) {
    self.text = text
    self.findings = findings
  }

  /// Reads the whole file.
  mutating func model(_ node: ModelFileNode) -> ModelDescription {
    var model = ModelDescription()
    model.source = text
    let owner = FileOwner(level: .model)
    let fields = fields(of: node, owner)
    for (key, value, _) in fields where key == .keyStrategy {
      keyStrategy = word(value, key, owner)
      model.keyStrategy = keyStrategy ?? .explicit
    }
    for (key, value, _) in fields where key == .entities {
      entityNames = Set((value.members ?? []).map { UTF8Key($0.key) })
    }
    for (key, value, _) in fields {
      switch key {
      case .schema: _ = string(value, key, owner)
      case .name: model.name = string(value, key, owner)
      case .version: model.version = string(value, key, owner)
      case .removed:
        model.removedSource = DescriptionSource(text: text, name: value.range)
        model.removed = texts(value, key, owner, orOne: false, &model.removedSource)
      case .JSONNulls:
        model.nullsSource = DescriptionSource(text: text, name: value.range)
        model.nulls = nulls(value, owner, &model.nullsSource)
      case .doc: model.documentation = string(value, key, owner)
      case .userInfo: model.userInfo = userInfo(value, owner)
      case .entities:
        model.entities = members(of: value, key, owner, "an object that maps names to entities").map { entity($0) }
      default: break
      }
    }
    if node.members != nil, !fields.contains(where: { $0.key == .entities }) {
      reportMissing(.entities, in: node, owner, at: SourceRange(offset: node.range.offset, length: 1))
    }
    return model
  }
}

/// The owner of the keys being read, for messages. Its text is built only if there is an error.
struct FileOwner: CustomStringConvertible {
  var level: ModelFileLevel
  var entity = ""
  var property: String?

  /// `attribute 'Hero.name'`, `the model`.
  var description: String {
    switch level {
    case .model: "the model"
    case .mapper: "the mapper of entity \(entity.quoted)"
    case .deletion: "'deletedWhen' of entity \(entity.quoted)"
    case .attributeMigration: "'migratedFrom' of attribute \(name.quoted)"
    case .relationshipMigration: "'migratedFrom' of relationship \(name.quoted)"
    default: "\(level.rawValue) \(name.quoted)"
    }
  }

  /// `Hero.name`
  var name: String { property.map { "\(entity).\($0)" } ?? entity }
}
