import Graft

/// An entity while its properties are collected.
final class EntityDraft {
  /// A property, and the shape that it was found in.
  struct Property {
    var path: [String]
    /// Whether the key of the object also has the value.
    var isAlsoObjectKey = false
    /// The key in each element of the array at the key path, if it leads through that array.
    var elementKey: String?
    var shape: SampleShape
    /// The shape of the elements of a list.
    var element: SampleShape?
    var name: String
    var isIdentity = false
    /// The shape of the objects that have the key: the entity's shape, or the shape of a part of it.
    var container = 0
    var kind: Kind
    /// Whether an element of a relationship represents a list of one.
    var isLenient = false
    /// The transformers of a relationship's identifiers.
    var transformers: [String] = []
    /// Values of a relationship that mean null.
    var nulls: [JSON] = []
    /// How much of the list the samples have.
    var extent = PageForm.Extent.whole
    /// The reason for a guess.
    var note: String?
    /// The property of the destination that is the other side of the relationship, if JSON has both.
    var inverse: String?

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

  var name: String
  let shape: SampleShape
  let group: EntityGroup?
  /// The keys of the identity attributes.
  var identityKeys: [String] = []
  /// The objects that have only their identity, although other objects have more: they refer to those objects.
  private(set) var references: Set<UInt32> = []
  var properties: [Property] = []
  var inverses: [Inverse] = []
  /// Comments before the entity.
  var notes: [String] = []
  /// Keys that the model leaves out, with the reason.
  var omitted: [String] = []
  /// The last keys of relationships that are at several key paths.
  var repeatedNames: Set<String> = []
  /// The identity of the objects within their owner: the inverse to the owner, and an attribute.
  private(set) var ownedIdentity: (owner: String, attribute: String)?
  /// Attributes, or pairs of them, whose values differ in all objects. Nothing confirms that they identify the objects.
  var uniqueNames: [[String]] = []
  /// The attribute that identifies the objects from inside a part of them.
  var innerIdentity: String?
  /// The parent of a sub-entity.
  let parent: EntityDraft?
  /// The key path of the value that separates sub-entities, and its values.
  var mapperPath: [String]?
  var kinds: [(value: String, draft: EntityDraft)] = []
  private var names: Names

  /// The names of properties in a hierarchy.
  private final class Names { var used: Set<String> = [] }

  init(_ name: String, _ shape: SampleShape, _ group: EntityGroup?) {
    self.name = name
    self.shape = shape
    self.group = group
    parent = nil
    names = Names()
    identityKeys = [group?.typeKey, group?.identity?.key].compactMap(\.self)
  }

  /// Creates a sub-entity.
  init(_ name: String, _ shape: SampleShape, parent: EntityDraft) {
    self.name = name
    self.shape = shape
    self.parent = parent
    group = nil
    names = parent.names
    identityKeys = parent.identityKeys
    references = parent.references
  }

  /// The properties that identify the objects, in order.
  var identities: [Property] {
    if let parent { return parent.identities }
    return identityKeys.compactMap { key in properties.first { $0.isIdentity && $0.path == [key] } }
  }

  /// The only property that identifies the objects; nil if there are several.
  var identity: Property? { identities.count == 1 ? identities[0] : nil }

  var isIdentified: Bool { !identityKeys.isEmpty }

  /// Whether each import inserts the objects again. If they have no identity, but an owner with one, an import replaces them.
  var isInsertedAgain: Bool {
    var seen: Set<ObjectIdentifier> = []
    func isStable(_ draft: EntityDraft) -> Bool {
      guard seen.insert(ObjectIdentifier(draft)).inserted else { return false }
      if let parent = draft.parent { return isStable(parent) }
      return draft.isIdentified || draft.ownedIdentity != nil || draft.innerIdentity != nil
        || draft.inverses.contains { isStable($0.source) }
    }
    return !isStable(self)
  }

  /// Whether some objects lack the value that identifies the other objects.
  var lacksIdentities: Bool { (group?.identity?.facts.missing ?? 0) > 0 }

  /// The number of objects that are more than references.
  var fullObjects: Int { shape.objects - references.count }

  /// The number of different objects among them: an object that is mentioned three times is counted once.
  var differentObjects: Int {
    guard isIdentified, let facts = group?.identity?.facts else { return fullObjects }
    return min(fullObjects, max(1, facts.rows - facts.repeats))
  }

  /// Finds the objects that have only their identity.
  func findReferences(_ table: ShapeTable) {
    guard isIdentified, shape.elementKey == nil else { return }
    let keys = identityKeys.map { UTF8Key($0) }
    let rows = shape.rows
    let found = (0..<rows.count).filter { row in
      rows[row].count == keys.count && rows[row].allSatisfy { keys.contains(UTF8Key(table.shapes[Int($0.member)].key)) }
    }
    if found.count < rows.count { references = Set(found.map { rows.ids[$0] }) }
  }

  /// Lets an attribute identify the objects within their owner, which an inverse relationship leads to.
  func identify(by attribute: String, in owner: String) {
    ownedIdentity = (owner, attribute)
    guard let index = properties.firstIndex(where: { $0.name == attribute }),
      case .attribute(let choice, _) = properties[index].kind
    else { return }
    properties[index].kind = .attribute(choice, isOptional: false)
  }

  /// The entity of the objects that contain this entity's objects.
  var container: EntityDraft? {
    inverses.first { inverse in
      if case .identifiers = inverse.source.properties.first(where: { $0.name == inverse.property })?.kind {
        false
      } else {
        true
      }
    }?.source
  }

  func isUsed(_ name: String) -> Bool {
    names.used.contains(name) || parent?.inverses.contains { $0.name == name } == true
  }

  /// Gives a sub-entity its own names: it may reuse the names of its siblings.
  func separateNames() {
    guard let parent else { return }
    names = Names()
    names.used = Set(parent.properties.map(\.name) + properties.map(\.name))
  }

  /// Takes a name that no other property has: the first candidate that is free, or a candidate with a number.
  func take(_ candidates: [String]) -> String {
    let base = candidates.last ?? "value"
    var name = candidates.first { !isUsed($0) } ?? base
    var number = 2
    while isUsed(name) { (name, number) = ("\(base)\(number)", number + 1) }
    names.used.insert(name)
    parent?.names.used.insert(name)
    return name
  }
}
