/// The keys of the model file (M2, M3, M4, M6). Code and messages use only the keys in this list.
// swift-format-ignore: AlwaysUseLowerCamelCase
package enum ModelFileKey: String, Sendable, CaseIterable {
  case schema = "$schema"
  case name, version, keyStrategy, removed, entities, userInfo, doc, renamedFrom, migratedFrom, separator, part, parts
  case parent, abstract, `class`, identityAttributes, identityAttribute, alternateIdentities, entityMapperName,
    entityMapper, otherwise
  case JSONDictionaryTransformerName, modificationAttribute, deletedWhen, equals, indexes, attributes, relationships
  case type, list, optional, `default`, JSONKeyPath, JSONKeyPathAliases, JSONDirection, JSONTransformerName, JSONNulls
  case lenient, JSONReferences
  case minimum, maximum, minLength, maxLength, pattern, `enum`, extensible, sensitive
  case destination, toMany, ordered, inverse, minCount, maxCount, deleteRule, mergeRule, unresolvedRule
  case deleteOrphans, JSONRepresentation
}
