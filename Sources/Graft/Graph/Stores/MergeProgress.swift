/// A merge of what others wrote, from its beginning to its end.
struct MergeProgress {
  /// What the merge changes that the journal does not know: what must be undone if the store cannot be read.
  struct Undo {
    /// The rows that were outdated, or were found to be.
    fileprivate(set) var outdated: Set<RowPlace>
    /// The links that led to hidden rows.
    let links: [HiddenRows.Link: HiddenRows.Target]
    /// Faults that are gone.
    fileprivate(set) var unfaulted: [RowPlace] = []
    /// Rows that are no longer those of the store, because the objects are of another entity now.
    fileprivate(set) var widened: [RowPlace] = []
  }

  private var undo: Undo?
  /// The rows that were loaded while another one had their identity.
  private var unindexed: [RowPlace] = []

  var isOpen: Bool { undo != nil }

  mutating func begin(outdated: Set<RowPlace>, links: [HiddenRows.Link: HiddenRows.Target]) {
    undo = Undo(outdated: outdated, links: links)
  }

  /// Ends the merge.
  ///
  /// - Returns: what to undo if it has failed.
  @discardableResult
  mutating func end() -> Undo? {
    defer { undo = nil }
    return undo
  }

  mutating func noteOutdated(_ places: Set<RowPlace>) { undo?.outdated.formUnion(places) }
  mutating func noteUnfaulted(_ place: RowPlace) { undo?.unfaulted.append(place) }
  mutating func noteWidened(_ places: [RowPlace]) { undo?.widened = places }

  mutating func noteUnindexed(_ place: RowPlace) { unindexed.append(place) }

  /// The rows that were not indexed when they were loaded: now they are, or are hidden.
  mutating func takeUnindexed() -> [RowPlace] {
    defer { unindexed = [] }
    return unindexed
  }
}
