/// The direction in which a property is converted ([M16](doc:Rules#M16)).
public enum JSONDirection: String, Sendable, CaseIterable {
  /// It is imported and exported.
  case both
  /// It is imported, and exports omit it.
  case `import`
  /// It is exported, and imports ignore it.
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
  /// Returns a key path if exports write it. They never write values outside the object (M19).
  func exports(_ path: JSONKeyPath?) -> JSONKeyPath? {
    self == .import || path?.surroundings != nil ? nil : path
  }
}
