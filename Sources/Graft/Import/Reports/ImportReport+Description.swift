extension ImportReport: CustomStringConvertible {
  /// A line for each entity that has anything to report, in the order of the model: `Hero: 4 inserted, 1 placeholder`.
  public var description: String {
    let counts: [(counts: [String: Int], one: String, many: String)] = [
      (inserted, "inserted", "inserted"), (updated, "updated", "updated"), (unchanged, "unchanged", "unchanged"),
      (placeholders, "placeholder", "placeholders"), (filled, "placeholder filled", "placeholders filled"),
      (unlinked, "unlinked", "unlinked"), (deleted, "deleted", "deleted"), (skipped, "skipped", "skipped"),
    ]
    let lines = entityNames.compactMap { name -> String? in
      let words = counts.compactMap { part in
        part.counts[name].map { "\($0) \($0 == 1 ? part.one : part.many)" }
      }
      return words.isEmpty ? nil : "\(name): \(words.joined(separator: ", "))"
    }
    return lines.isEmpty ? "no objects" : lines.joined(separator: "\n")
  }
}
