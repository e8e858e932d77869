/// An object of the graph.
///
/// It is a handle: the values live in its context. One handle stands for one object as long as somebody holds it, so `===`
/// and `==` agree. (Only a placeholder that turns out to be an object of a sub-entity gets a new handle, of that class; the old
/// one goes on working, and the two are `==`.) A sub-class per entity is optional:
///
///     final class Hero: ManagedObject {
///       var name: String? {
///         get { self["name"] }
///         set { self["name"] = newValue }
///       }
///       var powers: RelatedObjects<Power> { self["powers"] }
///     }
///
/// Every object is `Encodable`, so a class that is to be decoded adds `Decodable`, and is `Codable` then. It cannot declare
/// `Codable` itself: restating `Encodable` is a "redundant conformance" to the compiler.
///
///     final class CourseData: ManagedObject, Decodable {}
///
/// Not Sendable: an object belongs to its context, and the context to the isolation that made it (C3); what goes elsewhere is
/// its ``objectID``. An object keeps its context alive. One that was deleted, or whose insertion was taken back, says so
/// (``isDeleted``) and reads as what is left of it; setting something on it is the caller's mistake.
open class ManagedObject: Encodable {
  /// The entity that objects of this class belong to; the class's name, unless overridden.
  open class var entityName: String { String(describing: self) }

  /// The properties that the class reads by slot, in the order of the slots; empty for a class written by hand. Generated
  /// classes say it, so that a model of another version than theirs is refused when it is loaded.
  open class var generatedProperties: [String] { [] }

  /// The context that the object lives in.
  public let context: ManagedObjectContext
  let table: Int
  private(set) var row: UInt32
  /// The handle that stood for this object before it became one of a sub-entity (I4), which has another class. Kept, so that
  /// both stay equal.
  var predecessor: ManagedObject?

  /// Made by the context only.
  public required init(place: Place) {
    context = place.context
    table = place.table
    row = place.row
  }

  /// Where an object lives. Only a context makes one.
  public struct Place {
    let context: ManagedObjectContext
    let table: Int
    let row: UInt32
  }

  deinit { context.forget(self) }

  /// The row is gone: the insert was taken back.
  func detach() {
    row = .max
    predecessor?.detach()
  }

  /// What made the object one of this handle's class was taken back; the predecessor goes on.
  func detachAlone() { row = .max }

  /// The row moved, when the context closed the gaps that deleted objects left.
  func move(to row: UInt32) {
    self.row = row
    predecessor?.move(to: row)
  }

  /// What the handles of one object have in common: the first of them.
  private var root: ObjectIdentifier { predecessor?.root ?? ObjectIdentifier(self) }

  // MARK: Encoding

  /// Writes the object into any encoder, as an export says it (C4): keys, forms and cycles are those of
  /// ``jsonData(from:options:)-(ManagedObject,_)``. An override writes it by hand.
  ///
  ///     encoder.userInfo[.managedObjectExportOptions] = ExportOptions(omitsNil: true)
  ///     let data = try encoder.encode(["hero": hero])
  ///
  /// Every managed object is `Encodable`: a class that is decoded, too, says `Decodable`, not `Codable`. The encoder's
  /// strategies for dates and keys do not apply; what was encoded can be decoded again.
  ///
  /// - Throws: an `EncodingError` around the ``ExportError``.
  open func encode(to encoder: any Encoder) throws {
    // Only a member of the class itself can be overridden; what it does is the bridge's affair.
    try encodeExport(to: encoder)
  }

  // MARK: State

  /// The object's entity.
  public var entity: EntityDescription {
    isDetached ? context.model.plan.entities[context.rootEntity(table)].description : entityPlan.description
  }

  /// Whether the object was deleted, or its insertion taken back. Its attributes may keep their last values for a while;
  /// its relationships are empty. Also true if a placeholder became an object of this class, and that was taken back.
  public var isDeleted: Bool {
    noteRead(ObservationHub.Spot.state)
    return isGone
  }

  /// Whether the object is known by its identifier only (I4).
  public var isPlaceholder: Bool {
    noteRead(ObservationHub.Spot.state)
    return !isDetached && base[0] & RowHeader.placeholder != 0
  }

  /// As ``isDeleted``, for the library itself: nobody is said to have read it.
  var isGone: Bool { isDetached || base[0] & RowHeader.deleted != 0 }
  var isDetached: Bool { row == .max }
  var base: UnsafeMutablePointer<UInt64> { context.state.pointee.tables[table].row(row) }
  var entityPlan: EntityPlan { context.model.plan.entities[RowHeader.entity(base[0])] }

  // MARK: By name

  /// The value of an attribute, or the objects of a relationship, as what it is; nil means nil.
  ///
  /// - Precondition: the entity has such a property.
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

  /// The object of a to-one relationship.
  ///
  /// - Precondition: the entity has such a to-one relationship.
  public subscript<Object: ManagedObject>(name: String) -> Object? {
    get { isDetached ? nil : toOne(slot: slot(named: name)) }
    set { setToOne(newValue, slot: slot(named: name)) }
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
  /// Two references to one object are equal.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
    left === right || left.root == right.root
  }
  /// By the object, not by its values.
  public func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

extension ManagedObject: CustomStringConvertible {
  /// The entity and the identity, as a dump names the object: `Hero(1699)`.
  public var description: String {
    isDetached ? "\(entity.name) (taken back)" : GraphNames(context.state, context.model.plan).name(table, row)
  }
}
