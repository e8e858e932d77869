/// The difference between two states of a live list, as Sendable data.
///
///     for await changes in results.updates() {
///       ids = ids.applying(changes)
///     }
///
/// Apply the steps one at a time, in order, because each place refers to the list as the previous steps left it. Tables and other views can
/// animate the steps in this order.
public struct ResultChanges: Sendable, Hashable {
  /// A step from one state of a list to the next.
  public enum Step: Sendable, Hashable {
    /// An object entered the list.
    case inserted(ManagedObjectID, at: ResultPlace)
    /// The object at a place left the list, or was deleted.
    case deleted(at: ResultPlace)
    /// An object moved to a different place or section. The second place is a place in the list after the object has been removed.
    case moved(ManagedObjectID, from: ResultPlace, to: ResultPlace)
    /// The object at a place changed, or a related object that the list reads for it changed. The ID is the current ID.
    case updated(ManagedObjectID, at: ResultPlace)
    /// A section appeared. It is empty at first; its objects are inserted by later steps.
    case sectionInserted(at: Int)
    /// A section disappeared after its last object left it.
    case sectionDeleted(at: Int)
  }

  /// The steps, in the order in which to apply them.
  public let steps: [Step]

  /// Whether the list is unchanged.
  public var isEmpty: Bool { steps.isEmpty }
}

/// A place in a live list: a position in the whole list, and the same place within a section.
public struct ResultPlace: Sendable, Hashable {
  /// The position in the whole list.
  public let position: Int
  /// The number of the section; 0 in a list without sections.
  public let section: Int
  /// The position in the section.
  public let item: Int

  init(position: Int, section: Int, item: Int) {
    (self.position, self.section, self.item) = (position, section, item)
  }
}

extension [ManagedObjectID] {
  /// Returns the IDs of a live list after changes.
  ///
  /// - Parameter changes: changes from ``LiveResults/updates()``, in order.
  /// - Precondition: the array is the list as it was before the changes.
  public func applying(_ changes: ResultChanges) -> [ManagedObjectID] {
    var list = self
    for step in changes.steps {
      switch step {
      case .inserted(let id, let place): list.insert(id, at: place.position)
      case .deleted(let place): list.remove(at: place.position)
      case .moved(let id, let old, let new):
        list.remove(at: old.position)
        list.insert(id, at: new.position)
      case .updated(let id, let place): list[place.position] = id
      case .sectionInserted, .sectionDeleted: break
      }
    }
    return list
  }
}

extension [[ManagedObjectID]] {
  /// Returns the IDs of a live list with sections after changes, one array for each section.
  ///
  /// - Parameter changes: changes from ``LiveResults/updates()``, in order.
  /// - Precondition: the arrays are the sections as they were before the changes.
  public func applying(_ changes: ResultChanges) -> [[ManagedObjectID]] {
    var list = self
    for step in changes.steps {
      switch step {
      case .inserted(let id, let place): list[place.section].insert(id, at: place.item)
      case .deleted(let place): list[place.section].remove(at: place.item)
      case .moved(let id, let old, let new):
        list[old.section].remove(at: old.item)
        list[new.section].insert(id, at: new.item)
      case .updated(let id, let place): list[place.section][place.item] = id
      case .sectionInserted(let section): list.insert([], at: section)
      case .sectionDeleted(let section): list.remove(at: section)
      }
    }
    return list
  }
}

extension ResultChanges: CustomStringConvertible {
  /// One line for each step: `+ Hero(1) at 0`, `- 4`, `Hero(2) from 3 to 0`, `Hero(3) at 1 updated`.
  public var description: String { steps.map(\.description).joined(separator: "\n") }
}

extension ResultChanges.Step: CustomStringConvertible {
  /// The step on one line, with the positions in the whole list.
  public var description: String {
    switch self {
    case .inserted(let id, let place): "+ \(id) at \(place.position)"
    case .deleted(let place): "- \(place.position)"
    case .moved(let id, let old, let new): "\(id) from \(old.position) to \(new.position)"
    case .updated(let id, let place): "\(id) at \(place.position) updated"
    case .sectionInserted(let section): "+ section \(section)"
    case .sectionDeleted(let section): "- section \(section)"
    }
  }
}
