import Graft

/// Whose annotations the user info of a Core Data model holds.
///
/// One convention counts for a whole model, since each says differently what a property without annotations means.
/// Where there are several, the first one of this list counts.
enum AnnotationConvention: CaseIterable {
  case groot, magicalRecord, sync

  /// The library that reads them.
  var ownerName: String {
    switch self {
    case .groot: "Groot"
    case .magicalRecord: "MagicalRecord"
    case .sync: "Sync"
    }
  }

  /// Where it looks for a property without annotations.
  var keyStrategy: ModelDescription.KeyStrategy {
    switch self {
    case .groot: .explicit
    case .magicalRecord: .sameName
    case .sync: .snakeCase
    }
  }

  /// Whether a key of user info is one of its annotations.
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

  /// The conventions that a model follows, the one that counts first, each with the place where it first shows.
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

/// What a property's annotations say, in no library's own words.
struct PropertyAnnotations {
  /// Key paths, the first one that counts first; none leaves it to the strategy.
  var keyPaths: [CoreDataUserInfo.Entry] = []
  /// A key path in words of our own, where the convention has a fixed one.
  var fixedKeyPath: String?
  /// Whether it takes no part in JSON.
  var isLeftOut = false
  var transformerName: String?
  /// Whether an array adds to a relationship.
  var addsToMany = false
  /// Whether export leaves a relationship out.
  var isNotExported = false
}

/// What an entity's annotations say.
struct EntityAnnotations {
  var identityAttributes: [String] = []
  var entityMapperName: String?
  var dictionaryTransformerName: String?
}
