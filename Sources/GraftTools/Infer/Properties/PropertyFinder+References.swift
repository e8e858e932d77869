import Graft

// References that have more than an identity.
extension PropertyFinder {
  /// A comment on a property that only references have: JSON:API allows each reference to have its own "meta".
  ///
  ///     {"tracks": {"data": [{"type": "tracks", "id": "1", "meta": {"position": 4}}]}}
  func referenceNote(_ path: [String], _ draft: EntityDraft) -> String? {
    guard path[0] == "meta", draft.group?.typeKey != nil else { return nil }
    let keys = Set((draft.identityKeys + ["meta"]).map { UTF8Key($0) })
    let rows = draft.shape.rows
    let isOfReference = (0..<rows.count).contains { row in
      rows[row].count == keys.count && rows[row].allSatisfy { keys.contains(UTF8Key(table.shapes[Int($0.member)].key)) }
    }
    guard isOfReference else { return nil }
    return
      "Guess: \"meta\" belongs to the object. If each reference to it has its own, only the last one that is imported is kept."
  }
}
