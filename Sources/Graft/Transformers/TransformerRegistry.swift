/// The transformers and mappers that a model can refer to by name ([T1](doc:Rules#T1)).
///
///     var transformers = TransformerRegistry.standard
///     transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
///     transformers.registerEntityMapper(named: "Message") { $0["text"] == nil ? "PhotoMessage" : "TextMessage" }
///
/// ``standard`` contains the built-in transformers ([T2](doc:Rules#T2)). A registry is a value and there is no global
/// state, so two models in one program can have different registries.
///
/// Registering a name again replaces the previous registration, even of a built-in transformer. Value transformers, dictionary
/// transformers and entity mappers have separate namespaces.
public struct TransformerRegistry: Sendable {
  /// A closure that receives a whole JSON object before it is read and returns a replacement, or nil to keep the original.
  public typealias DictionaryTransformer = @Sendable ([String: Any]) throws -> [String: Any]?
  /// A closure that returns the entity of a JSON object, or nil for no answer ([I7](doc:Rules#I7)).
  public typealias EntityMapper = @Sendable ([String: Any]) throws -> String?

  /// A registry that contains only the built-in transformers ([T2](doc:Rules#T2)).
  public static let standard = TransformerRegistry()

  var valueTransformers: [String: ValueTransformer] = [:]
  var dictionaryTransformers: [String: DictionaryTransformer] = [:]
  var entityMappers: [String: EntityMapper] = [:]
  /// The validations in the order of registration.
  package private(set) var valueValidations: [ValueValidation] = []
  package private(set) var objectValidations: [ObjectValidation] = []

  /// Creates a registry that contains the built-in transformers, like ``standard``.
  public init() {}

  mutating func add(_ validation: ValueValidation) { valueValidations.append(validation) }
  mutating func add(_ validation: ObjectValidation) { objectValidations.append(validation) }
}

extension TransformerRegistry {
  /// Registers a value transformer, which converts an attribute's JSON value before it is stored.
  ///
  ///     transformers.registerValueTransformer(named: "Stars") { (stars: String) in stars.count } reverse: {
  ///       String(repeating: "*", count: $0)
  ///     }
  ///
  /// The types of the closure determine what it accepts. A JSON value of another type is an error. The closure is never called with `null`.
  /// If it returns nil, the attribute is set to nil. If it throws, the import fails with that error ([T3](doc:Rules#T3)).
  ///
  /// - Parameters:
  ///   - name: the name that a model uses as `JSONTransformerName`.
  ///   - forward: converts the JSON value to the attribute's value.
  ///   - reverse: converts the attribute's value back for export. If it returns nil, `null` is written. Without it, the
  ///     attribute's own value is written ([T4](doc:Rules#T4)).
  public mutating func registerValueTransformer<Input: AttributeConvertible, Output: AttributeConvertible>(
    named name: String, _ forward: @escaping @Sendable (Input) throws -> Output?,
    reverse: (@Sendable (Output) throws -> Input?)? = nil
  ) {
    valueTransformers[name] = ValueTransformer(named: name, forward, reverse: reverse)
  }

  /// Registers a dictionary transformer, which can replace a whole JSON object before it is read ([I7](doc:Rules#I7)).
  ///
  /// - Parameters:
  ///   - name: the name that a model uses as `JSONDictionaryTransformerName`.
  ///   - transform: returns the object to read instead, or nil to keep the original.
  public mutating func registerDictionaryTransformer(
    named name: String, _ transform: @escaping DictionaryTransformer
  ) {
    dictionaryTransformers[name] = transform
  }

  /// Registers an entity mapper, which determines the entity of a JSON object ([I7](doc:Rules#I7)).
  ///
  /// - Parameters:
  ///   - name: the name that a model uses as `entityMapperName`.
  ///   - map: returns the name of the declared entity or of one of its sub-entities, or nil for no answer.
  public mutating func registerEntityMapper(named name: String, _ map: @escaping EntityMapper) {
    entityMappers[name] = map
  }

  /// Adds the contents of another registry, so that each part of a program can have its own.
  ///
  ///     var transformers = TransformerRegistry.standard
  ///     transformers.merge(Catalog.transformers)
  ///     transformers.merge(Billing.transformers)
  ///
  /// If both registries contain a name, the other registry takes precedence. Validations have no names, so all of them run, starting with
  /// this registry's.
  public mutating func merge(_ other: TransformerRegistry) {
    valueTransformers.merge(other.valueTransformers) { $1 }
    dictionaryTransformers.merge(other.dictionaryTransformers) { $1 }
    entityMappers.merge(other.entityMappers) { $1 }
    valueValidations += other.valueValidations
    objectValidations += other.objectValidations
  }
}
