import Graft

/// Finds attributes whose values differ in all objects of an entity without an identity. A comment names them, because you may know which
/// of them identifies the objects.
struct UniqueKeysFinder {
  let table: ShapeTable

  /// With fewer objects, values differ by chance.
  private static let fewest = 5
  /// The maximum number of objects and of attributes that are examined for pairs.
  private static let mostRows = 2_000
  private static let mostColumns = 12

  func find(in drafts: [EntityDraft]) {
    for draft in drafts where draft.parent == nil && draft.isInsertedAgain { draft.uniqueNames = uniqueNames(draft) }
  }

  /// Returns the names of such attributes. If there are none, returns the names of a pair whose values differ together.
  private func uniqueNames(_ draft: EntityDraft) -> [[String]] {
    let rows = draft.shape.rows
    guard rows.count >= Self.fewest, rows.count == draft.shape.objects else { return [] }
    let columns = draft.properties.filter { canIdentify($0, rows.count) }
    let values = columns.map { column in
      (0..<rows.count).compactMap { row in
        rows[row].first { table.find(Int($0.member)) == column.shape.number }?.hash
      }
    }
    let complete = columns.indices.filter { values[$0].count == rows.count }
    let unique = complete.filter { Set(values[$0]).count == rows.count }
    if !unique.isEmpty { return unique.map { [columns[$0].name] } }
    guard rows.count <= Self.mostRows, complete.count <= Self.mostColumns else { return [] }
    for (number, first) in complete.enumerated() {
      for second in complete[(number + 1)...] {
        let pairs = Set(zip(values[first], values[second]).map { $0.adding(element: $1) })
        if pairs.count == rows.count { return [[columns[first].name, columns[second].name]] }
      }
    }
    return []
  }

  /// Whether an attribute is text or an integer, as identities are.
  private func canIdentify(_ property: EntityDraft.Property, _ count: Int) -> Bool {
    guard property.path.count == 1, case .attribute(let choice, _) = property.kind, !choice.isList, choice.nulls == nil,
      property.shape.present == count
    else { return false }
    return [.string, .integer16, .integer32, .integer64, .uuid, .uri, .date].contains(choice.type)
  }
}
