/// The transformers and mappers that a model may name, as a value (T1).
///
///     var transformers = TransformerRegistry.standard
///     transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
///     transformers.registerEntityMapper(named: "Message") { $0["text"] == nil ? "PhotoMessage" : "TextMessage" }
///
/// ``standard`` holds the built-in ones (T2). There is no global state: two models can live in one program with
/// different registries.
///
/// A name that is registered twice means what was registered last; that may also be the name of a built-in one.
/// Value transformers, dictionary transformers and entity mappers have names of their own.
public struct TransformerRegistry: Sendable {
  /// A closure that gets a whole JSON object before it is read, and may give another one; nil keeps the original.
  public typealias DictionaryTransformer = @Sendable ([String: Any]) throws -> [String: Any]?
  /// A closure that says which entity a JSON object is; nil is no answer (I7).
  public typealias EntityMapper = @Sendable ([String: Any]) throws -> String?

  /// The built-in transformers (T2), and nothing else.
  public static let standard = TransformerRegistry()

  var valueTransformers: [String: ValueTransformer] = [:]
  var dictionaryTransformers: [String: DictionaryTransformer] = [:]
  var entityMappers: [String: EntityMapper] = [:]
  /// In the order in which they were registered.
  package var valueValidations: [ValueValidation] = []
  package var objectValidations: [ObjectValidation] = []

  /// Makes a registry that holds the built-in transformers, as ``standard`` does.
  public init() {}
}

extension TransformerRegistry {
  /// Registers a value transformer: what an attribute's JSON value becomes before it is stored.
  ///
  ///     transformers.registerValueTransformer(named: "Stars") { (stars: String) in stars.count } reverse: {
  ///       String(repeating: "*", count: $0)
  ///     }
  ///
  /// The closures say their types. A JSON value of another type is an error, `null` is never handed over, a nil that
  /// the closure gives sets nil, and an error that it throws fails the import (T3).
  ///
  /// - Parameters:
  ///   - name: what a model says as `JSONTransformerName`.
  ///   - forward: from the JSON value to the attribute's.
  ///   - reverse: the way back, for export; without it the attribute's own value is written (T4). nil writes `null`.
  public mutating func registerValueTransformer<Input: AttributeConvertible, Output: AttributeConvertible>(
    named name: String, _ forward: @escaping @Sendable (Input) throws -> Output?,
    reverse: (@Sendable (Output) throws -> Input?)? = nil
  ) {
    valueTransformers[name] = ValueTransformer(named: name, forward, reverse: reverse)
  }

  /// Registers a dictionary transformer: what a whole JSON object becomes before it is read (I7).
  ///
  /// - Parameters:
  ///   - name: what a model says as `JSONDictionaryTransformerName`.
  ///   - transform: from the object to the one that is read in its place; nil keeps the original.
  public mutating func registerDictionaryTransformer(
    named name: String, _ transform: @escaping DictionaryTransformer
  ) {
    dictionaryTransformers[name] = transform
  }

  /// Registers an entity mapper: which entity a JSON object is (I7).
  ///
  /// - Parameters:
  ///   - name: what a model says as `entityMapperName`.
  ///   - map: gives the name of the declared entity or of a sub-entity of it; nil is no answer.
  public mutating func registerEntityMapper(named name: String, _ map: @escaping EntityMapper) {
    entityMappers[name] = map
  }

  /// Adds what another registry holds: a registry can be made of several, one for each part of a program.
  ///
  ///     var transformers = TransformerRegistry.standard
  ///     transformers.merge(Catalogue.transformers)
  ///     transformers.merge(Billing.transformers)
  ///
  /// Where both know a name, the other one's meaning counts, as if it were registered now. Validations have no names: those
  /// of both run, this one's first.
  public mutating func merge(_ other: TransformerRegistry) {
    valueTransformers.merge(other.valueTransformers) { $1 }
    dictionaryTransformers.merge(other.dictionaryTransformers) { $1 }
    entityMappers.merge(other.entityMappers) { $1 }
    valueValidations += other.valueValidations
    objectValidations += other.objectValidations
  }
}
