/// A managed object with handwritten decoding that is found by one of its attributes.
///
///     extension Employee: FetchableManagedObject {
///       typealias FetchableCodingKeys = CodingKeys
///       typealias Identifier = String
///       static var identifierKey: CodingKeys { .lastName }
///     }
///
/// Classes without handwritten decoding do not need this protocol, because their objects are found by the model's identity attributes.
public protocol FetchableManagedObject {
  /// The coding keys of the container that holds the identifier.
  associatedtype FetchableCodingKeys: CodingKey
  /// The type of the decoded identifier.
  associatedtype Identifier: Decodable
  /// The key of the identifier: the name of the attribute, or its `JSONKeyPath`.
  static var identifierKey: FetchableCodingKeys { get }
}

extension FetchableManagedObject where Self: ManagedObject {
  /// Returns the object with the identifier that a decoder contains, or nil if there is none.
  ///
  /// Expected O(1) if the attribute is the entity's identity, otherwise O(n) in the number of the entity's objects.
  ///
  /// - Throws: a `DecodingError` if the decoder has no context or no identifier, or if the attribute has another type; a
  ///   ``StoreError`` if the store cannot be read.
  public static func fetch(from decoder: any Decoder) throws -> Self? {
    let context = try decoder.managedObjectContext()
    let container = try decoder.container(keyedBy: FetchableCodingKeys.self)
    let identifier = try container.decode(Identifier.self, forKey: identifierKey)
    do {
      return try context.find(Self.self, identifier, byAttribute: identifierKey.stringValue)
    } catch let error as PropertyError {
      throw DecodingError.typeMismatch(
        Identifier.self,
        DecodingError.Context(
          codingPath: decoder.codingPath + [identifierKey], debugDescription: error.description, underlyingError: error)
      )
    }
  }
}

extension ManagedObjectContext {
  /// Returns the object with the given value of an attribute. The attribute is identified by its name or its JSON key.
  fileprivate func find<Object: ManagedObject>(
    _ type: Object.Type, _ identifier: Any, byAttribute key: String
  ) throws -> Object? {
    try takeOverChanges()
    let entity = try entity(named: Object.entityName)
    let path = JSONKeyPath(keys: [key])
    let named = entity.slotNumbers[key] ?? entity.properties.firstIndex { $0.keyPath?.keys == path.keys }
    guard let slot = named, let attribute = entity.properties[slot].attribute else {
      throw entity.unknownProperty(key)
    }
    let name = "'\(entity.name).\(attribute.name)'"
    guard let given = (identifier as? any AttributeConvertible)?.attributeValue else {
      throw PropertyError(.wrongType, "\(name) cannot be compared with a \(Swift.type(of: identifier))")
    }
    let value: AttributeValue
    do throws(AttributeValueError) {
      value = try attribute.converted(given)
    } catch {
      throw PropertyError(
        .wrongType,
        "\(name) is declared \(attribute.typeText): it cannot hold \(entity.properties[slot].phrase(given.foundPhrase))"
      )
    }
    let table = model.plan.layouts[entity.index].table
    if entity.identitySlots == [slot] {
      let found = find(entity.index, [value])
      try throwReadFailure()
      guard let number = found else { return nil }
      let own = model.plan.entities[state.row(table, number).entity]
      return own.inherits(from: entity) ? object(table, number, as: Object.self) : nil
    }
    let reader = RowReader(state)
    let number = try rows(of: entity).first { number in
      let row = reader.row(table, number)
      return reader.value(row, state.layouts[row.entity].slots[slot]) == value
    }
    return number.map { object(table, $0, as: Object.self) }
  }
}
