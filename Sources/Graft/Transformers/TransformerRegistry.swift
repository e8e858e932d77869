/// The transformers and mappers that a model may name, as a value (T1).
///
///     var transformers = TransformerRegistry.standard
///     transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
///
/// ``standard`` holds the built-in ones (T2). There is no global state: two models can live in one program with
/// different registries.
public struct TransformerRegistry: Sendable {
  /// A closure that gets a whole JSON object before it is read, and may give another one.
  public typealias DictionaryTransformer = @Sendable ([String: Any]) throws -> [String: Any]?
  /// A closure that says which entity a JSON object is.
  public typealias EntityMapper = @Sendable ([String: Any]) throws -> String?

  /// The built-in transformers (T2), and nothing else.
  public static let standard = TransformerRegistry()

  var valueTransformers: [String: ValueTransformer] = [:]
  var dictionaryTransformers: [String: DictionaryTransformer] = [:]
  var entityMappers: [String: EntityMapper] = [:]
}
