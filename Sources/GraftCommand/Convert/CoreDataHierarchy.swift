import Graft

/// Finds entities, ancestors and inherited attributes of a model by name, in expected O(1) per step.
struct CoreDataHierarchy {
  /// The maximum length of a chain of ancestors. A faulty model may contain a cycle, which its check reports together with
  /// longer chains.
  private static let mostAncestors = 512

  private let numbers: [String: Int]
  private let parents: [Int?]
  private let attributes: [[String: Int]]
  private let relationships: [[String: Int]]

  init(_ entities: [EntityDescription]) {
    let numbers = Self.positions(entities.map(\.name))
    self.numbers = numbers
    parents = entities.map { entity in entity.parentName.flatMap { numbers[$0] } }
    attributes = entities.map { Self.positions($0.attributes.map(\.name)) }
    relationships = entities.map { Self.positions($0.relationships.map(\.name)) }
  }

  /// Returns the positions of names. If names are equal, the first is used, and the check of the model reports the other names.
  private static func positions(_ names: [String]) -> [String: Int] {
    Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// Returns the entity with a name.
  func number(of name: String) -> Int? { numbers[name] }

  /// Returns the topmost ancestor of an entity.
  func root(of number: Int) -> Int { lineage(of: number).last ?? number }

  /// Returns the attribute with a name that an entity has or inherits, and the entity that declares it.
  func attribute(_ name: String, of number: Int) -> (owner: Int, position: Int)? {
    for owner in lineage(of: number) {
      if let position = attributes[owner][name] { return (owner, position) }
    }
    return nil
  }

  /// Returns the relationship with a name that an entity declares.
  func relationship(_ name: String, of number: Int) -> Int? { relationships[number][name] }

  /// Returns the relationship with a name that an entity has or inherits, and the entity that declares it.
  func relationship(_ name: String, inheritedBy number: Int) -> (owner: Int, position: Int)? {
    for owner in lineage(of: number) {
      if let position = relationships[owner][name] { return (owner, position) }
    }
    return nil
  }

  /// Returns an entity, its parent, and so on.
  func lineage(of number: Int) -> [Int] {
    var lineage = [number]
    while let parent = parents[lineage[lineage.count - 1]], lineage.count < CoreDataHierarchy.mostAncestors {
      lineage.append(parent)
    }
    return lineage
  }
}
