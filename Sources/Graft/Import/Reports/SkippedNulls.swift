/// The nulls that were skipped in lists (I5, I12).
struct SkippedNulls {
  /// The number of skipped nulls, by the entity of the list's objects.
  private(set) var counts: [Int: Int] = [:]
  /// The offsets of the skipped nulls, if they are reported.
  private(set) var places: [(entity: Int, offset: Int)] = []

  mutating func note(_ entity: Int, at offset: Int, keepsPlace: Bool) {
    counts[entity, default: 0] += 1
    if keepsPlace { places.append((entity, offset)) }
  }
}
