extension ModelFileReader {
  /// Reads `deletedWhen`: the key path of a value, and the value that marks an object as deleted (M17).
  func deletionMark(_ node: ModelFileNode, of entity: String) -> EntityDescription.DeletionMark? {
    let owner = FileOwner(level: .deletion, entity: entity)
    var source = DescriptionSource(text: text, name: node.range)
    var path: JSONKeyPath?
    var mark: JSON?
    let fields = fields(of: node, owner)
    for (key, value, _) in fields {
      source.add(key, value.range)
      switch key {
      case .doc: _ = string(value, key, owner)
      case .JSONKeyPath: path = keyPath(value, key, owner)
      case .equals:
        switch value.json {
        case .string, .number, .boolean: mark = value.json
        case .null, .array, .object: reportType("a string, a number or a boolean", key, owner, value)
        }
      default: break
      }
    }
    if node.members != nil {
      for key in [ModelFileKey.JSONKeyPath, .equals] where !fields.contains(where: { $0.key == key }) {
        reportMissing(key, in: node, owner, at: node.range)
      }
    }
    guard let path, let mark else { return nil }
    var deletion = EntityDescription.DeletionMark(keyPath: path, equals: mark)
    deletion.source = source
    return deletion
  }
}
