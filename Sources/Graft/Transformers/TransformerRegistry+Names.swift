/// Looks up the names that a model uses.
extension TransformerRegistry {
  /// Returns the value transformer with a name. Registered transformers take precedence over built-in transformers. The name of a
  /// `DateFormat(...)` includes its pattern.
  ///
  /// - Parameter type: the type of the attribute, on which `Lenient` depends.
  package func valueTransformer(named name: String, for type: AttributeType = .json) -> ValueTransformer? {
    valueTransformers[name] ?? BuiltInTransformer(named: name, for: type)?.transformer
  }

  /// Returns the dictionary transformer with a name.
  package func dictionaryTransformer(named name: String) -> DictionaryTransformer? { dictionaryTransformers[name] }

  /// Returns the entity mapper with a name.
  package func entityMapper(named name: String) -> EntityMapper? { entityMappers[name] }

  /// Returns what is wrong with the text in the parentheses of `DateFormat` or `Split`. Returns nil if the text is correct, or for any
  /// other name.
  package func fault(ofValueTransformerNamed name: String) -> String? {
    guard valueTransformers[name] == nil else { return nil }
    switch BuiltInTransformer(named: name) {
    case .dateFormat(let patterns):
      do { _ = try DateFormat.formats(patterns) } catch { return error.description }
      return nil
    case .split(let separator): return separator.isEmpty ? "write the separator in parentheses: Split(,)" : nil
    case nil where name.hasPrefix("DateFormat"): return "write the date pattern in parentheses: DateFormat(yyyy-MM-dd)"
    case nil where name.hasPrefix("Split"): return "write the separator in parentheses: Split(,)"
    default: return nil
    }
  }

  /// The sorted names of all value transformers, for suggestions. `DateFormat(yyyy-MM-dd)` represents all patterns, `Split(,)` all
  /// separators.
  public var valueTransformerNames: [String] {
    let builtIn = BuiltInTransformer.plain + BuiltInTransformer.parameterized.map(\.example)
    return Set(valueTransformers.keys).union(builtIn.map(\.name)).sorted(by: UTF8Key.precedes)
  }

  /// The sorted names of the registered dictionary transformers.
  public var dictionaryTransformerNames: [String] { dictionaryTransformers.keys.sorted(by: UTF8Key.precedes) }

  /// The sorted names of the registered entity mappers.
  public var entityMapperNames: [String] { entityMappers.keys.sorted(by: UTF8Key.precedes) }
}
