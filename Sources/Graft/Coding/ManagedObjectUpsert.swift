/// An object inside any decoded type, which is updated if it exists and inserted otherwise ([C4](doc:Rules#C4)).
///
///     struct Response: Decodable {
///       var status: String
///       var hero: ManagedObjectUpsert<Hero>
///     }
///     let hero = try decoder.decode(Response.self, from: data).hero.object
///
/// The class needs no conformance; the content of the decoder is imported as the model declares. The exception is a
/// ``DecodableManagedObject``, which sets its values itself and is found by the key that ``FetchableManagedObject`` declares.
public struct ManagedObjectUpsert<Object: ManagedObject>: Decodable {
  /// The object.
  public let object: Object

  /// Imports the content of a decoder into the context in its `userInfo`.
  ///
  /// - Throws: a `DecodingError`. The object is then unchanged.
  public init(from decoder: any Decoder) throws {
    if let type = Object.self as? any (ManagedObject & DecodableManagedObject).Type {
      object = try ManagedObjectUpsert.settingValues(type, decoder)
    } else {
      object = try DecoderImport(decoder).one(Object.self)
    }
  }

  private static func settingValues<Other: ManagedObject & DecodableManagedObject>(
    _ type: Other.Type, _ decoder: any Decoder
  ) throws -> Object {
    guard let fetchable = type as? any (ManagedObject & FetchableManagedObject).Type else {
      throw DecodingError.typeMismatch(
        Other.self,
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription:
            "'\(Other.self)' sets its values in code, so it must conform to FetchableManagedObject for the existing object to be found"
        ))
    }
    let context = try decoder.managedObjectContext()
    let object = try context.settingValues(at: decoder.codingPath) {
      let object = try fetchable.fetch(from: decoder) as? Other ?? context.insert(Other.self)
      try object.setValues(from: decoder)
      return object
    }
    return unsafeDowncast(object, to: Object.self)
  }
}

/// Objects inside any decoded type, which are updated if they exist and inserted otherwise ([C4](doc:Rules#C4)).
///
///     struct Page: Decodable {
///       var heroes: ManagedObjectsUpsert<Hero>
///       var next: URL?
///     }
///     let heroes = try decoder.decode(Page.self, from: data).heroes.objects
///
/// Together, they are one payload: an array of objects and identifiers, or an object whose values are the elements
/// ([M11](doc:Rules#M11)). They may refer to each other in any order, and if one object is refused, none of them is changed. This is faster
/// than an array of objects that are decoded individually.
public struct ManagedObjectsUpsert<Element: ManagedObject>: Decodable {
  /// The objects, in order. An object that is mentioned twice occurs twice.
  public let objects: [Element]

  /// Imports the content of a decoder into the context in its `userInfo`.
  ///
  /// - Throws: a `DecodingError`. All objects are then unchanged.
  public init(from decoder: any Decoder) throws {
    if Element.self is any DecodableManagedObject.Type {
      objects = try decoder.managedObjectContext().unit(isCommitted: false) {
        try decoder.singleValueContainer().decode([ManagedObjectUpsert<Element>].self).map(\.object)
      }
    } else {
      objects = try DecoderImport(decoder).all(Element.self)
    }
  }
}

extension ManagedObjectUpsert: Encodable {
  /// Encodes the object.
  ///
  /// - Throws: an `EncodingError` with the ``ExportError`` as its underlying error.
  public func encode(to encoder: any Encoder) throws { try object.encode(to: encoder) }
}

extension ManagedObjectsUpsert: Encodable {
  /// Encodes the objects as an array.
  ///
  /// - Throws: an `EncodingError` with the ``ExportError`` as its underlying error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for object in objects { try container.encode(object) }
  }
}
