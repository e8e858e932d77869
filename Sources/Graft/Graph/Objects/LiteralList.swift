/// The owner of the objects in an array literal, which are not in any relationship.
///
///     for power in hero?.powers ?? [] { ... }
final class LiteralList: ManagedObject {
  private(set) var elements: [ManagedObject] = []

  static func make(_ elements: [ManagedObject]) -> LiteralList {
    for element in elements {
      precondition(
        element.context === elements[0].context && element.table == elements[0].table,
        "'\(element)' and '\(elements[0])' cannot be in one list: they belong to different contexts or hierarchies")
    }
    let list = LiteralList(
      place: ManagedObjectPlace(context: elements.first?.context ?? nowhere, table: 0, number: .max))
    list.elements = elements
    return list
  }

  override var literalElements: [ManagedObject] { elements }

  /// The context of an empty list, which has no elements to take a context from. This context is never read or changed.
  nonisolated(unsafe) private static let nowhere: ManagedObjectContext = {
    do {
      return ManagedObjectContext(model: try ManagedObjectModel(text: #"{"entities": {"Nothing": {}}}"#))
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}

extension RelatedObjects: ExpressibleByArrayLiteral {
  /// Creates a list of objects, to assign to a relationship or to use in place of a relationship.
  ///
  ///     hero.powers = [agility, flight]
  ///     for power in hero?.powers ?? [] { print(power) }
  ///
  /// - Precondition: the objects belong to one context and one hierarchy of entities, and the list itself is not changed.
  public init(arrayLiteral elements: Element...) {
    self.init(owner: LiteralList.make(elements), slot: 0)
  }
}
