/// What a model asks a registry for.
extension TransformerRegistry {
  /// The value transformer of that name: a registered one, else a built-in one, `DateFormat(...)` with its pattern
  /// included.
  package func valueTransformer(named name: String) -> ValueTransformer? {
    valueTransformers[name] ?? BuiltInTransformer(named: name)?.transformer
  }

  /// The dictionary transformer of that name.
  package func dictionaryTransformer(named name: String) -> DictionaryTransformer? { dictionaryTransformers[name] }

  /// The entity mapper of that name.
  package func entityMapper(named name: String) -> EntityMapper? { entityMappers[name] }

  /// Why a name that looks like a built-in transformer is none: the fault of its date pattern. nil for other names.
  package func fault(ofValueTransformerNamed name: String) -> String? {
    guard valueTransformers[name] == nil else { return nil }
    guard case .dateFormat(let pattern)? = BuiltInTransformer(named: name) else {
      return name.hasPrefix("DateFormat") ? "a date pattern stands in brackets: DateFormat(yyyy-MM-dd)" : nil
    }
    do { _ = try DateFormat(pattern) } catch { return error.description }
    return nil
  }

  /// The names of all value transformers in order, for suggestions; `DateFormat(yyyy-MM-dd)` stands for all patterns.
  public var valueTransformerNames: [String] {
    let builtIn = BuiltInTransformer.plain + [.dateFormat("yyyy-MM-dd")]
    return Set(valueTransformers.keys).union(builtIn.map(\.name)).sorted(by: UTF8Key.precedes)
  }

  /// The names of the registered dictionary transformers, in order.
  public var dictionaryTransformerNames: [String] { dictionaryTransformers.keys.sorted(by: UTF8Key.precedes) }

  /// The names of the registered entity mappers, in order.
  public var entityMapperNames: [String] { entityMappers.keys.sorted(by: UTF8Key.precedes) }
}
