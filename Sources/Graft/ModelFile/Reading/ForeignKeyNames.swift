/// Recognizes keys of other formats, and keys in the wrong place.
extension ModelFileReader {
  /// Returns a finding that names the correct form of an illegal key, or nil if nothing is known about it.
  func foreignKey(_ member: ModelFileMember, _ owner: FileOwner) -> ModelFinding? {
    let legal = owner.level.fields.map(\.key.rawValue)
    if Suggestion.nearest(to: member.key, among: legal) == nil, let outside = declarationOutside(member, owner) {
      return outside
    }
    guard member.key.utf8.count <= 20 else { return nil }
    let key = member.key.lowercased()
    if [.attribute, .relationship, .entity].contains(owner.level), ForeignKeyNames.required.contains(key) {
      return .foreignRequired(
        member.key, in: owner.description, isRelationship: owner.level == .relationship)
    }
    if owner.level == .attribute, ForeignKeyNames.identity.contains(key) {
      return .foreignIdentity(member.key, in: owner.description)
    }
    if [.attribute, .relationship].contains(owner.level), ForeignKeyNames.index.contains(key) {
      return .foreignIndex(member.key, in: owner.description)
    }
    return ForeignKeyNames.meant[owner.level]?[key].map {
      .foreignKey(member.key, in: owner.description, means: $0)
    }
  }

  /// Recognizes an attribute or a relationship declared directly in its entity, or an entity declared directly in the
  /// model.
  private func declarationOutside(_ member: ModelFileMember, _ owner: FileOwner) -> ModelFinding? {
    let home = ModelFileLevel.home(of: member.key)
    func has(_ key: ModelFileKey) -> Bool { member.value.members?.contains { $0.key == key.rawValue } == true }
    func finding(_ what: String, _ home: ModelFileKey) -> ModelFinding {
      .declarationOutside(member.key, in: owner.description, what, home: home)
    }
    switch owner.level {
    case .model where has(.attributes) || has(.relationships) || has(.identityAttributes):
      return finding("an entity", .entities)
    case .entity where has(.destination):
      return finding("a relationship", .relationships)
    case .entity where has(.type):
      return finding("an attribute", .attributes)
    case .entity where home == nil || home == .model:
      guard let text = member.value.text, AttributeType(meant: text) != nil else { return nil }
      return finding("an attribute", .attributes)
    default: return nil
    }
  }
}

/// Keys of other formats (JSON Schema, Core Data, SQL, other mappers), in lower case.
private enum ForeignKeyNames {
  /// Keys that mean the opposite of `optional`.
  static let required: Set = ["required", "isrequired", "mandatory", "notnull", "nonnull", "nonoptional"]
  /// Keys that mark an identity attribute.
  static let identity: Set = ["unique", "primarykey", "primary", "identity", "isidentity", "identifier", "isid"]
  /// Keys that mark an indexed property.
  static let index: Set = ["index", "indexed", "isindexed", "indexes", "indexname"]
  /// Other names of Graft's keys.
  static let meant: [ModelFileLevel: [String: ModelFileKey]] = [
    .model: [
      "models": .entities, "types": .entities, "tables": .entities, "classes": .entities, "description": .doc,
      "comment": .doc, "title": .name, "definitions": .entities, "naming": .keyStrategy,
    ],
    .entity: [
      "properties": .attributes, "fields": .attributes, "columns": .attributes, "relations": .relationships,
      "associations": .relationships, "links": .relationships, "extends": .parent, "inherits": .parent,
      "super": .parent, "superclass": .parent, "superentity": .parent, "parententity": .parent,
      "primarykey": .identityAttributes, "identity": .identityAttributes, "identifier": .identityAttributes,
      "id": .identityAttributes, "key": .identityAttributes, "unique": .identityAttributes,
      "uniqueconstraints": .identityAttributes, "uniquenessconstraints": .identityAttributes, "isabstract": .abstract,
      "discriminator": .entityMapper, "index": .indexes, "indices": .indexes, "fetchindexes": .indexes,
      "compoundindexes": .indexes, "classname": .class, "description": .doc, "comment": .doc,
    ],
    .attribute: [
      "nullable": .optional, "isoptional": .optional, "allownull": .optional, "null": .optional,
      "attributetype": .type, "kind": .type, "datatype": .type, "key": .JSONKeyPath, "keypath": .JSONKeyPath,
      "jsonkey": .JSONKeyPath, "path": .JSONKeyPath, "from": .JSONKeyPath, "mappedkeyname": .JSONKeyPath,
      "aliases": .JSONKeyPathAliases, "transformer": .JSONTransformerName, "valuetransformer": .JSONTransformerName,
      "transform": .JSONTransformerName, "min": .minimum, "max": .maximum, "regex": .pattern, "values": .enum,
      "oneof": .enum, "choices": .enum, "allowedvalues": .enum, "open": .extensible, "isopen": .extensible,
      "isextensible": .extensible, "secret": .sensitive, "private": .sensitive, "confidential": .sensitive,
      "issensitive": .sensitive, "redacted": .sensitive, "pii": .sensitive, "defaultvalue": .default,
      "description": .doc,
      "comment": .doc, "direction": .JSONDirection, "readonly": .JSONDirection, "writeonly": .JSONDirection,
      "islist": .list, "array": .list, "isarray": .list, "tomany": .list, "multiple": .list, "repeated": .list,
      "minitems": .minCount, "maxitems": .maxCount,
    ],
    .relationship: [
      "nullable": .optional, "isoptional": .optional, "allownull": .optional, "entity": .destination,
      "target": .destination, "to": .destination, "model": .destination, "destinationentity": .destination,
      "class": .destination, "ismany": .toMany, "multiple": .toMany, "array": .toMany, "list": .toMany,
      "isordered": .ordered, "inversename": .inverse, "inverserelationship": .inverse, "backref": .inverse,
      "inverseof": .inverse, "key": .JSONKeyPath, "keypath": .JSONKeyPath, "jsonkey": .JSONKeyPath,
      "path": .JSONKeyPath, "from": .JSONKeyPath, "aliases": .JSONKeyPathAliases, "ondelete": .deleteRule,
      "deletionrule": .deleteRule, "min": .minCount, "max": .maxCount, "description": .doc, "comment": .doc,
      "direction": .JSONDirection, "readonly": .JSONDirection, "writeonly": .JSONDirection,
    ],
  ]
}
