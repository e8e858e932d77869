extension Diagnostic {
  /// The subject of a diagnostic as data, so that a form can mark the field of a property, for example.
  ///
  ///     } catch let error as ValidationError {
  ///       for diagnostic in error.diagnostics where diagnostic.objectID == hero.objectID {
  ///         mark(diagnostic.subject?.propertyName, diagnostic.message)
  ///       }
  ///     }
  public struct Subject: Sendable, Hashable {
    /// The entity of the object; nil if there is none.
    public var entityName: String?
    /// The attribute or relationship, or nil if the diagnostic is about the object as a whole.
    public var propertyName: String?
    /// The readable name of the object: `Hero(1699)`. An object in a rejected payload may not have a name yet. In that case, it is
    /// identified by its JSON path, ``Diagnostic/path``.
    public var objectName: String?
    /// Whether messages about the subject hide values ([M29](doc:Rules#M29)).
    package var hidesValues = false
    /// The ID of the object, in the graph's form.
    private var object: Box?

    /// Creates a subject.
    public init(entityName: String?, propertyName: String? = nil, objectName: String? = nil) {
      self.entityName = entityName
      self.propertyName = propertyName
      self.objectName = objectName
    }

    /// A value whose type is not known here.
    private struct Box: Hashable, @unchecked Sendable {
      // The value is Sendable, and never changes.
      var value: AnyHashable
    }

    /// Returns the subject with the ID of its object.
    func with(object id: some Hashable & Sendable) -> Self {
      var subject = self
      subject.object = Box(value: AnyHashable(id))
      return subject
    }

    /// Returns the ID of the object if it has the given type.
    func object<ID>(as type: ID.Type) -> ID? { object?.value.base as? ID }
  }
}
