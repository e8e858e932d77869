import Graft

/// The library whose annotations are in the user info of a Core Data model.
///
/// One convention applies to a whole model, because each treats properties without annotations differently. If a model uses
/// several, the first one in this list applies.
enum AnnotationConvention: CaseIterable {
  case groot, magicalRecord, sync

  /// The library that reads the annotations.
  var ownerName: String {
    switch self {
    case .groot: "Groot"
    case .magicalRecord: "MagicalRecord"
    case .sync: "Sync"
    }
  }

  /// The key strategy for properties without annotations.
  var keyStrategy: ModelDescription.KeyStrategy {
    switch self {
    case .groot: .explicit
    case .magicalRecord: .sameName
    case .sync: .snakeCase
    }
  }

  /// Returns whether a user info key is an annotation of the convention.
  func owns(_ key: String) -> Bool {
    switch self {
    case .groot:
      [
        "JSONKeyPath", "JSONTransformerName", "JSONDictionaryTransformerName", "identityAttributes",
        "identityAttribute", "entityMapperName",
      ].contains(key)
    case .magicalRecord:
      [
        "mappedKeyName", "relatedByAttribute", "distinctAttribute", "dateFormat", "excludeFromImport",
        "useDefaultValueWhenNotPresent", "attributeValueClassName",
      ].contains(key) || key.hasPrefix("mappedKeyName.")
    case .sync: key.hasPrefix("sync.") || key.hasPrefix("hyper.")
    }
  }

  /// Returns the conventions that a model uses, each with the location of its first annotation. The convention that applies comes first.
  static func found(in model: CoreDataModel) -> [(convention: AnnotationConvention, place: SourcePlace)] {
    let infos = model.entities.flatMap { entity in
      entity.attributes.map(\.userInfo) + entity.relationships.map(\.userInfo) + [entity.userInfo]
    }
    let entries = infos.flatMap(\.entries)
    return allCases.compactMap { convention in
      entries.first { convention.owns($0.key) }.map { (convention, $0.tag.place(in: model.source)) }
    }
  }
}

/// The annotations of a property, independent of the library.
struct PropertyAnnotations {
  /// Key paths in order of precedence. If there are none, the key strategy applies.
  var keyPaths: [CoreDataUserInfo.Entry] = []
  /// A key path that the convention itself determines.
  var fixedKeyPath: String?
  /// Whether the property takes no part in JSON.
  var isLeftOut = false
  var transformerName: String?
  /// Whether an array adds to a relationship.
  var addsToMany = false
  /// Whether an export omits the property.
  var isNotExported = false
}

/// The annotations of an entity.
struct EntityAnnotations {
  var identityAttributes: [String] = []
  var entityMapperName: String?
  var dictionaryTransformerName: String?
}
