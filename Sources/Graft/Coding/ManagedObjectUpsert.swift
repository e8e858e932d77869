/// An object that is updated, or inserted where there is none, inside whatever else is decoded (C4).
///
///     struct Response: Decodable {
///       var status: String
///       var hero: ManagedObjectUpsert<Hero>
///     }
///     let hero = try decoder.decode(Response.self, from: data).hero.object
///
/// The class needs no conformance: what a decoder holds is merged as the model says. Only classes that are
/// ``DecodableManagedObject`` set their values by hand; they are found by the key that ``FetchableManagedObject`` names.
public struct ManagedObjectUpsert<Object: ManagedObject>: Decodable {
  /// The object.
  public let object: Object

  /// Merges what a decoder holds into the context in its `userInfo`.
  ///
  /// - Throws: a `DecodingError`; the object is as it was then.
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
            "'\(Other.self)' sets its values by hand: it must be a FetchableManagedObject, too, so that the object there is can be found"
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

/// Objects that are updated, or inserted where there are none, inside whatever else is decoded (C4).
///
///     struct Page: Decodable {
///       var heroes: ManagedObjectsUpsert<Hero>
///       var next: URL?
///     }
///     let heroes = try decoder.decode(Page.self, from: data).heroes.objects
///
/// All of them are one payload: an array of objects and identifiers, or a collection of objects by their keys (M11). They may
/// name each other in any order, and when one is refused, none is changed. Faster than an array of objects that are each
/// decoded alone.
public struct ManagedObjectsUpsert<Element: ManagedObject>: Decodable {
  /// The objects, in order; one that is mentioned twice stands twice.
  public let objects: [Element]

  /// Merges what a decoder holds into the context in its `userInfo`.
  ///
  /// - Throws: a `DecodingError`; all objects are as they were then.
  public init(from decoder: any Decoder) throws {
    if Element.self is any DecodableManagedObject.Type {
      objects = try decoder.managedObjectContext().unit {
        try decoder.singleValueContainer().decode([ManagedObjectUpsert<Element>].self).map(\.object)
      }
    } else {
      objects = try DecoderImport(decoder).all(Element.self)
    }
  }
}

extension ManagedObjectUpsert: Encodable {
  /// Writes the object.
  ///
  /// - Throws: an `EncodingError` around the ``ExportError``.
  public func encode(to encoder: any Encoder) throws { try object.encode(to: encoder) }
}

extension ManagedObjectsUpsert: Encodable {
  /// Writes the objects as an array.
  ///
  /// - Throws: an `EncodingError` around the ``ExportError``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for object in objects { try container.encode(object) }
  }
}
