/// The protocol that provides the initializers of managed objects.
///
/// Unlike an initializer of a class, an initializer of a protocol can return an existing object. `init(from:)` therefore returns the
/// one handle of the object that the decoder's content describes ([C1](doc:Rules#C1)). Every ``ManagedObject`` conforms, and there
/// is nothing to implement.
public protocol ManagedObjectInitializing {}

extension ManagedObject: ManagedObjectInitializing {}

extension ManagedObjectInitializing where Self: ManagedObject {
  /// Inserts a new object with the defaults of its entity, like `context.insert(Hero.self)`.
  ///
  ///     required convenience init(from decoder: any Decoder) throws {
  ///       self.init(context: try decoder.managedObjectContext())
  ///       name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
  ///     }
  ///
  /// - Precondition: the model has an entity with this class, and the entity is not abstract.
  public init(context: ManagedObjectContext) { self = context.insert(Self.self) }

  /// Imports the content of a decoder into the context in its `userInfo`, and returns the object that it describes or
  /// identifies ([C4](doc:Rules#C4)).
  ///
  ///     final class Hero: ManagedObject, Decodable {}
  ///
  ///     struct Page: Decodable {
  ///       var heroes: [Hero]
  ///       var next: URL?
  ///     }
  ///     decoder.userInfo[.managedObjectContext] = context
  ///     let page = try decoder.decode(Page.self, from: data)
  ///
  /// The class only declares `Decodable`. The model defines where its properties are found, and the content is imported like
  /// any payload. The object is found by its identity, or inserted ([I2](doc:Rules#I2)). Each decoded object is a separate
  /// payload, so its identifiers are resolved and it is validated as soon as it has been decoded. If elements of an array refer to each
  /// other, decode ``ManagedObjectsUpsert``.
  ///
  /// A decoder provides less information than the bytes. Members have no order, so they are read in model order ([I7](doc:Rules#I7)). If a
  /// key occurs twice, `JSONDecoder` shows only one. Errors have no lines and columns. Key paths are defined by the model, so leave the
  /// decoder's key strategy at its default.
  ///
  /// Nothing is committed. If the decoder fails later, ``ManagedObjectContext/rollBack()`` removes its changes from the
  /// context; `context.decode` rolls back automatically.
  ///
  /// - Throws: a `DecodingError`. Its description states what is wrong and where, and `DecodingError.importError` has the
  ///   diagnostics.
  public init(from decoder: any Decoder) throws { self = try DecoderImport(decoder).one(Self.self) }
}
