/// An object of the graph.
///
/// A managed object is a handle; its values are stored in its context. As long as a reference to the handle exists, the context
/// returns the same instance for the same object, so `===` and `==` agree. The only exception is a placeholder that becomes an
/// object of a sub-entity. It gets a new handle, of that entity's class; the old handle remains valid, and the two are equal.
///
/// A subclass per entity is optional:
///
///     final class Hero: ManagedObject {
///       var name: String? {
///         get { self["name"] }
///         set { self["name"] = newValue }
///       }
///       var powers: RelatedObjects<Power> { self["powers"] }
///     }
///
/// Every object is `Encodable`, so a class becomes `Codable` if it adds `Decodable`. It cannot declare `Codable` itself,
/// because the compiler reports the repeated `Encodable` as a redundant conformance.
///
///     final class CourseData: ManagedObject, Decodable {}
///
/// A managed object is not `Sendable`: it belongs to its context, and the context to the isolation that created it. Elsewhere,
/// refer to the object by its ``objectID``. An object keeps its context alive.
///
/// If an object was deleted, or its insertion was rolled back, ``isDeleted`` is true. In that case, its relationships are empty, its
/// attributes may keep their last values for a while, and setting a property traps.
open class ManagedObject: Encodable {
  /// The name of the entity of this class; by default, the name of the class.
  open class var entityName: String { String(describing: self) }

  /// The properties that the class reads by slot, in slot order; empty for a handwritten class. Generated classes override this property,
  /// so that loading a different version of the model causes an error.
  open class var generatedProperties: [String] { [] }

  /// The properties that predicates and aggregates can name; empty by default. Generated classes list all their properties.
  ///
  ///     override class var queryableProperties: [QueryableProperty] {
  ///       [.init(\Hero.name, "name"), .init(\Hero.publisher, "publisher")]
  ///     }
  ///
  /// The list of a class also contains its inherited properties, because `\Villain.name` and `\Person.name` differ.
  open class var queryableProperties: [QueryableProperty] { [] }

  /// The context of the object.
  public let context: ManagedObjectContext
  let table: Int
  private(set) var number: UInt32
  /// The handle, of a different class, that the object had before it became an object of a sub-entity (I4). It is kept so that the two
  /// handles stay equal.
  var predecessor: ManagedObject?

  /// Creates a handle. Only a context calls this initializer.
  public required init(place: ManagedObjectPlace) {
    context = place.context
    table = place.table
    number = place.number
  }

  /// Inserts a new object with the defaults of its entity, like ``ManagedObjectContext/insert(_:)``.
  ///
  ///     let hero = Hero(context: context)
  ///
  /// - Precondition: the model has the class and its entity, which is not abstract.
  public convenience init(context: ManagedObjectContext) {
    let type = Swift.type(of: self)
    let entity = context.entityPlan(type.entityName)
    precondition(
      context.model.classes[entity.index] == type, "the model of the context does not have the class '\(type)'")
    let place = context.insertedPlace(of: entity)
    self.init(place: place)
    context.register(self)
    context.tellInserted(place)
  }

  deinit { context.forget(self) }

  /// Marks the row as removed, for example because its insertion was rolled back.
  func detach() {
    number = .max
    predecessor?.detach()
  }

  /// Marks the row as removed for this handle only. The change that gave the object this class was rolled back, and the
  /// predecessor remains valid.
  func detachAlone() { number = .max }

  /// Updates the handle when its row gets a new number, for example after the context has closed the gaps that deleted objects left.
  func move(to number: UInt32) {
    self.number = number
    predecessor?.move(to: number)
  }

  /// Called when the object turns out to be the same as another object, which already has a handle.
  func join(_ other: ManagedObject) {
    if let predecessor { predecessor.join(other) } else { predecessor = other }
  }

  /// The oldest handle of the object, which all its handles share.
  private var root: ObjectIdentifier { predecessor?.root ?? ObjectIdentifier(self) }

  // MARK: Encoding

  /// Encodes the object as an export writes it, with the keys, forms and cycle handling of
  /// ``jsonData(from:options:)-(ManagedObject,_)``. Override this method to encode the object yourself.
  ///
  ///     encoder.userInfo[.managedObjectExportOptions] = ExportOptions(omitsNil: true)
  ///     let data = try encoder.encode(["hero": hero])
  ///
  /// Every managed object is `Encodable`, so a class that can also be decoded declares `Decodable`, not `Codable`. The
  /// encoder's strategies for dates and keys do not apply. The result can be decoded again.
  ///
  /// - Throws: an `EncodingError` with the ``ExportError`` as its underlying error.
  open func encode(to encoder: any Encoder) throws {
    // A method in an extension cannot be overridden, so this method forwards to it.
    try encodeExport(to: encoder)
  }

  // MARK: State

  /// The entity of the object. A placeholder may become an object of a sub-entity.
  public var entity: EntityDescription {
    noteRead(ObservationHub.Spot.state)
    return isDetached ? context.model.plan.entities[context.rootEntity(table)].description : entityPlan.description
  }

