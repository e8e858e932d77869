import Graft

/// An entity while its properties are collected.
final class EntityDraft {
  /// A property, and the shape that it was found in.
  struct Property {
    var path: [String]
    var shape: SampleShape
    /// The shape of the elements of a list.
    var element: SampleShape?
    var name: String
    var isIdentity = false
    /// The shape of the objects that have the key: the entity's, or that of a part of it.
    var container = 0
    var kind: Kind
    /// The reason for a guess.
    var note: String?

    enum Kind {
      case attribute(AttributeFinder.Choice, isOptional: Bool)
      case toOne(EntityDraft)
      case toMany(EntityDraft, isKeyed: Bool)
      /// Values that identify objects of an entity.
      case identifiers(EntityDraft, isToMany: Bool)
    }

    var destination: EntityDraft? {
      switch kind {
      case .attribute: nil
      case .toOne(let draft), .toMany(let draft, _), .identifiers(let draft, _): draft
      }
    }
    var isToMany: Bool {
      switch kind {
      case .attribute, .toOne: false
      case .toMany: true
      case .identifiers(_, let isToMany): isToMany
      }
    }
  }

  /// The other side of a relationship, which is not in JSON.
  struct Inverse {
    var name: String
    var source: EntityDraft
    var property: String
    var isToMany: Bool
  }

  let name: String
  let shape: SampleShape
  let group: EntityGroup?
  /// The key of the identity attribute.
  var identityKey: String?
  var properties: [Property] = []
  var inverses: [Inverse] = []
  /// Comments before the entity.
  var notes: [String] = []
  /// Keys that the model leaves out, with the reason.
  var omitted: [String] = []
  /// The last keys of relationships that are at several key paths.
  var repeatedNames: Set<String> = []
  /// The identity of the objects within their owner: the inverse to the owner, and an attribute.
  var ownedIdentity: (owner: String, attribute: String)?
  /// The parent of a sub-entity.
  let parent: EntityDraft?
  /// The key that separates sub-entities, and its values.
  var mapperKey: String?
  var kinds: [(value: String, draft: EntityDraft)] = []
  private let names: Names

  /// The names of properties in a hierarchy.
  private final class Names { var used: Set<String> = [] }

  init(_ name: String, _ shape: SampleShape, _ group: EntityGroup?) {
    self.name = name
    self.shape = shape
    self.group = group
    parent = nil
    names = Names()
    identityKey = group?.identity?.key
  }

  /// Creates a sub-entity.
  init(_ name: String, _ shape: SampleShape, parent: EntityDraft) {
    self.name = name
    self.shape = shape
    self.parent = parent
    group = nil
    names = parent.names
    identityKey = parent.identityKey
  }

  var identity: Property? { parent?.identity ?? properties.first(where: \.isIdentity) }

  func isUsed(_ name: String) -> Bool { names.used.contains(name) }

  /// Takes a name that no other property has: the first of the candidates that is free, or one with a number.
  func take(_ candidates: [String]) -> String {
    if let free = candidates.first(where: { !names.used.contains($0) }) {
      names.used.insert(free)
      return free
    }
    let base = candidates.last ?? "value"
    var number = 2
    while !names.used.insert("\(base)\(number)").inserted { number += 1 }
    return "\(base)\(number)"
  }
}
