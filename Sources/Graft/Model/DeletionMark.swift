extension EntityDescription {
  /// The value that marks a dictionary as the deletion of its object ([M17](doc:Rules#M17)).
  ///
  ///     "deletedWhen": {"JSONKeyPath": "is_deleted", "equals": true}
  public struct DeletionMark: Sendable {
    /// The key path of the value in a dictionary.
    public var keyPath: JSONKeyPath
    /// The value: a string, a number or a boolean.
    public var value: JSON

    /// The declaration in the model file.
    package var source = DescriptionSource()

    /// Creates a mark.
    public init(keyPath: JSONKeyPath, equals value: JSON) {
      self.keyPath = keyPath
      self.value = value
    }
  }
}