  /// Whether the object was deleted or its insertion was rolled back.
  ///
  /// The relationships of such an object are empty; its attributes may keep their last values for a while. This property is
  /// also true if a placeholder became an object of this class, and that change was rolled back.
  public var isDeleted: Bool {
    noteRead(ObservationHub.Spot.state)
    return isGone
  }

  /// Whether only the identifier of the object is known.
  public var isPlaceholder: Bool {
    noteRead(ObservationHub.Spot.state)
    return !isDetached && row.isPlaceholder
  }

  /// Whether the object is deleted, like ``isDeleted``, but for internal use: the read is not reported to observers.
  var isGone: Bool { isDetached || row.isDeleted }
  var isDetached: Bool { number == .max }
  var row: Row { context.state.tables[table].row(number) }
  var entityPlan: EntityPlan { context.model.plan.entities[row.entity] }

  /// The objects of a list that belongs to no relationship.
  @usableFromInline var literalElements: [ManagedObject] { [] }

  // MARK: By name

  /// The value of an attribute, or the objects of a relationship, for use when the property's type is not known. The result is nil if the
  /// property is nil.
  ///
  ///     print(hero["name"] ?? "-", hero["powers"]?.description ?? "-")
  ///
  /// A ``PropertyValue`` is not the value itself, so a cast such as `hero["name"] as? String` always fails, and the compiler warns about
  /// it. Declare the type instead: `let name: String? = hero["name"]`.
  ///
  /// - Precondition: the entity has such a property. ``propertyValue(of:)`` throws instead.
  public subscript(name: String) -> PropertyValue? {
    isDetached ? nil : value(slot: slot(named: name))
  }

  /// The value of an attribute.
  ///
  /// - Precondition: the entity has such an attribute, and it can be read as this type. ``value(of:as:)`` throws instead.
  public subscript<Value: AttributeConvertible>(name: String) -> Value? {
    get { isDetached ? nil : attribute(slot: slot(named: name)) }
    set { setAttribute(newValue, slot: slot(named: name)) }
  }

  /// The object of a to-one relationship. A literal `nil` also removes the value of an attribute: `hero["realName"] = nil`.
  ///
  /// - Precondition: the entity has such a to-one relationship.
  public subscript<Object: ManagedObject>(name: String) -> Object? {
    get { isDetached ? nil : toOne(slot: slot(named: name)) }
    set {
      let slot = slot(named: name)
      // The compiler interprets `nil` as no object, even if the property is an attribute.
      if newValue == nil, !isGone, !plan(ofSlot: slot).pointee.kind.isRelationship {
        setAttribute(String?.none, slot: slot)
      } else {
        setToOne(newValue, slot: slot)
      }
    }
  }

  /// The objects of a to-many relationship.
  ///
  /// - Precondition: the entity has such a to-many relationship.
  public subscript<Object: ManagedObject>(name: String) -> RelatedObjects<Object> {
    get { RelatedObjects(owner: self, slot: slot(named: name)) }
    set { setToMany(Array(newValue), slot: slot(named: name)) }
  }

  /// The objects of a to-many relationship, as an array.
  ///
  /// - Precondition: the entity has such a to-many relationship.
  public subscript<Object: ManagedObject>(name: String) -> [Object] {
    get { Array(RelatedObjects<Object>(owner: self, slot: slot(named: name))) }
    set { setToMany(newValue, slot: slot(named: name)) }
  }

  /// The objects of a to-many relationship, as a set.
  ///
  /// - Precondition: the entity has such a to-many relationship.
  public subscript<Object: ManagedObject>(name: String) -> Set<Object> {
    get { Set(RelatedObjects<Object>(owner: self, slot: slot(named: name))) }
    set { setToMany(Array(newValue), slot: slot(named: name)) }
  }
}

extension ManagedObject: Hashable {
  /// Returns whether two references refer to the same object.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
    left === right || left.root == right.root
  }
  /// Hashes the object, not its values.
  public func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

extension ManagedObject: CustomStringConvertible {
  /// The entity and identity of the object, as in a dump: `Hero(1699)`.
  public var description: String {
    noteIdentityRead()
    noteNumberRead()
    return isDetached ? "\(entity.name) (removed)" : GraphNames(context.state, context.model.plan).name(table, number)
  }
}

extension ManagedObject: CustomReflectable {
  /// The values of the object, for `dump` and debuggers. Related objects are shown by name, and sensitive values are hidden.
  public var customMirror: Mirror {
    if isDetached { return Mirror(self, children: [], displayStyle: .class) }
    let children = entityPlan.properties.enumerated().map { slot, property -> Mirror.Child in
      let value: Any =
        switch self.value(slot: slot) {
        case .attribute(let value)?: property.isSensitive ? HiddenValue.text : value
        case .object(let object)?: object.objectID
        case .objects(let objects)?: objects.map(\.objectID)
        case nil: Any?.none as Any
        }
      return (label: property.name, value: value)
    }
    return Mirror(self, children: children, displayStyle: .class)
  }
}

/// The location of an object in a context. Only a context creates such values.
public struct ManagedObjectPlace {
  let context: ManagedObjectContext
  let table: Int
  let number: UInt32
}
