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

extension PropertyValue {
  /// The value in its own Swift type.
  var content: Any {
    switch self {
    case .attribute(let value): value.content
    case .object(let object): object
    case .objects(let objects): Array(objects)
    }
  }
}

extension AttributeValue {
  /// The value in its own Swift type; integers as `Int`.
  fileprivate var content: Any {
    switch self {
    case .integer(let value): Int(truncatingIfNeeded: value)
    case .float(let value): value
    case .double(let value): value
    case .decimal(let value): value
    case .boolean(let value): value
    case .string(let value): value
    case .date(let value): value
    case .binary(let value): value
    case .uuid(let value): value
    case .uri(let value): value
    case .json(let value): value
    case .list(let values): values.map(\.content)
    }
  }
}
