/// A part whose entity was found.
struct PlannedPart {
  var entity: Int
  var keyPath: JSONKeyPath?
  var isRequired = true
  /// Returns whether a row that the payload does not mention is to be deleted. If the closure is nil, all rows are kept.
  var isDoomed: ((_ table: Int, _ row: UInt32) -> Bool)?
  /// The object that has the part's objects in a relationship, if the payload is the value of a relationship (I24).
  var parent: Parent?
  /// The object that the payload's only object is merged onto (I23).
  var target: MergeTarget?

  /// The program's object that the part changes.
  var object: ManagedObject? {
    if case .object(let object)? = parent?.object { return object }
    return target?.object
  }

  /// An object, and the relationship to the payload's objects.
  struct Parent {
    var entity: Int
    var slot: Int
    var object: Object

    enum Object {
      case object(ManagedObject)
      /// The text of the object's identifier.
      case identifier([UInt8])
    }
  }
}
