/// One kind of objects in a document that holds several: their entity, and where they stand.
///
///     try context.importJSON(document, [.entity("Hero", at: "data.heroes"), .entity("Power", at: "data.powers")])
public struct ImportPart: Sendable {
  /// The entity of the objects.
  public var entityName: String
  /// Where in the document they stand; nil: the document itself.
  public var keyPath: JSONKeyPath?
  /// Whether a key path that leads nowhere is an error (D3). If not, the part is passed over.
  public var isRequired: Bool

  /// The objects of an entity, by its name.
  public static func entity(
    _ name: String, at keyPath: JSONKeyPath? = nil, isRequired: Bool = true
  ) -> ImportPart {
    ImportPart(entityName: name, keyPath: keyPath, isRequired: isRequired)
  }

  /// The objects of a class.
  public static func entity<Object: ManagedObject>(
    _ type: Object.Type, at keyPath: JSONKeyPath? = nil, isRequired: Bool = true
  ) -> ImportPart {
    .entity(Object.entityName, at: keyPath, isRequired: isRequired)
  }
}

/// A part whose entity was found.
struct PlannedPart {
  var entity: Int
  var keyPath: JSONKeyPath?
  var isRequired = true
}
