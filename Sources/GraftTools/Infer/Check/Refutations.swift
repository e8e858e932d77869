import Graft

/// The guesses that the samples refuted when a model made of them was tried, each with the reason.
///
/// A guess is identified by the key that it was made for and the shape of the objects with that key, because the names of entities and
/// properties may change from one attempt to the next. Shapes have the same numbers in each attempt.
struct Refutations {
  /// What was guessed about a key.
  enum Guess: Hashable {
    /// The format of its values, the limits of an enum, or that they refer to objects.
    case refinement
    /// Any type but `json`.
    case type
    /// That it is always present.
    case presence
    /// That each object under it has only one owner.
    case owner
    /// That it identifies the objects.
    case identity
  }

  /// A guess about a key of the objects of a shape.
  struct Subject: Hashable {
    var guess: Guess
    var key: String
    /// The number of the shape.
    var shape: Int
  }

  /// Takes the place of a key for objects that are identified within their owner.
  static let ownedIdentity = "@owner"

  private var reasons: [(subject: Subject, reason: String)] = []

  var count: Int { reasons.count }

  /// Adds a refuted guess, and returns whether it is new.
  mutating func add(_ subject: Subject, _ reason: String) -> Bool {
    guard !reasons.contains(where: { $0.subject == subject }) else { return false }
    reasons.append((subject, reason))
    return true
  }

  /// Returns the reason why a guess about a key of the objects of a shape is refuted, or nil if it is not.
  func reason(_ guess: Guess, _ key: String, in shape: Int, _ table: ShapeTable) -> String? {
    guard !reasons.isEmpty else { return nil }
    return reasons.first {
      $0.subject.guess == guess && UTF8Key($0.subject.key) == UTF8Key(key)
        && table.find($0.subject.shape) == table.find(shape)
    }?.reason
  }

  /// Returns the reason why a guess about a property is refuted, or nil if it is not.
  func reason(_ guess: Guess, _ property: EntityDraft.Property, _ table: ShapeTable) -> String? {
    reason(guess, property.path[property.path.count - 1], in: property.container, table)
  }
}
