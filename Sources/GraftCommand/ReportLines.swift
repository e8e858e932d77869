import Graft

/// An import's report, as people and as programs read it.
///
///     Imported 2 payloads
///       Hero       4 inserted, 1 placeholder
///       Publisher  2 inserted
struct ReportLines {
  private typealias Counts = (key: String, words: (Int) -> String, counts: [String: Int])

  private let counts: [Counts]
  private let entityNames: [String]

  /// - Parameter entityNames: the entities in the order in which they are to appear.
  init(_ report: ImportReport, entityNames: [String]) {
    self.entityNames = entityNames
    counts = [
      ("inserted", { "\($0) inserted" }, report.inserted),
      ("updated", { "\($0) updated" }, report.updated),
      ("unchanged", { "\($0) unchanged" }, report.unchanged),
      ("placeholders", { counted($0, "placeholder") }, report.placeholders),
      ("filled", { "\(counted($0, "placeholder")) filled" }, report.filled),
      ("deleted", { "\($0) deleted" }, report.deleted),
    ]
  }

  /// A line for each entity.
  func text(payloads: Int) -> String {
    let rows = entityNames.compactMap { name -> (name: String, words: String)? in
      let words = counts.compactMap { part in part.counts[name].map(part.words) }
      return words.isEmpty ? nil : (name, words.joined(separator: ", "))
    }
    let title = "Imported \(counted(payloads, "payload"))"
    guard !rows.isEmpty else { return "\(title): no objects\n" }
    let width = rows.map(\.name.count).max() ?? 0
    let lines = rows.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.words)\n" }
    return "\(title)\n\(lines.joined())"
  }

  /// One JSON object: what happened, and to how many objects of each entity.
  var json: String {
    let members = counts.map { part in
      let counts = entityNames.compactMap { name in
        part.counts[name].map { (key: name, value: JSON.number(JSONNumber($0))) }
      }
      return (key: part.key, value: JSON.object(JSONObject(counts)))
    }
    return JSON.object(JSONObject(members)).prettyText
  }
}
