/// The direction in which a property is converted ([M16](doc:Rules#M16)).
public enum JSONDirection: String, Sendable, CaseIterable {
  /// The property is imported and exported.
  case both
  /// The property is imported, and exports omit it.
  case `import`
  /// The property is exported, and imports ignore it.
  case export
}

extension AttributeDescription {
  /// The key path that imports read, or nil if there is none.
  package var importedKeyPath: JSONKeyPath? { direction == .export ? nil : keyPath }
  /// The key path that exports write, or nil if there is none.
  package var exportedKeyPath: JSONKeyPath? { direction.exports(keyPath) }
}

extension RelationshipDescription {
  /// The key path that imports read, or nil if there is none.
  package var importedKeyPath: JSONKeyPath? { direction == .export ? nil : keyPath }
  /// The key path that exports write, or nil if there is none.
  package var exportedKeyPath: JSONKeyPath? { direction.exports(keyPath) }
}

extension JSONDirection {
  /// Returns a key path if exports write it. Exports never write values outside the object (M19), and cannot write all paths
  /// through arrays (M25).
  func exports(_ path: JSONKeyPath?) -> JSONKeyPath? {
    guard let path, self != .import, path.surroundings == nil else { return nil }
    return path.isThroughArrays && path.elementKey == nil ? nil : path
  }
}
