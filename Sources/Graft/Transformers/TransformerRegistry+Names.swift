/// Looking up the names that a model uses.
extension TransformerRegistry {
  /// Returns the value transformer with a name. Registered ones take precedence over built-in ones. The name of a
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

  /// Returns what is wrong with the date pattern in a `DateFormat` name, or nil if the pattern is correct or the name is a
  /// different one.
  package func fault(ofValueTransformerNamed name: String) -> String? {
    guard valueTransformers[name] == nil else { return nil }
    guard case .dateFormat(let pattern)? = BuiltInTransformer(named: name) else {
      return name.hasPrefix("DateFormat") ? "write the date pattern in parentheses: DateFormat(yyyy-MM-dd)" : nil
    }
    do { _ = try DateFormat(pattern) } catch { return error.description }
    return nil
  }

  /// The sorted names of all value transformers, for suggestions. `DateFormat(yyyy-MM-dd)` represents all patterns.
  public var valueTransformerNames: [String] {
    let builtIn = BuiltInTransformer.plain + [.dateFormat("yyyy-MM-dd")]
    return Set(valueTransformers.keys).union(builtIn.map(\.name)).sorted(by: UTF8Key.precedes)
  }

  /// The sorted names of the registered dictionary transformers.
  public var dictionaryTransformerNames: [String] { dictionaryTransformers.keys.sorted(by: UTF8Key.precedes) }

  /// The sorted names of the registered entity mappers.
  public var entityMapperNames: [String] { entityMappers.keys.sorted(by: UTF8Key.precedes) }
}
