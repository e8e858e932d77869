import Graft

/// What a diagram shows of a model. All names are fit to be seen: nothing in them steers a terminal or breaks a line.
struct DiagramModel {
  /// An entity, with what it declares itself.
  struct Entity {
    let name: String
    let isAbstract: Bool
    /// Its parent's place in the list of entities.
    let parent: Int?
    let attributes: [Attribute]
    let relationships: [Relationship]
  }

  struct Attribute {
    let name: String
    let type: String
    let isIdentity: Bool
    let isOptional: Bool

    /// The type, with a question mark where the attribute may be nil.
    var typeText: String { isOptional ? type + "?" : type }
  }

  struct Relationship {
    let name: String
    /// The destination's place in the list of entities.
    let destination: Int
    let cardinality: Cardinality
  }

  /// How many objects one object may be related to.
  struct Cardinality {
    let least: Int
    /// Nil: any number.
    let most: Int?

    /// `1`, `0..1`, `0..*`, `2..5`.
    var text: String { least == most ? "\(least)" : "\(least)..\(most.map { "\($0)" } ?? "*")" }
    var isToMany: Bool { most != 1 }
  }

  /// Where a relationship is declared: an entity, and the place in its list.
  struct Place: Hashable {
    let entity: Int
    let index: Int
  }

  /// A relationship together with its inverse, as one line.
  struct Link {
    let place: Place
    /// Equal to `place` where a relationship is its own inverse.
    let inverse: Place?
  }

  let name: String?
  let entities: [Entity]
  let links: [Link]

  /// Looks up who is whose parent, destination and inverse. The model has been checked: they exist.
  init(_ model: ModelDescription) {
    let numbers = Dictionary(uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
    name = model.name?.escapedForDisplay()
    entities = model.entities.map { entity in
      Entity(
        name: entity.name.escapedForDisplay(), isAbstract: entity.isAbstract,
        parent: entity.parentName.flatMap { numbers[$0] },
        attributes: DiagramModel.attributes(of: entity, in: model.entities, numbers),
        relationships: entity.relationships.map { relationship in
          Relationship(
            name: relationship.name.escapedForDisplay(), destination: numbers[relationship.destinationName] ?? 0,
            cardinality: Cardinality(relationship))
        })
    }
    links = DiagramModel.links(model.entities, numbers)
  }

  func relationship(_ place: Place) -> Relationship { entities[place.entity].relationships[place.index] }

  /// The label of a link: both names where there are two.
  func label(_ link: Link) -> String {
    let name = relationship(link.place).name
    guard let inverse = link.inverse, inverse != link.place else { return name }
    return "\(name) / \(relationship(inverse).name)"
  }

  // MARK: Looking up

  /// The entity and its ancestors.
  private static func line(
    of number: Int, in entities: [EntityDescription], _ numbers: [String: Int]
  ) -> [Int] {
    var line = [number]
    while let parent = entities[line[line.count - 1]].parentName.flatMap({ numbers[$0] }), !line.contains(parent) {
      line.append(parent)
    }
    return line
  }

  /// The attributes declared in an entity, behind the inherited ones that only here become part of its identity.
  private static func attributes(
    of entity: EntityDescription, in entities: [EntityDescription], _ numbers: [String: Int]
  ) -> [Attribute] {
    let line = numbers[entity.name].map { self.line(of: $0, in: entities, numbers) } ?? []
    let inherited = line.dropFirst().flatMap { entities[$0].attributes }
      .filter { entity.identityAttributes.contains($0.name) }
    let identity = Set(line.flatMap { entities[$0].identityAttributes })
    return (inherited + entity.attributes).map { attribute in
      Attribute(
        name: attribute.name.escapedForDisplay(), type: attribute.type.rawValue,
        isIdentity: identity.contains(attribute.name), isOptional: attribute.isOptional)
    }
  }

  /// All relationships, those that are each other's inverse as one. An inverse may be inherited by the destination.
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
