/// Looks up the transformers that properties name.
extension TransformerRegistry {
  /// Returns the transformer of an attribute's values, or of the elements of a list. Several transformers are combined into one
  /// (T8). Returns nil if the attribute does not name a transformer, or names an unknown transformer.
  package func valueTransformer(of attribute: AttributeDescription) -> ValueTransformer? {
    let names = attribute.transformerNames.dropFirst(separator(of: attribute) == nil ? 0 : 1)
    // Only the last transformer produces a value of the attribute's type.
    let transformers = names.indices.map { index in
      valueTransformer(named: names[index], for: index == names.endIndex - 1 ? attribute.type : .json)
    }
    return transformers.contains { $0 == nil } ? nil : ValueTransformer(chain: transformers.compactMap(\.self))
  }

  /// Returns the transformer of a relationship's identifiers. Several transformers are combined into one (M26).
  package func valueTransformer(of relationship: RelationshipDescription) -> ValueTransformer? {
    let transformers = relationship.transformerNames.map { valueTransformer(named: $0) }
    return transformers.contains { $0 == nil } ? nil : ValueTransformer(chain: transformers.compactMap(\.self))
  }

  /// Returns the separator of the elements of a list that JSON holds as one string, because its first transformer is `Split(,)` (T8).
  package func separator(of attribute: AttributeDescription) -> String? {
    guard attribute.isList, let name = attribute.transformerNames.first, valueTransformers[name] == nil,
      case .split(let separator)? = BuiltInTransformer(named: name)
    else { return nil }
    return separator
  }
}
