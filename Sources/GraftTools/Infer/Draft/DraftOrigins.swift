import Graft

/// The places in the samples where the properties and identities of a model were found, by their names in the model.
struct DraftOrigins {
  struct Property {
    /// The number of the shape of the objects that have its key.
    var container: Int
    /// Its key there.
    var key: String
    /// The first key of its key path.
    var firstKey: String
    var isIdentity: Bool
    /// Whether each object of the samples has it.
    var isAlwaysThere: Bool
    /// Whether a plainer guess is possible.
    var isRefined: Bool
  }

  struct Identity {
    /// The number of the shape of the objects.
    var shape: Int
    var key: String
    /// The keys in which objects with one identity are known to differ. A comment names one of them.
    var differing: Set<String>
  }

  /// By entity and property: `Hero.name`.
  private(set) var properties: [String: Property] = [:]
  private(set) var identities: [String: Identity] = [:]

  init(_ drafts: [EntityDraft]) {
    for draft in drafts {
      for property in draft.properties {
        properties["\(draft.name).\(property.name)"] = Property(
          container: property.container, key: property.path[property.path.count - 1], firstKey: property.path[0],
          isIdentity: property.isIdentity, isAlwaysThere: property.shape.present >= draft.fullObjects,
          isRefined: property.isRefined)
      }
      guard let key = draft.ownedIdentity == nil ? draft.identityKeys.last : Refutations.ownedIdentity else { continue }
      let facts = draft.group?.identity?.facts ?? IdentityFacts()
      let differing = facts.changes.union(facts.columns.filter { $0.value.contradictions > 0 }.keys)
      identities[draft.name] = Identity(
        shape: draft.shape.number, key: key, differing: draft.ownedIdentity == nil ? differing : [])
    }
  }
}

extension EntityDraft.Property {
  /// Whether values have a format, a limit or a meaning that plain text and plain numbers do not have.
  fileprivate var isRefined: Bool {
    switch kind {
    case .attribute(let choice, _):
      choice.transformer != nil || choice.allowedValues != nil || choice.nulls != nil
        || [.date, .uri, .uuid].contains(choice.type)
    case .identifiers: true
    case .toOne, .toMany: false
    }
  }
}
