/// The objects of one entity in a document with several kinds of objects: the entity, and the key path.
///
///     try context.importJSON(document, [.objects(ofEntity: "Hero", at: "data.heroes"), .objects(ofEntity: "Power", at: "data.powers")])
public struct ImportPart: Sendable {
  /// The entity of the objects.
  public var entityName: String
  /// The key path of the objects in the document; nil for the document itself.
  public var keyPath: JSONKeyPath?
  /// Whether a key path that matches nothing is an error (D3). If it is not an error, the part is skipped.
  public var isRequired: Bool
  /// The treatment of objects of the entity that the payload does not mention.
  public var missing: MissingObjects

  /// The object that has the payload as the value of one of its relationships. The part's entity is then the object's entity (I24).
  package var parent: Parent?

  /// An object, known by its identifier, and one of its relationships.
  package struct Parent: Sendable {
    /// The JSON text of the identifier.
    package var identifier: [UInt8]
    package var relationshipName: String

    package init(identifier: [UInt8], relationshipName: String) {
      self.identifier = identifier
      self.relationshipName = relationshipName
    }
  }

  /// The treatment of objects that a payload does not mention, for payloads that are the complete list of an entity's objects.
  ///
  ///     try context.importJSON(data, [.objects(ofEntity: "Hero", at: "heroes", missing: .delete)])
  ///
  /// A mention is a dictionary or an identifier, anywhere in the payload. Objects are deleted by the delete rules of their
  /// relationships (M6); a `deny` rule fails the import. Placeholders are kept. An empty array deletes every object; `null` or
  /// a missing part deletes none.
  public enum MissingObjects: Sendable {
    /// The objects are kept.
    case keep
    /// The objects are deleted, including objects of sub-entities.
    case delete
    /// Objects for which the closure returns true are deleted: `.deleteWhere { $0["country"] == "de" }`. The closure must not change the
    /// graph.
    case deleteWhere(@Sendable (ManagedObject) -> Bool)
  }

  /// Returns a part for the objects of the entity with the given name, at a key path in the document.
  public static func objects(
    ofEntity name: String, at keyPath: JSONKeyPath? = nil, isRequired: Bool = true, missing: MissingObjects = .keep
  ) -> ImportPart {
    ImportPart(entityName: name, keyPath: keyPath, isRequired: isRequired, missing: missing)
  }

  /// Returns a part for the objects of a class, at a key path in the document.
  public static func objects<Object: ManagedObject>(
    _ type: Object.Type, at keyPath: JSONKeyPath? = nil, isRequired: Bool = true, missing: MissingObjects = .keep
  ) -> ImportPart {
    .objects(ofEntity: Object.entityName, at: keyPath, isRequired: isRequired, missing: missing)
  }
}
