import Graft

/// The contents of a model's diagram. All names are escaped: they contain no control characters or line breaks.
struct DiagramModel {
  /// An entity with its own declarations.
  struct Entity {
    let name: String
    let isAbstract: Bool
    /// The index of its parent in the list of entities.
    let parent: Int?
    let attributes: [Attribute]
    let relationships: [Relationship]
  }

  struct Attribute {
    let name: String
    let type: String
    let isIdentity: Bool
    let isOptional: Bool

    /// The type, with a question mark if the attribute may be nil.
    var typeText: String { isOptional ? type + "?" : type }
  }

  struct Relationship {
    let name: String
    /// The index of the destination in the list of entities.
    let destination: Int
    let cardinality: Cardinality
    /// Whether its destination is an owner that identifies the objects.
    let isIdentity: Bool
  }

  /// The number of objects that one object may be related to.
  struct Cardinality {
    let least: Int
    /// nil for any number.
    let most: Int?

    /// `1`, `0..1`, `0..*`, `2..5`.
    var text: String { least == most ? "\(least)" : "\(least)..\(most.map { "\($0)" } ?? "*")" }
    var isToMany: Bool { most != 1 }
  }

  /// The declaration of a relationship: an entity, and the index in its list.
  struct Place: Hashable {
    let entity: Int
    let index: Int
  }

  /// A relationship together with its inverse, as one line.
  struct Link {
    let place: Place
    /// Equal to `place` if a relationship is its own inverse.
    let inverse: Place?
  }

  let name: String?
  let entities: [Entity]
  let links: [Link]

  /// Resolves parents, destinations and inverses. They exist, because the model has been checked.
  init(_ model: ModelDescription) {
    let numbers = Dictionary(uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
    name = model.name?.escapedForDisplay()
    entities = model.entities.map { entity in
      Entity(
        name: entity.name.escapedForDisplay(), isAbstract: entity.isAbstract,
        parent: entity.parentName.flatMap { numbers[$0] },
        attributes: DiagramModel.attributes(of: entity, in: model.entities, numbers),
        relationships: DiagramModel.relationships(of: entity, in: model.entities, numbers))
    }
    links = DiagramModel.links(model.entities, numbers)
  }

  func relationship(_ place: Place) -> Relationship { entities[place.entity].relationships[place.index] }

  /// Returns the label of a link: both names if there are two.
  func label(_ link: Link) -> String {
    let name = relationship(link.place).name
    guard let inverse = link.inverse, inverse != link.place else { return name }
    return "\(name) / \(relationship(inverse).name)"
  }

  // MARK: Looking up

  /// Returns the entity and its ancestors.
  private static func line(
    of number: Int, in entities: [EntityDescription], _ numbers: [String: Int]
  ) -> [Int] {
    var line = [number]
    while let parent = entities[line[line.count - 1]].parentName.flatMap({ numbers[$0] }), !line.contains(parent) {
      line.append(parent)
    }
    return line
  }

  /// Returns the attributes declared in an entity, after the inherited attributes that become part of its identity here.
  private static func attributes(
    of entity: EntityDescription, in entities: [EntityDescription], _ numbers: [String: Int]
  ) -> [Attribute] {
    let line = numbers[entity.name].map { self.line(of: $0, in: entities, numbers) } ?? []
    let inherited = line.dropFirst().flatMap { entities[$0].attributes }
      .filter { entity.identityAttributes.contains($0.name) }
    let identity = Set(line.flatMap { entities[$0].identityAttributes })
    return (inherited + entity.attributes).map { attribute in
      Attribute(
        name: attribute.name.escapedForDisplay(),
        type: attribute.isList ? "[\(attribute.type.rawValue)]" : attribute.type.rawValue,
        isIdentity: identity.contains(attribute.name), isOptional: attribute.isOptional)
    }
  }

  /// Returns the relationships declared in an entity.
  private static func relationships(
    of entity: EntityDescription, in entities: [EntityDescription], _ numbers: [String: Int]
  ) -> [Relationship] {
    let line = numbers[entity.name].map { self.line(of: $0, in: entities, numbers) } ?? []
    let identity = Set(line.flatMap { entities[$0].identityAttributes })
    return entity.relationships.map { relationship in
      Relationship(
        name: relationship.name.escapedForDisplay(), destination: numbers[relationship.destinationName] ?? 0,
        cardinality: Cardinality(relationship), isIdentity: identity.contains(relationship.name))
    }
  }

  /// Returns all relationships, with inverses joined. The destination may inherit an inverse.
  private static func links(_ entities: [EntityDescription], _ numbers: [String: Int]) -> [Link] {
    func inverse(of place: Place) -> Place? {
      let relationship = entities[place.entity].relationships[place.index]
      guard let name = relationship.inverseName, let start = numbers[relationship.destinationName] else { return nil }
      for entity in line(of: start, in: entities, numbers) {
        if let index = entities[entity].relationships.firstIndex(where: { $0.name == name }) {
          return Place(entity: entity, index: index)
        }
      }
      return nil
    }
    var links: [Link] = []
    var drawn: Set<Place> = []
    for entity in entities.indices {
      for index in entities[entity].relationships.indices {
        let place = Place(entity: entity, index: index)
        guard !drawn.contains(place) else { continue }
        let other = inverse(of: place)
        drawn.insert(place)
        if let other { drawn.insert(other) }
        links.append(Link(place: place, inverse: other))
      }
    }
    return links
  }
}

extension DiagramModel.Cardinality {
  init(_ relationship: RelationshipDescription) {
    let floor = relationship.isOptional ? 0 : 1
    least = relationship.isToMany ? max(floor, relationship.minCount ?? 0) : floor
    most = relationship.isToMany ? relationship.maxCount : 1
  }
}
