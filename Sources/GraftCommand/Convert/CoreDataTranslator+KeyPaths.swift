import Graft

extension CoreDataTranslator {
  /// Returns the key paths of a property: its annotations' or, if there are none, the strategy's.
  ///
  /// - Parameter qualifiedName: `Hero.name`, for notes.
  mutating func keyPaths(
    _ annotations: PropertyAnnotations, _ name: String, _ qualifiedName: String, _ info: inout CoreDataUserInfo
  ) -> (first: JSONKeyPath?, aliases: [JSONKeyPath]) {
    if annotations.isLeftOut { return (nil, []) }
    guard !annotations.keyPaths.isEmpty else {
      if let key = annotations.fixedKeyPath, strategy != .explicit { return (JSONKeyPath(key), []) }
      return (strategy.keyPath(ofProperty: name), [])
    }
    var paths: [JSONKeyPath] = []
    for entry in annotations.keyPaths {
      // '@count' and similar keys operate on values. Here, '@key' and '@value' have other meanings.
      if let path = JSONKeyPath(entry.value), !path.keys.contains(where: { $0.hasPrefix("@") }) {
        if !paths.contains(path) { paths.append(path) }
      } else {
        notes.add(.unusableKeyPath(entry.value, of: qualifiedName, place(entry.tag, "value")))
        info.putBack(entry)
      }
    }
    return (paths.first, Array(paths.dropFirst()))
  }

  /// Reports annotations of the applied convention that were not converted.
  mutating func noteUnused(_ info: CoreDataUserInfo, _ name: String) {
    for entry in info.entries {
      guard let reason = CoreDataTranslator.unusedReasons[entry.key], convention?.owns(entry.key) == true else {
        continue
      }
      notes.add(.notUsed(entry.key, of: name, reason, place(entry.tag, "key")))
    }
  }

  private static let unusedReasons = [
    "useDefaultValueWhenNotPresent": "an absent key leaves the value unchanged; only new objects get the default",
    "attributeValueClassName": "a value is read as it is in JSON, or by a transformer",
    "dateFormat": "only dates have a format",
    "sync.nonExportable": "an identity is always read and written",
    "hyper.nonExportable": "an identity is always read and written",
    "JSONTransformerName": "it annotates attributes; in Graft, the transformer of a relationship reads its identifiers",
  ]

  /// Sync reads `company_id` for a relationship `company`, and `notes_ids` for `notes`, if JSON contains only identifiers.
  /// Keys that another property uses are left to it.
  func addIdentifierKeys(_ entities: inout [EntityDescription], _ hierarchy: CoreDataHierarchy) {
    let roots = entities.indices.map(hierarchy.root)
    var taken: [Int: Set<JSONKeyPath>] = [:]
    for (entity, root) in zip(entities, roots) {
      let paths = entity.attributes.compactMap(\.keyPath) + entity.relationships.compactMap(\.keyPath)
      taken[root, default: []].formUnion(paths)
    }
    for (number, root) in roots.enumerated() {
      for position in entities[number].relationships.indices {
        let relationship = entities[number].relationships[position]
        guard let key = relationship.keyPath?.keys, key.count == 1, strategy == .snakeCase else { continue }
        let alias = JSONKeyPath(keys: [key[0] + (relationship.isToMany ? "_ids" : "_id")])
        guard taken[root, default: []].insert(alias).inserted else { continue }
        entities[number].relationships[position].keyPathAliases.append(alias)
      }
    }
  }
}
