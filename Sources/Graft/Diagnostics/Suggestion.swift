/// Finds the name that was probably meant.
package enum Suggestion {
  /// Longer names are only compared without regard to case, so that the cost stays bounded.
  static let longestName = 80

  /// The candidate nearest to a name; nil where none is near.
  ///
  /// Near is: the same but for case, or at most two edits away (one in a name of two or three letters, a third of the
  /// length in a long one). A name cut short, with at least half of its letters left, is one edit away. An edit inserts, removes or replaces a letter, or swaps two neighbours. Of two equally
  /// near candidates the first counts.
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
      // As many edits as the shorter name has letters would make any name of any other.
      let allowed = min(limit, min(others.count, letters.count) - 1)
      guard allowed >= 0, let distance = distance(letters, others, atMost: allowed) else { continue }
      nearest = candidate
      limit = distance - 1
      if limit < 0 { break }
    }
    return nearest
  }

  /// The number of edits between two names (optimal string alignment); nil if it is above the limit.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int) -> Int? {
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
      // A swap reaches back two rows and costs one, so a row above the limit ends it all the same.
      if least > limit { return nil }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[b.count] <= limit ? last[b.count] : nil
  }
}
