import Graft

/// Finds the identity of objects in a part that describes them.
///
///     {"metadata": {"uid": "7f1c"}, "status": "Running"}         "metadata.uid"
///     {"sys": {"id": "home"}, "fields": {}}                      "sys.id"
///
/// Only the objects of a document itself get such an identity. Other objects belong to the containing object, unless a key of their own
/// identifies them.
struct InnerIdentityFinder {
  let table: ShapeTable

  private static let parts: Set<String> = ["_id", "id", "metadata", "meta", "sys"]
  private static let keys: Set<String> = ["$oid", "id", "uid", "uuid", "guid"]

  /// Whether the key path of a value looks like that of an ID.
  static func isLikely(_ path: [String]) -> Bool {
    path.count == 2 && keys.contains(path[1].lowercased()) && parts.contains(path[0].lowercased())
  }

  func find(in drafts: [EntityDraft]) {
    for draft in drafts where draft.parent == nil && !draft.isIdentified && draft.ownedIdentity == nil {
      guard let group = draft.group, group.refuted == nil, group.sites.allSatisfy(\.ancestors.isEmpty),
        let index = draft.properties.firstIndex(where: { Self.isLikely($0.path) }),
        case .attribute(let choice, _) = draft.properties[index].kind, !choice.isList, choice.nulls == nil,
        [.integer64, .string, .uuid].contains(choice.type), isUnique(draft.properties[index], in: draft)
      else { continue }
      draft.properties[index].kind = .attribute(choice, isOptional: false)
      draft.innerIdentity = draft.properties[index].name
    }
  }

  /// Whether each object has a value, and no two objects of one sample have the same value.
  private func isUnique(_ property: EntityDraft.Property, in draft: EntityDraft) -> Bool {
    let rows = table[property.container].rows
    guard rows.count == draft.shape.objects else { return false }
    var samples: [ValueHash: Int] = [:]
    for row in 0..<rows.count {
      let sample = table.sample(ofObject: rows.ids[row])
      guard let cell = rows[row].first(where: { table.find(Int($0.member)) == property.shape.number }),
        samples.updateValue(sample, forKey: cell.hash) != sample
      else { return false }
    }
    return true
  }
}
