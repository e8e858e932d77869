package import Graft

/// The keys that an entity of a model reads in its objects.
package struct KnownKeys: Sendable {
  private var attributes: Set<UTF8Key> = []
  private var relationships: Set<UTF8Key> = []
  private var identity: Set<UTF8Key> = []
  private var describesEverything = false

  package init() {}

  /// For '--at .': any document is the object.
  package static let all: KnownKeys = {
    var keys = KnownKeys()
    keys.describesEverything = true
    return keys
  }()

  /// - Parameter family: the entity, its ancestors and its sub-entities.
  package init(of family: [EntityDescription]) {
    func keys(_ path: JSONKeyPath?, _ aliases: [JSONKeyPath]) -> [UTF8Key] {
      ([path].compactMap(\.self) + aliases).compactMap { path in
        path.isKeyWord ? nil : (path.isThroughArrays ? path.segments[0] : path.keys).first.map(UTF8Key.init)
      }
    }
    let names = Set(family.flatMap(\.identityAttributes))
    for entity in family {
      for attribute in entity.attributes where names.contains(attribute.name) {
        identity.formUnion(keys(attribute.keyPath, attribute.keyPathAliases))
      }
      for attribute in entity.attributes { attributes.formUnion(keys(attribute.keyPath, attribute.keyPathAliases)) }
      for relationship in entity.relationships {
        relationships.formUnion(keys(relationship.keyPath, relationship.keyPathAliases))
      }
    }
  }

  /// Whether an object with some keys is one of the entity: an envelope may have a few keys of the objects that it contains.
  func describe(_ keys: [String]) -> Bool {
    if describesEverything { return true }
    let keys = keys.map { UTF8Key($0) }
    // An envelope can have keys of its objects, but not what identifies one.
    if !identity.isEmpty { return keys.contains(where: identity.contains) }
    let known = keys.count { attributes.contains($0) || relationships.contains($0) }
    return keys.contains(where: relationships.contains) || known > 0 && 2 * known >= keys.count
  }
}
