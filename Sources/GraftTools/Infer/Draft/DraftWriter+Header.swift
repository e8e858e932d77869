import Graft

// The comment at the start of a model.
extension DraftWriter {
  /// Notes on required values, which depend on the numbers of objects.
  var requirementNotes: [String] {
    let hasFew = drafts.contains { draft in
      draft.differentObjects < PropertyFinder.fewest
        && draft.properties.contains { !$0.isIdentity && $0.destination == nil }
    }
    let few =
      "If the samples have only one or two objects of an entity, everything but its identity is optional. "
      + "Remove \"optional\" from properties that always have a value."
    let requiring = drafts.filter { draft in
      draft.properties.contains { property in
        if case .attribute(_, isOptional: false) = property.kind { !property.isIdentity } else { false }
      }
    }
    let start =
      requiring.contains { $0.differentObjects < 20 }
      ? "The samples have few objects of some entities: properties that all of these objects have are required."
      : "Properties that all objects of an entity have in the samples are required."
    let end = "Other objects may lack them: 'graft infer --update' with more samples makes them optional."
    return (hasFew ? [few] : []) + (requiring.isEmpty ? [] : ["\(start) \(end)"])
  }

  /// Notes on values in other samples that the types may not allow.
  var typeNotes: [String] {
    let isClosed = drafts.flatMap(\.properties).contains { property in
      guard case .attribute(let choice, _) = property.kind else { return property.isToMany }
      return choice.type != .json && !property.isIdentity
    }
    guard isClosed else { return [] }
    let fit =
      "Types fit the values of the samples. If other values do not fit, such as 1.5 for an integer, text that is not a URI, or one object "
      + "for a list, 'graft infer --update' lets the model read them."
    let hasObjects = drafts.flatMap(\.properties).contains { property in
      if case .toOne = property.kind { true } else { property.path.count > 1 }
    }
    return [fit + (hasObjects ? " If another sample has a list in place of an object, infer the model from both." : "")]
  }

  /// Names the objects and arrays of the samples that no entity reads.
  var unreadNote: String? {
    if unread.isEmpty { return nil }
    let paths = unread.prefix(5).map { "\"\("\($0)".escapedForDisplay())\"" } + (unread.count > 5 ? ["others"] : [])
    return
      "Besides the objects, the samples have \(paths.joined(separator: ", ")), which no entity reads. To read all of the document, "
      + "infer with '--at .'"
  }
}
