/// A property that predicates and aggregates can name: its key path, and its name in the model.
///
/// Generated classes list all of their properties. A handwritten class lists the properties that queries need:
///
///     final class Villain: Person {
///       override class var queryableProperties: [QueryableProperty] {
///         [.init(\Villain.name, "name"), .init(\Villain.rivals, "rivals")]
///       }
///     }
///
/// In Swift, `\Villain.name` and `\Person.name` differ, even if `Villain` inherits the property. A class therefore lists
/// inherited properties again. Names are checked when the model is loaded.
public struct QueryableProperty: Sendable {
  let keyPath: any AnyKeyPath & Sendable
  /// The name of the attribute or relationship.
  public let name: String

  /// Creates an element of ``ManagedObject/queryableProperties``.
  public init<Object: ManagedObject, Value>(_ keyPath: any KeyPath<Object, Value> & Sendable, _ name: String) {
    self.keyPath = keyPath
    self.name = name
  }
}

/// The slots of the key paths that classes list.
struct QueryableSlots: Sendable {
  /// A property of an entity.
  struct Place: Sendable {
    var entity: Int
    var slot: Int
  }

  // Type-erased key paths, which are all Sendable. A dictionary can look them up only in this form.
  private struct Key: @unchecked Sendable, Hashable { let keyPath: AnyKeyPath }
  private var places: [Key: Place] = [:]

  init() {}

  /// Collects the properties of classes. Names that the entities do not have are reported as findings.
  init(_ classes: [ManagedObject.Type], _ plan: Plan, _ findings: inout [Diagnostic]) {
    for type in classes {
      guard let entity = plan.entity(named: type.entityName) else { continue }
      for property in type.queryableProperties {
        // If a class does not override `queryableProperties`, these are the properties of its parent class.
        guard Swift.type(of: property.keyPath).rootType == type else { continue }
        guard let slot = entity.slotNumbers[property.name] else {
          findings.append(QueryableSlots.unknown(property.name, type, entity))
          continue
        }
        places[Key(keyPath: property.keyPath)] = Place(entity: entity.index, slot: slot)
      }
    }
  }

  private static func unknown(_ name: String, _ type: ManagedObject.Type, _ entity: EntityPlan) -> Diagnostic {
    Diagnostic(
      .error, code: .unknownQueryableProperty,
      "'\(type).queryableProperties' lists '\(name)', which is not a property of '\(entity.name)'",
      at: entity.description.source.location(),
      suggestion: Suggestion.nearest(to: name, among: entity.properties.map(\.name)))
  }

  /// Returns the property of a key path; nil if its class does not list it.
  subscript(_ keyPath: AnyKeyPath) -> Place? { places[Key(keyPath: keyPath)] }
}
