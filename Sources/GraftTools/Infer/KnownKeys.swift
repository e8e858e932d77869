package import Graft

/// The keys that an entity of a model reads in its objects.
package struct KnownKeys: Sendable {
  private var attributes: Set<UTF8Key> = []
  private var relationships: Set<UTF8Key> = []
  private var identity: Set<UTF8Key> = []
  /// The key words of key paths, such as `@key`.
  private var words: Set<String> = []
  private var describesEverything = false
  /// Whether the objects are values of a map whose keys identify them.
  package private(set) var isKeyed = false
  /// Whether an attribute is the value itself.
  package var readsValues: Bool { words.contains("@value") }
  /// The entity, in its model; nil if there is none.
  private(set) var origin: (entity: EntityDescription, facts: ModelFacts)?

  package init() {}

  /// For '--at .': any document is the object.
  package static let all: KnownKeys = {
    var keys = KnownKeys()
    keys.describesEverything = true
    return keys
  }()

  package init(of entity: EntityDescription, in facts: ModelFacts) {
    let family = facts.family(entity)
    origin = (entity, facts)
    func keys(_ path: JSONKeyPath?, _ aliases: [JSONKeyPath]) -> [UTF8Key] {
      ([path].compactMap(\.self) + aliases).compactMap { path in
        path.isKeyWord ? nil : (path.isThroughArrays ? path.segments[0] : path.keys).first.map(UTF8Key.init)
      }
    }
    let names = Set(family.flatMap(\.identityAttributes))
    for entity in family {
      for path in (entity.attributes.map(\.keyPath) + entity.relationships.map(\.keyPath)).compactMap(\.self)
      where path.isKeyWord { words.insert(path.description) }
      if entity.attributes.contains(where: { names.contains($0.name) && $0.keyPath?.isObjectKey == true }) {
        isKeyed = true
      }
      for attribute in entity.attributes where names.contains(attribute.name) {
        identity.formUnion(keys(attribute.keyPath, attribute.keyPathAliases))
      }
      for attribute in entity.attributes { attributes.formUnion(keys(attribute.keyPath, attribute.keyPathAliases)) }
      for relationship in entity.relationships {
        relationships.formUnion(keys(relationship.keyPath, relationship.keyPathAliases))
      }
    }
  }

  /// Whether an object with the given keys belongs to the entity. An envelope may have a few keys of the objects that it contains.
  func describe(_ keys: [String]) -> Bool {
    if describesEverything { return true }
    let keys = keys.map { UTF8Key($0) }
    // An envelope can have keys of its objects, but not the keys that identify one.
    if !identity.isEmpty { return keys.contains(where: identity.contains) }
    let known = keys.count { attributes.contains($0) || relationships.contains($0) }
    return keys.contains(where: relationships.contains) || known > 0 && 2 * known >= keys.count
  }

  /// Whether a document is a map of the entity's objects: the entity reads some keys of most values that have keys, or it reads the value
  /// itself.
  ///
  /// - Parameter members: the keys of each value's members; nil if it is neither an object nor null.
  func describesValues(of members: [[String]?]) -> Bool {
    guard isKeyed, !members.isEmpty else { return false }
    if readsValues { return true }
    let objects = members.compactMap(\.self).filter { !$0.isEmpty }
    let read = objects.count { keys in
      keys.contains { attributes.contains(UTF8Key($0)) || relationships.contains(UTF8Key($0)) }
    }
    return members.allSatisfy { $0 != nil } && read > 0 && 2 * read >= objects.count
  }

  /// The number of an inferred entity's key paths that the entity reads; nil if they do not identify an object.
  func count(of paths: [JSONKeyPath]) -> Int? {
    let keys = paths.filter { !$0.isKeyWord }
      .compactMap { UTF8Key(($0.isThroughArrays ? $0.segments[0] : $0.keys).first ?? "") }
    guard identity.isEmpty || keys.contains(where: identity.contains) else { return nil }
    return Set(keys).count { attributes.contains($0) || relationships.contains($0) }
      + Set(paths.filter(\.isKeyWord).map(\.description)).count { words.contains($0) }
  }
}

extension ModelFacts {
  /// The only entity of the model that reads most keys of an inferred entity, and can identify its objects; nil if there is none.
  package func entity(readingMostOf inferred: EntityDescription, in facts: ModelFacts) -> String? {
    let family = facts.family(inferred)
    let paths = Set(
      (family.flatMap(\.attributes).map(\.keyPath) + family.flatMap(\.relationships).map(\.keyPath))
        .compactMap(\.self))
    return model.entities.filter { $0.parentName == nil }.map { KnownKeys(of: $0, in: self) }
      .entity(readingMostOf: Array(paths))
  }
}

extension [KnownKeys] {
  /// The only entity that reads most of the given key paths, and can identify an object by them; nil if there is none.
  func entity(readingMostOf paths: [JSONKeyPath]) -> String? {
    let counts = compactMap { known in
      known.count(of: paths).flatMap { count in known.origin.map { (name: $0.entity.name, count: count) } }
    }
    guard let most = counts.map(\.count).max(), 2 * most >= paths.count, most > 0 else { return nil }
    let best = counts.filter { $0.count == most }
    return best.count == 1 ? best[0].name : nil
  }
}
