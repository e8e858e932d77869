/// A managed object with handwritten decoding of its values.
///
///     extension Employee: DecodableManagedObject {
///       enum CodingKeys: String, CodingKey { case firstName, lastName }
///
///       func setValues(from decoder: any Decoder) throws {
///         let container = try decoder.container(keyedBy: CodingKeys.self)
///         firstName = try container.decode(String.self, forKey: .firstName)
///         lastName = try container.decode(String.self, forKey: .lastName)
///       }
///     }
///
/// Decoding inserts an object; ``ManagedObjectUpsert`` updates an existing object. A value that an attribute cannot hold or an identity
/// that another object already has is a decoding error, even if a property setter refuses it. If decoding an object fails, that object is
/// rolled back. The model's validation rules are not checked; only imports check them.
public protocol DecodableManagedObject: ManagedObjectInitializing, Decodable {
  /// Sets the properties of the object from the decoder.
  ///
  /// - Throws: an error that rejects the values, usually a `DecodingError`. In that case, the object is unchanged.
  func setValues(from decoder: any Decoder) throws
}

extension DecodableManagedObject where Self: ManagedObject {
  /// Inserts an object into the context in the decoder's `userInfo`, and sets its values.
  ///
  /// - Throws: the error of ``setValues(from:)``, or a `DecodingError` if the decoder has no context or a setter refuses a value. In that
  ///   case, nothing is inserted.
  public init(from decoder: any Decoder) throws {
    let context = try decoder.managedObjectContext()
    self = try context.settingValues(at: decoder.codingPath) {
      let object = context.insert(Self.self)
      try object.setValues(from: decoder)
      return object
    }
  }
}

extension ManagedObjectContext {
  /// Runs a closure that sets values as one transaction (I10).
  func settingValues<Value>(at codingPath: [any CodingKey], _ body: () throws -> Value) throws -> Value {
    do {
      return try unit(isCommitted: false, body)
    } catch let error as PropertyError {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: codingPath, debugDescription: error.description, underlyingError: error))
    }
  }
}
