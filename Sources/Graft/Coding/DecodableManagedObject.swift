/// A managed object whose values are set by hand when it is decoded.
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
/// Decoding one inserts an object; ``ManagedObjectUpsert`` updates the one there is. A value that an attribute cannot hold, or
/// an identity that another object has, is an error of the decoding, also where a property is set that does not throw. When
/// the decoding of an object fails, that object leaves no trace. Rules that the model states for values are not checked:
/// that is left to imports.
public protocol DecodableManagedObject: ManagedObjectInitializing, Decodable {
  /// Sets the object's properties to what the decoder holds.
  ///
  /// - Throws: what speaks against it, most often a `DecodingError`; the object is as it was then.
  func setValues(from decoder: any Decoder) throws
}

extension DecodableManagedObject where Self: ManagedObject {
  /// Inserts an object into the context of the decoder's `userInfo`, and sets its values.
  ///
  /// - Throws: what ``setValues(from:)`` throws, or a `DecodingError` if the decoder has no context or a setter refused a value;
  ///   nothing is inserted then.
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
  /// Runs what sets values by hand as one unit (I10).
  func settingValues<Value>(at codingPath: [any CodingKey], _ body: () throws -> Value) throws -> Value {
    do {
      return try unit(body)
    } catch let error as PropertyError {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: codingPath, debugDescription: error.description, underlyingError: error))
    }
  }
}
