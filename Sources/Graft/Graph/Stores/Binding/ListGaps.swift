/// The ordered lists of links whose positions may have gaps.
///
///     positions in the store   0  1  2        the object at 1 is deleted, by any context    0  2
///     places in memory         0  1  2                                                        0  1
///
/// When an object is deleted, the store removes its links, and the other members keep their positions. A commit that changes such a list
/// therefore writes all of its positions; in a list without gaps, it writes only the positions that differ.
struct ListGaps {
  /// For each table of links, the number of deletions that may have left gaps in its lists.
  private var deletions: [Int: Int] = [:]
  /// For each list, the number of deletions in its table of links when the list was last noted without gaps; -1 for lists with gaps.
  private var lists: [StoredList: Int] = [:]

  mutating func noteDeletions(in link: Int) { deletions[link, default: 0] += 1 }

  /// Notes that a list was read, or was written as a whole.
  mutating func note(_ list: StoredList, in link: Int, hasGaps: Bool) {
    let count = hasGaps ? -1 : deletions[link] ?? 0
    if count == 0 { lists[list] = nil } else { lists[list] = count }
  }

  func contains(_ list: StoredList, in link: Int) -> Bool { lists[list] ?? 0 != deletions[link] ?? 0 }
}
