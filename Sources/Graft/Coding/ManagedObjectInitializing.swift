/// What gives each class of managed objects its initializers.
///
/// An initializer of a protocol may hand out an object that exists already, which one of a class cannot: `init(from:)` gives
/// the one handle of the object that the decoder's content stands for (C1). Every ``ManagedObject`` conforms; there is
/// nothing to implement.
public protocol ManagedObjectInitializing {}

extension ManagedObject: ManagedObjectInitializing {}

extension ManagedObjectInitializing where Self: ManagedObject {
  /// Inserts a new object, with the defaults of its entity: what `context.insert(Hero.self)` does.
  ///
  ///     required convenience init(from decoder: any Decoder) throws {
  ///       self.init(context: try decoder.managedObjectContext())
  ///       name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
  ///     }
  ///
  /// - Precondition: the model has the entity and this class for it, and it is not abstract.
  public init(context: ManagedObjectContext) { self = context.insert(Self.self) }

  /// Merges what a decoder holds into the context in its `userInfo`, and gives the object it stands for (C4).
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
  /// A class says `Decodable`, and that is all: where the properties stand is the model's business, and the content is
  /// imported like any payload. The object is found by its identity, or inserted (I2). Each decoded object is a payload of
  /// its own: its identifiers are looked up, and it is validated, at its end. Where elements of an array name each other,
  /// decode ``ManagedObjectsUpsert``.
  ///
  /// A decoder gives less than the bytes that it reads: members have no order, so they are read in model order (I7), of a key
  /// that occurs twice `JSONDecoder` shows one, and there are no lines and columns. Key paths are those of the model: leave the
  /// decoder's strategy for keys alone.
  ///
  /// Nothing is committed: ``ManagedObjectContext/rollBack()`` takes back what a decoder that failed later left, and
  /// `context.decode` does so by itself.
  ///
  /// - Throws: a `DecodingError`. Its text says what is wrong and where, and `DecodingError.importError` holds the
  ///   diagnostics.
  public init(from decoder: any Decoder) throws { self = try DecoderImport(decoder).one(Self.self) }
}
