import Graft

// The comment at the start of a model.
extension DraftWriter {
  /// What the numbers of objects say about required values.
  var requirementNotes: [String] {
    let hasFew = drafts.contains { draft in
      draft.differentObjects < PropertyFinder.fewest
        && draft.properties.contains { !$0.isIdentity && $0.destination == nil }
    }
    let few =
      "Where the samples have one or two objects of an entity, everything but its identity is optional. "
      + "Remove \"optional\" where a value is always there."
    let requiring = drafts.filter { draft in
      draft.properties.contains { property in
        if case .attribute(_, isOptional: false) = property.kind { !property.isIdentity } else { false }
      }
    }
    let start =
      requiring.contains { $0.differentObjects < 20 }
      ? "There are few objects of some entities in the samples: what all of these have is required."
      : "What all objects of an entity have in the samples is required."
    let end = "Others may lack it: 'graft infer --update' with more samples makes that optional."
    return (hasFew ? [few] : []) + (requiring.isEmpty ? [] : ["\(start) \(end)"])
  }

  /// What another sample may have that the types do not allow.
  var typeNotes: [String] {
    let isClosed = drafts.flatMap(\.properties).contains { property in
      guard case .attribute(let choice, _) = property.kind else { return property.isToMany }
      return choice.type != .json && !property.isIdentity
    }
    guard isClosed else { return [] }
    let fit =
      "Types fit the values of the samples. If others do not fit, such as 1.5 for an integer, text that is not a URI, or one object for "
      + "a list, 'graft infer --update' lets the model read them."
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
      "Beside the objects, the samples have \(paths.joined(separator: ", ")), which no entity reads. To read all of the document, "
      + "infer with '--at .'"
  }
}
