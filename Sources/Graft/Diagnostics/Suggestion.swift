/// Finds the name that was probably intended.
package enum Suggestion {
  /// The maximum length of a name in which edits are counted. Longer names are only compared without regard to case, which bounds
  /// the cost.
  static let longestName = 80

  /// Returns the candidate nearest to a name, or nil if no candidate is near.
  ///
  /// A candidate is near if it differs only in case or is at most two edits away (one for a name of two or three letters, a third
  /// of the length for a long name). A truncated name, with at least half of its letters left, is one edit away. An edit inserts,
  /// removes or replaces a letter, or swaps two neighbors. If two candidates are equally near, the first candidate is returned.
  package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    guard name.utf8.count <= 4 * longestName else { return nil }
    let letters = Array(name.lowercased().unicodeScalars)
    guard letters.count > 1, letters.count <= longestName else { return nil }
    var limit = letters.count < 4 ? 1 : max(2, letters.count / 3)
    var nearest: String?
    for candidate in candidates where candidate.utf8.count <= 4 * longestName && candidate != name {
      let others = Array(candidate.lowercased().unicodeScalars)
      if letters.count < others.count, letters.count * 2 >= others.count, letters.count > 2, limit >= 1,
        others.starts(with: letters)
      {
        (nearest, limit) = (candidate, 0)
        continue
      }
      // With as many edits as the shorter name has letters, any name could become any other.
      let allowed = min(limit, min(others.count, letters.count) - 1)
      guard allowed >= 0, let distance = distance(letters, others, atMost: allowed) else { continue }
      nearest = candidate
      limit = distance - 1
      if limit < 0 { break }
    }
    return nearest
  }

  /// Returns the number of edits between two names (optimal string alignment), or nil if this number exceeds the limit.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int) -> Int? {
    guard abs(a.count - b.count) <= limit else { return nil }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var row = last
    for i in 0..<a.count {
      row[0] = i + 1
      var least = row[0]
      for j in 0..<b.count {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row[j + 1] = cost
        least = min(least, cost)
      }
      // A swap refers to the row before the last and costs one edit, so a row above the limit ends the search anyway.
      if least > limit { return nil }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[b.count] <= limit ? last[b.count] : nil
  }
}
