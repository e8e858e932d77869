/// The value of a property whose type is not known at compile time.
public enum PropertyValue {
  /// The value of an attribute.
  case attribute(AttributeValue)
  /// The object of a to-one relationship.
  case object(ManagedObject)
  /// The objects of a to-many relationship.
  case objects(RelatedObjects<ManagedObject>)
}

extension PropertyValue: CustomStringConvertible {
  /// The value as JSON would write it, or the descriptions of the related objects.
  public var description: String {
    switch self {
    case .attribute(let value): value.description
    case .object(let object): object.description
    case .objects(let objects): "[" + objects.map(\.description).joined(separator: ", ") + "]"
    }
  }
}
